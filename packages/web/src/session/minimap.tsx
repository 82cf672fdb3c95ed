/** The minimap: an overview of the whole session, in which the window is marked. */
import { ROW_MARKS, type RowKind, type Sheet } from '@dagline/core/protocol'
import { kindAt } from '@dagline/core/view'
import type { VNode } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { SheetFacts } from './facts.js'
import { moveTo, useSession, useView } from './state.js'
import type { View } from './view.js'

const WIDTH = 44
/** The most pixels a row takes. */
const MOST_ROW = 6
const COLORS: Readonly<Record<Cell, string>> = {
  none: '--line',
  other: '--line',
  text: '--line-2',
  call: '--tool',
  agent: '--agent',
  prompt: '--human',
  failed: '--bad',
  compaction: '--ink',
}

const LEGEND = `Left: the conversation. Middle: abandoned branches. Right: subagents.
Blue: your prompts. Green: tool calls. Gray: answers. Red: failed requests. A line across: a compaction.`

export function Minimap(): VNode {
  const session = useSession()
  const view = useView()
  const box = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [room, setRoom] = useState(0)
  const height = Math.min(room, view.sheet.rows.node.length * MOST_ROW)
  useLayoutEffect(() => watchHeight(box.current, setRoom), [])
  useEffect(() => draw(canvas.current, view, height), [view.sheet, view.facts, height])
  const [from, to] = windowIn(view, session.window.value)
  const jump = (event: PointerEvent): void => {
    const area = canvas.current?.getBoundingClientRect()
    if (area === undefined || area.height === 0) return
    const share = Math.min(1, Math.max(0, (event.clientY - area.top) / area.height))
    moveTo(session, view.shownAt(Math.floor(share * (view.sheet.rows.node.length - 1))), 'start')
  }
  return (
    <div
      ref={box}
      class="minimap"
      aria-hidden="true"
      title={LEGEND}
      onPointerDown={event => {
        event.currentTarget.setPointerCapture(event.pointerId)
        jump(event)
      }}
      onPointerMove={event => {
        if (event.buttons === 1) jump(event)
      }}
    >
      <canvas ref={canvas} style={{ height: `${height}px` }} />
      <span
        class="minimap-window"
        style={{ top: `${from * height}px`, height: `${Math.max(8, (to - from) * height)}px` }}
      />
    </div>
  )
}

/** The visible rows, as fractions of the session. */
function windowIn(
  { rows, sheet }: View,
  [first, last]: readonly [number, number],
): readonly [number, number] {
  const size = Math.max(1, sheet.rows.node.length)
  const from = (rows[first]?.row ?? 0) / size
  const to = last + 1 >= rows.length ? 1 : (rows[last + 1]?.row ?? size) / size
  return [Math.min(from, to), Math.max(from, to)]
}

function watchHeight(box: HTMLElement | null, onHeight: (height: number) => void): () => void {
  if (box === null) return () => {}
  const observer = new ResizeObserver(() => onHeight(box.clientHeight))
  observer.observe(box)
  return () => observer.disconnect()
}

function draw(canvas: HTMLCanvasElement | null, { sheet, facts }: View, height: number): void {
  const context = canvas?.getContext('2d') ?? null
  if (canvas === null || context === null || height === 0) return
  canvas.width = WIDTH
  canvas.height = height
  const colors = CELLS.map(cell => {
    // Only the browser knows which value of a color the theme has.
    canvas.style.color = `var(${COLORS[cell]})`
    return getComputedStyle(canvas).color
  })
  const cells = minimapCells(sheet, facts, height)
  for (let y = 0; y < height; y++) {
    for (let column = 0; column < COLUMNS; column++) {
      const cell = cells[y * COLUMNS + column] ?? 0
      if (cell === 0) continue
      context.globalAlpha = column === 1 ? 0.45 : 1
      context.fillStyle = colors[cell] ?? ''
      const isAcross = CELLS[cell] === 'compaction'
      context.fillRect(isAcross ? 0 : 4 + column * 14, y, isAcross ? WIDTH : 10, 1)
    }
  }
}

/** What a cell shows; later kinds cover earlier ones. */
export const CELLS = ['none', 'other', 'text', 'call', 'agent', 'prompt', 'failed', 'compaction'] as const
type Cell = (typeof CELLS)[number]

/** Live conversation, abandoned branches, subagents. */
const COLUMNS = 3

/** Cells from top to bottom, three to a row; indexes into `CELLS`. Linear in the rows of the sheet. */
export function minimapCells(sheet: Sheet, facts: SheetFacts, height: number): Uint8Array {
  const cells = new Uint8Array(height * COLUMNS)
  const size = sheet.rows.node.length
  for (let row = 0; row < size; row++) {
    const line = sheet.rows.line[row] ?? -1
    const depth = sheet.lines[line]?.depth ?? 0
    const column = depth > 0 ? 2 : facts.abandoned[line] === true ? 1 : 0
    const value = CELLS.indexOf(cellOf(sheet, row, depth))
    // A row of a short session takes several pixels.
    const from = Math.floor((row * height) / size)
    const to = Math.max(from + 1, Math.floor(((row + 1) * height) / size))
    for (let y = from; y < to; y++) {
      const at = y * COLUMNS + column
      if (value > (cells[at] ?? 0)) cells[at] = value
    }
  }
  return cells
}

function cellOf(sheet: Sheet, row: number, depth: number): Cell {
  const marks = sheet.rows.marks[row] ?? 0
  if ((marks & ROW_MARKS.landmark) !== 0) return 'compaction'
  const kind = kindAt(sheet, row)
  if (kind === 'error') return 'failed'
  if (depth > 0) return 'agent'
  if ((marks & ROW_MARKS.turn) !== 0) return 'prompt'
  return KINDS[kind] ?? 'other'
}

const KINDS: Partial<Readonly<Record<RowKind, Cell>>> = {
  queued: 'prompt',
  text: 'text',
  summary: 'text',
  call: 'call',
  result: 'call',
}
