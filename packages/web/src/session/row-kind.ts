/** What follows from the kind of a row: who speaks, what it is called, and about how high it is. */

import type { RowKind, Sheet } from '@dagline/core/protocol'
import { type FoldedRow, kindAt } from '@dagline/core/view'

type Voice = 'human' | 'claude' | 'agent' | 'tool' | 'system'

/** Who speaks: decides the colour. */
export function voiceOf(sheet: Sheet, row: number): Voice {
  const kind = kindAt(sheet, row)
  const depth = sheet.lines[sheet.rows.line[row] ?? -1]?.depth ?? 0
  switch (kind) {
    case 'prompt':
    case 'queued':
    case 'command':
      return depth > 0 ? 'claude' : 'human'
    case 'text':
    case 'thinking':
    case 'call':
      return depth > 0 ? 'agent' : 'claude'
    case 'result':
    case 'output':
      return 'tool'
    default:
      return 'system'
  }
}

/** The name at the head of a row. */
export function nameOf(sheet: Sheet, row: number): string {
  const actor = sheet.names[sheet.rows.actor[row] ?? -1] ?? ''
  const line = sheet.lines[sheet.rows.line[row] ?? -1]
  const kind = kindAt(sheet, row)
  if (kind === 'queued') return 'You, while Claude was working'
  if (kind === 'prompt' && line !== undefined && line.depth > 0)
    return `${actor} to ${line.agent?.name ?? 'subagent'}`
  return actor === 'Human' ? 'You' : actor
}

/** The name of a row for screen readers: who speaks, and the first words. */
export function rowLabel(sheet: Sheet, row: number, words: string, isAbandoned: boolean): string {
  const tool = sheet.names[sheet.rows.name[row] ?? -1]
  const kind = kindAt(sheet, row)
  const what = kind === 'call' && tool !== undefined ? `calls ${tool}` : words.slice(0, 80) || kind
  return `${nameOf(sheet, row)}, ${what}${isAbandoned ? ', on an abandoned branch' : ''}`
}

/** Pixels of a line of text. */
const LINE = 22
/** Bytes of a record without its text, and bytes of text per line. */
const FRAME = 900
const WIDE = 100

const FLAT: Partial<Readonly<Record<RowKind, number>>> = {
  call: 58,
  result: 58,
  thinking: 40,
  compaction: 90,
  command: 48,
  output: 60,
  system: 40,
  attachment: 40,
  progress: 40,
  meta: 40,
  caveat: 40,
  other: 40,
}

/** Estimates the height of a row in pixels, so that the scroll bar is nearly right before the row is drawn. */
export function estimateHeight(sheet: Sheet, { kind, row }: Pick<FoldedRow, 'kind' | 'row'>): number {
  if (kind !== 'row') return 64
  const flat = FLAT[kindAt(sheet, row)]
  if (flat !== undefined) return flat
  const lines = Math.ceil(Math.max(1, (sheet.rows.size[row] ?? 0) - FRAME) / WIDE)
  return 56 + LINE * Math.min(lines, 40)
}
