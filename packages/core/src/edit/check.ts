/**
 * The proof of a plan: its rows, read again by our own reader, give the promised live conversation, and what is sent
 * obeys the rules of the Messages API.
 */
import { type GraphBuilder, startGraph } from '../graph/graph.js'
import { fileId, sessionId } from '../model/ids.js'
import type { FileFacts } from '../model/source.js'
import { asObject, asText, type Json } from '../parse/json.js'
import { parseRow } from '../parse/row.js'
import { faultIn, type Sent, sentOf } from './api-rules.js'
import type { EditPlan } from './plan.js'

/** What a check came to. */
export interface PlanProof {
  /** A sentence about the first thing that does not hold, or null. */
  readonly fault: string | null
  /** The uuids of the live conversation as it was read, in the order of sending. */
  readonly live: readonly string[]
}

/** A check under way. */
export interface PlanCheck {
  /** The next row of the new file, without its newline. */
  readonly row: (text: string) => void
  /** After the last row. */
  readonly end: () => PlanProof
}

/** Starts the check of a plan; rows are to be shown in order. */
export function startCheck(plan: EditPlan): PlanCheck {
  const facts = factsOf(plan.session)
  const builder: GraphBuilder = startGraph()
  const promised = new Set(plan.promise)
  const sent = new Map<string, Sent | null>()
  let row = 0
  let offset = 0
  const note = (json: Json): void => {
    const id = asText(json.uuid)
    // What is live beyond the promise stands behind its beginning.
    const isWanted =
      id !== null && (promised.has(id) || (plan.atLeast && sent.size > 0 && json.message !== undefined))
    if (isWanted) sent.set(id, sentOf(asObject(json.message)))
  }
  return {
    row: text => {
      row++
      builder.addRow(facts, parseRow({ row, offset, length: text.length, text, whole: true }, note))
      offset += text.length + 1
    },
    end: () => {
      const graph = builder.build()
      const live = graph.live(facts.path).map(node => graph.id(node))
      const broken = plan.atLeast ? lossOf(plan.promise, live) : differenceOf(plan.promise, live)
      return { live, fault: broken ?? faultIn(live.map(id => sent.get(id) ?? null)) }
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

function lossOf(promise: readonly string[], live: readonly string[]): string | null {
  const there = new Set(live)
  const lost = promise.filter(id => !there.has(id))
  return lost.length === 0
    ? null
    : `the result would lose ${lost.length} of ${promise.length} entries, ${lost[0]} first`
}

function differenceOf(promise: readonly string[], live: readonly string[]): string | null {
  const at = promise.findIndex((id, place) => live[place] !== id)
  const place = at < 0 && live.length > promise.length ? promise.length : at
  if (place < 0) return null
  const [wanted = 'nothing more', got = 'nothing more'] = [promise[place], live[place]]
  return `the result would carry ${live.length} entries instead of ${promise.length}: at ${place + 1} stands ${got} instead of ${wanted}`
}
