/** V7: what the page asks about files and commits, answered by another process. */
import type { BlamedFile, CommitSessions } from '@dagline/core/protocol'
import { openRangeReader } from '@dagline/store'
import { UserError } from '../host/user-error.js'
import { openArchivedFiles } from '../index/archive.js'
import { runOnce } from '../workers/pool.js'
import { blameChanged, commitOfSession } from './shown.js'
import { type OpenSessions, openSessions } from './source.js'

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

async function withSessions<T>(
  { index, roots }: Shown,
  ask: (source: OpenSessions) => Promise<T>,
): Promise<T> {
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
  return await withSessions(shown, source => blameChanged(source, file))
}

/** The task of a worker: names the sessions behind a commit, in the repository that a session worked in. */
export async function commitShown({
  session,
  rev,
  ...shown
}: CommitInput): Promise<readonly CommitSessions[]> {
  return await withSessions(shown, source => commitOfSession(source, session, rev))
}
