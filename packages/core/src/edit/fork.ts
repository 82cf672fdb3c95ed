/** E7: forking: a session with all its branches up to a point, which is where it goes on. */

import type { FileRecord } from '../graph/file-record.js'
import type { Graph } from '../graph/graph.js'
import {
  compactionAt,
  copiedFrom,
  fileOf,
  isAssistant,
  isBoundary,
  isConversation,
  isInFile,
  isSameFile,
  isSidechain,
  lineParentOf,
  messageOf,
  nodeInFile,
  none,
  parentOf,
  roleOf,
  type UserRole,
  unitOf,
} from '../graph/nodes.js'
import type { SessionId } from '../model/ids.js'
import { change, planLine } from './checkout.js'
import { type Draft, isBelow, newParentOf, openDraft } from './draft.js'
import { inLineOrder } from './line.js'
import { linearize } from './linearize.js'
import { addEnd, addState, addTitle } from './new-rows.js'
import { dropOpenCalls } from './open-calls.js'
import { type Change, COPY, createRowList, type EditPlan, type RowPatch } from './plan.js'
import { renamer } from './rename.js'
import { sentAt, sentWholeAt } from './sent.js'
import { agentFiles } from './sidecars.js'
import {
  type EditSource,
  isSendable,
  type NewSession,
  needsCleaning,
  rowLocation,
  titleOf,
  titleWith,
} from './source.js'

const NOTHING_SENT = 'There is nothing to send up to that point: choose a later one.'

/** The plan of a session that goes on at a node and keeps every branch that does not come after it; or a sentence. */
export function planFork(source: EditSource, node: number, target: NewSession): EditPlan | string {
  const { graph } = source
  const { session } = target
  const file = fileOf(graph, node)
  const { live, left, nodes: all } = sentWholeAt(graph, node)
  const last = live.at(-1) ?? none
  if (last === none) return NOTHING_SENT
  const end = endOf(graph, live)
  const cut = { node, end, all: new Set(all), left: new Set(left.filter(item => item > last)) }
  const isSent = (item: number): boolean => isSendable(source, item)
  const unsent = new Set(live.filter(item => !isSent(item)))
  const nodes = keptRows(graph, file, cut).filter(item => !unsent.has(item))
  const title = target.title ?? titleWith('fork', titleOf(source, graph.node(node).session))
  if (isTangled(graph, node, nodes) || isAssistant(graph, live[0] ?? none))
    return planAlone(source, node, { ...target, title })
  const draft = draftOf(source, file, session, nodes)
  const promised = live.filter(isSent)
  draft.promise(promised)
  dropOpenCalls(draft, last)
  if (draft.promised().length === 0) return NOTHING_SENT
  const line = linearize(draft)
  const written = lastAtEnd(nodes, end).filter(item => !draft.isDropped(item))
  const rename = renamer(session)
  return {
    ...COPY,
    command: 'fork',
    session,
    title,
    from: { session: graph.node(node).session, node: graph.id(node) },
    shape: 'tree',
    rows: rowsOf(draft, inLineOrder(written, line), cut.all, { ...target, title }),
    sidecars: agentFiles(graph, new Set(nodes)),
    changes: [...draft.changes, ...noteCut(source, { file, nodes, end: last })],
    promise: promised.map(item => rename(graph.id(item))),
  }
}

/** A draft in which everything is left out but some entries. */
function draftOf(source: EditSource, file: FileRecord, session: SessionId, nodes: readonly number[]): Draft {
  const draft = openDraft({ source, file, session, now: 0, isLinear: true })
  const kept = new Set(nodes)
  for (const node of file.nodes) if (!kept.has(node)) draft.drop(node)
  return draft
}

/**
 * Whether a tree cannot be copied up to a point: the point is in an agent that stands between the rows of its session, or
 * history stands in the file more than once (1.0.x), so that what comes after the point also hangs on what is before it.
 */
function isTangled(graph: Graph, node: number, nodes: readonly number[]): boolean {
  return isSidechain(graph, node) || nodes.some(item => isRepeated(graph, item))
}

/** Whether the file has what the entry says a second time. A file that is a copy as a whole has it once. */
function isRepeated(graph: Graph, node: number): boolean {
  const original = copiedFrom(graph, node)
  return original !== none && isSameFile(graph, original, node)
}

/** The conversation up to the point alone. */
function planAlone(
  source: EditSource,
  node: number,
  target: NewSession & { readonly title: string },
): EditPlan | string {
  const plan = planLine(source, [sentAt(source.graph, node)], { ...target, command: 'fork', node })
  if (typeof plan === 'string') return plan
  const why =
    'The other branches stay behind: this file holds its history more than once, an agent between its rows, or no prompt before the first answer.'
  return { ...plan, changes: [...plan.changes, { what: 'left-out', node: null, row: null, why }] }
}

/** The entries of the last message: its parts and the results of its calls; an echoed command with its caveat. */
function endOf(graph: Graph, live: readonly number[]): ReadonlySet<number> {
  const unit = unitOf(graph, live.at(-1) ?? none)
  const isEnd = (item: number): boolean => unitOf(graph, item) === unit || ECHOES.has(roleOf(graph, item))
  return new Set(live.slice(live.findLastIndex(item => !isEnd(item)) + 1))
}

const ECHOES: ReadonlySet<UserRole> = new Set(['caveat', 'command', 'output'])

interface Cut {
  readonly node: number
  readonly end: ReadonlySet<number>
  /** Everything up to the point. */
  readonly all: ReadonlySet<number>
  /** What stands at the end and is not sent. */
  readonly left: ReadonlySet<number>
}

/** Entries of the file that do not come after the point. */
function keptRows(graph: Graph, file: FileRecord, { node, end, all, left }: Cut): readonly number[] {
  const after = new Map<number, boolean>([...all, node].map(item => [item, false]))
  // The client takes the newest compaction of a file for the conversation's, on whichever branch it is.
  for (const { boundary } of file.compactions) if (!all.has(boundary)) after.set(boundary, true)
  return file.nodes.filter(item => {
    const path: number[] = []
    let at = item
    while (at !== none && !after.has(at)) {
      path.push(at)
      after.set(at, false)
      at = above(graph, file, at)
    }
    const isAfter = at !== none && (end.has(at) || at === node || after.get(at) === true) && at !== item
    for (const below of path) after.set(below, isAfter)
    return after.get(item) === false && !left.has(item) && !isOpenPart(graph, end, item)
  })
}

/** A part of the last message that is not sent: a call without a result. */
function isOpenPart(graph: Graph, end: ReadonlySet<number>, node: number): boolean {
  const message = messageOf(graph, node)
  return message !== none && !end.has(node) && [...end].some(item => messageOf(graph, item) === message)
}

/** What an entry comes after, also over a compaction, in the same file. */
function above(graph: Graph, file: FileRecord, node: number): number {
  const up = lineParentOf(graph, node)
  if (up !== none && isInFile(graph, up, file)) return up
  // Copies hang on their originals, which may stand in another file under other uuids.
  const same = up === none ? none : nodeInFile(graph, graph.id(up), file)
  return same === none ? parentOf(graph, node) : same
}

/** A session goes on where its last row stands: the last message is written last. */
function lastAtEnd(nodes: readonly number[], end: ReadonlySet<number>): readonly number[] {
  return [...nodes.filter(node => !end.has(node)), ...nodes.filter(node => end.has(node))]
}

function rowsOf(
  draft: Draft,
  nodes: readonly number[],
  upToCut: ReadonlySet<number>,
  target: NewSession & { readonly title: string },
): EditPlan['rows'] {
  const { source, graph } = draft
  const rows = createRowList()
  for (const node of nodes) {
    const patch = patchFor(draft, node)
    rows.add(rowLocation(source, node), upToCut.has(node) ? patch : withoutKept(source, node, patch))
  }
  const last = Number(draft.promised().at(-1))
  addState(source, last, rows)
  const isAtEnd = (node: number): boolean => isBelow(draft, node, last)
  addEnd(rows, source, target, { leaf: graph.id(last), last, nodes, isAtEnd })
  addTitle(rows, target, target.title)
  return rows.rows
}

/** A compaction on another branch keeps nothing: newer releases would carry it on, wherever it hangs. */
function withoutKept({ graph }: EditSource, node: number, patch: RowPatch): RowPatch {
  if (!isBoundary(graph, node)) return patch
  const logical = compactionAt(graph, node)?.logical ?? none
  const logicalParent = logical === none ? null : graph.id(logical)
  return { ...patch, kept: { logicalParent, uuids: [] } }
}

function patchFor(draft: Draft, node: number): RowPatch {
  const { source, graph, file } = draft
  const parent = Number(newParentOf(draft, node))
  return {
    ...(needsCleaning(source, node) ? { clean: true } : {}),
    ...(parent === parentOf(graph, node) ? {} : { parent: parent === none ? null : graph.id(parent) }),
    ...(file.facts.kind === 'agent' ? { main: true } : {}),
  }
}

/** A note of how much comes after the point, at the first of it: rows that are left out may stand before the point, too. */
function noteCut(
  source: EditSource,
  {
    file,
    nodes,
    end,
  }: { readonly file: FileRecord; readonly nodes: readonly number[]; readonly end: number },
): readonly Change[] {
  const kept = new Set(nodes)
  const out = file.nodes.filter(node => !kept.has(node) && isConversation(source.graph, node))
  const first = out.find(node => node > end) ?? out[0]
  if (first === undefined) return []
  return [
    change(source, first, 'cut-here', `${out.length} entries come after the point and stay in the original.`),
  ]
}
