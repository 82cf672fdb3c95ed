/** What a fault is, and what is looked at to find one. One file per kind beside this; `kinds.ts` lists them. */

import type { Draft } from '../edit/draft.js'
import type { FileRecord } from '../graph/file-record.js'
import type { Graph } from '../graph/graph.js'
import { rowOf } from '../graph/nodes.js'
import type { Diagnostic, Severity } from '../model/diagnostic.js'
import { type EntryId, entryId, type SessionId } from '../model/ids.js'
import type { LoadedConversation } from '../resume/conversation.js'
import type { Survey } from '../resume/survey.js'

/** What a fault does to a resume. */
export type Effect = 'loss' | 'refused' | 'none'

/** One fault of a session, at its location. */
export interface Fault {
  /** The kind's stable name. */
  readonly id: string
  /** `error`: it has an effect on a resume. `warning`: it has none, but something is at risk. `info`: harmless. */
  readonly severity: Severity
  /** What comes of it: a resume loses messages, or the API refuses what it sends. */
  readonly effect: Effect
  readonly node: EntryId | null
  readonly row: number | null
  /** How many of its kind it stands for. */
  readonly count: number
  /** What was found here, with the values. */
  readonly message: string
  /** The command that repairs it; null where there is nothing to repair. */
  readonly fix: string | null
}

/**
 * A kind of fault: what it is, how it is found and how it is repaired. The repair gets what `find` returned and detects nothing
 * by itself, so that what is reported is what is repaired.
 */
export interface FaultKind<F extends Finding = Finding> {
  readonly id: string
  /** The rule in `docs/SPEC.md` that describes it. */
  readonly rule: string
  /** A few words. */
  readonly title: string
  /** What it means. */
  readonly meaning: string
  /** What it costs the user. */
  readonly cost: string
  /** What the command does about it, or why there is none. */
  readonly remedy: string
  /** The command that repairs it, `SESSION` standing for the session; null where there is none. */
  readonly fix: string | null
  /** What an error of this kind does: the API refuses the request, or else messages are lost. */
  readonly isRefused?: boolean
  /** `before` is what the kinds listed before it have found. */
  find(context: FaultContext, before: readonly Fault[]): readonly F[]
  /** When `dagline repair` repairs it; nothing where it does not. */
  readonly stages?: readonly RepairStage[]
  repair?(draft: Draft, found: readonly F[], stage: RepairStage): void
}

/** A kind that only the disk shows: it looks at nothing else, so that it can be checked whenever a report is made. */
export interface DiskFaultKind extends FaultKind {
  find(context: { readonly survey: DiskSurvey }): readonly Finding[]
}

/** What kinds that only the disk shows are told. */
export type DiskSurvey = Pick<Survey, 'folders' | 'spilled' | 'disk'>

/**
 * The order in which a draft is repaired. Up to the links the findings are those of the file as it is. The links then give a
 * conversation, and each later stage finds in it, as the stages before it leave it (`contextOf`).
 */
export const REPAIR_STAGES = [
  'rows',
  'links',
  'compaction links',
  'calls',
  'call ids',
  'results',
  'content',
  'beginning',
  'compactions',
  'fields',
  'line',
] as const

/** A stage of a repair. Kinds of one stage do not depend on one another. */
export type RepairStage = (typeof REPAIR_STAGES)[number]

/** What a kind finds: a fault before it has the kind's name and command. */
export interface Finding {
  /** Null where it harms nothing: it is not reported, and repaired with the rest. */
  readonly severity: Severity | null
  readonly node: EntryId | null
  readonly row: number | null
  readonly message: string
  readonly count?: number
  /** Another command than the kind's; null where that would leave this one as it is: it harms nothing. */
  readonly fix?: string | null
}

/** A finding that stands for several entries. */
export interface EntriesFinding extends Finding {
  readonly nodes: readonly number[]
}

/** A session's file under examination. */
export interface FaultContext {
  readonly graph: Graph
  readonly session: SessionId
  readonly file: FileRecord
  /** The live conversation, in its order. */
  readonly live: ReadonlySet<number>
  /** What a resume loads of it. */
  readonly loaded: LoadedConversation
  /** Entries of the conversation that a resume does not load. */
  readonly lost: readonly number[]
  /** Entries that a resume loads and that are not part of the conversation. */
  readonly more: readonly number[]
  /** What reading and the graph found in this file. */
  readonly diagnostics: readonly Diagnostic[]
  readonly survey: Survey
  /** The id of a tool in an entry; in a draft that which is written. */
  readonly toolId: (node: number, tool: number) => string
}

/** A finding at an entry. */
export function findingAt(
  { graph }: Pick<FaultContext, 'graph'>,
  node: number,
  severity: Severity | null,
  message: string,
): Finding {
  return { severity, node: entryId(graph.id(node)), row: rowOf(graph, node), message }
}

/** One finding for several entries, at the first of them; none where there are none. */
export function findingFor(
  context: FaultContext,
  nodes: readonly number[],
  severity: Severity | null,
  message: string,
): readonly EntriesFinding[] {
  const [first] = nodes
  if (first === undefined) return []
  return [{ ...findingAt(context, first, severity, message), count: nodes.length, nodes }]
}

/** A finding about the file as a whole. */
export function findingInFile(severity: Severity, message: string, count = 1): Finding {
  return { severity, node: null, row: null, message, count }
}

/** The diagnostics of some rules as findings of a kind, with another severity where one is given. */
export function fromDiagnostics(
  { diagnostics }: FaultContext,
  rules: readonly string[],
  severityOf: (found: Diagnostic) => Severity | null,
): readonly Finding[] {
  return diagnostics
    .filter(({ rule }) => rules.includes(rule))
    .map(found => ({ severity: severityOf(found), node: found.node, row: found.row, message: found.message }))
}

/** The content marks of an entry, as the loader sees it. */
export function markOf({ graph, survey }: Pick<FaultContext, 'graph' | 'survey'>, node: number): number {
  const id = graph.id(node)
  return survey.repeatMarks.get(id) ?? survey.marks.get(id) ?? 0
}

/** `1 message`, `3 messages`. */
export function counted(count: number, one: string, many: string = `${one}s`): string {
  return `${String(count).replace(/\B(?=(\d{3})+$)/g, ',')} ${count === 1 ? one : many}`
}
