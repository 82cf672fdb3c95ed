/** What a request carries of every entry of a file, in one number each: a file may have a million entries. */
import { intern, type Names, nameOf } from '../graph/names.js'
import type { ApiMessage } from './api-rules.js'

/** A list to add to, and to read from in any order. */
export interface ApiMessageList {
  readonly add: (message: ApiMessage | null) => void
  /** The message of the entry at a position; null where it has none. */
  readonly at: (position: number) => ApiMessage | null
}

/** An empty list. `tools` is where the ids of tools are kept. */
export function createApiMessageList(tools: Names): ApiMessageList {
  const codes: number[] = []
  const odd = new Map<number, ApiMessage>()
  return {
    add: message => {
      const code = message === null ? NOTHING : codeOf(message, tools)
      if (code === ODD && message !== null) odd.set(codes.length, message)
      codes.push(code)
    },
    at: position => {
      const code = codes[position] ?? NOTHING
      return code >= 0 ? messageOf(code, tools) : (odd.get(position) ?? null)
    },
  }
}

const NOTHING = -1
/** More than a number can say: several tools, another role, or a fault. */
const ODD = -2

const TEXT = 0
const CALL = 1
const RESULT = 2

/** Two bits for what it is, one for who says it, and the number of the tool above. */
function codeOf({ role, calls, results, fault }: ApiMessage, tools: Names): number {
  const isModel = role === 'assistant'
  if (fault !== null || (!isModel && role !== 'user') || calls.length + results.length > 1) return ODD
  const [tool] = calls.length > 0 ? calls : results
  const what = tool === undefined ? TEXT : calls.length > 0 ? CALL : RESULT
  return ((tool === undefined ? 0 : intern(tools, tool)) << 3) | (what << 1) | (isModel ? 1 : 0)
}

function messageOf(code: number, tools: Names): ApiMessage {
  const role = (code & 1) === 1 ? 'assistant' : 'user'
  const what = (code >> 1) & 3
  const ids = what === TEXT ? NONE : [nameOf(tools, code >> 3)]
  return { role, calls: what === CALL ? ids : NONE, results: what === RESULT ? ids : NONE, fault: null }
}

const NONE: readonly string[] = []
