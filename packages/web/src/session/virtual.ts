/**
 * The rows that are near the window, and how the window is moved over them. Rows stand below each other as the browser
 * lays them out, moved as a whole to where the first of them begins; what is above and below is empty room. Whatever
 * changes its height above what is read, the reader's row stays where it is on the screen.
 */
import { useLayoutEffect, useReducer, useState } from 'preact/hooks'
import type { Heights } from '../parts/heights.js'
import { createMeasured, type Measured } from './measured.js'
import type { ListHandle, Session } from './state.js'
import type { View } from './view.js'

/** What is drawn of the list, and where. */
interface VirtualRows {
  readonly first: number
  /** Not included. */
  readonly end: number
  /** How far below the beginning of the list the first one is. */
  readonly top: number
  readonly height: number
}

/** Pixels around the window in which rows are drawn, too. */
const BEFORE = 300
const AFTER = 500

/** Everything about the list that is no part of the view. */
interface Scroller {
  readonly session: Session
  readonly measured: Measured
  readonly list: { readonly current: HTMLElement | null }
  readonly redraw: () => void
  view: View
  heights: Heights
  /** How far below the document's beginning the list starts, and what bars cover at the top of the window. */
  margin: number
  covered: number
  /** Where the window will be, before it is there. */
  target: number | null
  /** A row that is held where it is on the screen while rows around it get their true heights; until one scrolls. */
  held: { readonly place: number; readonly top: number } | null
  /** The end of the list is held likewise. */
  holdsEnd: boolean
  /** Where the window was last put. */
  put: number
  drawn: VirtualRows
}

/** Follows the window. Redraws whoever calls it when other rows come near. */
export function useVirtualRows(
  session: Session,
  view: View,
  list: { readonly current: HTMLElement | null },
): VirtualRows {
  const [, redraw] = useReducer<number, void>(count => count + 1, 0)
  const [scroller] = useState(() => createScroller(session, view, list, () => redraw()))
  if (scroller.view !== view) changeView(scroller, view)
  scroller.drawn = rowsNear(scroller)
  useLayoutEffect(() => watchWindow(scroller), [scroller])
  useLayoutEffect(() => settle(scroller))
  return scroller.drawn
}

function createScroller(session: Session, view: View, list: Scroller['list'], redraw: () => void): Scroller {
  const measured = createMeasured()
  const scroller: Scroller = {
    session,
    measured,
    list,
    redraw,
    view,
    heights: measured.heightsOf(view),
    margin: 0,
    covered: 0,
    target: null,
    held: null,
    holdsEnd: false,
    put: 0,
    drawn: { first: 0, end: 0, top: 0, height: 0 },
  }
  session.list = handleOf(scroller)
  return scroller
}

/** How far the window is within the list. */
function offsetOf({ target, margin }: Scroller): number {
  return (target ?? window.scrollY) - margin
}

function rowsNear(scroller: Scroller): VirtualRows {
  const { heights } = scroller
  const offset = offsetOf(scroller)
  const first = heights.placeAt(offset - BEFORE)
  const end = heights.count === 0 ? 0 : heights.placeAt(offset + window.innerHeight + AFTER) + 1
  return { first, end, top: heights.startOf(first), height: heights.total() }
}

/** Other rows: the chosen one, or the first that could be seen and still is there, stays where it is. */
function changeView(scroller: Scroller, view: View): void {
  const anchors = anchorsIn(scroller)
  const anchor = anchors.find(({ row }) => view.rows[view.placeOf(row)]?.row === row) ?? anchors[0]
  scroller.view = view
  scroller.heights = scroller.measured.heightsOf(view)
  if (anchor !== undefined) hold(scroller, view.placeOf(anchor.row), anchor.top)
}

/** Puts a row somewhere on the screen, and keeps it there. */
function hold(scroller: Scroller, place: number, top: number): void {
  scroller.held = { place, top }
  scroller.target = scroller.margin + scroller.heights.startOf(place) - top
}

/** Where on the screen a row is. */
interface Anchor {
  readonly row: number
  readonly top: number
}

/** The rows in the window: the chosen one, then those that begin in it, then the one it cuts; none at the beginning. */
function anchorsIn({ session, list, view, covered, margin }: Scroller): readonly Anchor[] {
  if (list.current === null || window.scrollY + covered <= margin) return []
  const chosen = session.anchor.peek()
  const anchors: Anchor[] = []
  for (const element of list.current.querySelectorAll<HTMLElement>('[data-place]')) {
    const row = view.rows[Number(element.dataset['place'])]?.row
    const { top, bottom } = element.getBoundingClientRect()
    if (row === undefined || bottom <= covered || top >= window.innerHeight) continue
    anchors.push({ row, top })
  }
  const rank = ({ row, top }: Anchor): number => (row === chosen ? 0 : top >= covered - 1 ? 1 : 2)
  return anchors.sort((a, b) => rank(a) - rank(b))
}

/** After drawing: takes the true heights, and puts the window where it belongs. */
function settle(scroller: Scroller): void {
  const { list, session } = scroller
  if (list.current === null) return
  scroller.margin = list.current.getBoundingClientRect().top + window.scrollY
  scroller.covered = coveredHeight()
  session.anchor.value = -1
  const wanted = (scroller.target ?? window.scrollY) + measureRows(scroller)
  scroller.target = null
  if (scroller.holdsEnd) scrollTo(scroller, document.documentElement.scrollHeight)
  else if (scroller.held === null) scrollTo(scroller, wanted)
  else scrollTo(scroller, scroller.margin + scroller.heights.startOf(scroller.held.place) - scroller.held.top)
  if (isOutgrown(scroller)) scroller.redraw()
  noteWindow(scroller)
}

function scrollTo(scroller: Scroller, top: number): void {
  if (Math.abs(top - window.scrollY) > 0.5) window.scrollTo({ top, behavior: 'instant' })
  scroller.put = window.scrollY
}

/** Takes the heights of what is drawn. Returns how far that moves the row at the top of the window. */
function measureRows(scroller: Scroller): number {
  const { heights, measured, view, list } = scroller
  const anchor = heights.placeAt(offsetOf(scroller) + scroller.covered)
  const before = heights.startOf(anchor)
  let hasChanged = false
  for (const element of list.current?.querySelectorAll<HTMLElement>('[data-place]') ?? []) {
    const place = Number(element.dataset['place'])
    const { height } = element.getBoundingClientRect()
    const row = view.rows[place]
    if (row === undefined || height === 0 || Math.abs(height - heights.sizeOf(place)) < 0.5) continue
    heights.set(place, height)
    measured.note(row, height)
    hasChanged = true
  }
  if (hasChanged && list.current !== null) list.current.style.height = `${heights.total()}px`
  return heights.startOf(anchor) - before
}

/** Whether rows turned out so low that there is room for more. */
function isOutgrown(scroller: Scroller): boolean {
  const { first, end } = rowsNear(scroller)
  return first < scroller.drawn.first || end > scroller.drawn.end
}

function watchWindow(scroller: Scroller): () => void {
  const follow = (): void => {
    if (Math.abs(window.scrollY - scroller.put) > 1) {
      scroller.held = null
      scroller.holdsEnd &&= isAtEnd()
    }
    const { first, end } = rowsNear(scroller)
    if (first !== scroller.drawn.first || end !== scroller.drawn.end) scroller.redraw()
    else noteWindow(scroller)
  }
  let width = window.innerWidth
  const resize = (): void => {
    if (window.innerWidth !== width) scroller.measured.forget()
    width = window.innerWidth
    scroller.redraw()
  }
  const inner = scroller.list.current?.firstElementChild ?? null
  // Contents that arrive, cards that open: the rows change their height without being drawn anew here.
  const observer = new ResizeObserver(() => settle(scroller))
  if (inner !== null) observer.observe(inner)
  window.addEventListener('scroll', follow, { passive: true })
  window.addEventListener('resize', resize)
  return () => {
    observer.disconnect()
    window.removeEventListener('scroll', follow)
    window.removeEventListener('resize', resize)
  }
}

function isAtEnd(): boolean {
  return window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 2
}

/** What bars cover at the top of the window. */
function coveredHeight(): number {
  const bar = document.querySelector('.session-bar')
  if (bar === null) return 0
  return bar.getBoundingClientRect().height + (Number.parseFloat(getComputedStyle(bar).top) || 0)
}

/** Tells the rest of the page which places are in the window. */
function noteWindow(scroller: Scroller): void {
  const { heights, session, covered } = scroller
  const offset = offsetOf(scroller)
  const first = heights.placeAt(offset + covered + ABOVE + 2)
  const last = heights.placeAt(offset + window.innerHeight - 1)
  const [knownFirst, knownLast] = session.window.peek()
  if (first !== knownFirst || last !== knownLast) session.window.value = [first, last]
  if (last >= heights.count - 1) session.fresh.value = 0
}

/** Room that is left above a row that is gone to. */
const ABOVE = 10
/** Room for a switcher and the last lines before it. */
const FAR_ABOVE = 130

function handleOf(scroller: Scroller): ListHandle {
  const go = (target: number): void => {
    scroller.held = null
    scroller.holdsEnd = false
    scroller.target = Math.max(0, target)
    scroller.redraw()
  }
  return {
    show: (place, align) => {
      // The place is one of the view that is there, though it may not be drawn yet.
      const view = scroller.session.view.peek()
      if (view !== null && view !== scroller.view) changeView(scroller, view)
      const { heights, margin, covered } = scroller
      const start = margin + heights.startOf(place)
      const end = start + heights.sizeOf(place)
      const [top, bottom] = [window.scrollY + covered, window.scrollY + window.innerHeight]
      if (align === 'auto' && start >= top && end <= bottom) return
      if (align === 'auto' && end > bottom && end - start < window.innerHeight - covered) {
        go(end - window.innerHeight + ABOVE)
      } else {
        const above = align === 'under' ? FAR_ABOVE : ABOVE
        go(place === 0 ? 0 : start - covered - above)
        if (place > 0) hold(scroller, place, covered + above)
      }
    },
    toEnd: () => {
      go(scroller.margin + scroller.heights.total())
      scroller.holdsEnd = true
    },
  }
}
