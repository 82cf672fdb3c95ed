/**
 * G5: typed edges beside `parent`. None of them is a parent: they say how things belong together without moving
 * any node.
 *
 *   logicalParent  boundary -> the entry the compacted conversation ended in
 *   preserved      boundary -> each entry it kept
 *   forkedFrom     copied entry -> the entry its stamp names
 *   spawned        entry with the call, or that the agent hangs on -> first entry of the agent
 *   answers        result -> entry with the call
 *   queued         row of a queue operation -> the entry it became
 *   summaryOf      row of a summary -> the leaf it names
 */

import type { Agent } from './agents.js'
import { entriesIn, type FileRecord, type OpenFile } from './file-record.js'
import { filesInOrder } from './order.js'
import { replayQueue } from './queue.js'
import { fileOf, sightingOf } from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'
import { callFor, toolsOf } from './tools.js'

/** What an edge beside that of parent and child means. */
export type TypedEdgeKind =
  | 'logicalParent'
  | 'preserved'
  | 'forkedFrom'
  | 'spawned'
  | 'answers'
  | 'queued'
  | 'summaryOf'

/** An edge beside that of parent and child. */
export interface TypedEdge {
  readonly kind: TypedEdgeKind
  /** Null where the edge starts at a row that is not a node. */
  readonly from: number | null
  readonly file: FileRecord
  readonly row: number
  readonly to: number
}

/** Every typed edge, by file. */
export function* findEdges(state: State, agents: readonly Agent[]): Generator<TypedEdge> {
  for (const file of filesInOrder(state)) {
    yield* compactionEdges(state, file)
    yield* nodeEdges(state, file)
    yield* noteEdges(state, file)
  }
  yield* spawnEdges(state, agents)
}

function edge(state: State, kind: TypedEdgeKind, from: number, to: number): TypedEdge {
  return { kind, from, file: fileOf(state, from), row: t.int(state.table.row, from), to }
}

function* compactionEdges(state: State, file: OpenFile): Generator<TypedEdge> {
  for (const { boundary, logical, preserved } of file.compactions) {
    if (logical !== t.none) yield edge(state, 'logicalParent', boundary, logical)
    for (const kept of preserved) yield edge(state, 'preserved', boundary, kept)
  }
}

function* nodeEdges(state: State, file: OpenFile): Generator<TypedEdge> {
  const { table } = state
  for (const node of entriesIn(file)) {
    const stamp = table.entries[node]?.forkedFrom?.entry
    const origin = stamp === undefined ? t.none : sightingOf(state, stamp)
    if (origin !== t.none) yield edge(state, 'forkedFrom', node, origin)
    if (t.byte(table.says, node) !== t.SaysResult) continue
    for (const tool of toolsOf(state, node)) {
      const call = callFor(state, tool, node)
      if (call !== t.none) yield edge(state, 'answers', node, call)
    }
  }
}

function* noteEdges(state: State, file: OpenFile): Generator<TypedEdge> {
  for (const { note, node } of replayQueue(state, file)) {
    if (node !== null) yield { kind: 'queued', from: null, file, row: note.source.row, to: node }
  }
  for (const title of file.titles) {
    const leaf = title.leaf === null ? t.none : sightingOf(state, title.leaf)
    if (leaf !== t.none) yield { kind: 'summaryOf', from: null, file, row: title.source.row, to: leaf }
  }
}

function* spawnEdges(state: State, agents: readonly Agent[]): Generator<TypedEdge> {
  for (const { domain, at } of agents) {
    const root = domain.roots[0]
    if (at !== null && root !== undefined) yield edge(state, 'spawned', at, root)
  }
}
