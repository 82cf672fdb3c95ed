/** X13, X14: subagents and branches in figures: what lists of them show of each. */
import { type Fork, type Graph, type Line, plainHead } from '@dagline/core'
import { listAgents, pathFrom, timesOf } from '@dagline/core/measure'
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
      prompt: shortHead(promptIn(graph, nodes)),
      instead: fork === undefined ? null : shortHead(insteadOf(graph, fork, line)),
    }
  })
}

/** What was asked first. */
function promptIn(graph: Graph, nodes: readonly number[]): string | null {
  for (const node of nodes) {
    const { head, type } = graph.node(node)
    if (head !== null && (type === 'prompt' || type === 'command')) return head
  }
  return null
}

/** What was asked in place of a branch: by the last of the other children of the fork. */
function insteadOf(graph: Graph, { children }: Fork, line: Line): string | null {
  const other = children.findLast(child => child !== line.head && graph.lineOf(child) !== line)
  const replacing = other === undefined ? null : graph.lineOf(other)
  if (other === undefined || replacing === null) return null
  return promptIn(graph, replacing.nodes.slice(replacing.nodes.indexOf(other)))
}
