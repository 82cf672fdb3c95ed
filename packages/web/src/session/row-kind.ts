/** Who speaks in a row, in the words of the page. */
import { type FoldedRow, kindAt, type RowKind, type Sheet } from '@dagline/core'

type Voice = 'human' | 'claude' | 'agent' | 'tool' | 'system'

/** Whose voice it is: decides its colour. */
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
    return `${actor} to ${line.agent?.name ?? 'agent'}`
  return actor === 'Human' ? 'You' : actor
}

/** What the row is called by a screen reader. */
export function rowLabel(sheet: Sheet, row: number, isLeft: boolean): string {
  const tool = sheet.names[sheet.rows.name[row] ?? -1]
  const kind = kindAt(sheet, row)
  const what = kind === 'call' && tool !== undefined ? `calls ${tool}` : kind
  return `${nameOf(sheet, row)}, ${what}${isLeft ? ', on a way that was left' : ''}`
}

const LINE = 22
/** Bytes of a record beside its text, and of a line of text. */
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

/** In pixels. */
export function estimateHeight(sheet: Sheet, { kind, row }: Pick<FoldedRow, 'kind' | 'row'>): number {
  if (kind !== 'row') return 64
  const flat = FLAT[kindAt(sheet, row)]
  if (flat !== undefined) return flat
  const lines = Math.ceil(Math.max(1, (sheet.rows.size[row] ?? 0) - FRAME) / WIDE)
  return 56 + LINE * Math.min(lines, 40)
}
