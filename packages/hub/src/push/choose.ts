/** HU13: the sessions that may leave, and why others stay. */
import { existsSync } from 'node:fs'
import { folderAtStart } from '@dagline/store'
import { type Choice, type Decision, decide, isRedacted, type Origin } from './choice.js'
import type { LocalFile, LocalSession } from './files.js'
import { remotesOf } from './remotes.js'
import type { PushState } from './state.js'

/** A session that may leave. */
export interface AllowedSession {
  readonly session: LocalSession
  readonly origin: Origin
  readonly isRedacted: boolean
}

/** Sessions of a project that stay on this machine. */
export interface HeldProject {
  readonly origin: Origin
  readonly reason: Exclude<Decision, 'allowed'>
  readonly sessions: number
  readonly bytes: number
}

/** Decides about every session. */
export function chooseSessions(
  sessions: readonly LocalSession[],
  choice: Choice,
  state: PushState,
): { readonly allowed: readonly AllowedSession[]; readonly held: readonly HeldProject[] } {
  const originOf = originFinder(state)
  const allowed: AllowedSession[] = []
  const held = new Map<string, HeldProject>()
  for (const session of sessions) {
    const origin = originOf(session)
    const reason = decide(choice, origin)
    if (reason === 'allowed') {
      allowed.push({ session, origin, isRedacted: isRedacted(choice, origin) })
      continue
    }
    const key = `${reason} ${origin.cwd ?? origin.folder}`
    const before = held.get(key) ?? { origin, reason, sessions: 0, bytes: 0 }
    const bytes = session.files.reduce((sum, file) => sum + file.bytes, before.bytes)
    held.set(key, { ...before, sessions: before.sessions + 1, bytes })
  }
  return { allowed, held: [...held.values()].sort((a, b) => b.bytes - a.bytes) }
}

/** Where sessions were begun: read once, and remembered for the time when the folder is gone. */
function originFinder(state: PushState): (session: LocalSession) => Origin {
  const folders = new Map(state.folders())
  const remotes = new Map<string, readonly string[] | null>()
  const folderOf = (file: LocalFile): string | null => {
    const known = folders.get(file.place)
    if (known !== undefined) return known
    const folder = startOf(file)
    if (folder === null) return null
    folders.set(file.place, folder)
    state.keepFolder(file.place, folder)
    return folder
  }
  const remotesAt = (folder: string): readonly string[] | null => {
    const known = remotes.get(folder)
    if (known !== undefined) return known
    const found = existsSync(folder) ? remotesOf(folder) : state.remotes(folder)
    if (found !== null && found.join() !== state.remotes(folder)?.join()) state.keepRemotes(folder, found)
    remotes.set(folder, found)
    return found
  }
  const byProject = new Map<string, string>()
  return ({ name, files }) => {
    const transcript = files.find(({ rows }) => rows)
    const cwd = (transcript === undefined ? null : folderOf(transcript)) ?? byProject.get(name) ?? null
    if (cwd !== null && !byProject.has(name)) byProject.set(name, cwd)
    return { cwd, remotes: cwd === null ? null : remotesAt(cwd), folder: name }
  }
}

function startOf({ place }: LocalFile): string | null {
  try {
    return folderAtStart(place)
  } catch {
    return null
  }
}
