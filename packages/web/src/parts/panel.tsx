/** Parts of pages with figures: sections, tiles, and lists with their end folded. */
import { count } from '@dagline/core/format'
import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'

interface PanelProps {
  readonly title: ComponentChildren
  readonly id?: string
  readonly class?: string
  /** Beside the title. */
  readonly controls?: ComponentChildren
  readonly children: ComponentChildren
}

/** A section of a page. */
export function Panel({ title, id, class: name = '', controls, children }: PanelProps): JSX.Element {
  return (
    <section class={`panel ${name}`} id={id}>
      <header class="panel-head">
        <h2>{title}</h2>
        {controls}
      </header>
      {children}
    </section>
  )
}

/** A large figure with its name and a note. */
export interface Tile {
  readonly name: string
  readonly value: string
  readonly note: string
  readonly tone?: 'good' | 'warn' | 'bad' | undefined
}

/** The most important figures of a page. */
export function Tiles({ tiles }: { readonly tiles: readonly Tile[] }): JSX.Element {
  return (
    <dl class="tiles">
      {tiles.map(({ name, value, note, tone }) => (
        <div key={name} class={tone === undefined ? undefined : `is-${tone}`}>
          <dt>{name}</dt>
          <dd>{value}</dd>
          <dd class="tile-note">{note}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The first items of a list, and a button that shows the others; null where there are none. */
export function useFirst<T>(
  items: readonly T[],
  first: number,
): { readonly shown: readonly T[]; readonly more: JSX.Element | null } {
  const [isLong, setLong] = useState(false)
  if (isLong || items.length <= first) return { shown: items, more: null }
  const more = (
    <button type="button" class="button button-more" onClick={() => setLong(true)}>
      Show {count(items.length - first)} more
    </button>
  )
  return { shown: items.slice(0, first), more }
}
