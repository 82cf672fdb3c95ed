/** Why a request is not what was said, in few words. */
import type { MarkedEntry, MarkedSession } from './marks.ts'
import type { Resumed } from './resume.ts'

/** What was expected held against what was sent. */
export interface Comparison {
  /** All that was expected, in order. */
  readonly wanted: readonly string[]
  readonly missing: readonly string[]
  readonly unexpected: readonly string[]
  readonly difference: string
  /** The turns come in the expected order; inside of them the order is the client's. */
  readonly isInTurns: boolean
}

/** The kind of a difference. */
export function whyNot(compared: Comparison, { error, refused }: Resumed, marked: MarkedSession): string {
  const { wanted, missing, unexpected, isInTurns } = compared
  if (error !== null) return `not resumed (${error.slice(0, 40)})`
  if (missing.length === 0 && unexpected.length === 0) {
    const [first] = refused
    return first !== undefined ? `the API would refuse it: ${first.what}` : isInTurns ? '' : 'another order'
  }
  if (missing.length === 0) return 'more is sent'
  const last = wanted.at(-1)
  if (unexpected.length === 0 && missing.every(uuid => hasTools(marked, uuid)))
    return 'calls or results left out'
  if (last !== undefined && missing.includes(last)) return 'ends elsewhere'
  return isBeginning(missing, wanted) ? 'begins later' : 'some left out'
}

function hasTools({ entries }: MarkedSession, wanted: string): boolean {
  const entry = entries.find(({ uuid }) => uuid === wanted)
  return entry?.keys.some(isToolKey) ?? false
}

function isToolKey(key: MarkedEntry['keys'][number]): boolean {
  return key.startsWith('call:') || key.startsWith('result:')
}

function isBeginning(missing: readonly string[], wanted: readonly string[]): boolean {
  return missing.every((uuid, at) => wanted[at] === uuid)
}
