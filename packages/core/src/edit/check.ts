/**
 * E2: the proof of a plan. Its rows are read again: they must give the promised conversation, and what is sent must obey the rules
 * of the Messages API. A new line of entries is judged by our own reader. A repair keeps what else stands in its file, so it
 * is judged by the model of Claude Code's loader, and a resume must load all that it loads of the source today.
 */

import { type Graph, startGraph } from '../graph/graph.js'
import { createNames } from '../graph/names.js'
import { never } from '../model/entry.js'
import { type EntryId, entryId, type FileId, fileId, type SessionId } from '../model/ids.js'
import type { ParsedRow } from '../model/row.js'
import type { FileFacts } from '../model/source.js'
import { asObject } from '../parse/json.js'
import { parseRow, type SeeRecord } from '../parse/row.js'
import { loadedBy } from '../resume/load.js'
import { type LoaderSurvey, startLoaderSurvey } from '../resume/survey.js'
import { type ApiMessageList, createApiMessageList } from './api-messages.js'
import { apiMessageOf, faultIn } from './api-rules.js'
import { isWithin } from './line.js'
import type { EditPlan } from './plan.js'
import { renamer } from './rename.js'

/** What a check came to. */
export interface PlanProof {
  /** A sentence about the first thing that does not hold, or null. */
  readonly fault: string | null
  /** Nothing else is wrong than that a resume would load less than today. */
  readonly isLess: boolean
  /** The uuids that a resume of the result loads, in the order of sending. */
  readonly live: readonly EntryId[]
  /** Of what a resume of the source loads today, what it does not load of the result: uuids of the source. */
  readonly gone: readonly EntryId[]
}

/** What was read of the rows of a new file. */
export interface Reread {
  /** The uuids of the live conversation, in the order of sending. */
  readonly live: readonly EntryId[]
  /** Those that the newest release loads; null where they are the live conversation, in its order. */
  readonly loaded: readonly EntryId[] | null
  /** What the Messages API would refuse of each, in a sentence; null where it takes all of it. */
  readonly refused: { readonly live: string | null; readonly loaded: string | null }
}

/** Reading the rows of a new file, one after another. */
export interface Rereading {
  /** The next row, without its newline. */
  readonly row: (text: string) => void
  /** After the last row; takes the size of the file in bytes. */
  readonly end: (bytes: number) => Reread
}

/** Starts to read what a plan came to. It needs two fields of the plan only, so that another process can do it. */
export function startRereading({ session, copies }: Pick<EditPlan, 'session' | 'copies'>): Rereading {
  const facts = factsOf(session)
  const builder = startGraph()
  const messages = createApiMessageList(createNames())
  const surveyor = startLoaderSurvey()
  // The graph numbers entries in the order in which they are added, and so does the list.
  const note: SeeRecord = (json, record, damaged) => {
    surveyor.see(json, record, damaged)
    if ('id' in record) messages.add(apiMessageOf(asObject(json.message)))
  }
  let row = 0
  let offset = 0
  return {
    row: text => {
      row++
      const parsed = parseRow({ row, offset, length: text.length, text, whole: true }, note)
      builder.addRow(facts, withoutCarried(copies ? withoutStamps(parsed) : parsed))
      offset += text.length + 1
    },
    end: bytes => {
      builder.addFile(facts, bytes)
      return rereadOf(builder.build(), facts.path, surveyor.survey(), messages.at)
    },
  }
}

function rereadOf(graph: Graph, path: FileId, survey: LoaderSurvey, at: ApiMessageList['at']): Reread {
  const idsOf = (nodes: readonly number[]): readonly EntryId[] => nodes.map(node => graph.id(node))
  const live = graph.live(path)
  const loaded = loadedBy(graph, path, { survey }).nodes
  const isLive = loaded.length === live.length && loaded.every((node, at) => node === live[at])
  return {
    live: idsOf(live),
    loaded: isLive ? null : idsOf(loaded),
    refused: {
      live: faultIn(sendings(live, at)),
      // A call is loaded without its result only at the end of a file, where the client answers it by itself.
      loaded: faultIn(sendings(loaded, at), { answersOpenCalls: true }),
    },
  }
}

/** Holds what was read against what was promised. */
export function proofOf(plan: EditPlan, reread: Reread): PlanProof {
  const { today, mayLose, check } = plan
  const live = check === 'exact' ? reread.live : (reread.loaded ?? reread.live)
  const gone = goneOf(plan, live)
  const other = faultOf(plan, live, reread)
  const less = gone.length === 0 || mayLose ? null : lessOf(gone.length, today.length)
  return { live, gone, fault: other ?? less, isLess: other === null && less !== null }
}

function faultOf({ promise, check }: EditPlan, live: readonly string[], { refused }: Reread): string | null {
  switch (check) {
    case 'exact':
      return differenceOf(promise, live) ?? refused.live
    case 'at-least':
      return lossOf(promise, live) ?? refused.loaded
    case 'no-loss':
      return null
    default:
      return never(check)
  }
}

/** What a resume loads of the source and not of the result, by its uuids in the source. */
function goneOf({ today, copies, session }: EditPlan, live: readonly EntryId[]): readonly EntryId[] {
  if (today.length === 0) return []
  const rename = copies ? renamer(session) : entryId
  const lost = new Set(missingIn(today.map(rename), live))
  return lost.size === 0 ? [] : today.filter(id => lost.has(rename(id)))
}

function lessOf(gone: number, today: number): string {
  return `a resume would no longer load ${gone} of the ${today} entries that it loads today`
}

/** Messages of subagents that progress rows carry would be entries of the graph's that no row of the list stands for. */
function withoutCarried(row: ParsedRow): ParsedRow {
  const [only] = row.records
  if (row.records.length !== 1 || only?.kind !== 'progress' || only.carried === null) return row
  return { ...row, records: [{ ...only, carried: null }] }
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

function factsOf(session: SessionId): FileFacts {
  const path = fileId(`${session}.jsonl`)
  return { path, kind: 'session', session, agent: null, run: null, meta: null }
}

function lossOf(promise: readonly string[], live: readonly string[]): string | null {
  const lost = missingIn(promise, live)
  return lost.length === 0
    ? null
    : `the result would lose ${lost.length} of ${promise.length} entries, ${lost[0]} first`
}

/** What a list has and another has not. */
function missingIn(part: readonly string[], all: readonly string[]): readonly string[] {
  if (isWithin(part, all)) return []
  const there = new Set(all)
  return part.filter(id => !there.has(id))
}

function differenceOf(promise: readonly string[], live: readonly string[]): string | null {
  const first = promise.findIndex((id, position) => live[position] !== id)
  const at = first < 0 && live.length > promise.length ? promise.length : first
  if (at < 0) return null
  const [wanted = 'nothing more', got = 'nothing more'] = [promise[at], live[at]]
  return `the result would carry ${live.length} entries instead of ${promise.length}: entry ${at + 1} is ${got} instead of ${wanted}`
}
