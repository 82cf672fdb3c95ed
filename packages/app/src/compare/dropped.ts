/** X8: what a compaction dropped from the conversation, what it kept, and what it made of the rest. */
import type { Epoch, Graph } from '@dagline/core'
import { messageText, type Summary, summarizeCalls } from '@dagline/core/content'
import { droppedBy, pathThrough } from '@dagline/core/measure'
import { sumOf } from '@dagline/core/model'
import { countMessages } from '@dagline/core/view'
import { type Contents, openContents } from '../contents/records.js'
import type { Host } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import { openSide } from './sides.js'

/** An entry and what it says. */
export interface SummarizedEntry extends Summary {
  readonly node: string
  readonly time: number | null
}

/** What a compaction dropped and kept, and its summary. */
export interface Dropped {
  readonly boundary: string
  readonly epoch: Epoch
  /** The boundaries of all compactions of its conversation, in their order. */
  readonly compactions: readonly string[]
  readonly session: string
  readonly line: string | null
  /** What was typed, of what is gone. */
  readonly prompts: readonly SummarizedEntry[]
  readonly counts: { readonly messages: number; readonly calls: number; readonly results: number }
  /** Files that calls which are gone have named, by path. */
  readonly files: readonly { readonly path: string; readonly calls: number; readonly isKept: boolean }[]
  readonly kept: readonly SummarizedEntry[]
  readonly summary: { readonly node: string; readonly text: string } | null
}

/** Finds the compaction that a session, branch or entry means, and what it dropped. */
export function findDropped(host: Host, ref: string): Dropped {
  const { loaded, node } = openSide(ref, host)
  const { graph } = loaded
  const epoch = epochFor(graph, node, ref)
  const contents = openContents(loaded.root, graph)
  try {
    return describe(graph, epoch, contents)
  } finally {
    contents.close()
  }
}

/** The compaction itself; else the first after an entry on its path, else the last before it. */
function epochFor(graph: Graph, node: number, ref: string): Epoch {
  const epochs = graph.epochs()
  const own = epochs.find(({ boundary, summary }) => boundary === node || summary === node)
  if (own !== undefined) return own
  const path = pathThrough(graph, node)
  const at = path.indexOf(graph.originalOf(node))
  const placed = epochsOn(graph, path)
  const found = placed.find(({ position }) => position > at) ?? placed.at(-1)
  if (found === undefined)
    throw new UserError(
      `The conversation of ${ref} has no compaction. Run \`dagline ls --sort compactions\` to find sessions that have some.`,
    )
  return found.epoch
}

interface PlacedEpoch {
  readonly epoch: Epoch
  readonly position: number
}

/** The compactions on a path, in their order. */
function epochsOn(graph: Graph, path: readonly number[]): readonly PlacedEpoch[] {
  return graph
    .epochs()
    .map(epoch => ({ epoch, position: path.indexOf(epoch.boundary) }))
    .filter(({ position }) => position >= 0)
    .toSorted((a, b) => a.position - b.position)
}

function describe(graph: Graph, epoch: Epoch, contents: Contents): Dropped {
  const { boundary, summary } = epoch
  const line = graph.lineOf(boundary)
  const preserved = new Set(epoch.preserved.map(node => graph.originalOf(node)))
  const gone = droppedBy(graph, epoch)
  const summarized = (node: number): SummarizedEntry => {
    const entry = graph.node(node)
    return { node: entry.id, time: entry.time, ...contents.summary(node) }
  }
  const summed = summary === null ? null : contents.record(summary)
  return {
    boundary: graph.id(boundary),
    epoch,
    compactions: epochsOn(graph, pathThrough(graph, boundary)).map(each => graph.id(each.epoch.boundary)),
    session: line?.domain.session ?? graph.node(boundary).session,
    line: line?.id ?? null,
    prompts: gone.filter(node => graph.startsTurn(node)).map(summarized),
    counts: countKinds(graph, gone),
    files: filesIn(graph, gone, preserved, contents),
    kept: [...preserved].map(summarized),
    summary:
      summary === null ? null : { node: graph.id(summary), text: (summed && messageText(summed)) ?? '' },
  }
}

function countKinds(graph: Graph, nodes: readonly number[]): Dropped['counts'] {
  const calls = sumOf(nodes, node => graph.toolEnds(node).filter(ends => ends.calls.includes(node)).length)
  const results = nodes.filter(node => graph.node(node).type === 'result').length
  return { messages: countMessages(graph, nodes), calls, results }
}

function filesIn(
  graph: Graph,
  gone: readonly number[],
  preserved: ReadonlySet<number>,
  contents: Contents,
): Dropped['files'] {
  const pathsOf = (node: number): readonly string[] => {
    const record = graph.node(node).kind === 'assistant' ? contents.record(node) : null
    return record === null ? [] : summarizeCalls(record).flatMap(({ path }) => path ?? [])
  }
  const kept = new Set([...preserved].flatMap(pathsOf))
  const counts = new Map<string, number>()
  for (const path of gone.flatMap(pathsOf)) counts.set(path, (counts.get(path) ?? 0) + 1)
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
  return sorted.map(([path, calls]) => ({ path, calls, isKept: kept.has(path) }))
}
