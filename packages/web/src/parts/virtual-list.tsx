import {
  observeWindowOffset,
  observeWindowRect,
  type VirtualItem,
  Virtualizer,
  type VirtualizerOptions,
  windowScroll,
} from '@tanstack/virtual-core'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks'

/** What the owner of a list can do with it. */
export interface VirtualHandle {
  /** Brings an item into sight, if it is not, and its element to `then` once it is there. */
  readonly reveal: (index: number, then?: (element: HTMLElement) => void) => void
}

export interface VirtualListProps<T> {
  readonly items: readonly T[]
  readonly keyOf: (item: T) => string
  /** Pixels that an item probably takes. */
  readonly sizeOf: (item: T) => number
  readonly render: (item: T, index: number) => ComponentChildren
  readonly label: string
  /** Changes where the list is another one: it then begins at its top. Else the reader's place is kept. */
  readonly view: string
  readonly handle?: { current: VirtualHandle | null }
}

type WindowList = Virtualizer<Window, HTMLElement>

/** Room under the top bar, so that a revealed item is not behind it. */
const BAR = 64

/** Printing a page shows at most as many items. */
const PRINTED = 2000

/**
 * A long list that scrolls with the window and holds only what can be seen. When items come, go or move, the one at
 * the top of the window stays where it is.
 */
export function VirtualList<T>(props: VirtualListProps<T>): JSX.Element {
  const { items, keyOf, render, label } = props
  const list = useRef<HTMLUListElement>(null)
  const isPrinting = usePrinting()
  const virtual = useVirtual(props, list)

  if (isPrinting) {
    const printed = items.slice(0, PRINTED)
    return (
      <ul class="virtual is-printing" aria-label={label}>
        {printed.map((item, index) => (
          <li key={keyOf(item)}>{render(item, index)}</li>
        ))}
      </ul>
    )
  }
  const shown = virtual.getVirtualItems()
  return (
    <ul class="virtual" aria-label={label} ref={list} style={{ height: `${virtual.getTotalSize()}px` }}>
      {shown.map(place => (
        <li
          key={place.key}
          data-index={place.index}
          ref={virtual.measureElement}
          aria-setsize={items.length}
          aria-posinset={place.index + 1}
          style={{ transform: `translateY(${place.start - virtual.options.scrollMargin}px)` }}
        >
          {itemAt(items, place, render)}
        </li>
      ))}
    </ul>
  )
}

function itemAt<T>(
  items: readonly T[],
  place: VirtualItem,
  render: (item: T, index: number) => ComponentChildren,
): ComponentChildren {
  const item = items[place.index]
  return item === undefined ? null : render(item, place.index)
}

function useVirtual<T>(props: VirtualListProps<T>, list: { current: HTMLElement | null }): WindowList {
  const { items, keyOf, sizeOf, view, handle } = props
  const [, redraw] = useReducer<number, void>(count => count + 1, 0)
  const margin = useRef(0)
  const options: VirtualizerOptions<Window, HTMLElement> = {
    count: items.length,
    getScrollElement: () => window,
    estimateSize: index => sizeAt(items, index, sizeOf),
    getItemKey: index => keyAt(items, index, keyOf),
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    initialOffset: () => window.scrollY,
    scrollMargin: margin.current,
    scrollPaddingStart: BAR,
    scrollPaddingEnd: 16,
    overscan: 8,
    onChange: () => redraw(),
  }
  const [virtual] = useState(() => new Virtualizer(options))
  const before = useRef({ items, view, options })
  const anchor = before.current.items === items ? null : anchorOf(virtual)
  virtual.setOptions(options)

  useLayoutEffect(() => virtual._didMount(), [virtual])
  useLayoutEffect(() => {
    const top = list.current === null ? 0 : list.current.getBoundingClientRect().top + window.scrollY
    if (Math.abs(top - margin.current) > 0.5) {
      margin.current = top
      redraw()
    }
    virtual._willUpdate()
  })
  useLayoutEffect(() => {
    const isOther = before.current.view !== view
    before.current = { items, view, options }
    if (isOther) toTop(margin.current)
    else if (anchor !== null) keepPlace(virtual, anchor)
  }, [items, view])

  if (handle !== undefined) handle.current = { reveal: (index, then) => reveal(virtual, index, then) }
  return virtual
}

interface Anchor {
  readonly key: VirtualItem['key']
  readonly start: number
}

/** The item at the top of the window; null where the list's beginning is in sight: what is new may show there. */
function anchorOf(virtual: WindowList): Anchor | null {
  const offset = window.scrollY + BAR
  const top =
    offset <= virtual.options.scrollMargin + BAR ? undefined : virtual.getVirtualItemForOffset(offset)
  return top === undefined ? null : { key: top.key, start: top.start }
}

function keepPlace(virtual: WindowList, anchor: Anchor): void {
  // Asking for the total lays everything out anew.
  virtual.getTotalSize()
  const now = virtual.measurementsCache.find(item => item.key === anchor.key)
  if (now !== undefined && now.start !== anchor.start) window.scrollBy(0, now.start - anchor.start)
}

function toTop(margin: number): void {
  if (window.scrollY > margin) window.scrollTo(0, 0)
}

function reveal(virtual: WindowList, index: number, then?: (element: HTMLElement) => void): void {
  virtual.scrollToIndex(index, { align: 'auto' })
  if (then === undefined) return
  let tries = 10
  const look = (): void => {
    const element = virtual.elementsCache.get(virtual.options.getItemKey(index))
    if (element?.isConnected === true) then(element)
    else if (tries-- > 0) requestAnimationFrame(look)
  }
  look()
}

function sizeAt<T>(items: readonly T[], index: number, sizeOf: (item: T) => number): number {
  const item = items[index]
  return item === undefined ? 0 : sizeOf(item)
}

function keyAt<T>(items: readonly T[], index: number, keyOf: (item: T) => string): string | number {
  const item = items[index]
  return item === undefined ? index : keyOf(item)
}

function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    const begin = (): void => setPrinting(true)
    const end = (): void => setPrinting(false)
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
    }
  }, [])
  return isPrinting
}
