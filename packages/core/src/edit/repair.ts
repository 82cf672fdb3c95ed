/**
 * E6, E15: repair: every row of a session's file in order, with what is broken mended, so that a resume reaches all that is live.
 * Branches stay branches: only links that lead nowhere, in circles or past what was said are changed.
 */

import type { FileRecord } from '../graph/file-record.js'
import { foreignEntries, isConversation, liveLeaf, none, readingDiagnostics } from '../graph/nodes.js'
import { type Bench, compactionIn, idOf, mend, openBench, type Said } from './bench.js'
import { allRows, keepWhatStays } from './bench-rows.js'
import { conversationAt } from './chain.js'
import { planLine } from './checkout.js'
import { leaveCopiesOut, standIn } from './leave-copies.js'
import { mendKept, mendRewound } from './mend-compactions.js'
import { dropBlank, mendContent, mendRoles, mendStart, mendTimes } from './mend-content.js'
import { mendLinks } from './mend-links.js'
import { mendTools, pairTools } from './mend-tools.js'
import type { Change, EditPlan, RepairKind } from './plan.js'
import { renamer } from './rename.js'
import { sessionAgentFiles } from './sidecars.js'
import { type EditMake, type EditSource, titleOf, titleWith } from './source.js'
import { straighten } from './straight.js'
import { talkOf } from './talk.js'
import { hasAllOf, uniqueIn, whatMustStay, withoutBareThoughts } from './today.js'

/**
 * Ways to repair a session, the best first: all rows, with history that stands there twice written once; all rows; the live
 * conversation alone, as one line; what a resume loads today, as one line; the live conversation as `checkout` writes it. A later way is for files where an earlier one
 * does not hold what it promises, or a resume would load less of its result than it loads today.
 */
export const REPAIR_WAYS = ['once', 'tree', 'line', 'today', 'checkout'] as const
/** A way to repair a session; see `REPAIR_WAYS`. */
export type RepairWay = (typeof REPAIR_WAYS)[number]

/** How a session is repaired. */
export interface RepairWishes {
  /** Kinds of faults to mend; all where it is empty. */
  readonly only: readonly RepairKind[]
  /** The file itself is mended, under its own id; else a copy is. */
  readonly inPlace: boolean
  /** The first of all that finds something to mend, without one. */
  readonly way?: RepairWay
  /** The nodes that a resume of the file loads today (`loadedBy`); nothing is known of that without them. */
  readonly today?: readonly number[]
  /** A resume may load less of the result than it loads today. */
  readonly mayLose?: boolean
}

/** The plan that mends a session's file in one of the ways; null where that way has nothing to mend. */
export function planRepair(
  source: EditSource,
  file: FileRecord,
  make: EditMake,
  wishes: RepairWishes,
): EditPlan | null {
  const { way } = wishes
  if (way !== undefined) return planWay(source, file, make, { ...wishes, way })
  const once = planWay(source, file, make, { ...wishes, way: 'once' })
  return once ?? planWay(source, file, make, { ...wishes, way: 'tree' })
}

interface WayWishes extends RepairWishes {
  readonly way: RepairWay
}

function planWay(source: EditSource, file: FileRecord, make: EditMake, wishes: WayWishes): EditPlan | null {
  const { only, inPlace, way, mayLose = false } = wishes
  if (way === 'checkout') return planAnew(source, file, make, wishes)
  const from = file.facts.session ?? ''
  const session = inPlace ? from : make.session
  const bench = openBench(source, file, session, { only, today: wishes.today })
  if (way === 'once' && !(bench.wants('duplicate-row') && leaveCopiesOut(bench))) return null
  const mended = mendAll(bench, wishes, make.now)
  if (mended === null) return null
  const { talk } = mended
  const title = inPlace ? null : (make.title ?? titleWith('repaired', titleOf(source, from)))
  const name = inPlace ? (id: string) => id : renamer(session)
  return {
    command: 'repair',
    session,
    title,
    from: { session: from, node: null },
    copies: !inPlace,
    shape: 'tree',
    rows: allRows(bench, talk, title === null ? null : { make, title }),
    trim: null,
    sidecars: inPlace ? [] : sessionAgentFiles(source.graph, from),
    changes: bench.changes,
    promise: talk.map(item => name(idOf(bench, item))),
    check: only.length === 0 ? 'at-least' : 'no-loss',
    today: mended.today.map(item => idOf(bench, item)),
    mayLose,
  }
}

/** The live conversation written anew: what is left where the rows as they stand cannot be repaired. */
function planAnew(source: EditSource, file: FileRecord, make: EditMake, wishes: WayWishes): EditPlan | null {
  const { only, inPlace, today = [], mayLose = false } = wishes
  if (only.length > 0 || inPlace || planWay(source, file, make, { ...wishes, way: 'tree' }) === null)
    return null
  const leaf = liveLeaf(source.graph, file)
  const talk = conversationAt(source.graph, leaf)
  const title = make.title ?? titleWith('repaired', titleOf(source, file.facts.session ?? ''))
  const plan = planLine(source, [talk], { ...make, command: 'repair', node: leaf, title })
  if (typeof plan === 'string') return null
  const bench = openBench(source, file, make.session, { only, today })
  const before = withoutBareThoughts(bench, whatMustStay(bench, today, talk.sent))
  return { ...plan, today: before.map(item => idOf(bench, item)), mayLose }
}

interface Mended {
  /** What is then sent. */
  readonly talk: readonly Said[]
  /** What a resume loads today, without what cannot be sent; copies stand for what they repeat. */
  readonly today: readonly Said[]
}

/** Mends everything; null where nothing had to be mended or nothing can be sent. */
function mendAll(bench: Bench, { way, today }: WayWishes, now: number): Mended | null {
  const last = liveLeaf(bench.graph, bench.file)
  if (last === none) return null
  const leaf = standIn(bench, last)
  mendRows(bench)
  mendLinks(bench)
  const live = talkOf(bench, leaf)
  if (way === 'today' && !hasAllOf(bench, today ?? [], live)) return null
  const paired =
    way === 'today' ? pairTools(bench, uniqueIn(bench, today ?? [])) : mendTools(bench, live, leaf)
  const talk = mendStart(bench, mendContent(bench, paired))
  mendKept(bench)
  mendRewound(bench, talk)
  mendForeign(bench)
  mendRoles(bench)
  mendTimes(bench, now)
  if (today !== undefined) noteUnreached(bench, talk, today)
  if (bench.changes.length === 0) return null
  const whole = dropBlank(bench, talk)
  keepWhatStays(bench)
  const said = withoutBareThoughts(bench, whole)
  if (bench.isStraight) straighten(bench, said)
  const before = withoutBareThoughts(bench, whatMustStay(bench, today ?? [], said))
  if (way === 'line' || way === 'today') leaveRestOut(bench, said)
  return said.length === 0 ? null : { talk: said, today: before }
}

/** Leaves everything out but the line of the conversation, and the compaction that it begins with. */
function leaveRestOut(bench: Bench, talk: readonly Said[]): void {
  const { graph, file } = bench
  const compaction = compactionIn(bench, talk)
  const kept = new Set<Said>([...bench.line, ...talk])
  if (compaction !== null) for (const node of [compaction.boundary, ...compaction.preserved]) kept.add(node)
  const out = file.nodes.filter(node => !kept.has(node) && !bench.dropped.has(node))
  for (const node of out) bench.dropped.add(node)
  const [first] = out.filter(node => isConversation(graph, node))
  if (first === undefined) return
  const why = `${out.length} entries of other branches are not copied: a resume would end at one of them. They stay in the original.`
  bench.changes.push({ what: 'left-out', node: graph.id(first), row: null, why })
}

/** D2: where a resume loads less than the conversation and no other fault says why, it is written as one line. */
function noteUnreached(bench: Bench, talk: readonly Said[], today: readonly number[]): void {
  if (bench.changes.length > 0 || !bench.isStraight) return
  const loaded = new Set<Said>(today)
  const lost = talk.filter(item => typeof item === 'number').find(node => !loaded.has(node))
  if (lost === undefined) return
  mend(bench, 'unreached', lost, 'A resume does not load it; the conversation becomes one line of entries.')
}

/** Rows written again are left out once; rows with several records are taken apart. */
function mendRows(bench: Bench): void {
  const { file, graph } = bench
  if (bench.wants('duplicate-row')) {
    for (const node of file.repeats) {
      bench.dropped.add(node)
      mend(bench, 'duplicate-row', node, 'The entry stands in the file already.')
    }
  }
  if (!bench.wants('damaged-row')) return
  const lost = new Set(file.damagedRows.filter(({ isWhole }) => isWhole).map(({ row }) => row))
  for (const { rule, file: path, row, message } of readingDiagnostics(graph)) {
    // Of a row that holds no record nothing can be brought back: its bytes stay as they are.
    if (path !== file.facts.path || !DAMAGE.has(rule) || (row !== null && lost.has(row))) continue
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

/** Rows that carry another session's id, and are no copies of that session's, get the file's own. */
function mendForeign(bench: Bench): void {
  const { graph, file, session } = bench
  const foreign = foreignEntries(graph, file, file.facts.session ?? session)
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
