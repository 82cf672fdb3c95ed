/** What is shown instead of contents: while loading, where there are none, and after an error. */
import type { ComponentChildren, JSX } from 'preact'
import { ApiFailure, errorMessage } from '../app/api.js'
import { loginAddress } from '../app/hub.js'
import { useChanges } from '../app/live.js'
import { isHub } from '../app/page.js'
import { Message } from './message.js'

/** Something is loading. Visible only after a moment, so that quick answers do not flicker. */
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

interface EmptyProps {
  readonly title: string
  /** Whether it is all there is on the page: then its title is that of the page. */
  readonly isPage?: boolean
  readonly children?: ComponentChildren
}

/** There are no contents; the children say what to do. */
export function Empty({ title, isPage = false, children }: EmptyProps): JSX.Element {
  return (
    <div class="empty">
      {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children}
    </div>
  )
}

/** HU65: the token expired or was revoked, or the time of the login is over. */
function LoggedOut({ isPart }: { readonly isPart: boolean }): JSX.Element {
  const title = 'Your login has ended'
  return (
    <div class="empty failure" role="alert">
      {isPart ? <h2>{title}</h2> : <h1>{title}</h1>}
      <p>Logins end after some hours, and when their token expires or is revoked.</p>
      <p>
        <a class="button" href={loginAddress()} target="_self">
          Log in again
        </a>
      </p>
    </div>
  )
}

interface FailureProps {
  readonly error: unknown
  /** Whether it stands below the title of a page or dialog. */
  readonly isPart?: boolean
  readonly retry?: () => void
}

/**
 * An error, with a button to retry. What failed because dagline was stopped is tried again when it runs again; where the
 * index is only being made, it is waited for (V21).
 */
export function Failure({ error, isPart = false, retry }: FailureProps): JSX.Element {
  const code = error instanceof ApiFailure ? error.code : null
  useChanges(() => {
    if (code === 'no-server' || code === 'not-ready') retry?.()
  })
  if (code === 'not-ready') return <Spinner label="Reading your sessions…" />
  if (code === 'no-token' && isHub()) return <LoggedOut isPart={isPart} />
  const isMissing = code === 'no-session'
  const title = isMissing ? 'Session not found' : 'Something went wrong'
  return (
    <div class="empty failure" role="alert">
      {isPart ? <h2>{title}</h2> : <h1>{title}</h1>}
      <p>
        <Message text={errorMessage(error)} /> {isMissing ? <a href="/">All sessions</a> : null}
      </p>
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
