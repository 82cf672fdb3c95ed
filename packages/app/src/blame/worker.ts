/** V7: what the page asks about files and commits, answered by another process. */
import { realpathSync } from 'node:fs'
import { isAbsolute, resolve, sep } from 'node:path'
import type { BlamedFile, CommitSessions } from '@dagline/core/protocol'
import { openRangeReader } from '@dagline/store'
import { UserError } from '../host/user-error.js'
import { openArchivedFiles } from '../index/archive.js'
import { runOnce } from '../workers/pool.js'
import { readCommits, sessionsBehind } from './commits.js'
import { blameFile, readFileState } from './file.js'
import { openSessions } from './source.js'

/** The sessions that are shown. */
interface Shown {
  /** The index file. */
  readonly index: string
  readonly roots: readonly string[]
}

/** A file that the page asks about. */
export interface BlameInput extends Shown {
  readonly file: string
}

/** A commit that a session made. */
export interface CommitInput extends Shown {
  readonly session: string
  readonly rev: string
}

/** Attributes the lines of a file in a worker. */
export async function blameInWorker(input: BlameInput): Promise<BlamedFile> {
  return await runOnce('blame', input, { endedEarly, here: blameShown })
}

/** Names the sessions behind a commit in a worker. */
export async function commitInWorker(input: CommitInput): Promise<readonly CommitSessions[]> {
  return await runOnce('commits', input, { endedEarly, here: commitShown })
}

function endedEarly(): UserError {
  return new UserError(
    'The process that was to answer ended early. Try again, or run `dagline blame` in a terminal.',
    'unavailable',
  )
}

type Source = ReturnType<typeof openSessions>

async function withSessions<T>({ index, roots }: Shown, ask: (source: Source) => Promise<T>): Promise<T> {
  const archived = openArchivedFiles(roots)
  const source = openSessions(index, roots, openRangeReader(archived.at))
  try {
    return await ask(source)
  } finally {
    source.close()
    archived.close()
  }
}

/** The task of a worker: attributes the lines of a file. Throws `UserError` for one that is not a session's to show. */
export async function blameShown({ file, ...shown }: BlameInput): Promise<BlamedFile> {
  return await withSessions(shown, async source => {
    const folders = source.sessions().flatMap(({ cwd }) => cwd ?? [])
    // Z7: whoever may ask the viewer must not be able to read any file of this machine by it.
    if (!isAbsolute(file) || !source.touched().has(file) || !isWithin(file, folders)) throw notShown(file)
    const blamed = blameFile(source, await readFileState(file))
    if (blamed.edits.length === 0) throw notShown(file)
    return blamed
  })
}

function notShown(file: string): UserError {
  const message = `${file} is not a file in the working directory of a session that changed it.`
  return new UserError(`${message} Run \`dagline blame\` in a terminal for other files.`, 'no-entry')
}

/** Whether a file lies below one of some folders, links resolved. */
function isWithin(file: string, folders: readonly string[]): boolean {
  const real = realOf(file)
  return [...new Set(folders)].some(folder => real.startsWith(realOf(folder).replace(/[\\/]$/, '') + sep))
}

/** A path without links; as it is where it does not exist. */
function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

/** The task of a worker: names the sessions behind a commit, in the repository that a session worked in. */
export async function commitShown({
  session,
  rev,
  ...shown
}: CommitInput): Promise<readonly CommitSessions[]> {
  return await withSessions(shown, async source => {
    const folder = source.sessions().find(each => each.session === session)?.cwd ?? null
    if (folder === null)
      throw new UserError(`No session with a working directory has the id ${session}.`, 'no-session')
    if (!/^[0-9a-f]{7,64}$/.test(rev)) throw new UserError(`${rev} is not the hash of a commit.`)
    const states = await readCommits(folder, rev)
    return states.map(state => sessionsBehind(source, state))
  })
}
