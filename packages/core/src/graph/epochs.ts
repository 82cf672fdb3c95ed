/** C3: every compaction with what is known of it. */

import { duration, tokens } from '../format/index.js'
import type { CompactionRecord } from './compactions.js'
import { filesInOrder } from './order.js'
import { isPlaced } from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'

/** A compaction, and what is known of it. */
export interface Epoch {
  /** The node of its boundary; of a compaction of 1.0.x, that of its summary. */
  readonly boundary: number
  /** `auto` or `manual`. */
  readonly trigger: string | null
  /** Tokens of the context before and after. */
  readonly preTokens: number | null
  readonly postTokens: number | null
  /** How long it took, in milliseconds. */
  readonly durationMs: number | null
  /** The nodes that it kept, in their order. */
  readonly preserved: readonly number[]
  /** Null where it was not finished (C4). */
  readonly summary: number | null
}

/** All compactions of nodes that are placed, in the order of writing. */
export function findEpochs(state: State): readonly Epoch[] {
  const epochs: Epoch[] = []
  for (const file of filesInOrder(state)) {
    const own = file.compactions.filter(({ boundary }) => isPlaced(state, boundary))
    for (const record of own) epochs.push(epochOf(state, record))
    const joined = new Set(file.compactions.map(({ summary }) => summary))
    for (const node of file.nodes)
      if (isBareSummary(state, node) && !joined.has(node))
        epochs.push(epochOf(state, { boundary: node, preserved: [], summary: node }))
  }
  return epochs
}

/** What a file shows of a compaction. */
type Traces = Pick<CompactionRecord, 'boundary' | 'preserved' | 'summary'>

function epochOf(state: State, { boundary, preserved, summary }: Traces): Epoch {
  const entry = state.table.entries[boundary]
  const compaction = entry?.kind === 'system' ? entry.compaction : null
  return {
    boundary,
    trigger: compaction?.trigger ?? null,
    preTokens: compaction?.preTokens ?? null,
    postTokens: compaction?.postTokens ?? null,
    durationMs: compaction?.durationMs ?? null,
    preserved,
    summary: t.orNull(summary),
  }
}

/** 1.0.x: the summary is a root and the only trace of the compaction. */
function isBareSummary(state: State, node: number): boolean {
  const { table } = state
  return t.byte(table.says, node) === t.SaysSummary && table.parentIds[node] === null && isPlaced(state, node)
}

/** C4: whether a compaction was begun and has no summary: it took nothing away. */
export function isUnfinished({ summary }: Epoch): boolean {
  return summary === null
}

/** C3: one line about a compaction, as far as it is known: `Conversation compacted (115k -> 4k tokens, auto, 45 s)`. */
export function epochLabel(epoch: Epoch): string {
  const what = isUnfinished(epoch) ? 'Compaction not finished' : 'Conversation compacted'
  const facts = [
    sizeWords(epoch),
    epoch.trigger ?? '',
    (epoch.durationMs ?? 0) > 0 ? duration(epoch.durationMs) : '',
  ]
  const known = facts.filter(fact => fact !== '').join(', ')
  return known === '' ? what : `${what} (${known})`
}

function sizeWords({ preTokens, postTokens }: Epoch): string {
  const sizes = [preTokens ?? 0, postTokens ?? 0].filter(size => size > 0)
  return (preTokens ?? 0) > 0 ? `${sizes.map(tokens).join(' -> ')} tokens` : ''
}
