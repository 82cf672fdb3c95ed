/** The conversation: rows near the window, each with its lanes. */
import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useSession, useView } from './context.js'
import { lanesWidth } from './lanes.js'
import { Row } from './row.js'
import type { View } from './view.js'
import { useVirtualRows } from './virtual.js'

/** All rows, of which only those near the window are there. */
export function Conversation(): VNode {
  const { isPrinting } = useSession()
  return isPrinting.value ? <PrintedRows /> : <VirtualRows />
}

function VirtualRows(): VNode {
  const session = useSession()
  const view = useView()
  const list = useRef<HTMLDivElement>(null)
  const { first, end, top, height } = useVirtualRows(session, view, list)
  const kept = useKept(view)
  useMark()
  const places = Array.from({ length: end - first }, (_, at) => first + at)
  return (
    <div
      class="rows"
      role="feed"
      aria-label="Conversation"
      ref={list}
      style={{ height: `${height}px`, '--lanes': lanesWidth(view) }}
    >
      <div class="rows-near" style={{ transform: `translateY(${top}px)` }}>
        {places.map(place => (
          <div key={keyOf(view, place)} class="row-place" data-place={place}>
            {kept(place, () => (
              <Row place={place} />
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}

/** A row of the list by what it stands for, wherever it moves. */
function keyOf({ rows, sheet }: View, place: number): string {
  const row = rows[place]
  return row === undefined ? `${place}` : `${row.kind[0]}${sheet.rows.node[row.row]}`
}

/** Rows that are drawn already stay as they are while the list scrolls: the same node is not compared again. */
function useKept(view: object): (index: number, make: () => ComponentChildren) => ComponentChildren {
  const kept = useRef({ view, rows: new Map<number, ComponentChildren>() })
  if (kept.current.view !== view) kept.current = { view, rows: new Map() }
  const { rows } = kept.current
  return (index, make) => {
    if (rows.size > 200) rows.clear()
    const row = rows.get(index) ?? make()
    rows.set(index, row)
    return row
  }
}

/** A mark fades after a while. */
function useMark(): void {
  const { marked } = useSession()
  const row = marked.value
  useEffect(() => {
    if (row < 0) return undefined
    const timer = setTimeout(() => {
      marked.value = -1
    }, 2500)
    return () => clearTimeout(timer)
  }, [row])
}

/** More rows than this are not printed. */
const MOST_PRINTED = 5000

/** For paper: everything that the choice shows, one after the other. */
function PrintedRows(): VNode {
  const view = useView()
  const places = Array.from({ length: Math.min(view.rows.length, MOST_PRINTED) }, (_, place) => place)
  return (
    <div class="rows printed" style={{ '--lanes': lanesWidth(view) }}>
      {places.map(place => (
        <div class="row-place" key={keyOf(view, place)}>
          <Row place={place} />
        </div>
      ))}
      {view.rows.length > MOST_PRINTED && <p>The rest is left out.</p>}
    </div>
  )
}
