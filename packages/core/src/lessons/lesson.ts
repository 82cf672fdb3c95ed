/** X19: lessons: what was tried in a history and given up, or failed until something changed. */
import type { Graph } from '../graph/graph.js'
import { knownTimeOf } from '../graph/nodes.js'
import { plainHead } from '../model/prompt-words.js'

/** All outcomes. */
export const LESSON_OUTCOMES = ['rejected', 'solved', 'open'] as const

/**
 * How something that was tried ended. `rejected`: the user rewound and asked for something else, or it was undone. `solved`:
 * it worked in the end. `open`: the transcript does not tell.
 */
export type LessonOutcome = (typeof LESSON_OUTCOMES)[number]

/** `rewind`: a turn that a rewind abandoned. `edit`: an edit that was undone. `command`: a command that failed. */
export type LessonKind = 'rewind' | 'edit' | 'command'

/** Something that was tried, and how it ended. Entries are named by their uuids. */
export interface Lesson {
  readonly kind: LessonKind
  readonly outcome: LessonOutcome
  readonly session: string
  /** What was asked for: the beginning of the prompt. */
  readonly asked: string | null
  /** What was tried, in a few words each. */
  readonly tried: readonly string[]
  /** How it ended, in one sentence. */
  readonly ended: string
  /** What shows it: the entries, in the order of what happened. */
  readonly refs: readonly string[]
  /** Milliseconds since 1970, of the end. */
  readonly time: number | null
}

/** What a call tried, as far as lessons compare it. */
export interface Attempt {
  /** The tool call. */
  readonly id: string
  readonly tool: string
  /** The command of a shell. */
  readonly command: string | null
  /** The file that is written. */
  readonly file: string | null
  /** The texts of an edit: what it replaces, and by what; null for other calls and for very long ones. */
  readonly change: { readonly from: string; readonly to: string } | null
}

/** The attempts of calls, by their ids. */
export type Attempts = ReadonlyMap<string, Attempt>

/** The prompt that a node belongs to: the last one above it in its conversation, as the lines go. */
export function promptAbove(graph: Graph, node: number): number | null {
  const line = graph.lineOf(node)
  if (line === null) return null
  for (let at = line.nodes.indexOf(node); at >= 0; at--) {
    const above = line.nodes[at]
    if (above !== undefined && graph.startsTurn(above)) return above
  }
  return line.at === null ? null : promptAbove(graph, line.at)
}

/** The beginning of a prompt. */
export function headOf(graph: Graph, prompt: number | null): string | null {
  const head = prompt === null ? null : graph.node(prompt).head
  return head === null ? null : plainHead(head).slice(0, LONGEST)
}

const LONGEST = 200

/** The time of the last of some nodes that has one. */
export function lastTime(graph: Graph, nodes: readonly number[]): number | null {
  const times = nodes.flatMap(node => knownTimeOf(graph, node) ?? [])
  return times.length === 0 ? null : times.reduce((a, b) => Math.max(a, b))
}
