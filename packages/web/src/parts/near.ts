/**
 * The items of a long list that are near the window. They stand below each other as the browser lays them out, below
 * as much empty room as the items above them take. When items come, go, move or change their height, the one at the
 * top of the window stays where it is on the screen.
 */
import { useLayoutEffect, useReducer, useState } from 'preact/hooks'
import { createHeights, type Heights } from './heights.js'

/** What the owner of a list can do with it. */
export interface NearHandle {
  /** Brings an item into sight, if it is not, and gives its element to `then` once it is there. */
  readonly reveal: (index: number, then?: (element: HTMLElement) => void) => void
}

/** A list as its owner describes it. */
export interface ListPlan<T> {
  readonly items: readonly T[]
  readonly keyOf: (item: T) => string
  /** Pixels that an item probably takes. */
  readonly sizeOf: (item: T) => number
  /** Changes where the list is another one: it then begins at its top. Else the reader's place is kept. */
  readonly view: string
  readonly handle?: { current: NearHandle | null }
}

/** What is drawn of the list. */
interface Near {
  readonly first: number
  /** Not included. */
  readonly end: number
  /** The room above the first one. */
  readonly top: number
  readonly height: number
}

/** Room under the top bar, so that a revealed item is not behind it; and below one at the bottom. */
const BAR = 64
const BELOW = 16
/** Pixels around the window in which items are drawn, too. */
const AROUND = 400

interface Follower<T> {
  readonly list: { readonly current: HTMLElement | null }
  readonly redraw: () => void
  plan: ListPlan<T>
  heights: Heights
  /** Heights that items had when they were last drawn, by their keys, at the same width. */
  readonly known: Map<string, number>
  /** How far below the document's beginning the list starts. */
  margin: number
  /** Where the window will be, before it is there. */
  target: number | null
  /** Whoever waits for an item to be drawn. */
  awaited: { readonly index: number; readonly then: (element: HTMLElement) => void } | null
  drawn: Near
}

/** Follows the window. Redraws whoever calls it when other items come near. */
export function useNear<T>(plan: ListPlan<T>, list: { readonly current: HTMLElement | null }): Near {
  const [, redraw] = useReducer<number, void>(count => count + 1, 0)
  const [follower] = useState(() => createFollower(plan, list, () => redraw()))
  if (follower.plan.items !== plan.items || follower.plan.view !== plan.view) changeItems(follower, plan)
  follower.plan = plan
  if (plan.handle !== undefined) plan.handle.current = { reveal: (...wish) => reveal(follower, ...wish) }
  follower.drawn = itemsNear(follower)
  useLayoutEffect(() => watchWindow(follower), [follower])
  useLayoutEffect(() => settle(follower))
  return follower.drawn
}

function createFollower<T>(plan: ListPlan<T>, list: Follower<T>['list'], redraw: () => void): Follower<T> {
  const known = new Map<string, number>()
  return {
    list,
    redraw,
    plan,
    heights: heightsOf(plan, known),
    known,
    margin: 0,
    target: null,
    awaited: null,
    drawn: { first: 0, end: 0, top: 0, height: 0 },
  }
}

function heightsOf<T>({ items, keyOf, sizeOf }: ListPlan<T>, known: ReadonlyMap<string, number>): Heights {
  return createHeights(Float64Array.from(items, item => known.get(keyOf(item)) ?? sizeOf(item)))
}

function changeItems<T>(follower: Follower<T>, plan: ListPlan<T>): void {
  const isOther = follower.plan.view !== plan.view
  const anchor = isOther ? null : anchorOf(follower)
  const { items, keyOf } = plan
  follower.heights = heightsOf(plan, follower.known)
  if (isOther && window.scrollY > follower.margin) follower.target = 0
  const place = anchor === null ? -1 : items.findIndex(item => keyOf(item) === anchor.key)
  if (anchor !== null && place >= 0)
    follower.target = follower.margin + follower.heights.startOf(place) - anchor.top
}

interface Anchor {
  readonly key: string
  /** Where on the screen it begins. */
  readonly top: number
}

/** The item at the top of the window; null where the list's beginning is in sight: what is new may show there. */
function anchorOf<T>({ list, plan, margin }: Follower<T>): Anchor | null {
  if (window.scrollY <= margin) return null
  for (const element of elementsIn(list)) {
    const { top, bottom } = element.getBoundingClientRect()
    const item = plan.items[placeOf(element)]
    if (bottom > BAR && item !== undefined) return { key: plan.keyOf(item), top }
  }
  return null
}

function elementsIn(list: { readonly current: HTMLElement | null }): readonly HTMLElement[] {
  return [...(list.current?.querySelectorAll<HTMLElement>(':scope > [data-index]') ?? [])]
}

function placeOf(element: HTMLElement): number {
  return Number(element.dataset['index'])
}

/** How far the window is within the list. */
function offsetOf<T>({ target, margin }: Follower<T>): number {
  return (target ?? window.scrollY) - margin
}

function itemsNear<T>(follower: Follower<T>): Near {
  const { heights } = follower
  const offset = offsetOf(follower)
  const first = heights.placeAt(offset - AROUND)
  const end = heights.count === 0 ? 0 : heights.placeAt(offset + window.innerHeight + AROUND) + 1
  return { first, end, top: heights.startOf(first), height: heights.total() }
}

/** After drawing: takes the true heights, and puts the window where it belongs. */
function settle<T>(follower: Follower<T>): void {
  const { list } = follower
  if (list.current === null) return
  follower.margin = list.current.getBoundingClientRect().top + window.scrollY
  const wanted = (follower.target ?? window.scrollY) + measure(follower)
  follower.target = null
  if (Math.abs(wanted - window.scrollY) > 0.5) window.scrollTo({ top: wanted, behavior: 'instant' })
  redrawIfOther(follower)
  giveAwaited(follower)
}

/** Takes the heights of what is drawn. Returns how far that moves the item at the top of the window. */
function measure<T>(follower: Follower<T>): number {
  const { heights, known, plan, list } = follower
  const anchor = heights.placeAt(offsetOf(follower) + BAR)
  const before = heights.startOf(anchor)
  for (const element of elementsIn(list)) {
    const place = placeOf(element)
    const item = plan.items[place]
    const { height } = element.getBoundingClientRect()
    if (item === undefined || height === 0 || Math.abs(height - heights.sizeOf(place)) < 0.5) continue
    heights.set(place, height)
    known.set(plan.keyOf(item), height)
  }
  if (list.current !== null) list.current.style.height = `${heights.total()}px`
  return heights.startOf(anchor) - before
}

function redrawIfOther<T>(follower: Follower<T>): void {
  const { first, end } = itemsNear(follower)
  if (first !== follower.drawn.first || end !== follower.drawn.end) follower.redraw()
}

function watchWindow<T>(follower: Follower<T>): () => void {
  const follow = (): void => redrawIfOther(follower)
  let width = window.innerWidth
  const resize = (): void => {
    if (window.innerWidth !== width) {
      follower.known.clear()
      follower.heights = heightsOf(follower.plan, follower.known)
    }
    width = window.innerWidth
    follower.redraw()
  }
  window.addEventListener('scroll', follow, { passive: true })
  window.addEventListener('resize', resize)
  return () => {
    window.removeEventListener('scroll', follow)
    window.removeEventListener('resize', resize)
  }
}

function reveal<T>(
  follower: Follower<T>,
  index: number,
  then: (element: HTMLElement) => void = () => {},
): void {
  const { heights, margin } = follower
  const start = margin + heights.startOf(index)
  const end = start + heights.sizeOf(index)
  const [top, bottom] = [window.scrollY + BAR, window.scrollY + window.innerHeight - BELOW]
  follower.awaited = { index, then }
  if (start >= top && end <= bottom) giveAwaited(follower)
  else {
    follower.target = Math.max(0, start < top ? start - BAR : end + BELOW - window.innerHeight)
    follower.redraw()
  }
}

function giveAwaited<T>(follower: Follower<T>): void {
  const { awaited, list } = follower
  const element = elementsIn(list).find(each => placeOf(each) === awaited?.index)
  if (awaited === null || element === undefined) return
  follower.awaited = null
  awaited.then(element)
}
