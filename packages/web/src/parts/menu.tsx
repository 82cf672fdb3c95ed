import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

/** One thing a menu can do. */
export interface MenuItem {
  readonly label: string
  readonly onPick: () => void
  /** Said behind the label, in small. */
  readonly hint?: string
}

/** A button with a list of things to do under it. Arrow keys, Home, End, Enter and Escape work as in other menus. */
export function Menu({
  label,
  title,
  items,
}: {
  readonly label: ComponentChildren
  readonly title?: string
  readonly items: readonly MenuItem[]
}): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    if (!isOpen) return undefined
    itemsIn(place.current)[0]?.focus()
    const closeOutside = (event: Event): void => {
      if (event.target instanceof Node && !place.current?.contains(event.target)) setOpen(false)
    }
    document.addEventListener('pointerdown', closeOutside)
    return () => document.removeEventListener('pointerdown', closeOutside)
  }, [isOpen])

  function close(): void {
    setOpen(false)
    button.current?.focus()
  }

  return (
    <div class="menu" ref={place}>
      <button
        ref={button}
        type="button"
        class="button-quiet"
        title={title}
        aria-label={title}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </button>
      {isOpen ? (
        <div
          class="menu-list"
          role="menu"
          tabIndex={-1}
          onKeyDown={event => moveIn(event, place.current, close)}
        >
          {items.map(item => (
            <button
              key={item.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              onClick={() => {
                close()
                item.onPick()
              }}
            >
              <span>{item.label}</span>
              {item.hint === undefined ? null : <small>{item.hint}</small>}
            </button>
          ))}
        </div>
      ) : null}
    </div>
  )
}

function moveIn(event: KeyboardEvent, place: HTMLElement | null, close: () => void): void {
  if (event.key === 'Escape' || event.key === 'Tab') {
    close()
    return
  }
  const items = itemsIn(place)
  const active = document.activeElement
  const at = active instanceof HTMLElement ? items.indexOf(active) : -1
  const to = targetOf(event.key, at, items.length)
  if (to === null) return
  event.preventDefault()
  items[to]?.focus()
}

function targetOf(key: string, at: number, length: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % length
    case 'ArrowUp':
      return (at - 1 + length) % length
    case 'Home':
      return 0
    case 'End':
      return length - 1
    default:
      return null
  }
}

function itemsIn(place: HTMLElement | null): HTMLElement[] {
  return place === null ? [] : [...place.querySelectorAll<HTMLElement>('[role=menuitem]')]
}
