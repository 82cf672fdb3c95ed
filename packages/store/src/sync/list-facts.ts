/** X13, X14: subagents and branches in figures: what lists of them show of each. */
import { type Graph, plainHead } from '@dagline/core'
import { askedInstead, firstAsked, listAgents, pathFrom, timesOf } from '@dagline/core/measure'
import { countMessages } from '@dagline/core/view'
import type { AgentFact, BranchFact } from '../db/index-store.js'
import { isLeftBranch } from './session-facts.js'

/** A file, as far as the project of a session depends on it. */
interface ProjectFile {
  readonly project: string
  readonly facts: { readonly session: string | null }
}

/** Longer texts are cut: lists do not show more. */
const MOST_WORDS = 200

function shortHead(text: string | null): string | null {
  return text === null ? null : plainHead(text).slice(0, MOST_WORDS)
}

function headOf(graph: Graph, node: number | null): string | null {
  return node === null ? null : shortHead(graph.node(node).head)
}

/** The project of a session: that of its own files, else of any file that is judged with it. */
function createProjectOf(files: readonly ProjectFile[]): (session: string) => string {
  const known = new Map(files.map(({ facts, project }) => [facts.session ?? '', project]))
  return session => known.get(session) ?? files[0]?.project ?? ''
}

/** The subagents of a graph, and calls that left none. */
export function agentFacts(graph: Graph, files: readonly ProjectFile[]): readonly AgentFact[] {
  const projectOf = createProjectOf(files)
  return listAgents(graph).map(agent => ({
    ...agent,
    description: shortHead(agent.description),
    project: projectOf(agent.session),
  }))
}

/** The branches of a graph, less those that are live: what was abandoned, and for what. */
export function branchFacts(graph: Graph, files: readonly ProjectFile[]): readonly BranchFact[] {
  const lines = graph.lines().filter(line => isLeftBranch(graph, line))
  if (lines.length === 0) return []
  const projectOf = createProjectOf(files)
  const forkOf = new Map(graph.forks().flatMap(fork => fork.branches.map(head => [head, fork] as const)))
  return lines.map(line => {
    const { session, agent } = line.domain
    const fork = line.head === null ? undefined : forkOf.get(line.head)
    const nodes = line.head === null ? [] : pathFrom(graph, line.head)
    const { first, last } = timesOf(graph, nodes)
    return {
      line: line.id,
      session,
      agent,
      project: projectOf(session),
      status: line.status,
      kind: fork?.kind ?? null,
      at: line.at === null ? null : graph.id(line.at),
      first,
      last,
      messages: countMessages(graph, nodes),
      prompt: headOf(graph, firstAsked(graph, nodes)),
      instead: fork === undefined ? null : headOf(graph, askedInstead(graph, fork, line)),
    }
  })
}
