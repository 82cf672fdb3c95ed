import type { KeyHelp } from '../parts/keys.js'

/** What keys do in a search. */
export const SEARCH_KEYS: readonly KeyHelp[] = [
  { keys: '↓ ↑', does: 'next and previous hit, from the box too' },
  { keys: 'j k', does: 'the same, outside the box' },
  { keys: 'Enter', does: 'open it' },
]
