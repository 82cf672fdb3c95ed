/** The tokens of entries as estimated from their records, taken while rows are parsed for the graph, or read for it later. */
import type { FileFacts, Graph } from '@dagline/core'
import { contextPieces, recordOf } from '@dagline/core/content'
import { type EntryTokens, estimateTokens, type TokensOf } from '@dagline/core/measure'
import { type Json, type TranscriptRecord, withCarried } from '@dagline/core/parse'

/** Estimates of entries, by uuid. */
interface Weights {
  readonly see: (json: Json, record: TranscriptRecord, file: FileFacts) => void
  readonly of: (graph: Graph) => TokensOf
}

/** Takes the estimates of all entries that are seen. A copy in another file weighs what the first one does. */
export function takeWeights(): Weights {
  const { taken, weigh } = createScale()
  return {
    see: withCarried((json, record, _file: FileFacts) => weigh(json, record)),
    of: graph => node => taken.get(graph.id(node)) ?? nothing,
  }
}

/** Estimates of entries that are read one by one. */
export interface ReadWeights {
  /** Weighs an entry unless it was weighed before. */
  readonly weigh: (id: string, read: () => Json | null) => readonly EntryTokens[]
}

/** Weighs entries as they are asked for, each once. */
export function readWeights(): ReadWeights {
  const { taken, weigh } = createScale()
  return {
    weigh: (id, read) => {
      const known = taken.get(id)
      if (known !== undefined) return known
      const json = read()
      if (json !== null) weigh(json, recordOf(json))
      const weighed = taken.get(id) ?? nothing
      taken.set(id, weighed)
      return weighed
    },
  }
}

interface Scale {
  readonly taken: Map<string, readonly EntryTokens[]>
  readonly weigh: (json: Json, record: TranscriptRecord) => void
}

function createScale(): Scale {
  const taken = new Map<string, readonly EntryTokens[]>()
  const tools = new Map<string, string>()
  const weigh = (json: Json, record: TranscriptRecord): void => {
    if (record.kind === 'assistant') for (const { id, name } of record.calls) tools.set(id, name)
    if (!('id' in record) || taken.has(record.id)) return
    const pieces = contextPieces(json, call => tools.get(call) ?? null)
    if (pieces.length > 0) taken.set(record.id, estimateTokens(pieces))
  }
  return { taken, weigh }
}

const nothing: readonly EntryTokens[] = []
