import type { ComponentChildren, JSX, RefObject } from 'preact'
import { useState } from 'preact/hooks'

/** A position in a row of items, moved by the pointer and by keys. */
interface Cursor {
  /** Null for none. */
  readonly at: number | null
  readonly last: number
  readonly handlers: {
    readonly onKeyDown: (event: KeyboardEvent) => void
    readonly onBlur: () => void
    readonly onPointerMove: (event: PointerEvent) => void
    readonly onPointerLeave: () => void
    readonly onClick: (event: MouseEvent) => void
  }
}

/** How far each key moves. */
export type CursorSteps = Readonly<Record<string, number>>

interface CursorOptions {
  /** The item at a point of the drawing; negative for none. */
  readonly find: (x: number, y: number) => number
  /** Called on Enter and on a click. */
  readonly pick: (at: number) => void
  readonly steps?: CursorSteps
}

/** Arrow keys move by one. */
const LINE: CursorSteps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 7, PageDown: -7 }

/** A cursor over `length` items. */
export function useCursor(length: number, { find, pick, steps = LINE }: CursorOptions): Cursor {
  const [chosen, choose] = useState<number | null>(null)
  const last = length - 1
  const at = chosen === null || last < 0 ? null : Math.min(chosen, last)
  const under = (event: MouseEvent): number | null => {
    const found = foundAt(event, find)
    return found >= 0 && found <= last ? found : null
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape') choose(null)
    if (event.key === 'Enter' && at !== null) pick(at)
    const to = targetOf(event.key, at, last, steps)
    if (to === null) return
    event.preventDefault()
    choose(to)
  }

  const handlers = {
    onKeyDown,
    onBlur: () => choose(null),
    onPointerMove: (event: PointerEvent) => choose(under(event)),
    onPointerLeave: () => choose(null),
    onClick: (event: MouseEvent) => {
      const found = under(event)
      if (found !== null) pick(found)
    },
  }
  return { at, last: Math.max(0, last), handlers }
}

/** The drawing is the first child. It may be scrolled within the element, and scaled. */
function foundAt(event: MouseEvent, find: CursorOptions['find']): number {
  const { currentTarget } = event
  const drawing = currentTarget instanceof Element ? currentTarget.firstElementChild : null
  if (!(drawing instanceof SVGSVGElement)) return -1
  const { left, top, width } = drawing.getBoundingClientRect()
  const scale = drawing.viewBox.baseVal.width / Math.max(1, width)
  return find((event.clientX - left) * scale, (event.clientY - top) * scale)
}

function targetOf(key: string, at: number | null, last: number, steps: CursorSteps): number | null {
  if (key === 'Home') return 0
  if (key === 'End') return last
  const step = Object.hasOwn(steps, key) ? (steps[key] ?? 0) : 0
  if (step === 0) return null
  return at === null ? last : Math.min(last, Math.max(0, at + step))
}

/** The frame of a drawing with a cursor. Screen readers see a slider over the items. */
export function CursorBox({
  cursor: { at, last, handlers },
  name,
  label,
  words,
  box,
  children,
}: {
  readonly cursor: Cursor
  /** The class of the frame. */
  readonly name: string
  readonly label: string
  /** The item under the cursor in words. */
  readonly words: string
  readonly box?: RefObject<HTMLDivElement | null> | undefined
  /** One drawing. */
  readonly children: ComponentChildren
}): JSX.Element {
  return (
    <div
      ref={box ?? null}
      class={name}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={at ?? last}
      aria-valuetext={words}
      {...handlers}
    >
      {children}
    </div>
  )
}
