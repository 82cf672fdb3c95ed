/**
 * E6, E15: repair: every row of a session's file in order, with what is broken repaired, so that a resume reaches all that is live.
 * Branches stay branches: only links that lead nowhere, in circles or past what was said are changed.
 */

import { conversationAt } from '../edit/chain.js'
import { planLine } from '../edit/checkout.js'
import { dropBlank } from '../edit/clean.js'
import { conversationOf } from '../edit/conversation.js'
import { leaveCopiesOut, standIn } from '../edit/copies.js'
import { compactionIn, type Draft, idOf, openDraft, type Said } from '../edit/draft.js'
import { allRows, keepWhatStays } from '../edit/draft-rows.js'
import type { EditPlan } from '../edit/plan.js'
import { renamer } from '../edit/rename.js'
import { sessionAgentFiles } from '../edit/sidecars.js'
import { type EditMake, type EditSource, titleOf, titleWith } from '../edit/source.js'
import { straighten } from '../edit/straight.js'
import { hasAllOf, uniqueIn, whatMustStay, withoutBareThoughts } from '../edit/today.js'
import type { FileRecord } from '../graph/file-record.js'
import { isConversation, liveLeaf, none } from '../graph/nodes.js'
import { REPAIR_STAGES, type RepairStep } from './fault.js'
import { FAULT_KINDS } from './kinds.js'

/**
 * Ways to repair a session, the best first: all rows, with history that stands there twice written once; all rows; the live
 * conversation alone, as one line; what a resume loads today, as one line; the live conversation as `checkout` writes it. A later way is for files where an earlier one
 * does not hold what it promises, or a resume would load less of its result than it loads today.
 */
export const REPAIR_WAYS = ['once', 'tree', 'line', 'today', 'checkout'] as const
/** A way to repair a session; see `REPAIR_WAYS`. */
export type RepairWay = (typeof REPAIR_WAYS)[number]

/** How a session is repaired. */
export interface RepairOptions {
  /** Kinds of faults to repair; all where it is empty. */
  readonly only: readonly string[]
  /** The file itself is repaired, under its own id; else a copy is. */
  readonly inPlace: boolean
  /** The first of all that finds something to repair, without one. */
  readonly way?: RepairWay
  /** The nodes that a resume of the file loads today (`loadedBy`); nothing is known of that without them. */
  readonly today?: readonly number[]
  /** A resume may load less of the result than it loads today. */
  readonly mayLose?: boolean
}

/** The plan that repairs a session's file in one of the ways; null where that way has nothing to repair. */
export function planRepair(
  source: EditSource,
  file: FileRecord,
  make: EditMake,
  options: RepairOptions,
): EditPlan | null {
  const { way } = options
  if (way !== undefined) return planWay(source, file, make, { ...options, way })
  const once = planWay(source, file, make, { ...options, way: 'once' })
  return once ?? planWay(source, file, make, { ...options, way: 'tree' })
}

interface WayOptions extends RepairOptions {
  readonly way: RepairWay
}

function planWay(source: EditSource, file: FileRecord, make: EditMake, options: WayOptions): EditPlan | null {
  const { only, inPlace, way, mayLose = false } = options
  if (way === 'checkout') return planAnew(source, file, make, options)
  const from = file.facts.session ?? ''
  const session = inPlace ? from : make.session
  const draft = openDraft(source, file, session, { only, today: options.today, now: make.now })
  if (way === 'once' && !(draft.wants('duplicate-row') && leaveCopiesOut(draft))) return null
  const repaired = repairAll(draft, options)
  if (repaired === null) return null
  const { talk } = repaired
  const title = inPlace ? null : (make.title ?? titleWith('repaired', titleOf(source, from)))
  const name = inPlace ? (id: string) => id : renamer(session)
  return {
    command: 'repair',
    session,
    title,
    from: { session: from, node: null },
    copies: !inPlace,
    shape: 'tree',
    rows: allRows(draft, talk, title === null ? null : { make, title }),
    trim: null,
    sidecars: inPlace ? [] : sessionAgentFiles(source.graph, from),
    changes: draft.changes,
    promise: talk.map(item => name(idOf(draft, item))),
    check: only.length === 0 ? 'at-least' : 'no-loss',
    today: repaired.today.map(item => idOf(draft, item)),
    mayLose,
  }
}

/** The live conversation written anew: what is left where the rows as they stand cannot be repaired. */
function planAnew(
  source: EditSource,
  file: FileRecord,
  make: EditMake,
  options: WayOptions,
): EditPlan | null {
  const { only, inPlace, today = [], mayLose = false } = options
  if (only.length > 0 || inPlace || planWay(source, file, make, { ...options, way: 'tree' }) === null)
    return null
  const leaf = liveLeaf(source.graph, file)
  const talk = conversationAt(source.graph, leaf)
  const title = make.title ?? titleWith('repaired', titleOf(source, file.facts.session ?? ''))
  const plan = planLine(source, [talk], { ...make, command: 'repair', node: leaf, title })
  if (typeof plan === 'string') return null
  const draft = openDraft(source, file, make.session, { only, today })
  const before = withoutBareThoughts(draft, whatMustStay(draft, today, talk.sent))
  return { ...plan, today: before.map(item => idOf(draft, item)), mayLose }
}

interface Repaired {
  /** What is then sent. */
  readonly talk: readonly Said[]
  /** What a resume loads today, without what cannot be sent; copies stand for what they repeat. */
  readonly today: readonly Said[]
}

/** Repairs everything; null where there is nothing to repair or nothing can be sent. */
function repairAll(draft: Draft, { way, today = [] }: WayOptions): Repaired | null {
  const last = liveLeaf(draft.graph, draft.file)
  if (last === none) return null
  repairStages(draft, LINK_STAGES, [])
  const live = conversationOf(draft, standIn(draft, last))
  const isToday = way === 'today'
  if (isToday && !hasAllOf(draft, today, live)) return null
  const start = isToday ? uniqueIn(draft, today) : live
  const talk = repairStages(draft, isToday ? CONVERSATION_STAGES.slice(1) : CONVERSATION_STAGES, start)
  if (draft.changes.length === 0) return null
  const whole = dropBlank(draft, talk)
  keepWhatStays(draft)
  const said = withoutBareThoughts(draft, whole)
  if (draft.isStraight) straighten(draft, said)
  const before = withoutBareThoughts(draft, whatMustStay(draft, today, said))
  if (way === 'line' || isToday) leaveRestOut(draft, said)
  return said.length === 0 ? null : { talk: said, today: before }
}

/** Before and after the conversation is read along the repaired links. What is loaded today has no calls to answer. */
const CALLS = REPAIR_STAGES.indexOf('calls')
const LINK_STAGES = REPAIR_STAGES.slice(0, CALLS)
const CONVERSATION_STAGES = REPAIR_STAGES.slice(CALLS)

/** Applies the steps of all kinds, stage by stage; the conversation as they leave it. */
function repairStages(
  draft: Draft,
  stages: readonly RepairStep['stage'][],
  conversation: readonly Said[],
): readonly Said[] {
  let left = conversation
  for (const stage of stages)
    for (const { repairs = [] } of FAULT_KINDS)
      for (const step of repairs) if (step.stage === stage) left = takeStep(draft, step, left)
  return left
}

function takeStep(draft: Draft, step: RepairStep, conversation: readonly Said[]): readonly Said[] {
  if ('rewrite' in step) return step.rewrite(draft, conversation)
  step.change(draft, conversation)
  return conversation
}

/** Leaves everything out but the line of the conversation, and the compaction that it begins with. */
function leaveRestOut(draft: Draft, talk: readonly Said[]): void {
  const { graph, file } = draft
  const compaction = compactionIn(draft, talk)
  const kept = new Set<Said>([...draft.line, ...talk])
  if (compaction !== null) for (const node of [compaction.boundary, ...compaction.preserved]) kept.add(node)
  const out = file.nodes.filter(node => !kept.has(node) && !draft.dropped.has(node))
  for (const node of out) draft.dropped.add(node)
  const [first] = out.filter(node => isConversation(graph, node))
  if (first === undefined) return
  const why = `${out.length} entries of other branches are not copied: a resume would end at one of them. They stay in the original.`
  draft.changes.push({ what: 'left-out', node: graph.id(first), row: null, why })
}
