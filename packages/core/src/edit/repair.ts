/**
 * Repair: every row of a session's file in order, with what is broken mended, so that a resume reaches all that is live.
 * Branches stay branches: only links that lead nowhere, in circles or past what was said are changed.
 */
import type { CompactionRecord } from '../graph/compactions.js'
import { unitOf } from '../graph/facts.js'
import { foreignEntries } from '../graph/foreign.js'
import { liveChain, liveLeaf, sendChain } from '../graph/live.js'
import { createNodeList } from '../graph/positions.js'
import type { FileRecord, State } from '../graph/state.js'
import * as t from '../graph/table.js'
import { type Bench, mainNodes, mend, openBench, patchRow, type Said } from './bench.js'
import { allRows, keepWhatStays, namedBy } from './bench-rows.js'
import { dropBlank, mendContent, mendStart } from './mend-content.js'
import { mendLinks } from './mend-links.js'
import { dropOpenEnd, mendTools } from './mend-tools.js'
import type { Change, EditPlan, RepairKind } from './plan.js'
import { renamer } from './rename.js'
import { sessionAgentFiles } from './sidecars.js'
import { type EditMake, type EditSource, titleOf, titleWith } from './source.js'

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
  const mended = mendFile(() => openBench(source, file, session, only))
  if (mended === null) return null
  const { bench, talk } = mended
  const title = inPlace ? null : (make.title ?? titleWith('repaired', titleOf(source, from)))
  const name = inPlace ? (id: string) => id : renamer(session)
  const idOf = (item: Said): string => (typeof item === 'number' ? source.graph.id(item) : item.id)
  const leaf = talk.at(-1)
  return {
    command: 'repair',
    session,
    title,
    from: { session: from, node: null },
    copies: !inPlace,
    shape: 'tree',
    rows: allRows(bench, leaf === undefined ? '' : idOf(leaf), title === null ? null : { make, title }),
    trim: null,
    sidecars: inPlace ? [] : sessionAgentFiles(source.graph, from),
    changes: bench.changes,
    promise: talk.map(item => name(idOf(item))),
    atLeast: true,
  }
}

/** A bench on which everything is mended, and what is then sent. */
interface Mended {
  readonly bench: Bench
  readonly talk: readonly Said[]
}

/** G7: history that stands in the file twice is no fault by itself; a file that is written anew has it once. */
function mendFile(open: () => Bench): Mended | null {
  const bench = open()
  const talk = mendAll(bench)
  if (talk === null) return null
  const single = open()
  const said = single.wants('duplicate-row') && leaveCopiesOut(single) ? mendAll(single) : null
  return said === null ? { bench, talk } : { bench: single, talk: said }
}

/** Leaves entries out that repeat others of the file under new ids: what hangs on them goes on from those. */
function leaveCopiesOut(bench: Bench): boolean {
  const { table } = bench.state
  const copies = mainNodes(bench).filter(node => {
    const original = t.int(table.copyOf, node)
    return original !== t.none && t.int(table.file, original) === bench.file.index
  })
  const [first] = copies
  if (first === undefined) return false
  const original = t.int(table.copyOf, first)
  // A compaction may be repeated, too, and nothing tells.
  if (bench.file.compactions.some(({ boundary }) => boundary > original)) return false
  for (const node of copies) {
    bench.dropped.add(node)
    bench.parents.set(node, t.int(table.copyOf, node))
  }
  mend(
    bench,
    'duplicate-row',
    first,
    `${copies.length} entries repeat earlier ones of the file under new ids.`,
  )
  return true
}

/** Mends everything; what is then sent, or null where nothing had to be mended or nothing can be sent. */
function mendAll(bench: Bench): readonly Said[] | null {
  const last = liveLeaf(bench.state, bench.file)
  if (last === t.none) return null
  const leaf = bench.dropped.has(last) ? t.int(bench.state.table.copyOf, last) : last
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
  const said = withoutBareThoughts(bench, whole)
  return said.length === 0 ? null : said
}

/** Thoughts are sent with what was said after them: where that is gone, they are not promised. */
function withoutBareThoughts({ state }: Bench, talk: readonly Said[]): readonly Said[] {
  const { table } = state
  const isThought = (node: number): boolean => t.marked(table, node, t.ThinkingOnly)
  const spoken = new Set<number>()
  for (const item of talk) if (typeof item === 'number' && !isThought(item)) spoken.add(unitOf(state, item))
  return talk.filter(item => typeof item !== 'number' || !isThought(item) || spoken.has(unitOf(state, item)))
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
  if (file.compactions.length === 0) return
  const said = new Set(talk)
  const live = file.compactions.findLastIndex(({ summary }) => said.has(summary))
  for (const { boundary, logical, preserved, summary } of file.compactions.slice(live + 1)) {
    const isOff = preserved.length > 0 && !bench.dropped.has(boundary)
    if (!isOff || !bench.wants('broken-compaction')) continue
    const logicalParent = logical === t.none ? null : t.idOf(state.table, logical)
    bench.emptied.add(boundary)
    patchRow(bench, boundary, { kept: { logicalParent, uuids: [] } })
    const why =
      summary === t.none
        ? 'It has no summary, and a resume would give only what it kept. What that was is in the original.'
        : 'The conversation went back behind it: a resume would give its summary. What it kept is in the original.'
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
  let chain = liveChain(state, end, t.none)
  let from = 0
  for (let leaf = end; leaf !== t.none && !seen.has(leaf); ) {
    seen.add(leaf)
    const kept = new Set(state.compactionOf.get(chain.at(-1) ?? t.none)?.preserved)
    let at = from
    while (at < chain.length && (!parents.has(chain[at] ?? t.none) || kept.has(chain[at] ?? t.none))) at++
    pieces.push(sendChain(state, file, chain.slice(from, at + 1), leaf === end ? leaf : t.none).nodes)
    leaf = at < chain.length ? (parents.get(chain[at] ?? t.none) ?? t.none) : t.none
    // Over most gaps the graph has gone the same way: the rest of the chain is that of the new link.
    const goesOn = chain[at + 1] === leaf && !isAnchor(state, leaf)
    chain = goesOn || leaf === t.none ? chain : liveChain(state, leaf, t.none)
    from = goesOn ? at + 1 : 0
  }
  pieces.reverse()
  const { size, file: files } = state.table
  const talk = createNodeList(size, size)
  const isIn = (node: number): boolean => t.int(files, node) === file.index && !bench.dropped.has(node)
  for (const piece of pieces) for (const node of piece) if (isIn(node)) talk.add(node)
  return partsInOrder(bench, talk.list)
}

/** Whether entries that a compaction kept stand behind this one. */
function isAnchor({ table }: State, node: number): boolean {
  return t.marked(table, node, t.Boundary) || t.byte(table.says, node) === t.SaysSummary
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
  const foreign = foreignEntries(state, file, file.facts.session ?? session)
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
