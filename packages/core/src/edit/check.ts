/**
 * The proof of a plan: its rows, read again by our own reader, give the promised live conversation, and what is sent
 * obeys the rules of the Messages API.
 */
import { startGraph } from '../graph/graph.js'
import { createNames } from '../graph/names.js'
import { fileId, sessionId } from '../model/ids.js'
import type { ParsedRow } from '../model/row.js'
import type { FileFacts } from '../model/source.js'
import { asObject } from '../parse/json.js'
import { parseRow, type SeeRecord } from '../parse/row.js'
import { faultIn, sentOf } from './api-rules.js'
import type { EditPlan } from './plan.js'
import { createSentList } from './sent-list.js'

/** What a check came to. */
export interface PlanProof {
  /** A sentence about the first thing that does not hold, or null. */
  readonly fault: string | null
  /** The uuids of the live conversation as it was read, in the order of sending. */
  readonly live: readonly string[]
}

/** What was read of the rows of a new file. */
export interface Reread {
  /** The uuids of the live conversation, in the order of sending. */
  readonly live: readonly string[]
  /** What the Messages API would refuse, in a sentence; null where it takes all of it. */
  readonly refused: string | null
}

/** Reading the rows of a new file, one after another. */
export interface Rereading {
  /** The next row, without its newline. */
  readonly row: (text: string) => void
  /** After the last row. */
  readonly end: () => Reread
}

/** Starts to read what a plan came to. It takes two words of the plan only, so that another process can do it. */
export function startRereading({ session, copies }: Pick<EditPlan, 'session' | 'copies'>): Rereading {
  const facts = factsOf(session)
  const builder = startGraph()
  const sent = createSentList(createNames())
  // The graph numbers entries in the order in which they are added, and so does the list.
  const note: SeeRecord = (json, record) => {
    if ('id' in record) sent.add(sentOf(asObject(json.message)))
  }
  let row = 0
  let offset = 0
  return {
    row: text => {
      row++
      const parsed = parseRow({ row, offset, length: text.length, text, whole: true }, note)
      builder.addRow(facts, copies ? withoutStamps(parsed) : parsed)
      offset += text.length + 1
    },
    end: () => {
      const graph = builder.build()
      const nodes = graph.live(facts.path)
      return { live: nodes.map(node => graph.id(node)), refused: faultIn(sendings(nodes, sent.at)) }
    },
  }
}

/** Holds what was read against what was promised. */
export function proofOf({ promise, atLeast }: EditPlan, { live, refused }: Reread): PlanProof {
  const broken = atLeast ? lossOf(promise, live) : differenceOf(promise, live)
  return { live, fault: broken ?? refused }
}

/** Stamps name entries of the source, which is not read here: the graph would hold a million of them for nothing. */
function withoutStamps(row: ParsedRow): ParsedRow {
  const [only] = row.records
  if (row.records.length !== 1 || only === undefined || !('id' in only) || only.forkedFrom === null)
    return row
  return { ...row, records: [{ ...only, forkedFrom: null }] }
}

function* sendings<T>(nodes: readonly number[], at: (node: number) => T): Generator<T> {
  for (const node of nodes) yield at(node)
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
  if (isWithin(promise, live)) return null
  const there = new Set(live)
  const lost = promise.filter(id => !there.has(id))
  return lost.length === 0
    ? null
    : `the result would lose ${lost.length} of ${promise.length} entries, ${lost[0]} first`
}

/** Whether a list has all of another in the same order: nearly always, and then no set of them has to be made. */
function isWithin(part: readonly string[], all: readonly string[]): boolean {
  let next = 0
  for (const id of all) if (next < part.length && id === part[next]) next++
  return next === part.length
}

function differenceOf(promise: readonly string[], live: readonly string[]): string | null {
  const at = promise.findIndex((id, place) => live[place] !== id)
  const place = at < 0 && live.length > promise.length ? promise.length : at
  if (place < 0) return null
  const [wanted = 'nothing more', got = 'nothing more'] = [promise[place], live[place]]
  return `the result would carry ${live.length} entries instead of ${promise.length}: at ${place + 1} stands ${got} instead of ${wanted}`
}
