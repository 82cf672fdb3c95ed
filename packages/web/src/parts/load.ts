import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { get, isAborted } from '../app/api.js'

/** What a question has come to so far. The last value stays while the next one is on its way. */
interface Loaded<T> {
  readonly value: T | null
  readonly error: unknown
  readonly isLoading: boolean
  readonly reload: () => void
}

interface State<T> {
  readonly value: T | null
  readonly error: unknown
  readonly isLoading: boolean
}

/** The value behind a path of the API; null asks nothing. A new path ends the question before. */
export function useLoad<T>(path: string | null): Loaded<T> {
  const [state, setState] = useState<State<T>>({ value: null, error: null, isLoading: path !== null })
  const [turn, setTurn] = useState(0)
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
  }, [path, turn])

  const reload = useCallback(() => setTurn(count => count + 1), [])
  return { ...state, reload }
}
