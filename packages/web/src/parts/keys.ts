import { useEffect, useRef } from 'preact/hooks'

/** Actions by `KeyboardEvent.key`. An action that returns false does not handle the key. */
export type KeyActions = Readonly<Record<string, (event: KeyboardEvent) => unknown>>

/** Handles keys wherever the focus is, except in text fields and dialogs. */
export function useKeys(actions: KeyActions): void {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || isReserved(event)) return
      const action = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined
      if (action !== undefined && action(event) !== false) event.preventDefault()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

/** Moves the focus to a text field, with its text selected. */
export function focusField(id: string): void {
  const field = document.getElementById(id)
  if (!(field instanceof HTMLInputElement)) return
  field.focus()
  field.select()
}

/** Whether a key belongs to the browser, a text field or a dialog. */
export function isReserved(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return true
  const { target } = event
  if (!(target instanceof HTMLElement)) return false
  return isTyping(target) || target.closest('dialog') !== null
}

function isTyping(element: HTMLElement): boolean {
  if (element.isContentEditable) return true
  if (element instanceof HTMLInputElement) return element.type !== 'checkbox' && element.type !== 'radio'
  return element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement
}
