import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { get, isAborted } from '../app/api.js'

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
    get<T>(path, { signal: ending.signal }).then(
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
