import type { KeyHelp } from '../parts/keys.js'

/** What keys do in the list of sessions. */
export const HOME_KEYS: readonly KeyHelp[] = [
  { keys: 'j k', does: 'next and previous session' },
  { keys: 'Enter', does: 'open it' },
  { keys: 'f', does: 'filter the list' },
  { keys: 'g G', does: 'first and last' },
]
