/**
 * Repair: every row of a session's file in order, with what is broken mended, so that a resume reaches all that is live.
 * Branches stay branches: only links that lead nowhere, in circles or past what was said are changed.
 */
import { unitOf } from '../graph/facts.js'
import { foreignEntries } from '../graph/foreign.js'
import { liveLeaf } from '../graph/live.js'
import type { FileRecord } from '../graph/state.js'
import * as t from '../graph/table.js'
import { type Bench, idOf, mend, openBench, type Said } from './bench.js'
import { allRows, keepWhatStays } from './bench-rows.js'
import { leaveCopiesOut, standIn } from './leave-copies.js'
import { mendKept, mendRewound } from './mend-compactions.js'
import { dropBlank, mendContent, mendStart } from './mend-content.js'
import { mendLinks } from './mend-links.js'
import { dropOpenEnd, mendTools } from './mend-tools.js'
import type { Change, EditPlan, RepairKind } from './plan.js'
import { renamer } from './rename.js'
import { sessionAgentFiles } from './sidecars.js'
import { type EditMake, type EditSource, titleOf, titleWith } from './source.js'
import { straighten } from './straight.js'
import { talkOf } from './talk.js'

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
    atLeast: true,
  }
}

/** A bench on which everything is mended, and what is then sent. */
interface Mended {
  readonly bench: Bench
  readonly talk: readonly Said[]
}

/** Mends a file: with its history once, where it stands there more than once. */
function mendFile(open: () => Bench): Mended | null {
  const single = open()
  const said = single.wants('duplicate-row') && leaveCopiesOut(single) ? mendAll(single) : null
  if (said !== null) return { bench: single, talk: said }
  const bench = open()
  const talk = mendAll(bench)
  return talk === null ? null : { bench, talk }
}

/** Mends everything; what is then sent, or null where nothing had to be mended or nothing can be sent. */
function mendAll(bench: Bench): readonly Said[] | null {
  const last = liveLeaf(bench.state, bench.file)
  if (last === t.none) return null
  const leaf = standIn(bench, last)
  mendRows(bench)
  mendLinks(bench)
  const paired = mendTools(bench, talkOf(bench, leaf), leaf)
  const sendable = mendContent(bench, paired)
  const ended = bench.wants('unanswered-call') ? dropOpenEnd(bench, sendable) : sendable
  const talk = mendStart(bench, ended)
  mendKept(bench)
  mendRewound(bench, talk)
  mendForeign(bench)
  if (bench.changes.length === 0) return null
  const whole = dropBlank(bench, talk)
  keepWhatStays(bench)
  const said = withoutBareThoughts(bench, whole)
  if (bench.isStraight) straighten(bench, said)
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
