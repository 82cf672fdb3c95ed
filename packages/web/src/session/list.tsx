/** The conversation: rows near the window, each with its lanes. */
import type { FoldedRow } from '@dagline/core/view'
import type { VNode } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { VirtualList } from '../parts/virtual-list.js'
import { useKeptFocus } from './focus.js'
import { lanesWidth } from './lanes.js'
import { Row } from './row.js'
import { estimateHeight } from './row-kind.js'
import { type Session, useSession, useView } from './state.js'

/** All rows of the session that are shown. */
export function Conversation(): VNode {
  const session = useSession()
  const view = useView()
  const { rows, sheet, shownAt } = view
  const render = useMemo(() => (_: FoldedRow, index: number) => <Row index={index} />, [view])
  useFadingMark(session)
  useKeptFocus(view)
  return (
    <VirtualList
      items={rows}
      keyOf={({ kind, row }) => {
        const node = sheet.rows.node[row] ?? ''
        return kind === 'row' ? node : `${kind} ${node}`
      }}
      estimate={row => estimateHeight(sheet, row)}
      find={({ row }) => (rows[shownAt(row)]?.row === row ? shownAt(row) : -1)}
      findNearest={({ row }) => shownAt(row)}
      covered={barHeight}
      onWindow={(first, last) => noteWindow(session, first, last)}
      handle={session.list}
      render={render}
      label="Conversation"
      isFeed
      class="rows"
      style={{ '--lanes': lanesWidth(view) }}
    />
  )
}

/** What the bar of the session covers at the top of the window. */
function barHeight(): number {
  const bar = document.querySelector('.session-bar')
  if (bar === null) return 0
  return bar.getBoundingClientRect().height + (Number.parseFloat(getComputedStyle(bar).top) || 0)
}

function noteWindow({ window: shown, view, fresh }: Session, first: number, last: number): void {
  const [knownFirst, knownLast] = shown.peek()
  if (first !== knownFirst || last !== knownLast) shown.value = [first, last]
  if (last >= (view.peek()?.rows.length ?? 0) - 1) fresh.value = 0
}

/** The mark of the row that a link led to fades after a while. */
function useFadingMark({ marked }: Session): void {
  const row = marked.value
  useEffect(() => {
    if (row < 0) return undefined
    const timer = setTimeout(() => {
      marked.value = -1
    }, 2500)
    return () => clearTimeout(timer)
  }, [row])
}
