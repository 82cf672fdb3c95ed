/**
 * Which items of a long list are drawn, and how the window scrolls over them. The browser lays the drawn items out
 * below each other, shifted as a whole to where the first of them begins. When items come, go or change their height,
 * the item that the reader looks at stays where it is on the screen.
 */
import { useLayoutEffect, useReducer, useState } from 'preact/hooks'
import { createHeights, type Heights } from './heights.js'

/** A list as its owner describes it. */
export interface ListOptions<T> {
  readonly items: readonly T[]
  readonly keyOf: (item: T) => string
  /** Pixels that an item probably takes, until it is drawn. */
  readonly estimate: (item: T) => number
  /** The index of an item of an earlier version of the list; -1 where it is no longer there. */
  readonly find: (item: T) => number
  /** The index of the item that stands for one that is no longer there; -1 for none. */
  readonly findNearest?: (item: T) => number
  /** Changes where the list is another one, which is then shown from its top. Else the reader's position is kept. */
  readonly listId?: string
  /** Pixels at the top of the window that bars cover. */
  readonly covered: () => number
  /** Called with the first and the last visible index. */
  readonly onWindow?: (first: number, last: number) => void
  readonly handle: { current: ListHandle | null }
}

/** What the owner of a list can do with it. All of it takes effect when the list is next drawn. */
export interface ListHandle {
  /** Scrolls to an item of the list as it will be drawn next. */
  readonly show: (index: number, options?: ShowOptions) => void
  readonly showEnd: () => void
  /** Keeps an item where it is on the screen when the items change next. */
  readonly keep: (index: number) => void
}

interface ShowOptions {
  /** `start` puts the item at the top of the window; `auto`, the default, scrolls only if it is not visible. */
  readonly align?: 'auto' | 'start'
  /** Pixels that are left free above the item. */
  readonly room?: number
  /** Gets the element of the item once it is drawn. */
  readonly onDrawn?: (element: HTMLElement) => void
}

/** What is drawn of a list. */
interface DrawnRange {
  readonly first: number
  /** Not included. */
  readonly end: number
  /** How far below the top of the list the first item begins. */
  readonly top: number
  /** The height of the whole list. */
  readonly height: number
}

/** Pixels above and below the window in which items are drawn, too. */
const BEFORE = 300
const AFTER = 500
/** Pixels that are left free above an item that is scrolled to. */
const ROOM = 10

interface Scroller<T> {
  readonly box: { readonly current: HTMLElement | null }
  readonly redraw: () => void
  readonly handle: ListHandle
  options: ListOptions<T>
  heights: Heights
  /** Heights of items when they were last drawn, by key, at the current width. */
  readonly measured: Map<string, number>
  /** How far below the top of the document the list begins. */
  margin: number
  covered: number
  request: (ShowOptions & { readonly index: number }) | 'end' | null
  /** Where the window will scroll to when the list is drawn. */
  target: number | null
  /** An item that stays where it is on the screen while its neighbours get their true heights; until one scrolls. */
  held: { readonly index: number; readonly top: number } | null
  /** Likewise the end of the list. */
  holdsEnd: boolean
  /** The index passed to `keep`; -1 for none. */
  kept: number
  /** Where the window was last scrolled to by the list itself. */
  scrolledTo: number
  awaited: { readonly index: number; readonly onDrawn: (element: HTMLElement) => void } | null
  range: DrawnRange
}

/** Follows the window, and redraws the calling component when other items come near. `box` is the element of the list. */
export function useVirtual<T>(options: ListOptions<T>, box: Scroller<T>['box']): DrawnRange {
  const [, redraw] = useReducer<number, void>(count => count + 1, 0)
  const [scroller] = useState(() => createScroller(options, box, () => redraw()))
  const { items, listId } = scroller.options
  if (items !== options.items || listId !== options.listId) changeItems(scroller, options)
  scroller.options = options
  options.handle.current = scroller.handle
  takeRequest(scroller)
  scroller.range = rangeNear(scroller)
  useLayoutEffect(() => watchWindow(scroller), [scroller])
  useLayoutEffect(() => settle(scroller))
  return scroller.range
}

function createScroller<T>(
  options: ListOptions<T>,
  box: Scroller<T>['box'],
  redraw: () => void,
): Scroller<T> {
  const measured = new Map<string, number>()
  const scroller: Scroller<T> = {
    box,
    redraw,
    handle: {
      show: (index, more) => request({ index, ...more }),
      showEnd: () => request('end'),
      keep: index => {
        scroller.kept = index
      },
    },
    options,
    heights: heightsOf(options, measured),
    measured,
    margin: 0,
    covered: 0,
    request: null,
    target: null,
    held: null,
    holdsEnd: false,
    kept: -1,
    scrolledTo: 0,
    awaited: null,
    range: { first: 0, end: 0, top: 0, height: 0 },
  }
  const request = (wanted: Scroller<T>['request']): void => {
    scroller.request = wanted
    redraw()
  }
  return scroller
}

function heightsOf<T>(
  { items, keyOf, estimate }: ListOptions<T>,
  measured: ReadonlyMap<string, number>,
): Heights {
  return createHeights(Float64Array.from(items, item => measured.get(keyOf(item)) ?? estimate(item)))
}

/** How far the window is within the list. */
function offsetOf<T>({ target, margin }: Scroller<T>): number {
  return (target ?? window.scrollY) - margin
}

function rangeNear<T>(scroller: Scroller<T>): DrawnRange {
  const { heights } = scroller
  const offset = offsetOf(scroller)
  const first = heights.indexAt(offset - BEFORE)
  const end = heights.count === 0 ? 0 : heights.indexAt(offset + window.innerHeight + AFTER) + 1
  return { first, end, top: heights.startOf(first), height: heights.total() }
}

/** The first visible item that is still there stays where it is; else the one that stands for the first. */
function changeItems<T>(scroller: Scroller<T>, options: ListOptions<T>): void {
  const isOther = scroller.options.listId !== options.listId
  const visible = isOther ? [] : visibleItems(scroller)
  scroller.heights = heightsOf(options, scroller.measured)
  scroller.kept = -1
  if (isOther) {
    scroller.held = null
    if (window.scrollY > scroller.margin) scroller.target = 0
  }
  const [first] = visible
  const anchor = visible.find(({ item }) => options.find(item) >= 0)
  if (anchor !== undefined) hold(scroller, options.find(anchor.item), anchor.top)
  else if (first !== undefined) hold(scroller, options.findNearest?.(first.item) ?? -1, first.top)
}

/** Scrolls an item to a position on the screen, and keeps it there. */
function hold<T>(scroller: Scroller<T>, index: number, top: number): void {
  if (index < 0) return
  scroller.held = { index, top }
  scroller.target = scroller.margin + scroller.heights.startOf(index) - top
}

interface VisibleItem<T> {
  readonly item: T
  /** Its distance from the top of the window. */
  readonly top: number
}

/** Visible items: the one to keep, then those that begin in the window, then the one it cuts; none at the very top. */
function visibleItems<T>({ box, options, covered, margin, kept }: Scroller<T>): readonly VisibleItem<T>[] {
  if (window.scrollY + covered <= margin) return []
  const found: (VisibleItem<T> & { readonly rank: number })[] = []
  for (const [index, element] of elementsIn(box)) {
    const item = options.items[index]
    const { top, bottom } = element.getBoundingClientRect()
    if (item === undefined || bottom <= covered || top >= window.innerHeight) continue
    found.push({ item, top, rank: index === kept ? 0 : top >= covered - 1 ? 1 : 2 })
  }
  return found.sort((a, b) => a.rank - b.rank)
}

function elementsIn({ current }: Scroller<unknown>['box']): readonly (readonly [number, HTMLElement])[] {
  const elements = current?.querySelectorAll<HTMLElement>('[data-index]') ?? []
  return [...elements].map(element => [Number(element.dataset['index']), element] as const)
}

/** Turns what was asked for through the handle into a position of the window. */
function takeRequest<T>(scroller: Scroller<T>): void {
  const { request, heights, margin, covered } = scroller
  if (request === null) return
  scroller.request = null
  if (request === 'end') {
    go(scroller, margin + heights.total())
    scroller.holdsEnd = true
    return
  }
  const { index, align = 'auto', room = ROOM, onDrawn } = request
  if (onDrawn !== undefined) scroller.awaited = { index, onDrawn }
  const start = margin + heights.startOf(index)
  const end = start + heights.sizeOf(index)
  const [top, bottom] = [window.scrollY + covered, window.scrollY + window.innerHeight]
  if (align === 'auto' && start >= top && end <= bottom) return
  if (align === 'auto' && end > bottom && end - start < window.innerHeight - covered) {
    go(scroller, end - window.innerHeight + room)
  } else {
    go(scroller, index === 0 ? 0 : start - covered - room)
    if (index > 0) hold(scroller, index, covered + room)
  }
}

function go<T>(scroller: Scroller<T>, target: number): void {
  scroller.held = null
  scroller.holdsEnd = false
  scroller.target = Math.max(0, target)
}

/** After drawing: takes the true heights, and scrolls the window to where it belongs. */
function settle<T>(scroller: Scroller<T>): void {
  const { box, held, options } = scroller
  if (box.current === null) return
  scroller.margin = box.current.getBoundingClientRect().top + window.scrollY
  scroller.covered = options.covered()
  const wanted = (scroller.target ?? window.scrollY) + measureItems(scroller)
  scroller.target = null
  if (scroller.holdsEnd) scrollTo(scroller, document.documentElement.scrollHeight)
  else if (held === null) scrollTo(scroller, wanted)
  else scrollTo(scroller, scroller.margin + scroller.heights.startOf(held.index) - held.top)
  const { first, end } = rangeNear(scroller)
  if (first !== scroller.range.first || end !== scroller.range.end) scroller.redraw()
  reportWindow(scroller)
  giveAwaited(scroller)
}

function scrollTo<T>(scroller: Scroller<T>, top: number): void {
  if (Math.abs(top - window.scrollY) > 0.5) window.scrollTo({ top, behavior: 'instant' })
  scroller.scrolledTo = window.scrollY
}

/** Takes the heights of what is drawn. Returns how far that moves the item at the top of the window. */
function measureItems<T>(scroller: Scroller<T>): number {
  const { heights, measured, options, box, covered } = scroller
  const anchor = heights.indexAt(offsetOf(scroller) + covered)
  const before = heights.startOf(anchor)
  for (const [index, element] of elementsIn(box)) {
    const item = options.items[index]
    const { height } = element.getBoundingClientRect()
    if (item === undefined || height === 0 || Math.abs(height - heights.sizeOf(index)) < 0.5) continue
    heights.set(index, height)
    measured.set(options.keyOf(item), height)
  }
  if (box.current !== null) box.current.style.height = `${heights.total()}px`
  return heights.startOf(anchor) - before
}

function giveAwaited<T>(scroller: Scroller<T>): void {
  const { awaited, box } = scroller
  const [, element] = elementsIn(box).find(([index]) => index === awaited?.index) ?? []
  if (awaited === null || element === undefined) return
  scroller.awaited = null
  awaited.onDrawn(element)
}

function watchWindow<T>(scroller: Scroller<T>): () => void {
  const ending = new AbortController()
  const { signal } = ending
  let width = window.innerWidth
  const resize = (): void => {
    if (window.innerWidth !== width) scroller.measured.clear()
    width = window.innerWidth
    scroller.redraw()
  }
  // Contents that arrive and cards that open change the height of items without drawing the list again.
  const observer = new ResizeObserver(() => settle(scroller))
  const inner = scroller.box.current?.firstElementChild ?? null
  if (inner !== null) observer.observe(inner)
  window.addEventListener('scroll', () => follow(scroller), { passive: true, signal })
  window.addEventListener('resize', resize, { signal })
  return () => {
    observer.disconnect()
    ending.abort()
  }
}

function follow<T>(scroller: Scroller<T>): void {
  if (Math.abs(window.scrollY - scroller.scrolledTo) > 1) {
    scroller.held = null
    scroller.holdsEnd &&= isAtEnd()
  }
  const { first, end } = rangeNear(scroller)
  if (first !== scroller.range.first || end !== scroller.range.end) scroller.redraw()
  else reportWindow(scroller)
}

function isAtEnd(): boolean {
  return window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 2
}

function reportWindow<T>(scroller: Scroller<T>): void {
  const { heights, covered, options } = scroller
  const offset = offsetOf(scroller)
  const first = heights.indexAt(offset + covered + ROOM + 2)
  options.onWindow?.(first, heights.indexAt(offset + window.innerHeight - 1))
}
