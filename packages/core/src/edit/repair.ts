/**
 * Repair: every row of a session's file in order, with what is broken mended, so that a resume reaches all that is live.
 * Branches stay branches: only links that lead nowhere, in circles or past what was said are changed.
 */
import type { CompactionRecord } from '../graph/compactions.js'
import { liveChain, liveLeaf, sendChain } from '../graph/live.js'
import { nameOf } from '../graph/names.js'
import type { FileRecord } from '../graph/state.js'
import * as t from '../graph/table.js'
import { type Bench, mend, openBench, patchRow, type Said } from './bench.js'
import { allRows, keepWhatStays, namedBy } from './bench-rows.js'
import { dropBlank, mendContent, mendStart } from './mend-content.js'
import { mendLinks } from './mend-links.js'
import { dropOpenEnd, mendTools } from './mend-tools.js'
import type { Change, EditPlan, RepairKind } from './plan.js'
import { renamer } from './rename.js'
import { sessionAgentFiles } from './sidecars.js'
import { type EditMake, type EditSource, titleOf } from './source.js'

/** How a session is repaired. */
export interface RepairWishes {
  /** Kinds of faults to mend; all where it is empty. */
  readonly only: readonly RepairKind[]
  /** The file itself is mended, under its own id; else a copy is. */
  readonly inPlace: boolean
}

/** The plan that mends a session's file; null where there is nothing to mend. */
export function planRepair(
  source: EditSource,
  file: FileRecord,
  make: EditMake,
  { only, inPlace }: RepairWishes,
): EditPlan | null {
  const from = file.facts.session ?? ''
  const session = inPlace ? from : make.session
  const bench = openBench(source, file, session, only)
  const talk = mendAll(bench)
  if (talk === null) return null
  const title = inPlace ? null : (make.title ?? `${titleOf(source, from)} (repaired)`)
  const name = inPlace ? (id: string) => id : renamer(session)
  const idOf = (item: Said): string => (typeof item === 'number' ? source.graph.id(item) : item.id)
  return {
    command: 'repair',
    session,
    title,
    from: { session: from, node: null },
    copies: !inPlace,
    shape: 'tree',
    rows: allRows(bench, title === null ? null : { make, title }),
    trim: null,
    sidecars: inPlace ? [] : sessionAgentFiles(source.graph, from),
    changes: bench.changes,
    promise: talk.map(item => name(idOf(item))),
    atLeast: true,
  }
}

/** Mends everything; what is then sent, or null where nothing had to be mended or nothing can be sent. */
function mendAll(bench: Bench): readonly Said[] | null {
  const leaf = liveLeaf(bench.state, bench.file)
  if (leaf === t.none) return null
  mendRows(bench)
  mendLinks(bench)
  const paired = mendTools(bench, talkOf(bench, leaf), leaf)
  const talk = mendStart(bench, mendContent(bench, paired))
  mendKept(bench)
  mendRewound(bench, talk)
  mendForeign(bench)
  const ended = bench.wants('unanswered-call') ? dropOpenEnd(bench, talk) : talk
  if (bench.changes.length === 0) return null
  const whole = dropBlank(bench, ended)
  keepWhatStays(bench)
  return whole.length === 0 ? null : whole
}

/** Rows written again are left out once; rows that are no record are left out, others are taken apart. */
function mendRows(bench: Bench): void {
  const { file, state } = bench
  if (bench.wants('duplicate-row')) {
    for (const node of file.repeats) {
      bench.dropped.add(node)
      mend(bench, 'duplicate-row', node, 'The entry stands in the file already.')
    }
  }
  if (!bench.wants('damaged-row')) return
  for (const { rule, file: path, row, message } of state.findings) {
    if (path !== file.facts.path || !DAMAGE.has(rule)) continue
    bench.changes.push({ what: 'damaged-row', node: null, row, why: message })
  }
}

const DAMAGE: ReadonlySet<string> = new Set([
  'parse/not-json',
  'parse/not-an-object',
  'parse/joined-rows',
  'parse/nul-bytes',
  'parse/bom',
  'parse/torn-row',
])

/** C2: a compaction that carries on entries which were never written: the client would then carry on none. */
function mendKept(bench: Bench): void {
  if (!bench.wants('broken-compaction')) return
  for (const record of bench.file.compactions) {
    const { boundary, preserved } = record
    if (bench.dropped.has(boundary)) continue
    const missing = namedBy(bench, boundary) - preserved.length
    if (missing > 0)
      mend(bench, 'broken-compaction', boundary, `It keeps ${missing} entries that were never written.`)
    mendLogical(bench, record)
  }
}

/**
 * C5: the conversation went back behind a compaction. Newer releases carry on what the newest one kept, wherever it
 * hangs, and give its summary instead of the branch (lab: s13g). Without the list they follow the branch.
 */
function mendRewound(bench: Bench, talk: readonly Said[]): void {
  const { state, file } = bench
  const said = new Set(talk)
  const live = file.compactions.findLastIndex(({ summary }) => said.has(summary))
  for (const { boundary, logical, preserved, summary } of file.compactions.slice(live + 1)) {
    const isOff = summary !== t.none && preserved.length > 0 && !bench.dropped.has(boundary)
    if (!isOff || !bench.wants('broken-compaction')) continue
    const logicalParent = logical === t.none ? null : t.idOf(state.table, logical)
    bench.emptied.add(boundary)
    patchRow(bench, boundary, { kept: { logicalParent, uuids: [] } })
    const why =
      'The conversation went back behind it: a resume would give its summary. What it kept is in the original.'
    mend(bench, 'broken-compaction', boundary, why)
  }
}

/** C1: a compaction that goes on from an entry which was never written: it gets the one that was taken instead. */
function mendLogical(bench: Bench, { boundary, logical }: CompactionRecord): void {
  const { table } = bench.state
  const entry = table.entries[boundary]
  const named = entry?.kind === 'system' ? (entry.compaction?.logicalParent ?? null) : null
  if (named === null || logical !== t.none) return
  const up = t.int(table.up, boundary)
  const isHere = up !== t.none && t.int(table.file, up) === bench.file.index
  patchRow(bench, boundary, { logical: isHere ? t.idOf(table, up) : null })
  const why = `It goes on from ${named}, which was never written; it gets the entry before it.`
  mend(bench, 'broken-compaction', boundary, why)
}

/** The live conversation, with what the mended links lead to. */
function talkOf(bench: Bench, end: number): readonly number[] {
  const { state, file, parents } = bench
  const pieces: (readonly number[])[] = []
  const seen = new Set<number>()
  for (let leaf = end; leaf !== t.none && !seen.has(leaf); ) {
    seen.add(leaf)
    const chain = liveChain(state, leaf, t.none)
    const kept = new Set(state.compactionOf.get(chain.at(-1) ?? t.none)?.preserved)
    const at = chain.findIndex(node => parents.has(node) && !kept.has(node))
    const part = at < 0 ? chain : chain.slice(0, at + 1)
    pieces.unshift(sendChain(state, file, part, leaf === end ? leaf : t.none).nodes)
    leaf = at < 0 ? t.none : (parents.get(chain[at] ?? t.none) ?? t.none)
  }
  const talk = [...new Set(pieces.flat())].filter(node => t.int(state.table.file, node) === file.index)
  return partsInOrder(bench, talk)
}

/** Parts whose links are mended stand where they were written: the graph has sorted them by the links as they were. */
function partsInOrder({ state, parents }: Bench, talk: readonly number[]): readonly number[] {
  const { table } = state
  const messages = new Set([...parents.keys()].map(node => t.int(table.message, node)))
  const isMended = (node: number): boolean =>
    t.byte(table.kind, node) === t.Assistant && messages.has(t.int(table.message, node))
  const ordered = [...talk]
  for (let start = 0; start < talk.length; start++) {
    let end = start
    while (end < talk.length && isMended(talk[end] ?? t.none) && isSameMessage(table, talk, start, end)) end++
    if (end - start > 1) ordered.splice(start, end - start, ...talk.slice(start, end).sort((a, b) => a - b))
    start = Math.max(start, end - 1)
  }
  return ordered
}

function isSameMessage(table: t.Table, talk: readonly number[], a: number, b: number): boolean {
  return t.int(table.message, talk[a] ?? t.none) === t.int(table.message, talk[b] ?? t.none)
}

/** Rows that carry another session's id, and are no copies of that session's, get the file's own. */
function mendForeign(bench: Bench): void {
  const { state, file, session } = bench
  const { table } = state
  const own = file.facts.session ?? session
  const foreign = file.nodes.filter(
    node =>
      nameOf(state.sessions, t.int(table.session, node)) !== own &&
      !state.shared.has(t.idOf(table, node)) &&
      !t.marked(table, node, t.Stamped) &&
      t.int(table.copyOf, node) === t.none,
  )
  const [first] = foreign
  if (first === undefined || !bench.wants('wrong-session')) return
  mend(
    bench,
    'wrong-session',
    first,
    `${foreign.length} entries carry the id of another session; they get this one's.`,
  )
}

/** Which kinds of faults a list of changes mends, with how often. */
export function countChanges(changes: readonly Change[]): ReadonlyMap<Change['what'], number> {
  const counts = new Map<Change['what'], number>()
  for (const { what } of changes) counts.set(what, (counts.get(what) ?? 0) + 1)
  return counts
}
