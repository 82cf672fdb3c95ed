import type { ComponentChildren, JSX, RefObject } from 'preact'
import type { Cursor } from './cursor.js'

/** The frame of a drawing with a cursor: to those who cannot see it, a slider over what is drawn. */
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
  /** What is pointed at. */
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
