/** What a session, branch, subagent or turn used. */
import { entryId, type Graph } from '@dagline/core'
import { readMessageUsage } from '@dagline/core/content'
import {
  addUsage,
  type HistoryPart,
  type MessageUsage,
  measureCost,
  type PartCost,
} from '@dagline/core/measure'
import { withCarried } from '@dagline/core/parse'
import type { Labelled } from '@dagline/store'
import type { SeeInFile } from '../graphs/project.js'
import type { Host } from '../host/host.js'
import { currentPrices } from '../host/prices.js'
import { findLabelled } from '../locate/label-target.js'
import { findLine } from '../locate/ref.js'
import { openSession } from '../locate/session.js'

/** What was asked for, and what it used; `entry` stands for the turn that the entry belongs to. */
export interface MeasuredCost extends Labelled, PartCost {}

/** Measures what a word means. Throws `UserError` where it means nothing. */
export function costOfRef(word: string, host: Host): MeasuredCost {
  const thing = findLabelled(word, host, 'entry')
  const usage = new Map<string, MessageUsage>()
  const see: SeeInFile = withCarried(json => addUsage(usage, readMessageUsage(json)))
  const { loaded, session } = openSession(thing.session, host, { see })
  const part = partOf(loaded.graph, thing) ?? { kind: 'session', session: session.id }
  return { ...thing, ...measureCost(loaded.graph, part, usage, currentPrices()) }
}

/** Null for a session. */
function partOf(graph: Graph, { kind, id }: Labelled): HistoryPart | null {
  if (kind === 'session') return null
  const node = kind === 'entry' ? graph.index(entryId(id)) : null
  return node === null ? { kind: 'line', line: findLine(graph, id) } : { kind: 'turn', node }
}
