/**
 * The cases of `fixtures/seed-cases`: hand-made transcripts of shapes that public descriptions of the format name. Each
 * has an `expected.txt`: comments with the rule and its source first, then what the graph says, one fact a line.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TextFile } from '@dagline/testkit'
import type { Agent, Fork, Graph, Line } from '../src/index.js'
import { graphOfFiles } from './support.js'

const FOLDER: string = join(import.meta.dirname, '..', '..', '..', 'fixtures', 'seed-cases')

export interface SeedCase {
  readonly name: string
  /** The rule that the case is named after. */
  readonly rule: string
  readonly title: string
  readonly expected: readonly string[]
  readonly files: readonly TextFile[]
  readonly metas: readonly TextFile[]
}

/** All cases, by name. */
export function seedCases(): readonly SeedCase[] {
  const names = readdirSync(FOLDER, { withFileTypes: true }).filter(entry => entry.isDirectory())
  return names.map(({ name }) => readCase(name)).sort((a, b) => (a.name < b.name ? -1 : 1))
}

function readCase(name: string): SeedCase {
  const folder = join(FOLDER, name)
  const projects = join(folder, 'projects')
  const paths = readdirSync(projects, { recursive: true, encoding: 'utf8' }).sort()
  const read = (ending: string): readonly TextFile[] =>
    paths
      .filter(path => path.endsWith(ending))
      .map(path => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join(projects, path), 'utf8') }))
  const rows = existsSync(join(folder, 'expected.txt'))
    ? readFileSync(join(folder, 'expected.txt'), 'utf8').trimEnd().split('\n')
    : []
  const [, rule = '', title = ''] = /^# \[(\w+)\] (.*)/.exec(rows[0] ?? '') ?? []
  const expected = rows.filter(row => !row.startsWith('#'))
  return { name, rule, title, expected, files: read('.jsonl'), metas: read('.meta.json') }
}

/** The graph of a case. */
export function graphOfCase({ files, metas }: SeedCase): Graph {
  return graphOfFiles(files, metas)
}

/** What a graph says, one fact a line: lines, what is live, forks, subagents, diagnostics. */
export function tellGraph(graph: Graph): readonly string[] {
  return [
    ...graph.lines().map(line => tellLine(graph, line)),
    ...graph
      .files()
      .map(({ facts }) => `live ${shortPath(facts.path)}: ${say(graph, graph.live(facts.path))}`),
    ...graph.forks().map(fork => tellFork(graph, fork)),
    ...graph.agents().map(agent => tellAgent(graph, agent)),
    ...graph.folded().map(({ node, under }) => `folded ${graph.id(node)} under ${graph.id(under)}`),
    ...graph.diagnostics().map(({ rule, severity, node }) => `${severity} ${rule} ${node ?? '-'}`),
  ]
}

function tellLine(graph: Graph, line: Line): string {
  const at = line.at === null ? '' : ` at ${graph.id(line.at)}`
  return `${line.kind} ${shortId(line.id)} (${line.status}${at}): ${say(graph, line.nodes)}`
}

function tellFork(graph: Graph, { at, rule, kind, children }: Fork): string {
  return `fork at ${at === null ? 'the roots' : graph.id(at)}: ${rule} ${kind}: ${say(graph, children)}`
}

function tellAgent(graph: Graph, { id, name, depth, state, spawnedBy }: Agent): string {
  const by =
    spawnedBy === null
      ? 'no call'
      : `${spawnedBy.call.id} in ${graph.id(spawnedBy.node)}, by ${spawnedBy.evidence}`
  return `agent ${id}: ${name}, depth ${depth}, ${state}, ${by}`
}

function say(graph: Graph, nodes: readonly number[]): string {
  return nodes.map(node => graph.id(node)).join(' ')
}

function shortId(id: string): string {
  return id.replace(/^([0-9a-f]{8})[0-9a-f-]{28}/, '$1')
}

function shortPath(path: string): string {
  return shortId(path.split('/').at(-1) ?? path).replace(/\.jsonl$/, '')
}
