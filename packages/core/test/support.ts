/** From shapes and texts to graphs, and back to tokens: what the tests of the core share. */
import { expandShape, type ShapeFiles, type TextFile } from '@dagline/testkit'
import {
  type AgentMeta,
  agentId,
  entryId,
  type FileFacts,
  type Fork,
  fileId,
  type Graph,
  type Line,
  type ParsedRow,
  parseRow,
  sessionId,
  startGraph,
} from '../src/index.js'

/** The facts of a file by its path, as discovery would find them. */
export function factsOf(path: string, metas: readonly TextFile[] = []): FileFacts {
  const name = path.split('/').at(-1) ?? path
  const stem = name.replace(/\.jsonl$/, '')
  const isAgent = stem.startsWith('agent-')
  const folder = /(?:^|\/)([^/]+)\/subagents\//.exec(path)?.[1] ?? null
  const session = isAgent ? folder : stem
  return {
    path: fileId(path),
    kind: stem === 'journal' ? 'journal' : isAgent ? 'agent' : 'session',
    session: session === null ? null : sessionId(session),
    agent: isAgent ? agentId(stem.slice('agent-'.length)) : null,
    run: /\/workflows\/([^/]+)\//.exec(path)?.[1] ?? null,
    meta: metaOf(metas.find(meta => meta.path === path.replace(/\.jsonl$/, '.meta.json'))),
  }
}

function metaOf(file: TextFile | undefined): AgentMeta | null {
  if (file === undefined) return null
  const none = { agentType: null, description: null, toolUseId: null, parentAgentId: null }
  return { ...none, spawnDepth: null, finished: null, ...JSON.parse(file.text) }
}

/** The rows of a text, with offsets as if it stood in a file. */
export function rowsOf(text: string): readonly ParsedRow[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  let offset = 0
  return lines.map((line, i) => {
    const length = Buffer.byteLength(line)
    const row = parseRow({ row: i + 1, offset, length, text: line, whole: true })
    offset += length + 1
    return row
  })
}

/** The graph of some files. */
export function graphOfFiles(files: readonly TextFile[], metas: readonly TextFile[] = []): Graph {
  const builder = startGraph()
  for (const file of files) {
    const facts = factsOf(file.path, metas)
    builder.addFile(facts, Buffer.byteLength(file.text))
    for (const row of rowsOf(file.text)) builder.addRow(facts, row)
  }
  return builder.build()
}

/** The same graph, built from the first rows of every file and then from the rest, in `cuts + 1` parts. */
export function graphInParts(
  files: readonly TextFile[],
  metas: readonly TextFile[],
  cuts: readonly number[],
): Graph {
  const all = files.map(file => ({ facts: factsOf(file.path, metas), rows: rowsOf(file.text) }))
  let graph = startGraph().build()
  const edges = [0, ...[...cuts].sort((a, b) => a - b), 1]
  for (let part = 1; part < edges.length; part++) {
    const builder = startGraph(graph)
    for (const { facts, rows } of all) {
      builder.addFile(facts, 0)
      const cut = (edge: number | undefined): number => Math.floor((edge ?? 1) * rows.length)
      for (const row of rows.slice(cut(edges[part - 1]), cut(edges[part]))) builder.addRow(facts, row)
    }
    graph = builder.build()
  }
  return graph
}

/** A shape as a graph that answers in tokens. */
export interface Drawn {
  readonly shape: ShapeFiles
  readonly graph: Graph
  /** The tokens of some nodes. */
  say(nodes: Iterable<number | null>): string
  /** The trunk of a session. */
  trunk(session?: string): string
  /** Every line but trunks, `head: tokens`, with its status. */
  branches(session?: string): readonly string[]
  /** What is live in a file. */
  live(path?: string): string
  /** The verdict at a token, `kind children`; of the roots with `null`. */
  verdict(token: string | null): string
  node(token: string): number
}

/** Draws a shape. */
export function draw(text: string): Drawn {
  const shape = expandShape(text)
  return drawnOf(shape, graphOfFiles(shape.files, shape.metas))
}

/** The answers of a graph in the tokens of a shape. */
export function drawnOf(shape: ShapeFiles, graph: Graph): Drawn {
  const say = (nodes: Iterable<number | null>): string =>
    shape.say([...nodes].map(node => graph.id(node ?? -1)))
  const node = (token: string): number => nodeOf(graph, shape.uuid(token))
  return {
    shape,
    graph,
    say,
    node,
    trunk: (session = 's1') =>
      say(lineWith(graph, line => line.kind === 'trunk' && line.id === session).nodes),
    branches: (session = 's1') =>
      graph
        .lines()
        .filter(line => line.kind !== 'trunk' && line.id.startsWith(session))
        .map(line => `${line.kind === 'agent' ? 'agent ' : ''}${say(line.nodes)} (${line.status})`),
    live: (path = 's1.jsonl') => say(graph.live(fileId(path))),
    verdict: token => {
      const at = token === null ? null : node(token)
      const fork = graph.forks().find(found => found.at === at)
      return fork === undefined ? 'none' : `${fork.rule} ${fork.kind}: ${say(fork.children)}`
    },
  }
}

/** The node of a uuid; -1 for none, which no graph has. */
export function nodeOf(graph: Graph, uuid: string): number {
  return graph.index(entryId(uuid)) ?? -1
}

function lineWith(graph: Graph, test: (line: Line) => boolean): Line {
  const line = graph.lines().find(test)
  if (line === undefined)
    throw new RangeError(
      `no such line among ${graph
        .lines()
        .map(({ id }) => id)
        .join(', ')}`,
    )
  return line
}

/** Everything a graph says, as plain data without internal numbers: for comparing two graphs. */
export function everything(graph: Graph): unknown {
  const id = (node: number | null | undefined): string | null => (node == null ? null : graph.id(node))
  const ids = (nodes: readonly number[]): (string | null)[] => nodes.map(id)
  const forkData = (fork: Fork): unknown => ({
    ...fork,
    at: id(fork.at),
    domain: null,
    children: ids(fork.children),
    branches: ids(fork.branches),
    copies: ids(fork.copies),
  })
  const lines = graph
    .lines()
    .map(({ id: name, kind, at, nodes, status }) => ({ name, kind, at: id(at), nodes: ids(nodes), status }))
  return {
    files: graph.files().map(({ facts, rows, entries, blank, damaged }) => ({
      path: facts.path,
      rows,
      entries,
      blank,
      damaged,
    })),
    lines: byName(lines),
    folded: graph.folded().map(({ node, under, why }) => ({ node: id(node), under: id(under), why })),
    forks: byJson(graph.forks().map(forkData)),
    live: graph.files().map(file => ids(graph.live(file.facts.path))),
    agents: byJson(
      graph.agents().map(({ id: name, name: called, depth, state, spawnedBy }) => ({
        name,
        called,
        depth,
        state,
        call: spawnedBy?.call.id,
        node: id(spawnedBy?.node),
        evidence: spawnedBy?.evidence,
      })),
    ),
    sessions: graph.sessions().map(({ id: name, first, last, title, parent }) => ({
      name,
      first,
      last,
      title,
      at: id(parent?.at),
      how: parent?.how,
    })),
    epochs: graph.epochs().map(({ boundary, summary, preserved }) => ({
      boundary: id(boundary),
      summary: id(summary),
      preserved: ids(preserved),
    })),
    queues: graph.queues().map(({ file, steps }) => ({
      path: file.facts.path,
      steps: steps.map(({ became, node }) => ({ became, node: id(node) })),
    })),
    diagnostics: byJson(graph.diagnostics()),
    totals: { ...graph.totals(), bytes: 0 },
  }
}

function byJson(items: readonly unknown[]): readonly string[] {
  return items.map(item => JSON.stringify(item)).sort()
}

function byName<T extends { readonly name: string }>(items: readonly T[]): readonly T[] {
  return [...items].sort((a, b) => (a.name < b.name ? -1 : 1))
}
