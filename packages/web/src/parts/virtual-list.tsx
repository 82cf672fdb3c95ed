/** A long list that scrolls with the window and holds only the items near it. */
import { count } from '@dagline/core/format'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type ListOptions, useVirtual } from './virtual.js'

interface VirtualListProps<T> extends ListOptions<T> {
  readonly render: (item: T, index: number) => ComponentChildren
  readonly label: string
  /** A feed of articles, which say themselves which one they are, instead of a list of items. */
  readonly isFeed?: boolean
  readonly class?: string
  readonly style?: Readonly<Record<string, string>>
}

/** At most so many items are printed. */
export const MOST_PRINTED = 5000

/** The items near the window; on paper all of them. */
export function VirtualList<T>(props: VirtualListProps<T>): JSX.Element {
  return usePrinting() ? <PrintedList {...props} /> : <NearList {...props} />
}

function NearList<T>(props: VirtualListProps<T>): JSX.Element {
  const { items, keyOf, label, isFeed = false } = props
  const box = useRef<HTMLDivElement>(null)
  const { first, end, top, height } = useVirtual(props, box)
  const drawn = useDrawn(props.render)
  const [List, Item] = isFeed ? (['div', 'div'] as const) : (['ul', 'li'] as const)
  const nameOfItem = (index: number): object =>
    isFeed ? {} : { 'aria-setsize': items.length, 'aria-posinset': index + 1 }
  return (
    <div
      class={`virtual ${props.class ?? ''}`}
      ref={box}
      style={{ ...props.style, height: `${height}px` }}
      {...(isFeed ? { role: 'feed', 'aria-label': label } : {})}
    >
      <List
        class="virtual-items"
        style={{ transform: `translateY(${top}px)` }}
        {...(isFeed ? {} : { 'aria-label': label })}
      >
        {items.slice(first, end).map((item, at) => (
          <Item key={keyOf(item)} class="virtual-item" data-index={first + at} {...nameOfItem(first + at)}>
            {drawn(item, first + at)}
          </Item>
        ))}
      </List>
    </div>
  )
}

type Render<T> = (item: T, index: number) => ComponentChildren

/** Keeps what was drawn while the list scrolls: Preact does not compare a node with itself. */
function useDrawn<T>(render: Render<T>): Render<T> {
  const kept = useRef({ render, nodes: new Map<T, ComponentChildren>() })
  if (kept.current.render !== render) kept.current = { render, nodes: new Map() }
  const { nodes } = kept.current
  return (item, index) => {
    if (nodes.size > 200) nodes.clear()
    const node = nodes.get(item) ?? render(item, index)
    nodes.set(item, node)
    return node
  }
}

function PrintedList<T>(props: VirtualListProps<T>): JSX.Element {
  const { items, keyOf, render } = props
  return (
    <div class={`virtual is-printing ${props.class ?? ''}`} style={{ ...props.style }}>
      {items.slice(0, MOST_PRINTED).map((item, index) => (
        <div key={keyOf(item)} class="virtual-item">
          {render(item, index)}
        </div>
      ))}
      {items.length > MOST_PRINTED && <p>Only the first {count(MOST_PRINTED)} rows are printed.</p>}
    </div>
  )
}

function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    const ending = new AbortController()
    const { signal } = ending
    window.addEventListener('beforeprint', () => setPrinting(true), { signal })
    window.addEventListener('afterprint', () => setPrinting(false), { signal })
    return () => ending.abort()
  }, [])
  return isPrinting
}
