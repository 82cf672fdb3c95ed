import { useEffect, useRef } from 'preact/hooks'

/** What keys do, by `KeyboardEvent.key`. An action that returns false leaves the key to others. */
export type KeyActions = Readonly<Record<string, (event: KeyboardEvent) => unknown>>

/** Does what keys say, wherever the focus is, but not while somebody types or a dialog is open. */
export function useKeys(actions: KeyActions): void {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || isForOthers(event)) return
      const action = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined
      if (action !== undefined && action(event) !== false) event.preventDefault()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

/** Whether a key belongs to the browser, a field or a dialog. */
export function isForOthers(event: KeyboardEvent): boolean {
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
