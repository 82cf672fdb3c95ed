/** B7: a session store for the Agent SDK: a folder that is a projects root. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fromFileName, type SessionKey, sessionFolder, toFileName, transcriptPath } from './keys.js'
import type { SessionStoreEntry } from './stored-rows.js'
import { openTranscriptFile, type TranscriptFile } from './transcript-file.js'

/** A session of a project, and when it was written to last. */
export interface StoredSession {
  sessionId: string
  /** Milliseconds since 1970. */
  mtime: number
}

/** What the Agent SDK keeps of a session for its lists. `data` is the SDK's own. */
export interface SessionSummaryEntry extends StoredSession {
  data: Record<string, unknown>
}

/** The function of the Agent SDK that makes summaries. */
export type FoldSessionSummary = (
  before: SessionSummaryEntry | undefined,
  key: SessionKey,
  entries: SessionStoreEntry[],
  options?: { mtime?: number },
) => SessionSummaryEntry

/** How a store is made. */
export interface SessionStoreOptions {
  /** `foldSessionSummary` of the Agent SDK: with it, the SDK lists sessions without loading each of them. */
  readonly foldSessionSummary?: FoldSessionSummary
}

/** A `SessionStore` of the Agent SDK. */
export interface FolderSessionStore {
  append(key: SessionKey, entries: readonly SessionStoreEntry[]): Promise<void>
  load(key: SessionKey): Promise<SessionStoreEntry[] | null>
  listSessions(projectKey: string): Promise<StoredSession[]>
  listSessionSummaries?(projectKey: string): Promise<SessionSummaryEntry[]>
  delete(key: SessionKey): Promise<void>
  listSubkeys(key: { projectKey: string; sessionId: string }): Promise<string[]>
}

/**
 * A store for the Agent SDK that keeps sessions in a folder, as Claude Code does below `projects/`: dagline reads them at
 * once, with the folder as a root. Nothing is read or written yet.
 *
 *   const sessionStore = createSessionStore('/srv/sessions')
 *   for await (const message of query({ prompt, options: { sessionStore } })) ...
 *
 * Appending is safe: rows are written whole and in order, and an entry or an import that is there already changes nothing.
 */
export function createSessionStore(folder: string, options: SessionStoreOptions = {}): FolderSessionStore {
  const root = resolve(folder)
  const files = openFiles(root)
  const listSessions = (projectKey: string): Promise<StoredSession[]> => sessionsIn(root, projectKey)
  const { foldSessionSummary: fold } = options
  return {
    append: async (key, entries) => await files.at(key).append(entries),
    load: async key => await files.at(key).load(),
    listSessions,
    delete: async key => {
      if (key.subpath !== undefined) return await files.at(key).remove()
      await files.at(key).remove()
      files.forget(key)
      await rm(join(root, sessionFolder(key)), { recursive: true, force: true })
    },
    listSubkeys: async ({ projectKey, sessionId }) =>
      await subkeysIn(join(root, sessionFolder({ projectKey, sessionId })), ''),
    ...(fold === undefined
      ? {}
      : { listSessionSummaries: summariesOf({ load: key => files.at(key).load(), listSessions }, fold) }),
  }
}

interface OpenFiles {
  readonly at: (key: SessionKey) => TranscriptFile
  /** Forgets what is known of a session's subagents. */
  readonly forget: (key: SessionKey) => void
}

/** Transcripts that stay open: what is known of them is kept. */
const MOST_OPEN = 100

function openFiles(root: string): OpenFiles {
  const open = new Map<string, TranscriptFile>()
  return {
    at: key => {
      const path = transcriptPath(key)
      const file = open.get(path) ?? openTranscriptFile(join(root, path))
      open.delete(path)
      open.set(path, file)
      if (open.size > MOST_OPEN) dropIdle(open, path)
      return file
    },
    forget: key => {
      for (const path of open.keys()) if (path.startsWith(`${sessionFolder(key)}/`)) open.delete(path)
    },
  }
}

/** Drops the one that was not used for the longest time. What is known of it is read again when it is needed. */
function dropIdle(open: Map<string, TranscriptFile>, kept: string): void {
  for (const [path, file] of open)
    if (path !== kept && file.isIdle()) {
      open.delete(path)
      return
    }
}

const ENDING = '.jsonl'

async function sessionsIn(root: string, projectKey: string): Promise<StoredSession[]> {
  const folder = join(root, toFileName(projectKey))
  const found: StoredSession[] = []
  for (const { name, isFolder } of await namesIn(folder)) {
    const sessionId = isFolder || !name.endsWith(ENDING) ? null : fromFileName(name.slice(0, -ENDING.length))
    if (sessionId === null) continue
    const { mtimeMs } = await stat(join(folder, name))
    found.push({ sessionId, mtime: Math.floor(mtimeMs) })
  }
  return found
}

async function subkeysIn(folder: string, prefix: string): Promise<string[]> {
  const found: string[] = []
  for (const { name, isFolder } of await namesIn(folder)) {
    const stem = isFolder ? name : name.slice(0, -ENDING.length)
    const part = isFolder || name.endsWith(ENDING) ? fromFileName(stem) : null
    if (part === null) continue
    if (isFolder) found.push(...(await subkeysIn(join(folder, name), `${prefix}${part}/`)))
    else found.push(prefix + part)
  }
  return found
}

async function namesIn(
  folder: string,
): Promise<readonly { readonly name: string; readonly isFolder: boolean }[]> {
  try {
    const items = await readdir(folder, { withFileTypes: true })
    return items.map(item => ({ name: item.name, isFolder: item.isDirectory() }))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** Summaries, made when they are asked for and kept until a session is written to: they cannot be out of date. */
export function summariesOf(
  { load, listSessions }: Pick<FolderSessionStore, 'load' | 'listSessions'>,
  fold: FoldSessionSummary,
): (projectKey: string) => Promise<SessionSummaryEntry[]> {
  const known = new Map<string, SessionSummaryEntry>()
  return async projectKey => {
    const summaries: SessionSummaryEntry[] = []
    for (const { sessionId, mtime } of await listSessions(projectKey)) {
      const key = { projectKey, sessionId }
      const path = transcriptPath(key)
      const kept = known.get(path)
      const summary = kept?.mtime === mtime ? kept : fold(undefined, key, (await load(key)) ?? [], { mtime })
      known.set(path, summary)
      summaries.push(summary)
    }
    return summaries
  }
}
