/** The minimap: an overview of the whole session, in which the window is marked. */
import type { VNode } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useSession, useView } from './context.js'
import { CELLS, type Cell, COLUMNS, minimapCells } from './minimap.js'
import { moveTo } from './state.js'
import type { View } from './view.js'

const WIDTH = 44
/** The most pixels a row takes. */
const MOST_ROW = 6
const COLOURS: Readonly<Record<Cell, string>> = {
  none: '',
  other: '--line',
  text: '--line-2',
  call: '--tool',
  agent: '--agent',
  prompt: '--human',
  failed: '--bad',
  compaction: '--ink',
}

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
    moveTo(session, view.placeOf(Math.floor(share * (view.sheet.rows.node.length - 1))), 'start')
  }
  return (
    <div
      ref={box}
      class="minimap"
      aria-hidden="true"
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
  const style = getComputedStyle(canvas)
  const colours = CELLS.map(cell => (cell === 'none' ? '' : style.getPropertyValue(COLOURS[cell])))
  const cells = minimapCells(sheet, facts, height)
  for (let y = 0; y < height; y++) {
    for (let column = 0; column < COLUMNS; column++) {
      const cell = cells[y * COLUMNS + column] ?? 0
      if (cell === 0) continue
      context.globalAlpha = column === 1 ? 0.45 : 1
      context.fillStyle = colours[cell] ?? ''
      const isAcross = CELLS[cell] === 'compaction'
      context.fillRect(isAcross ? 0 : 4 + column * 14, y, isAcross ? WIDTH : 10, 1)
    }
  }
}
