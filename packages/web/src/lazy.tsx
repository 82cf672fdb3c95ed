/** Pages whose code is fetched when they are first opened. */
import type { FunctionComponent, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Failure, Spinner } from './parts/waiting.js'

/** Parts are named by what is in them: one that is not there is of another version. */
const UPDATED =
  'A part of this page is no longer there: dagline was updated or ended meanwhile. Reload the page; if that does not help, start dagline again.'

/** The component that `load` gives, once it is there. */
export function lazily(load: () => Promise<FunctionComponent>): FunctionComponent {
  let known: FunctionComponent | null = null
  return function Lazy(): JSX.Element {
    const [Page, setPage] = useState<FunctionComponent | null>(() => known)
    const [error, setError] = useState<unknown>(null)
    useEffect(() => {
      if (Page !== null) return
      setError(null)
      load().then(
        page => {
          known = page
          setPage(() => page)
        },
        () => setError(new Error(UPDATED)),
      )
    }, [])
    if (Page !== null) return <Page />
    return error === null ? <Spinner /> : <Failure error={error} retry={() => location.reload()} />
  }
}
