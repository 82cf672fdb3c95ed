/** The texts that were found, read from the rows of their files. */
import { parseRow } from '@dagline/core'
import { textsOf } from '@dagline/core/content'
import { type Json, type TranscriptRecord, withCarried } from '@dagline/core/parse'
import type { FoundText } from '../db/index-store.js'
import type { RangeReader } from '../files/ranges.js'
import { foldText, type Part } from './words.js'

/** Gives the text that was found; null where its file has changed or gone. */
export type TextReader = (found: FoundText, parts: readonly Part[]) => string | null

/** A row for which `canHold` is false counts as one without texts, and is not parsed. */
export function createTextReader(spans: RangeReader, canHold: CanHold = () => true): TextReader {
  const rows = createRowReader(spans, canHold)
  return (found, parts) => {
    const texts: string[] = []
    for (const { json, record } of rows(found)) {
      if (found.node !== null && 'id' in record && record.id !== found.node) continue
      for (const { field, text } of textsOf(json, record)) if (field === found.field) texts.push(text)
    }
    return bestOf(texts, parts)
  }
}

/** A row with several results has several texts of one kind: the one with most parts of the query is meant. */
function bestOf(texts: readonly string[], parts: readonly Part[]): string | null {
  const [first = null] = texts
  if (texts.length < 2) return first
  const counted = texts.map(text => {
    const folded = foldText(text)
    return { text, count: parts.filter(({ marks }) => marks.some(mark => folded.includes(mark))).length }
  })
  return counted.reduce((best, each) => (each.count > best.count ? each : best)).text
}

/** A record that was read again. */
interface Seen {
  readonly json: Json
  readonly record: TranscriptRecord
}

type CanHold = (row: string) => boolean

/** The records of the row that a text was found on; none where the file has changed or gone. */
type RowReader = (found: FoundText) => readonly Seen[]

/** The last row with several records is kept: it may hold many of the texts that were found. */
function createRowReader(spans: RangeReader, canHold: CanHold): RowReader {
  let kept: { readonly at: FoundText; readonly seen: readonly Seen[] } | null = null
  return at => {
    const isKept = kept?.at.offset === at.offset && kept.at.path === at.path && kept.at.root === at.root
    if (kept !== null && isKept) return kept.seen
    const seen = readRow(spans, canHold, at)
    kept = seen.length > 1 ? { at, seen } : null
    return seen
  }
}

function readRow(
  spans: RangeReader,
  canHold: CanHold,
  { root, path, row, offset, length }: FoundText,
): readonly Seen[] {
  const text = spans.read(root, path, { offset, length })
  const seen: Seen[] = []
  const see = withCarried((json, record) => seen.push({ json, record }))
  if (text !== null && canHold(text)) parseRow({ row, offset, length, text, whole: true }, see)
  return seen
}
