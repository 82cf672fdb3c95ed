import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type ListPlan, useNear } from './near.js'

interface VirtualListProps<T> extends ListPlan<T> {
  readonly render: (item: T) => ComponentChildren
  readonly label: string
}

/** Printing a page shows at most as many items. */
const PRINTED = 2000

/** A long list that scrolls with the window and holds only what can be seen. */
export function VirtualList<T>(props: VirtualListProps<T>): JSX.Element {
  return usePrinting() ? <PrintedList {...props} /> : <NearList {...props} />
}

function NearList<T>(props: VirtualListProps<T>): JSX.Element {
  const { items, keyOf, label } = props
  const list = useRef<HTMLUListElement>(null)
  const { first, end, top, height } = useNear(props, list)
  const kept = useKept(props.render)
  return (
    <ul
      class="virtual"
      aria-label={label}
      ref={list}
      style={{ height: `${height}px`, paddingTop: `${top}px` }}
    >
      {items.slice(first, end).map((item, at) => (
        <li
          key={keyOf(item)}
          data-index={first + at}
          aria-setsize={items.length}
          aria-posinset={first + at + 1}
        >
          {kept(item)}
        </li>
      ))}
    </ul>
  )
}

/** Items that are drawn already stay as they are while the list scrolls: the same node is not compared again. */
function useKept<T>(render: (item: T) => ComponentChildren): (item: T) => ComponentChildren {
  const kept = useRef({ render, nodes: new Map<T, ComponentChildren>() })
  if (kept.current.render !== render) kept.current = { render, nodes: new Map() }
  const { nodes } = kept.current
  return item => {
    if (nodes.size > 200) nodes.clear()
    const node = nodes.get(item) ?? render(item)
    nodes.set(item, node)
    return node
  }
}

function PrintedList<T>({ items, keyOf, render, label }: VirtualListProps<T>): JSX.Element {
  return (
    <ul class="virtual is-printing" aria-label={label}>
      {items.slice(0, PRINTED).map(item => (
        <li key={keyOf(item)}>{render(item)}</li>
      ))}
    </ul>
  )
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
