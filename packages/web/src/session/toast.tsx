/** A notice at the edge of the window about something out of sight. */
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { useSession } from './context.js'

/** Milliseconds that a notice stays. It stays longer while the pointer or the focus is on it. */
const STAYS = 7000

/** The current notice. The box is always in the page, so that screen readers announce what is put into it. */
export function ToastBox(): VNode {
  const { toast } = useSession()
  const now = toast.value
  const close = (): void => {
    toast.value = null
  }
  useEffect(() => {
    if (now === null) return undefined
    const timer = setTimeout(function end(): void {
      if (document.querySelector('.toast:hover, .toast:focus-within') === null) close()
      else setTimeout(end, STAYS)
    }, STAYS)
    return () => clearTimeout(timer)
  }, [now])
  return (
    <div class="toast-box" role="status" aria-live="polite">
      {now !== null && (
        <p class="toast">
          <span>{now.text}</span>
          {now.action !== null && (
            <button
              type="button"
              onClick={() => {
                close()
                now.action?.run()
              }}
            >
              {now.action.label}
            </button>
          )}
          {now.link !== null && <a href={now.link.href}>{now.link.label}</a>}
          <button type="button" class="toast-close" aria-label="Close" onClick={close}>
            ×
          </button>
        </p>
      )}
    </div>
  )
}
