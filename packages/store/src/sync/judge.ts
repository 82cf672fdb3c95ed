/** I1: judging a file group: from the rows of its files to what the index stores. All verdicts come from the graph. */

import { type Diagnostic, type Graph, type GraphBuilder, type ParsedRow, startGraph } from '@dagline/core'
import { branchOf, lineSession } from '@dagline/core/measure'
import { recordsWithCarried } from '@dagline/core/parse'
import { labelNodes } from '@dagline/core/view'
import type { IndexedFacts } from '../db/facts.js'
import type { FileVerdicts, Judgement, KnownFile, KnownLine, QueueFact } from '../db/index-store.js'
import { nodeId } from '../db/schema.js'
import { agentFacts, branchFacts } from './list-facts.js'
import { sessionFacts } from './session-facts.js'

/** What the graph depends on, of a file as the index knows it. */
export type GroupFile = Pick<
  KnownFile,
  'id' | 'path' | 'project' | 'facts' | 'bytes' | 'diagnostics' | 'isArchived'
>

/** A file of a group, with its rows. */
interface JudgedFile {
  readonly file: GroupFile
  readonly rows: Iterable<ParsedRow>
}

/** The verdict of the graph, without what was stored before. */
export type GroupVerdict = Omit<Judgement, 'root' | 'before'>

/** Builds the graph of some files, given in the order of their paths, and returns its verdict. */
export function judgeGroup(members: readonly JudgedFile[]): GroupVerdict {
  const group = new OpenGroup()
  for (const { file, rows } of members) {
    for (const row of rows) group.addRow(file.facts, row)
    group.endFile(file)
  }
  return group.judge()
}

/** A file group whose graph is built while its files are read, one after the other, in the order of their paths. */
export class OpenGroup {
  private readonly builder: GraphBuilder = startGraph()
  private readonly ended: GroupFile[] = []
  /** The first sighting of each file, and of the one that is being read: rows are added file by file. */
  private readonly starts: number[] = [0]
  private entries = 0

  addRow(facts: IndexedFacts, row: ParsedRow): void {
    this.builder.addRow(facts, row)
    for (const record of recordsWithCarried(row)) if ('id' in record) this.entries++
  }

  /** All rows of a file were added. */
  endFile(file: GroupFile): void {
    this.builder.addFile(file.facts, file.bytes)
    this.ended.push(file)
    this.starts.push(this.entries)
  }

  /** The files that have ended. */
  files(): readonly GroupFile[] {
    return this.ended
  }

  /** The verdict of the graph. Asked once. */
  judge(): GroupVerdict {
    const graph = this.builder.build()
    const files = this.ended
    const diagnostics: readonly Diagnostic[] = [
      ...files.flatMap(file => file.diagnostics),
      ...graph.diagnostics(),
    ]
    return {
      files: files.map(({ id }) => id),
      lines: lineFacts(graph),
      verdicts: verdictsOf(graph, files, this.starts),
      sessions: sessionFacts(graph, files, diagnostics),
      agents: agentFacts(graph, files),
      branches: branchFacts(graph, files),
      queue: queueFacts(graph, files),
      diagnostics,
    }
  }
}

function lineFacts(graph: Graph): readonly KnownLine[] {
  const agents = new Map(graph.agents().map(agent => [agent.domain.index, agent]))
  return graph.lines().map(line => {
    const branch = branchOf(graph, line)
    return {
      name: line.id,
      kind: line.kind,
      status: line.status,
      session: lineSession(graph, line),
      agent: line.domain.agent,
      agentName: agents.get(line.domain.index)?.name ?? null,
      branch: branch.id,
      branchStatus: branch.status,
    }
  })
}

function verdictsOf(
  graph: Graph,
  files: readonly GroupFile[],
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

/** Maps the sightings of the graph to the node numbers of the index. */
function numbering(files: readonly GroupFile[], starts: readonly number[]): (sighting: number) => number {
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

function queueFacts(graph: Graph, files: readonly GroupFile[]): readonly QueueFact[] {
  const ids = new Map(files.map(({ id, path }) => [path, id]))
  return graph.queues().flatMap(({ file, steps }) =>
    steps.map(({ note, became, node }) => ({
      file: ids.get(file.facts.path) ?? 0,
      row: note.source.row,
      operation: note.operation,
      became,
      node: node === null ? null : graph.id(node),
    })),
  )
}
