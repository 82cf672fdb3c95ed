/** What follows from the kind of a row: who speaks, what it is called, and about how high it is. */

import type { RowKind, Sheet } from '@dagline/core/protocol'
import { type FoldedRow, kindAt } from '@dagline/core/view'
import { typist } from '../app/typist.js'

type Voice = 'human' | 'claude' | 'agent' | 'tool' | 'system'

interface KindLook {
  readonly voice?: Exclude<Voice, 'system' | 'agent'>
  readonly dot?: 'big' | 'diamond' | 'none'
  /** Its usual height in pixels; without one, it depends on the length of the text. */
  readonly height?: number
  /** Whether no name is shown above it. */
  readonly isSilent?: boolean
}

const NOTE: KindLook = { dot: 'none', height: 40, isSilent: true }

/** How the kinds of rows look. All others belong to the system and have a small dot. */
const LOOKS: Partial<Readonly<Record<RowKind, KindLook>>> = {
  prompt: { voice: 'human', dot: 'big' },
  queued: { voice: 'human', dot: 'big' },
  command: { voice: 'human', height: 48 },
  text: { voice: 'claude' },
  thinking: { voice: 'claude', dot: 'none', height: 40 },
  call: { voice: 'claude', height: 58 },
  result: { voice: 'tool', height: 58 },
  output: { voice: 'tool', height: 60, isSilent: true },
  compaction: { dot: 'diamond', height: 90, isSilent: true },
  notification: { isSilent: true },
  interrupt: { isSilent: true },
  system: NOTE,
  attachment: NOTE,
  progress: NOTE,
  meta: NOTE,
  caveat: NOTE,
  other: NOTE,
}

/** How a row of a kind looks. */
export function lookOf(kind: RowKind): KindLook {
  return LOOKS[kind] ?? {}
}

/** Who speaks: decides the color. A subagent speaks to the one that called it, and is prompted by it. */
export function voiceOf(sheet: Sheet, row: number): Voice {
  const { voice = 'system' } = lookOf(kindAt(sheet, row))
  const depth = sheet.lines[sheet.rows.line[row] ?? -1]?.depth ?? 0
  if (depth === 0) return voice
  return voice === 'human' ? 'claude' : voice === 'claude' ? 'agent' : voice
}

/** The name at the head of a row. */
export function nameOf(sheet: Sheet, row: number): string {
  const actor = sheet.names[sheet.rows.actor[row] ?? -1] ?? ''
  const line = sheet.lines[sheet.rows.line[row] ?? -1]
  const kind = kindAt(sheet, row)
  if (kind === 'queued') return `${typist.value}, while Claude was working`
  if (kind === 'prompt' && line !== undefined && line.depth > 0)
    return `${actor} to ${line.agent?.name ?? 'subagent'}`
  return actor === 'Human' ? typist.value : actor
}

/** Pixels of a line of text. */
const LINE = 22
/** Bytes of a record without its text, and bytes of text per line. */
const FRAME = 900
const WIDE = 100

/** Estimates the height of a row in pixels, so that the scroll bar is nearly right before the row is drawn. */
export function estimateHeight(sheet: Sheet, { kind, row }: Pick<FoldedRow, 'kind' | 'row'>): number {
  if (kind !== 'row') return 64
  const { height } = lookOf(kindAt(sheet, row))
  if (height !== undefined) return height
  const lines = Math.ceil(Math.max(1, (sheet.rows.size[row] ?? 0) - FRAME) / WIDE)
  return 56 + LINE * Math.min(lines, 40)
}
