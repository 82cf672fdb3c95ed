/**
 * Real transcripts that people have published, against us: nothing is lost, every node with several children has a
 * verdict, and every rewind is one that was looked at (docs/REWINDS.md). The corpus is not part of the repository:
 * `DAGLINE_CORPUS` names its `projects` folder, or its tarball lies beside the repository.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Fork, fileId, type Graph, startGraph } from '../src/index.js'
import { lostIn } from './checks.js'
import {
  type CorpusFile,
  findCorpus,
  type Plain,
  type Project,
  plainChildren,
  readProject,
} from './corpus.js'
import { factsOf, nodeOf } from './support.js'

const root = findCorpus()
const names = root === null ? [] : readdirSync(root).sort()

if (root === null) {
  process.stderr.write('not run: corpus checks (no DAGLINE_CORPUS, no ../shared/corpus/projects.tar.xz)\n')
  it('corpus checks not run: no corpus here', () => expect(root).toBeNull())
}

describe.runIf(root !== null)('the public corpus', () => {
  describe.each(names)('%s', name => {
    let project: Project
    beforeAll(() => {
      project = readProject(root ?? '', name)
    })

    it('[P1] every row is an entry, blank or damaged', () => {
      const faults = project.files.flatMap(file => rowFaults(project.graph, file))
      expect(faults).toEqual([])
    })

    it('[F13] every node is placed or folded, exactly once', () => {
      const { placed, folded, nodes } = project.graph.totals()
      expect(placed + folded).toBe(nodes)
      expect(lostIn(project.graph)).toEqual([])
    })

    it('[F12] every node with several children has a verdict', () => {
      const missed = project.files.flatMap(file => forksWithoutVerdict(project.graph, file))
      expect(missed).toEqual([])
    })

    it('[F12] its rewinds are those that were looked at one by one', () => {
      const { graph } = project
      const sessions = new Set(graph.sessions().map(({ id }) => id as string))
      const looked = reviewed().filter(line => sessions.has(line.split(' ')[0] ?? ''))
      expect(
        realForks(graph)
          .map(fork => sayFork(graph, fork))
          .sort(),
      ).toEqual(looked.sort())
    })

    it('[F12] a rewind is between prompts, two writers between processes', () => {
      const { graph } = project
      const faults = realForks(graph).map(fork => `${sayFork(graph, fork)}: ${headFaults(project, fork)}`)
      expect(faults.filter(line => !line.endsWith(': '))).toEqual([])
    })

    it('[L3] the live conversations of all epochs lose nothing that the conversation had', () => {
      const sessions = project.files.filter(({ kind }) => kind === 'session')
      const lost = sessions.flatMap(file => lossesIn(project.graph, file))
      expect(lost).toEqual([])
    })
  })
})

function realForks(graph: Graph): readonly Fork[] {
  return graph.forks().filter(({ kind }) => kind === 'rewind' || kind === 'two-writers')
}

/** `session uuid kind`, as in the table of docs/REWINDS.md. */
function sayFork(graph: Graph, { at, kind, children }: Fork): string {
  return `${graph.node(children[0] ?? -1).session} ${at === null ? 'roots' : graph.id(at)} ${kind}`
}

/** The table in docs/REWINDS.md: session, node and kind. */
function reviewed(): string[] {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/REWINDS.md'), 'utf8')
  const rows = text.matchAll(/^\| `([\w-]+)` \| `([\w-]+)` \| (rewind|two-writers) \|/gm)
  return [...rows].map(([, session, uuid, kind]) => `${session} ${uuid} ${kind}`)
}

/** P1: several records on a row are the only exception, and a diagnostic says so. */
function rowFaults(graph: Graph, file: CorpusFile): readonly string[] {
  const { path, text, rows } = file
  const record = graph.files().find(({ facts }) => facts.path === path)
  if (record === undefined) return [`${path}: not in the graph`]
  const written = text.split('\n').length - Number(text.endsWith('\n'))
  const joined = rows.reduce((sum, row) => sum + Math.max(0, row.records.length - 1), 0)
  const silent = rows.filter(
    row => row.records.length > 1 && !row.diagnostics.some(({ rule }) => rule === 'parse/joined-rows'),
  )
  const faults = silent.map(({ row }) => `${path}:${row} holds several records, and no diagnostic says so`)
  if (record.rows !== written) faults.push(`${path}: ${record.rows} rows of ${written}`)
  if (record.entries + record.blank + record.damaged !== written + joined) faults.push(`${path}: sum is off`)
  return faults
}

/** Nodes of a file that have several children by recorded parents; copies count once, by their originals. */
function forksWithoutVerdict(graph: Graph, file: CorpusFile): readonly string[] {
  const judged = new Map<number | null, Set<number>>()
  for (const { at, children } of graph.forks()) {
    const known = judged.get(at) ?? new Set()
    for (const child of children) known.add(graph.originalOf(child))
    judged.set(at, known)
  }
  const original = (uuid: string): number => graph.originalOf(nodeOf(graph, uuid))
  return [...plainChildren(file)].flatMap(([parent, children]) => {
    if (children.length < 2 || nodeOf(graph, parent) < 0) return []
    const apart = new Set(children.map(({ uuid }) => original(uuid)))
    const rivals = rivalsAmong(graph, [...apart])
    const verdict = judged.get(original(parent))
    const rows = children.map(({ row }) => row).join(', ')
    return rivals.every(child => verdict?.has(child) === true)
      ? []
      : [`${file.path}: ${parent}, rows ${rows} without a verdict`]
  })
}

/** Those that have a sibling in their own conversation. */
function rivalsAmong(graph: Graph, children: readonly number[]): readonly number[] {
  const owner = (node: number): string => `${graph.node(node).session} ${graph.node(node).agent}`
  return children.filter(child => children.some(other => other !== child && owner(other) === owner(child)))
}

/** Shapes that are never a branch by themselves. */
const noBranch = new Set([
  'result',
  'summary',
  'caveat',
  'command',
  'output',
  'interrupt',
  'notification',
  'meta',
])

function headFaults({ graph, files }: Project, fork: Fork): string {
  const plain = new Map(files.flatMap(file => file.plain.map(entry => [entry.uuid, entry] as const)))
  const heads = fork.branches.map(head => graph.node(head))
  if (fork.kind === 'two-writers') {
    // Each side has its own process; the second one may begin with a local command.
    const versions = new Set(fork.branches.map(head => plain.get(graph.id(head))?.version))
    return versions.size > 1 ? '' : 'two writers of one version: look at them'
  }
  const odd = heads.filter(({ kind, type, id }) => {
    const isFailure = plain.get(id)?.apiError === true || plain.get(id)?.synthetic === true
    return (kind !== 'user' && kind !== 'assistant') || noBranch.has(type) || isFailure
  })
  return odd.map(({ id, type }) => `${id} is ${type}`).join(', ')
}

/** What the conversation had and no live set of any epoch has. */
function lossesIn(graph: Graph, file: CorpusFile): readonly string[] {
  const live = liveOfAllEpochs(graph, file)
  const shared = sharedFacts(file)
  return file.plain
    .filter(entry => isSaid(graph, entry) && !live.has(entry.uuid) && whyNot(graph, entry, shared) === null)
    .map(({ row, uuid, type, blocks }) => `${file.path}:${row} ${uuid} ${type} ${blocks.join('+')}`)
}

/** The live set at the end, and those right before each compaction and each new beginning. */
function liveOfAllEpochs(graph: Graph, file: CorpusFile): ReadonlySet<string> {
  // Where the history was replayed, the copies are live in place of their originals.
  const ids = (from: Graph): string[] =>
    from.live(fileId(file.path)).flatMap(node => [from.id(node), from.id(from.originalOf(node))])
  const live = new Set(ids(graph))
  const main = file.plain.filter(({ sidechain }) => !sidechain)
  const starts = main.filter(({ boundary, parent }, i) => boundary || (parent === null && i > 0))
  for (const { row } of starts) {
    const facts = factsOf(file.path)
    const builder = startGraph()
    for (const parsed of file.rows.slice(0, row - 1)) builder.addRow(facts, parsed)
    for (const uuid of ids(builder.build())) live.add(uuid)
  }
  return live
}

/** A tool result, a part of an answer or a typed prompt of the main conversation. */
function isSaid(graph: Graph, { uuid, type, sidechain }: Plain): boolean {
  if (sidechain || (type !== 'user' && type !== 'assistant')) return false
  const says = graph.node(nodeOf(graph, uuid)).type
  return type === 'assistant' || says === 'result' || says === 'prompt'
}

interface Shared {
  readonly answered: ReadonlySet<string>
  readonly called: ReadonlySet<string>
  /** Messages that hold more than thinking and calls without a result. */
  readonly spoken: ReadonlySet<string>
  readonly children: ReadonlyMap<string, readonly Plain[]>
}

function sharedFacts(file: CorpusFile): Shared {
  const main = file.plain.filter(({ sidechain }) => !sidechain)
  const answered = new Set(main.flatMap(({ results }) => results))
  const spoken = main.filter(({ blocks, calls }) =>
    calls.length > 0 ? calls.some(id => answered.has(id)) : blocks.some(type => !type.endsWith('thinking')),
  )
  return {
    answered,
    called: new Set(main.flatMap(({ calls }) => calls)),
    spoken: new Set(spoken.flatMap(({ message }) => (message === null ? [] : [message]))),
    children: plainChildren(file),
  }
}

/** Why an entry was never to be sent again; null where it should have been. */
function whyNot(
  graph: Graph,
  entry: Plain,
  { answered, called: calls, spoken, children }: Shared,
): string | null {
  const node = nodeOf(graph, entry.uuid)
  if (entry.apiError) return 'a notice of a failed request'
  if (graph.originalOf(node) !== node) return 'a copy'
  if (graph.lineOf(node)?.status !== 'live') return 'on a branch that was left'
  if (entry.type === 'assistant' && entry.message !== null && !spoken.has(entry.message))
    return 'thinking only'
  if (entry.calls.length > 0 && entry.calls.every(id => !answered.has(id))) return 'a call without result'
  if (entry.results.length > 0 && entry.results.every(id => !calls.has(id)))
    return 'a result whose call is gone'
  if (entry.synthetic) return 'a stub'
  return isLeftAlone(graph, entry, children) ? 'a side entry that was taken back' : null
}

/** A prompt beside another entry of its fork, with no answer below. */
function isLeftAlone(graph: Graph, entry: Plain, children: Shared['children']): boolean {
  const kinds = new Set(['retry', 'taken-back', 'companion'])
  const node = nodeOf(graph, entry.uuid)
  if (!graph.forks().some(({ kind, children: all }) => kinds.has(kind) && all.includes(node))) return false
  const open = [entry]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at.type === 'assistant') return false
    open.push(...(children.get(at.uuid) ?? []))
  }
  return true
}
