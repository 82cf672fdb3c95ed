/** The tokens of entries as estimated from their records, taken while rows are parsed for the graph. */
import type { FileFacts, Graph } from '@dagline/core'
import { contextPieces } from '@dagline/core/content'
import { type EntryTokens, estimateTokens, type TokensOf } from '@dagline/core/measure'
import { type Json, type TranscriptRecord, withCarried } from '@dagline/core/parse'

/** Estimates of entries, by uuid. */
interface Weights {
  readonly see: (json: Json, record: TranscriptRecord, file: FileFacts) => void
  readonly of: (graph: Graph) => TokensOf
}

/** Takes the estimates of all entries that are seen. A copy in another file weighs what the first one does. */
export function takeWeights(): Weights {
  const taken = new Map<string, readonly EntryTokens[]>()
  const tools = new Map<string, string>()
  const see = withCarried((json, record, _file: FileFacts) => {
    if (record.kind === 'assistant') for (const { id, name } of record.calls) tools.set(id, name)
    if (!('id' in record) || taken.has(record.id)) return
    const pieces = contextPieces(json, call => tools.get(call) ?? null)
    if (pieces.length > 0) taken.set(record.id, estimateTokens(pieces))
  })
  return { see, of: graph => node => taken.get(graph.id(node)) ?? nothing }
}

const nothing: readonly EntryTokens[] = []
