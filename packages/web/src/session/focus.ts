/** V24: the focus stays in the conversation while rows come and go. */
import { useEffect, useRef } from 'preact/hooks'
import type { View } from './view.js'

/** Focuses a row without scrolling; false where it is not drawn. */
export function focusRow(row: number): boolean {
  const element = document.querySelector<HTMLElement>(`.row[data-row="${row}"]`)
  element?.focus({ preventScroll: true })
  return element !== null
}

/** Where a change removes the element that has the focus, the row that stands in its place gets it. */
export function useKeptFocus({ rows, shownAt }: View): void {
  const last = useRef(-1)
  useEffect(() => {
    const note = ({ target }: Event): void => {
      const item = target instanceof Element ? target.closest('.rows [data-index]') : null
      last.current = item === null ? -1 : (rows[Number(item.getAttribute('data-index'))]?.row ?? -1)
    }
    // A click beside everything that can have the focus gives it up.
    const events = ['focusin', 'pointerdown']
    for (const name of events) document.addEventListener(name, note)
    const frame = requestAnimationFrame(() => {
      if (last.current < 0 || document.activeElement !== document.body) return
      focusRow(last.current) || focusRow(rows[shownAt(last.current)]?.row ?? -1)
    })
    return () => {
      cancelAnimationFrame(frame)
      for (const name of events) document.removeEventListener(name, note)
    }
  }, [rows])
}
