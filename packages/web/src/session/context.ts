/** Hands the session down to whatever is drawn of it. */
import { type Context, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Session } from './state.js'
import type { View } from './view.js'

export const SessionContext: Context<Session | null> = createContext<Session | null>(null)

/** The session of the page around. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new TypeError('drawn outside of a session')
  return session
}

/** What the session shows right now. */
export function useView(): View {
  const view = useSession().view.value
  if (view === null) throw new TypeError('drawn before the sheet is there')
  return view
}
