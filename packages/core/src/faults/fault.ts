/** What a fault is, and what is looked at to find one. One file per kind beside this; `kinds.ts` lists them. */

import type { Draft, Said } from '../edit/draft.js'
import type { FileRecord } from '../graph/file-record.js'
import type { Graph } from '../graph/graph.js'
import { rowOf } from '../graph/nodes.js'
import type { Diagnostic, Severity } from '../model/diagnostic.js'
import { type EntryId, entryId } from '../model/ids.js'
import type { Loaded } from '../resume/load.js'
import type { Survey } from '../resume/survey.js'

/** What a fault does to a resume. */
export type Effect = 'loss' | 'refused' | 'none'

/** One fault of a session, at its place. */
export interface Fault {
  /** The kind's stable name. */
  readonly id: string
  /** `error`: it has an effect on a resume. `warning`: it has none, but something is at risk. `info`: harmless. */
  readonly severity: Severity
  /** What comes of it: a resume loses messages, or the API refuses what it sends; only these make a session ill. */
  readonly effect: Effect
  readonly node: EntryId | null
  readonly row: number | null
  /** How many of its kind it stands for. */
  readonly count: number
  /** What was found here, with the values. */
  readonly message: string
  /** The command that mends it; null where there is nothing to mend. */
  readonly fix: string | null
}

/** A kind of fault. */
export interface FaultKind {
  readonly id: string
  /** A few words. */
  readonly title: string
  /** What it means. */
  readonly meaning: string
  /** What it costs the user. */
  readonly cost: string
  /** The command that mends it, `SESSION` standing for the session; null where there is none. */
  readonly fix: string | null
  /** What an error of this kind does: the API refuses the request, or else messages are lost. */
  readonly isRefused?: boolean
  /** The second is what the kinds listed before it have found. */
  readonly find: (context: FaultContext, before: readonly Fault[]) => readonly FoundFault[]
  /** How `dagline repair` repairs it; nothing where it does not. */
  readonly repairs?: readonly RepairStep[]
}

/** The order in which a draft is repaired: each stage sees what the ones before it have changed. */
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

/**
 * One step of a repair. Steps of one stage do not depend on one another. A step gets the conversation as the stages before it
 * leave it; before the links are repaired there is none.
 */
export type RepairStep = { readonly stage: (typeof REPAIR_STAGES)[number] } & (
  | { readonly change: (draft: Draft, conversation: readonly Said[]) => void }
  | { readonly rewrite: (draft: Draft, conversation: readonly Said[]) => readonly Said[] }
)

/** A file in which faults are looked for, to report them or to repair them. */
export type ExaminedFile = Pick<FaultContext, 'graph' | 'file' | 'survey'>

/** What a kind finds: a fault before it has the kind's name and command. */
export type FoundFault = Pick<Fault, 'severity' | 'node' | 'row' | 'message'> & {
  readonly count?: number
  /** Another command than the kind's; null where that would leave this one as it is: it harms nothing. */
  readonly fix?: string | null
}

/** A session's file under examination. */
export interface FaultContext {
  readonly graph: Graph
  readonly session: string
  readonly file: FileRecord
  /** What the conversation is. */
  readonly live: ReadonlySet<number>
  /** What a resume loads of it. */
  readonly loaded: Loaded
  /** Entries of the conversation that a resume does not load. */
  readonly lost: readonly number[]
  /** Entries that a resume loads and that are not part of the conversation. */
  readonly more: readonly number[]
  /** What reading and the graph found in this file. */
  readonly diagnostics: readonly Diagnostic[]
  readonly survey: Survey
}

/** A finding at an entry. */
export function faultAt(
  { graph }: FaultContext,
  node: number,
  severity: Severity,
  message: string,
): FoundFault {
  return { severity, node: entryId(graph.id(node)), row: rowOf(graph, node), message }
}

/** A finding about the file as a whole. */
export function faultInFile(severity: Severity, message: string, count = 1): FoundFault {
  return { severity, node: null, row: null, message, count }
}

/** The diagnostics of some rules as diagnostics of a kind, with another severity where one is given. */
export function fromDiagnostics(
  { diagnostics }: FaultContext,
  rules: readonly string[],
  severityOf: (found: Diagnostic) => Severity,
): readonly FoundFault[] {
  return diagnostics
    .filter(({ rule }) => rules.includes(rule))
    .map(found => ({ severity: severityOf(found), node: found.node, row: found.row, message: found.message }))
}

/** The marks of an entry, as the loader sees it. */
export function markOf({ graph, survey }: Pick<FaultContext, 'graph' | 'survey'>, node: number): number {
  const id = graph.id(node)
  return survey.repeatMarks.get(id) ?? survey.marks.get(id) ?? 0
}

/** `1 message`, `3 messages`. */
export function counted(count: number, one: string, many: string = `${one}s`): string {
  return `${String(count).replace(/\B(?=(\d{3})+$)/g, ',')} ${count === 1 ? one : many}`
}
