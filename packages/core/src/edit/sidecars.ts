/** E5: the files that come along with copied rows: agents that their calls have started, and what lies beside those. */

import type { Agent } from '../graph/agents.js'
import type { FileRecord } from '../graph/file-record.js'
import type { Graph } from '../graph/graph.js'
import { entryOf, fileOf } from '../graph/nodes.js'
import { type FileId, fileId, type SessionId } from '../model/ids.js'
import type { PlannedCopy } from './plan.js'

/** Agents spawned by calls among the nodes, and those that they have spawned. Paths are those below a session's folder. */
export function agentFiles(graph: Graph, nodes: ReadonlySet<number>): readonly PlannedCopy[] {
  const [first] = nodes
  const home = first === undefined ? null : fileOf(graph, first).facts.session
  const files = new Map(graph.files().map(file => [file.index, file]))
  return agentsOf(graph, nodes).flatMap(({ domain }) => {
    const all = [...domain.files].flatMap(index => files.get(index) ?? [])
    return nearest(
      all.filter(({ facts }) => facts.kind === 'agent'),
      home,
    ).flatMap(withMeta)
  })
}

/** Of an agent that was copied with its session before: the files beside this one, else the originals. */
function nearest(files: readonly FileRecord[], home: SessionId | null): readonly FileRecord[] {
  const own = files.filter(({ facts }) => facts.session === home)
  if (own.length > 0) return own
  const originals = files.filter(({ stamped }) => !stamped)
  return originals.length > 0 ? originals : files
}

/** The same for every agent of a session. */
export function sessionAgentFiles(graph: Graph, session: SessionId): readonly PlannedCopy[] {
  return graph
    .files()
    .filter(({ facts }) => facts.session === session && (facts.kind === 'agent' || facts.kind === 'journal'))
    .flatMap(withMeta)
}

function agentsOf(graph: Graph, nodes: ReadonlySet<number>): readonly Agent[] {
  const chosen = new Set<number>()
  const called = callsAmong(graph, nodes)
  const agents = [...graph.agents()].sort((a, b) => a.depth - b.depth)
  return agents.filter(({ domain, spawnedBy, at }) => {
    if (at === null) return false
    const isCalled = spawnedBy === null ? nodes.has(at) : called.has(spawnedBy.call.id)
    const isIn = isCalled || chosen.has(graph.lineOf(at)?.domain.index ?? -1)
    if (isIn) chosen.add(domain.index)
    return isIn
  })
}

/** Calls keep their ids when they are copied. */
function callsAmong(graph: Graph, nodes: ReadonlySet<number>): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const node of nodes) {
    const entry = entryOf(graph, node)
    if (entry?.kind === 'assistant') for (const { id } of entry.calls) ids.add(id)
  }
  return ids
}

function withMeta({ facts }: FileRecord): readonly PlannedCopy[] {
  const copy: PlannedCopy = { from: facts.path, to: pathInSession(facts.path, facts.session), rows: true }
  if (facts.meta === null) return [copy]
  const meta = (path: string): string => path.replace(/\.jsonl$/, '.meta.json')
  return [copy, { from: fileId(meta(facts.path)), to: meta(copy.to), rows: false }]
}

/** The path below the session's folder; agents of 2.0.x lie beside their session and move into it. */
function pathInSession(path: FileId, session: SessionId | null): string {
  const at = session === null ? -1 : path.lastIndexOf(`${session}/`)
  return at < 0 ? `subagents/${path.split('/').at(-1) ?? path}` : path.slice(at + (session?.length ?? 0) + 1)
}
