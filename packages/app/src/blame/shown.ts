/** Z7: blame for those who may not read every file of this machine: the page, and models. */
import { realpathSync } from 'node:fs'
import { isAbsolute, resolve, sep } from 'node:path'
import type { BlamedFile, CommitSessions } from '@dagline/core/protocol'
import type { Host } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import { sessionWordOf } from '../locate/ref.js'
import { findSession } from '../locate/session.js'
import { repositoryOf } from '../locate/worktrees.js'
import { readCommits, sessionsBehind } from './commits.js'
import { blameFile, readFileState } from './file.js'
import type { OpenSessions } from './source.js'

/** Attributes the lines of a file that a session changed in its working directory. Throws `UserError` for any other file. */
export async function blameChanged(
  source: OpenSessions,
  file: string,
  here: string | null = null,
): Promise<BlamedFile> {
  const path = isAbsolute(file) || here === null ? file : resolve(here, file)
  const isShown =
    isAbsolute(path) && !path.includes('\0') && source.touched().has(path) && isBelow(path, foldersOf(source))
  if (!isShown) throw notShown(file)
  const blamed = blameFile(source, await readFileState(path))
  if (blamed.edits.length === 0) throw notShown(file)
  return blamed
}

function notShown(file: string): UserError {
  const message = `${file} is not a file in the working directory of a session that changed it.`
  return new UserError(`${message} Run \`dagline blame\` in a terminal for other files.`, 'no-entry')
}

/** The working directories of all sessions. */
function foldersOf(source: OpenSessions): ReadonlySet<string> {
  return new Set(source.sessions().flatMap(({ cwd }) => cwd ?? []))
}

/** Whether a path lies below one of some folders, links resolved. */
function isBelow(path: string, folders: ReadonlySet<string>): boolean {
  const real = realOf(path)
  return [...folders].some(folder => real.startsWith(realOf(folder).replace(/[\\/]$/, '') + sep))
}

/** A path without links; as it is where it does not exist. */
function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

/** Names the sessions behind a commit, in the repository that a session worked in. Throws `UserError` for anything but a hash. */
export async function commitOfSession(
  source: OpenSessions,
  session: string,
  hash: string,
): Promise<readonly CommitSessions[]> {
  const folder = source.sessions().find(each => each.session === session)?.cwd ?? null
  if (folder === null)
    throw new UserError(`No session with a working directory has the id ${session}.`, 'no-session')
  return await commitIn(source, folder, hash)
}

/** The same for a session as it is typed; without one, in the working directory, where a session worked there. */
export async function commitOfTyped(
  source: OpenSessions,
  host: Host,
  { session, hash }: { readonly session: string | null; readonly hash: string },
): Promise<readonly CommitSessions[]> {
  if (session !== null)
    return await commitOfSession(source, findSession(sessionWordOf(session, host), host).id ?? session, hash)
  const { here } = host
  const folders = foldersOf(source)
  if (here === null || !(folders.has(here) || isBelow(here, folders)))
    throw new UserError('No session worked in the working directory. Name a session of the repository.')
  return await commitIn(source, here, hash)
}

async function commitIn(
  source: OpenSessions,
  folder: string,
  hash: string,
): Promise<readonly CommitSessions[]> {
  if (!/^[0-9a-f]{7,64}$/.test(hash)) throw new UserError(`${hash} is not the hash of a commit.`)
  // Transcripts name the folder: the error does not.
  if (repositoryOf(folder) === null)
    throw new UserError('The working directory is not in a git repository. Name another session.', 'no-entry')
  const states = await readCommits(folder, hash)
  return states.map(state => sessionsBehind(source, state))
}
