/** C3: every compaction with what is known of it. */
import type { CompactionRecord } from './compactions.js'
import { filesInOrder } from './order.js'
import type { State } from './state.js'
import * as t from './table.js'

export interface Epoch {
  readonly boundary: number
  readonly trigger: string | null
  readonly preTokens: number | null
  readonly postTokens: number | null
  readonly preserved: readonly number[]
  readonly summary: number
  /** The record it was made from; null for compactions of 1.0.x, which have only a summary. */
  readonly record: CompactionRecord | null
}

/** All compactions of nodes that are placed, in the order of writing. */
export function findEpochs(state: State): readonly Epoch[] {
  const epochs: Epoch[] = []
  for (const file of filesInOrder(state)) {
    for (const record of file.compactions)
      if (isOwned(state, record.boundary)) epochs.push(epochOf(state, record))
    const joined = new Set(file.compactions.map(({ summary }) => summary))
    for (const node of file.nodes)
      if (isBareSummary(state, node) && !joined.has(node)) epochs.push(bareEpoch(node))
  }
  return epochs
}

function isOwned(state: State, node: number): boolean {
  return t.int(state.table.owner, node) === node && t.int(state.table.copyOf, node) === t.none
}

function epochOf(state: State, record: CompactionRecord): Epoch {
  const entry = state.table.entries[record.boundary]
  const compaction = entry?.kind === 'system' ? entry.compaction : null
  return {
    boundary: record.boundary,
    trigger: compaction?.trigger ?? null,
    preTokens: compaction?.preTokens ?? null,
    postTokens: compaction?.postTokens ?? null,
    preserved: record.preserved,
    summary: record.summary,
    record,
  }
}

/** 1.0.x: the summary is a root and the only trace of the compaction. */
function isBareSummary(state: State, node: number): boolean {
  const { table } = state
  return t.byte(table.says, node) === t.SaysSummary && table.parentIds[node] === null && isOwned(state, node)
}

function bareEpoch(node: number): Epoch {
  return {
    boundary: node,
    trigger: null,
    preTokens: null,
    postTokens: null,
    preserved: [],
    summary: node,
    record: null,
  }
}

/** C3: "Conversation compacted (115k tokens)", as far as it is known. */
export function epochLabel(epoch: Epoch): string {
  const trigger = epoch.trigger === null ? '' : `, ${epoch.trigger}`
  if (epoch.preTokens === null) return `Conversation compacted${trigger}`
  const after = epoch.postTokens === null ? '' : ` -> ${tokens(epoch.postTokens)}`
  return `Conversation compacted (${tokens(epoch.preTokens)}${after} tokens${trigger})`
}

function tokens(count: number): string {
  return count < 1000 ? `${count}` : `${Math.floor(count / 1000)}k`
}
