/**
 * The proof of a plan: its rows, read again by our own reader, give the promised live conversation, and what is sent
 * obeys the rules of the Messages API.
 */
import { type GraphBuilder, startGraph } from '../graph/graph.js'
import { fileId, sessionId } from '../model/ids.js'
import type { FileFacts } from '../model/source.js'
import { asObject, asText } from '../parse/json.js'
import { parseRow } from '../parse/row.js'
import { faultIn, type Sent, sentOf } from './api-rules.js'
import type { EditPlan } from './plan.js'

/** A check under way. */
export interface PlanCheck {
  /** The next row of the new file, without its newline. */
  readonly row: (text: string) => void
  /** After the last row: a sentence about the first thing that does not hold, or null. */
  readonly end: () => string | null
}

/** Starts the check of a plan; rows are to be shown in order. */
export function startCheck(plan: EditPlan): PlanCheck {
  const facts = factsOf(plan.session)
  const builder: GraphBuilder = startGraph()
  const promised = new Map<string, Sent | null>(plan.promise.map(id => [id, null]))
  let row = 0
  let offset = 0
  return {
    row: text => {
      row++
      const parsed = parseRow({ row, offset, length: text.length, text, whole: true }, json => {
        const id = asText(json.uuid)
        if (id !== null && promised.has(id)) promised.set(id, sentOf(asObject(json.message)))
      })
      builder.addRow(facts, parsed)
      offset += text.length + 1
    },
    end: () => {
      const graph = builder.build()
      const live = graph.live(facts.path).map(node => graph.id(node))
      return differenceOf(plan.promise, live) ?? faultIn([...promised.values()])
    },
  }
}

function factsOf(session: string): FileFacts {
  const id = sessionId(session)
  return {
    path: fileId(`${session}.jsonl`),
    kind: 'session',
    session: id,
    agent: null,
    run: null,
    meta: null,
  }
}

function differenceOf(promise: readonly string[], live: readonly string[]): string | null {
  const at = promise.findIndex((id, place) => live[place] !== id)
  const place = at < 0 && live.length > promise.length ? promise.length : at
  if (place < 0) return null
  const [wanted = 'nothing more', got = 'nothing more'] = [promise[place], live[place]]
  return `the result would carry ${live.length} entries instead of ${promise.length}: at ${place + 1} stands ${got} instead of ${wanted}`
}
