/** Projects and sessions as tables: what `stats` shows. */

import { messageText, readMessageUsage } from '@dagline/core/content'
import {
  createPricer,
  type MeasureOptions,
  type MessageUsage,
  measureGraph,
  mergeUsage,
  type Stats,
} from '@dagline/core/measure'
import { type Json, type TranscriptRecord, withCarried } from '@dagline/core/parse'
import { openContents } from '../contents/records.js'
import { type Loaded, loadProject, type Meter } from '../graphs/project.js'
import type { Host } from '../host.js'
import type { Place } from '../locate/places.js'
import { openSession } from '../locate/session.js'
import { day } from '../text/figures.js'

/** Reads a project and measures it. */
export function analyseProject(place: Place, meter?: Meter): Stats {
  const bill = openBill()
  return measureLoaded(loadProject(place, meter, { see: bill.see }), bill)
}

/** Sessions one by one; one that is named twice counts once. */
export function analyseSessions(words: readonly string[], host: Host): readonly Stats[] {
  const seen = new Set<string>()
  return words.flatMap(word => {
    const bill = openBill()
    const { loaded, session } = openSession(word, host, { see: bill.see })
    if (seen.has(session.id)) return []
    seen.add(session.id)
    return [measureLoaded(loaded, bill, new Set([session.id]))]
  })
}

/** What messages cost, learned while they are read. */
export interface Bill {
  readonly see: (json: Json, record: TranscriptRecord) => void
  readonly costOf: (message: string) => number | null
}

/** A bill without messages. */
export function openBill(): Bill {
  const messages = new Map<string, MessageUsage>()
  const price = createPricer()
  return {
    see: withCarried(json => {
      const usage = readMessageUsage(json)
      if (usage === null) return
      const known = messages.get(usage.message)
      messages.set(usage.message, known === undefined ? usage : mergeUsage(known, usage))
    }),
    costOf: message => {
      const usage = messages.get(message)
      return usage === undefined ? null : price(usage)
    },
  }
}

function measureLoaded({ root, graph }: Loaded, { costOf }: Bill, sessions?: ReadonlySet<string>): Stats {
  const contents = openContents(root, graph)
  const wordsOf = (node: number): string | null => {
    const record = contents.record(node)
    return record === null ? null : messageText(record)
  }
  const hourOf = (time: number): number => new Date(time).getHours()
  const options: MeasureOptions = { dayOf: day, hourOf, costOf, wordsOf }
  const stats = measureGraph(graph, sessions === undefined ? options : { ...options, sessions })
  contents.close()
  return stats
}
