/** K15, K16: forgetting archived sessions, and holding them. */
import { existsSync } from 'node:fs'
import type { SessionId } from '@dagline/core'
import { dayAndTime } from '@dagline/core/format'
import {
  type Archive,
  archivedOnly,
  archivePath,
  type ForgetPlan,
  openArchive,
  openArchiveWriter,
  planForget,
} from '@dagline/store'
import { findRoots } from '../files/projects.js'
import type { Host } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import { withArchive } from '../index/archive.js'
import { eraseCopies } from '../index/erase.js'
import { usualIndex } from '../index/path.js'
import { spanOf } from '../text/dates.js'
import { idOf, notArchived, uniqueId } from './named.js'

/** Which sessions are forgotten: one, or those of which no file has changed since a time, such as `365d`. */
export type ForgetChoice =
  | { readonly kind: 'session'; readonly session: string }
  | { readonly kind: 'older'; readonly than: string }

/** How sessions are forgotten. */
export interface ForgetOptions {
  /** The archive's file; the usual one where null. */
  readonly archive: string | null
  /** Only tells what would be removed. */
  readonly dryRun: boolean
}

/** What was forgotten, or would be. */
export interface ForgetReport extends ForgetPlan {
  readonly path: string
  readonly isMade: boolean
  /** Sessions that are old enough, but held. */
  readonly held: readonly SessionId[]
  /** Those that exist in the archive only: nothing is left of them on disk. */
  readonly only: readonly SessionId[]
  /** Why unused pages of the archive may still have some of the bytes; null where they have not. */
  readonly traces: string | null
  /** The index or another cache, whose file may still have copies of texts; null where there is none. */
  readonly index: string | null
}

/** Removes sessions from the archive, with all bytes that no other session has. It cannot be undone. */
export async function forgetSessions(
  host: Host,
  choice: ForgetChoice,
  { archive, dryRun }: ForgetOptions,
): Promise<ForgetReport> {
  const path = archive ?? archivePath()
  return await withArchive(
    () => openArchive(path),
    async open => {
      const { sessions, held } = chosenIn(open, choice, host)
      const chosen = new Set(sessions)
      const only = archivedOnly(open, findRoots([], host)).map(({ session }) => session)
      const plan = planForget(open, sessions)
      const index = existsSync(usualIndex()) ? usualIndex() : null
      const report = { ...plan, path, held, index, only: [...new Set(only)].filter(id => chosen.has(id)) }
      if (dryRun || sessions.length === 0) return { ...report, isMade: false, traces: null }
      host.progress('forgetting: writing the archive anew')
      try {
        const failure = await withArchive(
          () => openArchiveWriter(path),
          writer => writer.forget(sessions, Date.now()),
        )
        return { ...report, isMade: true, traces: failure?.message ?? null, index: await eraseCopies() }
      } finally {
        host.progress(null)
      }
    },
  )
}

interface Chosen {
  readonly sessions: readonly SessionId[]
  readonly held: readonly SessionId[]
}

function chosenIn(archive: Archive, choice: ForgetChoice, host: Host): Chosen {
  const holds = new Set(archive.held().map(({ session }) => session))
  if (choice.kind === 'older') {
    const old = sessionsBefore(archive, choice.than)
    return { sessions: old.filter(id => !holds.has(id)), held: old.filter(id => holds.has(id)) }
  }
  const session = archivedSession(archive, choice.session, host)
  if (!holds.has(session)) return { sessions: [session], held: [] }
  throw new UserError(
    `Session ${session} is held, so it is not forgotten. Run \`dagline archive hold ${session} --release\` first.`,
  )
}

function sessionsBefore(archive: Archive, than: string): readonly SessionId[] {
  const [before] = spanOf({ since: than, until: null })
  const changed = new Map<SessionId, number>()
  for (const { session, mtime } of archive.list())
    if (session !== null) changed.set(session, Math.max(mtime, changed.get(session) ?? 0))
  return [...changed].flatMap(([session, time]) => (before !== null && time < before ? [session] : []))
}

function archivedSession(archive: Archive, word: string, host: Host): SessionId {
  const id = idOf(word, host)
  const found = uniqueId(
    archive.list().flatMap(({ session }) => session ?? []),
    id,
  )
  if (found !== null) return found
  const forgotten = archive.forgotten().find(({ session }) => session.startsWith(id))
  if (forgotten === undefined) throw notArchived(word)
  throw new UserError(
    `Session ${forgotten.session} was forgotten on ${dayAndTime(forgotten.since)}. Run \`dagline archive --again ${forgotten.session}\` to keep it again.`,
  )
}

/** A session that is held, or no longer. */
export interface HoldReport {
  readonly path: string
  readonly session: SessionId
  readonly isHeld: boolean
}

/** Protects a session from being forgotten, or ends that. */
export async function holdSession(
  host: Host,
  word: string,
  { archive, release }: { readonly archive: string | null; readonly release: boolean },
): Promise<HoldReport> {
  const path = archive ?? archivePath()
  return await withArchive(
    () => openArchive(path),
    async open => {
      const session = archivedSession(open, word, host)
      await withArchive(
        () => openArchiveWriter(path),
        writer => (release ? writer.release(session) : writer.hold(session, Date.now())),
      )
      return { path, session, isHeld: !release }
    },
  )
}

/** The forgotten session that a word means. */
export function forgottenSession(archive: Archive, word: string, host: Host): SessionId {
  const found = uniqueId(
    archive.forgotten().map(({ session }) => session),
    idOf(word, host),
  )
  if (found !== null) return found
  throw new UserError(
    `No forgotten session begins with ${word}. Run \`dagline archive stats\` to list those that are forgotten.`,
  )
}
