import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  /** It takes the room that its contents need. */
  readonly isWide?: boolean
  readonly children: ComponentChildren
}

/** A modal dialog, open while it is mounted. Escape, its button and a click outside call `onClose`. */
export function Dialog({ title, onClose, isWide, children }: DialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes it on Escape
    <dialog
      ref={dialog}
      class={isWide === true ? 'dialog is-wide' : 'dialog'}
      aria-label={title}
      onClose={onClose}
      onClick={event => {
        if (event.target === dialog.current) onClose()
      }}
    >
      <div class="dialog-inside">
        <header class="dialog-head">
          <h2>{title}</h2>
          <button type="button" class="button-quiet" aria-label="Close" onClick={onClose}>
            ✕
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}
