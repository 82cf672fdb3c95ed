/** From the rows of a family of files to what the index says of them. All verdicts come from the graph. */
import {
  branchOf,
  type Diagnostic,
  type Graph,
  labelNodes,
  type ParsedRow,
  recordsWithCarried,
  startGraph,
} from '@dagline/core'
import type { FileVerdicts, Judgement, KnownFile, KnownLine, QueueFact } from '../db/index-store.js'
import { nodeId } from '../db/schema.js'
import { type SessionFile, sessionFacts } from './session-facts.js'

/** What the graph depends on, of a file as the index knows it. */
export type FamilyFile = Pick<
  KnownFile,
  'id' | 'path' | 'project' | 'facts' | 'bytes' | 'diagnostics' | 'isArchived'
>

/** A file of the family, with its rows. */
interface JudgedFile {
  readonly file: FamilyFile
  readonly rows: Iterable<ParsedRow>
}

/** What a graph says, whatever was said before. */
export type Opinion = Omit<Judgement, 'root' | 'before'>

/** Builds the graph of some files, given in the order of their paths, and says what it says. */
export function judgeFamily(members: readonly JudgedFile[]): Opinion {
  const { graph, starts } = buildFamily(members)
  const files = members.map(({ file }) => file)
  const diagnostics: readonly Diagnostic[] = [
    ...files.flatMap(file => file.diagnostics),
    ...graph.diagnostics(),
  ]
  return {
    files: files.map(({ id }) => id),
    lines: lineFacts(graph),
    verdicts: verdictsOf(graph, files, starts),
    sessions: sessionFacts(graph, files.map(sessionFile), diagnostics),
    queue: queueFacts(graph, files),
    diagnostics,
  }
}

function sessionFile({ path, project, facts, isArchived }: FamilyFile): SessionFile {
  return { path, project, title: facts.title, isArchived }
}

interface FamilyGraph {
  readonly graph: Graph
  /** The first sighting of each file, and one more at the end: rows are added file by file. */
  readonly starts: readonly number[]
}

function buildFamily(members: readonly JudgedFile[]): FamilyGraph {
  const builder = startGraph()
  const starts: number[] = [0]
  for (const { file, rows } of members) {
    let entries = 0
    for (const row of rows) {
      builder.addRow(file.facts, row)
      for (const record of recordsWithCarried(row)) if ('id' in record) entries++
    }
    builder.addFile(file.facts, file.bytes)
    starts.push((starts.at(-1) ?? 0) + entries)
  }
  return { graph: builder.build(), starts }
}

function lineFacts(graph: Graph): readonly KnownLine[] {
  const sessions = new Map(graph.sessions().map(({ index, id }) => [index, id]))
  const agents = new Map(graph.agents().map(agent => [agent.domain.index, agent]))
  return graph.lines().map(line => {
    const branch = branchOf(graph, line)
    return {
      name: line.id,
      kind: line.kind,
      status: line.status,
      session: sessions.get(line.domain.session) ?? sessionNamed(graph, line.nodes),
      agent: line.domain.agent,
      agentName: agents.get(line.domain.index)?.name ?? null,
      branch: branch.id,
      branchStatus: branch.status,
    }
  })
}

/** A session that has agents' files only is none of the graph's, but its entries name it: those that name one at all. */
function sessionNamed(graph: Graph, nodes: readonly number[]): string {
  for (const node of nodes) {
    const { session, file } = graph.node(node)
    if (session !== file) return session
  }
  return nodes[0] === undefined ? '' : graph.node(nodes[0]).session
}

function verdictsOf(
  graph: Graph,
  files: readonly FamilyFile[],
  starts: readonly number[],
): readonly FileVerdicts[] {
  const labels = labelNodes(graph)
  const idOf = numbering(files, starts)
  return files.map((file, place) => {
    const [start = 0, end = 0] = [starts[place], starts[place + 1]]
    return {
      file: file.id,
      owner: Float64Array.from(labels.owner.subarray(start, end), idOf),
      line: labels.line.subarray(start, end),
      live: labels.live.subarray(start, end),
      compacted: labels.compacted.subarray(start, end),
    }
  })
}

/** From sightings of the graph to the numbers that the index gives to nodes. */
function numbering(files: readonly FamilyFile[], starts: readonly number[]): (sighting: number) => number {
  return sighting => {
    let [low, high] = [0, files.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= sighting) low = middle
      else high = middle - 1
    }
    return nodeId(files[low]?.id ?? 0, sighting - (starts[low] ?? 0))
  }
}

function queueFacts(graph: Graph, files: readonly FamilyFile[]): readonly QueueFact[] {
  const ids = new Map(files.map(({ id, path }) => [path, id]))
  return graph.queues().flatMap(({ file, steps }) =>
    steps.map(({ note, became, node }) => ({
      file: ids.get(file.facts.path) ?? 0,
      row: note.source.row,
      operation: note.operation,
      became,
      node: node < 0 ? null : graph.id(node),
    })),
  )
}
