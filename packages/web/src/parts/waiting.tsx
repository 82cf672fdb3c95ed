/** What stands where there is nothing to show: yet, at all, or because something failed. */
import type { ComponentChildren, JSX } from 'preact'
import { sentenceOf } from '../app/api.js'

/** Something is on its way. It shows itself only after a moment, so that quick answers do not flicker. */
export function Spinner({ label = 'Loading…' }: { readonly label?: string }): JSX.Element {
  return (
    <div class="spinner" role="status">
      <span class="spinner-dots" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span>{label}</span>
    </div>
  )
}

/** There is nothing; the children say what to do. */
export function Empty({
  title,
  children,
}: {
  readonly title: string
  readonly children?: ComponentChildren
}): JSX.Element {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  )
}

/** It failed: the sentence, and a way to try again. */
export function Failure({
  error,
  retry,
}: {
  readonly error: unknown
  readonly retry?: () => void
}): JSX.Element {
  return (
    <div class="empty failure" role="alert">
      <h2>That did not work</h2>
      <p>{sentenceOf(error)}</p>
      {retry === undefined ? null : (
        <p>
          <button type="button" class="button" onClick={retry}>
            Try again
          </button>
        </p>
      )}
    </div>
  )
}
