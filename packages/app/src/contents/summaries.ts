/** Entries in one line, taken while their rows are parsed for the graph: no row is parsed again to be shown (P13). */
import type { FileFacts } from '@dagline/core'
import { type Summary, summarize } from '@dagline/core/content'
import { type Json, type TranscriptRecord, withCarried } from '@dagline/core/parse'

/** Summaries of entries, made while their rows are read. */
export interface Summaries {
  readonly see: (json: Json, record: TranscriptRecord, file: FileFacts) => void
  /** The summary of an entry; null where it was not asked for, or it is another row of the same uuid. */
  readonly find: (id: string, file: string, offset: number) => Summary | null
}

/** A slice would keep the whole text alive that it was cut from; joining makes the engine copy. */
function copyOf(text: string): string {
  return ` ${text}`.slice(1)
}

interface Taken {
  readonly summary: Summary
  readonly file: string
  readonly offset: number
}

/** Takes the summaries of all entries that `wants` names. */
export function takeSummaries(wants: (file: FileFacts, record: TranscriptRecord) => boolean): Summaries {
  const taken = new Map<string, Taken>()
  const see = withCarried((json, record, file: FileFacts) => {
    if (!('id' in record) || taken.has(record.id)) return
    const { offset } = record.source
    const { kind, text } = summarize(json, record)
    taken.set(record.id, { summary: { kind, text: copyOf(text) }, file: file.path, offset })
  })
  return {
    see: (json, record, file) => {
      if (wants(file, record)) see(json, record, file)
    },
    find: (id, file, offset) => {
      const found = taken.get(id)
      if (found === undefined || (found.file === file && found.offset !== offset)) return null
      return found.summary
    },
  }
}
