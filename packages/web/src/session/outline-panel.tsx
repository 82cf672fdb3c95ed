/** The outline at the side. It follows the reader, and its items lead to their rows. */
import type { VNode } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Icon, type IconName } from './icons.js'
import { buildOutline, itemAround, type OutlineItem } from './outline.js'
import { goTo, goToFork, useSession, useView } from './state.js'

/** The height of every item. */
const ITEM = 34
const MARGIN = 6

const ICONS: Readonly<Record<OutlineItem['kind'], IconName | null>> = {
  turn: null,
  fork: 'fork',
  compaction: 'compaction',
  error: 'error',
  lost: 'error',
  junction: 'junction',
  agent: 'agent',
}

export function Outline({ onPick }: { onPick: () => void }): VNode {
  const { sheet, facts } = useView()
  const [filter, setFilter] = useState('')
  const all = useMemo(() => buildOutline(sheet, facts), [sheet, facts])
  const items = useMemo(() => filtered(all, filter), [all, filter])
  return (
    <nav class="outline" aria-label="Outline">
      <input
        type="search"
        class="outline-filter"
        placeholder="Filter the outline"
        aria-label="Filter the outline"
        value={filter}
        onInput={event => setFilter(event.currentTarget.value)}
      />
      <OutlineList items={items} onPick={onPick} />
    </nav>
  )
}

function filtered(items: readonly OutlineItem[], filter: string): readonly OutlineItem[] {
  const words = filter.toLowerCase().trim()
  if (words === '') return items
  return items.filter(({ text, aside }) => `${text} ${aside}`.toLowerCase().includes(words))
}

/** Draws only visible items: all have the same height. */
function OutlineList({ items, onPick }: { items: readonly OutlineItem[]; onPick: () => void }): VNode {
  const session = useSession()
  const view = useView()
  const box = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const row = view.rows[session.window.value[0]]?.row ?? 0
  const here = itemAround(items, view.sheet, row)
  useEffect(() => follow(box.current, here), [here])
  const height = box.current?.clientHeight ?? 800
  const first = Math.max(0, Math.floor(top / ITEM) - MARGIN)
  const shown = items.slice(first, first + Math.ceil(height / ITEM) + 2 * MARGIN)
  return (
    <div class="outline-box" ref={box} onScroll={event => setTop(event.currentTarget.scrollTop)}>
      <ol style={{ height: `${items.length * ITEM}px` }}>
        {shown.map((item, at) => (
          <li key={first + at} style={{ transform: `translateY(${(first + at) * ITEM}px)` }}>
            <Item
              item={item}
              node={view.sheet.rows.node[item.target] ?? ''}
              isHere={first + at === here}
              onPick={() => {
                if (item.fork < 0) goTo(session, item.target)
                else goToFork(session, item.fork)
                onPick()
              }}
            />
          </li>
        ))}
      </ol>
      {items.length === 0 && <p class="faint">No matches.</p>}
    </div>
  )
}

interface ItemProps {
  readonly item: OutlineItem
  readonly node: string
  readonly isHere: boolean
  readonly onPick: () => void
}

function Item({ item, node, isHere, onPick }: ItemProps): VNode {
  const icon = ICONS[item.kind]
  return (
    <a
      class={`outline-item of-${item.kind}${item.isAbandoned ? ' is-abandoned' : ''}`}
      href={`#${node}`}
      aria-current={isHere ? 'location' : undefined}
      title={item.text}
      style={{ paddingInlineStart: `${10 + Math.min(item.depth, 4) * 12}px` }}
      onClick={event => {
        event.preventDefault()
        onPick()
      }}
    >
      {icon !== null && <Icon name={icon} />}
      <span class="outline-text">{item.text}</span>
      {item.aside !== '' && <span class="outline-aside">{item.aside}</span>}
    </a>
  )
}

/** Keeps the current item visible. */
function follow(box: HTMLElement | null, here: number): void {
  if (box === null || here < 0) return
  const top = here * ITEM
  if (top < box.scrollTop || top + ITEM > box.scrollTop + box.clientHeight) {
    box.scrollTop = Math.max(0, top - box.clientHeight / 3)
  }
}
