/** Loading the figures of a page: once, after sessions changed, and while the server still computes them. */
import { count } from '@dagline/core/format'
import type { WorkProgress } from '@dagline/core/protocol'
import type { JSX } from 'preact'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { get, isAborted } from '../app/api.js'
import { useChanges } from '../app/live.js'

/** The state of a request. The last value stays while the next one is loading. */
interface Loaded<T> {
  readonly value: T | null
  readonly error: unknown
  readonly isLoading: boolean
  readonly reload: () => void
}

/** Loads a value from a path of the API; null loads nothing. A new path aborts the previous request. */
export function useLoad<T>(path: string | null): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'reload'>>({
    value: null,
    error: null,
    isLoading: path !== null,
  })
  const [attempt, setAttempt] = useState(0)
  const value = useRef<T | null>(null)

  useEffect(() => {
    if (path === null) {
      value.current = null
      setState({ value: null, error: null, isLoading: false })
      return undefined
    }
    const ending = new AbortController()
    setState({ value: value.current, error: null, isLoading: true })
    get<T>(path, ending.signal).then(
      found => {
        value.current = found
        setState({ value: found, error: null, isLoading: false })
      },
      error => {
        if (!isAborted(error)) setState({ value: value.current, error, isLoading: false })
      },
    )
    return () => ending.abort()
  }, [path, attempt])

  const reload = useCallback(() => setAttempt(count => count + 1), [])
  return { ...state, reload }
}

/** Milliseconds between two reloads, however often sessions change. */
const PAUSE = 5000
/** Milliseconds between two reloads of an answer that is still being computed. */
const POLL = 700

/** Reloads after sessions changed, at most once in so many milliseconds. */
export function useThrottledChanges(reload: () => void, pause: () => number = () => PAUSE): void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useChanges(() => {
    if (timer.current !== undefined) return
    timer.current = setTimeout(() => {
      timer.current = undefined
      reload()
    }, pause())
  })
}

/** Reloads until the server has finished its work. Returns whether it still works. */
export function useProgress(progress: WorkProgress | undefined, reload: () => void): boolean {
  const isRunning = progress !== undefined && progress.done < progress.of
  useEffect(() => {
    if (!isRunning) return undefined
    const timer = setTimeout(reload, POLL)
    return () => clearTimeout(timer)
  }, [isRunning, progress, reload])
  return isRunning
}

/** How far the server is; nothing once it has finished. */
export function ProgressNote({ progress }: { readonly progress: WorkProgress }): JSX.Element | null {
  if (progress.done >= progress.of) return null
  return (
    <p class="progress" role="status">
      <progress max={progress.of} value={progress.done} aria-label="Sessions read" />
      reading sessions: {count(progress.done)} of {count(progress.of)}
    </p>
  )
}
