/** X12: which rows of a list are wanted. Every list takes the same filter, and reads it in the same way. */
import type { IndexStore } from '@dagline/store'
import type { Host } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import { createSpanTest, type DateSpan } from '../text/dates.js'
import { noFile } from '../text/nothing.js'
import { type ProjectScope, scopeOf } from './project.js'
import { sessionIdOf } from './ref.js'
import { sortWords } from './session.js'

/** Which rows are wanted, as it was typed. What is null or missing does not narrow the list. */
export interface ListFilter extends DateSpan {
  /** U1: a path, the name of a folder, or a part of either; without it the project here. */
  readonly project?: string | null | undefined
  /** A session; where the word names a project, all its sessions. */
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
export function readFilter(host: Host, { since, until, ...place }: ListFilter): Choice {
  const isInSpan = createSpanTest({ since, until })
  return { ...readPlace(host, place), isInTime: ({ first, last }) => isInSpan(first, last) }
}

/** U1: a project that is named in the place of a session stands for all its sessions. */
function readPlace(host: Host, { project, session }: ListFilter): Pick<Choice, 'session' | 'scope'> {
  if (session == null) return { session: null, scope: scopeOf(project ?? null, host) }
  const { scope } = sortWords([session], host)
  if (scope === null)
    return {
      session: sessionIdOf(session, host),
      scope: project == null ? null : scopeOf(project, host),
    }
  if (project != null)
    throw new UserError(`${session} and --project ${project} are two projects. Give one of them.`)
  return { session: null, scope }
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
