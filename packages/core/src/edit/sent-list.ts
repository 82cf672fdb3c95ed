/** What every entry of a file sends, in a number each: a file may have a million of them. */
import { intern, type Names, nameOf } from '../graph/names.js'
import type { Sent } from './api-rules.js'

/** A list to add to, and to read from in any order. */
export interface SentList {
  readonly add: (sent: Sent | null) => void
  /** What the entry at a place sends; null where it sends nothing. */
  readonly at: (place: number) => Sent | null
}

/** An empty list. `tools` is where the ids of tools are kept. */
export function createSentList(tools: Names): SentList {
  const codes: number[] = []
  const odd = new Map<number, Sent>()
  return {
    add: sent => {
      const code = sent === null ? NOTHING : codeOf(sent, tools)
      if (code === ODD && sent !== null) odd.set(codes.length, sent)
      codes.push(code)
    },
    at: place => {
      const code = codes[place] ?? NOTHING
      return code >= 0 ? sentOf(code, tools) : (odd.get(place) ?? null)
    },
  }
}

const NOTHING = -1
/** More than a number can say: several tools, another role, or a fault. */
const ODD = -2

const WORDS = 0
const CALL = 1
const RESULT = 2

/** Two bits for what it is, one for who says it, and the number of the tool above. */
function codeOf({ role, calls, results, fault }: Sent, tools: Names): number {
  const isModel = role === 'assistant'
  if (fault !== null || (!isModel && role !== 'user') || calls.length + results.length > 1) return ODD
  const [tool] = calls.length > 0 ? calls : results
  const what = tool === undefined ? WORDS : calls.length > 0 ? CALL : RESULT
  return ((tool === undefined ? 0 : intern(tools, tool)) << 3) | (what << 1) | (isModel ? 1 : 0)
}

function sentOf(code: number, tools: Names): Sent {
  const role = (code & 1) === 1 ? 'assistant' : 'user'
  const what = (code >> 1) & 3
  const ids = what === WORDS ? NONE : [nameOf(tools, code >> 3)]
  return { role, calls: what === CALL ? ids : NONE, results: what === RESULT ? ids : NONE, fault: null }
}

const NONE: readonly string[] = []
