/** X12: which rows of a list are wanted. Every list takes the same filter, and reads it in the same way. */
import type { IndexStore } from '@dagline/store'
import type { Host } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import { createSpanTest, type DateSpan } from '../text/dates.js'
import { noFile } from '../text/nothing.js'
import { type ProjectScope, scopeOf } from './project.js'
import { sessionIdOf } from './ref.js'

/** Which rows are wanted, as it was typed. What is null or missing does not narrow the list. */
export interface ListFilter extends DateSpan {
  /** U1: a path, the name of a folder, or a part of either; without it the project here. */
  readonly project?: string | null | undefined
  readonly session?: string | null | undefined
  /** The end of the path of a file: only what touched one. */
  readonly file?: string | null | undefined
}

/** Which session a row is of, and when it began and ended. */
interface Dated {
  readonly session: string
  readonly first: number | null
  readonly last: number | null
}

/** What a row is chosen by beside its time. */
interface Choice {
  readonly isInTime: (row: Dated) => boolean
  /** The id of the session that was named; null where none was. */
  readonly session: string | null
  /** The project that was named, or the one here; null for all. */
  readonly scope: ProjectScope | null
}

/** Reads a filter. Throws `UserError` where a date is not valid, or there is no such session or project. */
export function readFilter(host: Host, { project, session, since, until }: ListFilter): Choice {
  const isInSpan = createSpanTest({ since, until })
  return {
    scope: session == null || project != null ? scopeOf(project ?? null, host) : null,
    isInTime: ({ first, last }) => isInSpan(first, last),
    session: session == null ? null : sessionIdOf(session, host),
  }
}

/** The sessions that touched a file. Throws `UserError` where no call names it. */
export function sessionsTouching(
  index: IndexStore,
  roots: readonly number[],
  file: string,
): ReadonlySet<string> {
  const counts = index.countBySession([], { touching: file, roots })
  if (counts.length === 0) throw new UserError(noFile(file))
  return new Set(counts.flatMap(({ session }) => session ?? []))
}
