/** The session page. */
import type { VNode } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { useChanges } from '../app/live.js'
import { route, useTitle } from '../app/route.js'
import { httpSource } from '../session/http-source.js'
import { SessionView } from '../session/session-view.js'

/** A session by its id or a prefix of one. */
export function SessionPage({ session }: { readonly session: string }): VNode {
  const [title, setTitle] = useState<string | null>(null)
  const listeners = useMemo(() => new Set<() => void>(), [])
  const source = useMemo(
    () =>
      httpSource(session, listener => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      }),
    [session],
  )
  const { hash, query } = route.value
  const at = useMemo(() => ({ hash, words: query.get('find') ?? '' }), [route.value])
  useTitle(title)
  useChanges(sessions => {
    const isMeant = sessions.length === 0 || sessions.some(id => id.startsWith(session))
    if (isMeant) for (const listener of listeners) listener()
  })
  useEffect(() => () => listeners.clear(), [])
  return <SessionView key={session} source={source} at={at} onTitle={setTitle} />
}
