/**
 * E6, E15: repair: every row of a session's file in order, with what is broken repaired, so that a resume loads all that is live.
 * Branches stay branches: only links that lead nowhere, in cycles or past other messages are changed.
 */

import { planLine } from '../edit/checkout.js'
import { dropCopies } from '../edit/copies.js'
import { compactionIn, conversationEntries, type Draft, itemId, openDraft } from '../edit/draft.js'
import { draftRows } from '../edit/draft-rows.js'
import { withoutBareThinking } from '../edit/line.js'
import { linearize } from '../edit/linearize.js'
import { hasAllOf, uniqueIn, whatMustStay } from '../edit/loaded-today.js'
import type { EditPlan } from '../edit/plan.js'
import { conversationAlong, dropBlank, withOwnResults } from '../edit/promised.js'
import { renamer } from '../edit/rename.js'
import { sentAt } from '../edit/sent.js'
import { sessionAgentFiles } from '../edit/sidecars.js'
import { type EditSource, type NewSession, titleOf, titleWith } from '../edit/source.js'
import type { FileRecord } from '../graph/file-record.js'
import { isConversation, liveLeaf, none, toolIdOf } from '../graph/nodes.js'
import { entryId, sessionId } from '../model/ids.js'
import type { ConversationItem, PromisedConversation } from '../resume/conversation.js'
import { copiesIn } from './duplicate-row.js'
import { type Examination, examineFile } from './examine.js'
import { type FaultContext, REPAIR_STAGES, type RepairStage } from './fault.js'
import { FAULT_KINDS } from './kinds.js'

/**
 * Strategies to repair a session, the best first: all rows, with history that stands there twice written once; all rows; the
 * live conversation alone, as one line; what a resume loads today, as one line; the live conversation as `checkout` writes it.
 * A later one is for files where an earlier one does not hold what it promises, or a resume would load less of its result than
 * it loads today.
 */
export const REPAIR_STRATEGIES = ['once', 'tree', 'line', 'today', 'checkout'] as const
/** A strategy to repair a session; see `REPAIR_STRATEGIES`. */
export type RepairStrategy = (typeof REPAIR_STRATEGIES)[number]

/** How a session is repaired. */
export interface RepairOptions {
  /** Kinds of faults to repair; all where it is empty. */
  readonly only: readonly string[]
  /** The file itself is repaired, under its own id; else a copy is. */
  readonly inPlace: boolean
  /** The first of all that finds something to repair, without one. */
  readonly strategy?: RepairStrategy
  /** What was found in the file (`examineFile`); it is examined without one. */
  readonly examination?: Examination
  /** A resume may load less of the result than it loads today. */
  readonly mayLose?: boolean
}

/** The plan that repairs a session's file by one of the strategies; null where that one has nothing to repair. */
export function planRepair(
  source: EditSource,
  file: FileRecord,
  target: NewSession,
  options: RepairOptions,
): EditPlan | null {
  const examination = options.examination ?? examineFile(source.graph, file, { surveys: source.surveys })
  const strategies = options.strategy === undefined ? (['once', 'tree'] as const) : [options.strategy]
  for (const strategy of strategies) {
    const repair = { ...options, source, file, target, examination, strategy }
    const plan = strategy === 'checkout' ? planCheckoutRepair(repair) : planDraftRepair(repair)
    if (plan !== null) return plan
  }
  return null
}

/** A repair by one strategy. */
interface Repair extends RepairOptions {
  readonly source: EditSource
  readonly file: FileRecord
  readonly target: NewSession
  readonly examination: Examination
  readonly strategy: RepairStrategy
}

function planDraftRepair(repair: Repair): EditPlan | null {
  const { source, file, target, only, inPlace, mayLose = false } = repair
  const from = file.facts.session ?? sessionId('')
  const session = inPlace ? from : target.session
  const draft = openDraft({ source, file, session, now: target.now, isLinear: only.length === 0 })
  const repaired = repairDraft(draft, repair)
  if (repaired === null) return null
  const title = inPlace ? null : (target.title ?? titleWith('repaired', titleOf(source, from)))
  const name = inPlace ? entryId : renamer(session)
  return {
    command: 'repair',
    session,
    title,
    from: { session: from, node: null },
    copies: !inPlace,
    shape: 'tree',
    rows: draftRows(draft, repaired.line, title === null ? null : { target, title }),
    trim: null,
    sidecars: inPlace ? [] : sessionAgentFiles(source.graph, from),
    changes: draft.changes,
    promise: draft.promised().map(item => name(itemId(draft, item))),
    check: only.length === 0 ? 'at-least' : 'no-loss',
    today: repaired.today.map(item => itemId(draft, item)),
    mayLose,
  }
}

/** The live conversation written as new rows: what is left where the rows as they stand cannot be repaired. */
function planCheckoutRepair(repair: Repair): EditPlan | null {
  const { source, file, target, only, inPlace, mayLose = false } = repair
  if (only.length > 0 || inPlace || planDraftRepair({ ...repair, strategy: 'tree' }) === null) return null
  const leaf = liveLeaf(source.graph, file)
  const conversation = sentAt(source.graph, leaf)
  const title = target.title ?? titleWith('repaired', titleOf(source, file.facts.session ?? sessionId('')))
  const plan = planLine(source, [conversation], { ...target, command: 'repair', node: leaf, title })
  if (typeof plan === 'string') return null
  const draft = openDraft({ source, file, session: target.session, now: target.now, isLinear: true })
  const today = whatMustStay(draft, repair.examination.context.loaded.nodes, conversation.sent)
  return { ...plan, today: withoutBareThinking(draft, today).map(item => itemId(draft, item)), mayLose }
}

interface Repaired {
  /** The entries of the conversation's line, in its order; none where it does not become one. */
  readonly line: readonly number[]
  /** What a resume loads today, without what cannot be sent; copies stand for what they repeat. */
  readonly today: PromisedConversation
}

/** Repairs everything; null where there is nothing to repair or nothing can be sent. */
function repairDraft(draft: Draft, { strategy, only, examination }: Repair): Repaired | null {
  const last = liveLeaf(draft.graph, draft.file)
  if (last === none) return null
  const { context } = examination
  const today = context.loaded.nodes
  const isWanted = (kind: string): boolean => only.length === 0 || only.includes(kind)
  if (strategy === 'once') {
    const copies = isWanted('duplicate-row') ? copiesIn(context) : null
    if (copies === null) return null
    dropCopies(draft, copies)
  }
  const repair = (stages: readonly RepairStage[]): void =>
    repairStages(draft, examination, { stages, isWanted })
  repair(LINK_STAGES)
  const live = conversationAlong(draft, draft.standIn(last))
  const isToday = strategy === 'today'
  if (isToday && !hasAllOf(draft, today, live)) return null
  draft.promise(isToday ? uniqueIn(draft, today) : withOwnResults(draft, live))
  // What is loaded today has no calls to answer.
  repair(isToday ? CONVERSATION_STAGES.slice(1) : CONVERSATION_STAGES)
  if (draft.changes.length === 0) return null
  if (isWanted('empty-content')) dropBlank(draft)
  draft.promise(withoutBareThinking(draft, draft.promised()))
  const line = draft.isLinear ? linearize(draft) : []
  const before = withoutBareThinking(draft, whatMustStay(draft, today, draft.promised()))
  if (strategy === 'line' || isToday) dropRest(draft, line)
  return draft.promised().length === 0 ? null : { line, today: before }
}

/** Before and after the conversation is read along the repaired links. */
const CALLS = REPAIR_STAGES.indexOf('calls')
const LINK_STAGES = REPAIR_STAGES.slice(0, CALLS)
const CONVERSATION_STAGES = REPAIR_STAGES.slice(CALLS)
/** Stages that repair what was found in the file; the others find in the draft. */
const IN_FILE: ReadonlySet<RepairStage> = new Set([...LINK_STAGES, 'line'])

/** Repairs all kinds that are wanted, stage by stage. */
function repairStages(
  draft: Draft,
  { context, found }: Examination,
  {
    stages,
    isWanted,
  }: { readonly stages: readonly RepairStage[]; readonly isWanted: (kind: string) => boolean },
): void {
  for (const stage of stages) {
    const kinds = FAULT_KINDS.filter(kind => kind.stages?.includes(stage) === true && isWanted(kind.id))
    for (const kind of kinds) {
      const here = IN_FILE.has(stage) ? found.get(kind) : kind.find(contextOf(draft, context), [])
      if (here !== undefined && here.length > 0) kind.repair?.(draft.as(kind.id), here, stage)
    }
  }
}

/** A draft under examination: as if a resume of it loaded what is promised. Rows that repeat others are not read any more. */
function contextOf(draft: Draft, context: FaultContext): FaultContext {
  const { graph, patchOf } = draft
  const nodes = conversationEntries(draft.promised())
  return {
    ...context,
    live: new Set(nodes),
    loaded: { ...context.loaded, nodes },
    lost: [],
    more: [],
    survey: { ...context.survey, repeatMarks: new Map() },
    toolId: (node, tool) => {
      const id = toolIdOf(graph, tool)
      return patchOf(node)?.tools?.get(id) ?? id
    },
  }
}

/** Leaves everything out but the line of the conversation, and the compaction that it begins with. */
function dropRest(all: Draft, line: readonly number[]): void {
  const draft = all.as('left-out')
  const { graph, file, isDropped } = draft
  const promised = draft.promised()
  const compaction = compactionIn(draft, promised)
  const kept = new Set<ConversationItem>([...line, ...promised])
  if (compaction !== null) for (const node of [compaction.boundary, ...compaction.preserved]) kept.add(node)
  const rest = file.nodes.filter(node => !kept.has(node) && !isDropped(node))
  for (const node of rest) draft.drop(node)
  const first = rest.find(node => isConversation(graph, node))
  if (first === undefined) return
  const why = `${rest.length} entries of other branches are not copied: a resume would end at one of them. They stay in the original.`
  draft.note(first, why)
}
