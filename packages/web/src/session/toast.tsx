/** A line at the edge of the window that says what was done out of sight. */
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { useSession } from './context.js'

/** How long it stays; as long as the pointer or the focus is on it, it does. */
const STAYS = 7000

/** What was said last. The box is always there, so that it is read aloud when something comes into it. */
export function SaidLine(): VNode {
  const { said } = useSession()
  const now = said.value
  const leave = (): void => {
    said.value = null
  }
  useEffect(() => {
    if (now === null) return undefined
    const timer = setTimeout(function end(): void {
      if (document.querySelector('.said:hover, .said:focus-within') === null) leave()
      else setTimeout(end, STAYS)
    }, STAYS)
    return () => clearTimeout(timer)
  }, [now])
  return (
    <div class="said-box" role="status" aria-live="polite">
      {now !== null && (
        <p class="said">
          <span>{now.words}</span>
          {now.action !== null && (
            <button
              type="button"
              onClick={() => {
                leave()
                now.action?.run()
              }}
            >
              {now.action.label}
            </button>
          )}
          {now.link !== null && <a href={now.link.href}>{now.link.label}</a>}
          <button type="button" class="said-close" aria-label="Close" onClick={leave}>
            ×
          </button>
        </p>
      )}
    </div>
  )
}
