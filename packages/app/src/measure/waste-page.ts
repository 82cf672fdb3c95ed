/** The page of waste. Another process finds it: the first time, that reads all transcripts. */
import type { WastePage } from '@dagline/core/protocol'
import { lookingOnce, silentHost } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import { runOnce } from '../workers/pool.js'
import type { WasteItem } from './waste.js'

/** The sessions that are shown. */
export interface WasteInput {
  /** The index file. */
  readonly index: string
  readonly roots: readonly string[]
}

/** Finds the waste in a worker. */
export async function wasteInWorker(input: WasteInput): Promise<WastePage> {
  return await runOnce('waste', input, { endedEarly, here: wasteShown })
}

function endedEarly(): UserError {
  return new UserError(
    'The process that was to answer ended early. Try again, or run `dagline waste` in a terminal.',
    'unavailable',
  )
}

/** So many items are shown, the most expensive first. */
const MOST = 250

/** The task of a worker: the waste of all sessions below the roots. */
export async function wasteShown({ index, roots }: WasteInput): Promise<WastePage> {
  const { reportWaste } = await import('./waste.js')
  const { items, ...sums } = await reportWaste(lookingOnce(silentHost(roots)), { index })
  return { ...sums, count: items.length, items: items.slice(0, MOST).map(shownItem) }
}

/** Branches and subagents are shown by their first message. */
function shownItem({ shares, refs, ...item }: WasteItem): WastePage['items'][number] {
  const isEntry = (ref: string): boolean => !ref.startsWith(item.session)
  return { ...item, title: null, node: refs.findLast(isEntry) ?? shares[0]?.ref ?? null }
}
