/** Pages whose code is fetched when they are first opened. */
import type { FunctionComponent, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Failure, Spinner } from '../parts/waiting.js'

/** The component that `load` gives, once it is there. */
export function lazily(load: () => Promise<FunctionComponent>): FunctionComponent {
  let known: FunctionComponent | null = null
  return function Lazy(): JSX.Element {
    const [Page, setPage] = useState<FunctionComponent | null>(() => known)
    const [error, setError] = useState<unknown>(null)
    const [turn, setTurn] = useState(0)
    useEffect(() => {
      if (Page !== null) return
      setError(null)
      load().then(page => {
        known = page
        setPage(() => page)
      }, setError)
    }, [turn])
    if (Page !== null) return <Page />
    return error === null ? <Spinner /> : <Failure error={error} retry={() => setTurn(turn + 1)} />
  }
}
