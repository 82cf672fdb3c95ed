/** B10: sessions of a store of the Agent SDK, wherever it keeps them. */
import type { Graph } from '@dagline/core'
import type { OpenedProject } from '@dagline/core/open'

/** What is needed of a `SessionStore` of the Agent SDK. */
export interface LoadableStore {
  load(key: { projectKey: string; sessionId: string; subpath?: string }): Promise<readonly object[] | null>
  listSubkeys?(key: { projectKey: string; sessionId: string }): Promise<readonly string[]>
}

/** Names a session of a store. */
export interface StoredSessionKey {
  readonly projectKey: string
  readonly sessionId: string
}

/**
 * Opens a session of any store with its subagents: the graph, and the contents of its entries. Null where the store has
 * nothing of it. Throws what the store throws.
 */
export async function openStored(store: LoadableStore, key: StoredSessionKey): Promise<OpenedProject | null> {
  const { projectKey, sessionId } = key
  const subpaths = (await store.listSubkeys?.({ projectKey, sessionId })) ?? []
  const files: { readonly path: string; readonly bytes: Uint8Array }[] = []
  for (const subpath of [undefined, ...subpaths]) {
    const entries = await store.load({ projectKey, sessionId, ...(subpath === undefined ? {} : { subpath }) })
    const path = subpath === undefined ? sessionId : `${sessionId}/${subpath}`
    if (entries !== null) files.push({ path: `project/${path}.jsonl`, bytes: bytesOf(entries) })
  }
  // Loaded when it is needed: commands that build no graph import the library, too.
  const { openFiles } = await import('@dagline/core/open')
  const [project] = await openFiles(files)
  return project ?? null
}

/** The graph of a session of any store, with its subagents; null where the store has nothing of it. */
export async function graphOf(store: LoadableStore, key: StoredSessionKey): Promise<Graph | null> {
  return (await openStored(store, key))?.graph ?? null
}

function bytesOf(entries: readonly object[]): Uint8Array {
  return Buffer.from(entries.map(entry => `${JSON.stringify(entry)}\n`).join(''))
}
