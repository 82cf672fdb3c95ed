import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSessionStore, graphOf, type LoadableStore, openHistory, type SessionKey } from 'dagline'

/** Keeps a session in a folder, as the Agent SDK does with the option `sessionStore`, and lists what dagline finds there. */
export async function keep(key: SessionKey, rows: readonly string[], folder: string): Promise<string[]> {
  const sessionStore = createSessionStore(folder)
  // With the SDK: for await (const message of query({ prompt, options: { sessionStore } })) ...
  for (const row of rows) await sessionStore.append(key, [JSON.parse(row)])
  const sessions = await openHistory().sessions([folder])
  return sessions.map(({ session, turns, branches }) => `${session}: turns ${turns}, abandoned ${branches}`)
}

/** The branches of a session in any store, such as one that keeps sessions in a database. */
export async function branchesIn(store: LoadableStore, key: SessionKey): Promise<string[]> {
  const graph = await graphOf(store, key)
  const lines = graph?.lines().filter(({ kind }) => kind !== 'agent') ?? []
  return lines.map(({ kind, status, nodes }) => `${kind}, ${status}: ${nodes.length} entries`)
}

export async function run(folder: string, out: string): Promise<string[]> {
  const [name = ''] = readdirSync(folder).filter(each => each.endsWith('.jsonl'))
  const key = { projectKey: '-home-dev-shop', sessionId: name.replace('.jsonl', '') }
  const rows = readFileSync(join(folder, name), 'utf8').split('\n')
  const kept = await keep(
    key,
    rows.filter(row => row !== ''),
    out,
  )
  return [...kept, '', ...(await branchesIn(createSessionStore(out), key))]
}
