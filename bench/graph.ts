/**
 * What issue and design promise about speed, as ratios within one run:
 *
 *   summary   `dagline graph CORPUS --summary` against the floor: every row through JSON.parse once on one thread
 *   sync      a cold sync of the corpus against the floor, and of a large archive where one is named
 *   session   one generated session of 1,000,000 entries: built after parsing, per entry against one of 10,000
 *   append    ten rows appended to it
 *
 * `npm run bench:graph` prints them; `npm run bench:graph -- CORPUS LARGE` names folders of transcripts. Nothing here is asserted:
 * machines are noisy, and the figures that count are in docs/PERFORMANCE.md.
 */
import { join } from 'node:path'
import {
  agentId,
  appendRows,
  type FileFacts,
  fileId,
  type Graph,
  type ParsedRow,
  parseRow,
  sessionId,
  startGraph,
} from '@dagline/core'
import { generate } from '@dagline/testkit'
import {
  COMMAND,
  compareColdSync,
  compareWithFloor,
  corpusFolder,
  print,
  quantile,
  seconds,
  temporaryFolder,
  timeOf,
} from './measure.ts'

function benchSession(): void {
  const small = buildSession(10_000)
  const large = buildSession(1_000_000)
  const { nodes, forks, rewinds } = large.graph.totals()
  print(
    'session',
    `${nodes} entries built in ${seconds(large.ms)} beside parsing (${forks} forks, ${rewinds} rewinds)`,
  )
  const times = large.ms / nodes / (small.ms / small.graph.totals().nodes)
  print(
    'session',
    `per entry ${((large.ms / nodes) * 1000).toFixed(2)} µs, ${times.toFixed(2)} times that of 10,000 entries`,
  )
  benchAppend(large)
}

/** A row and the file it stands in. */
interface FileRow {
  readonly facts: FileFacts
  readonly row: ParsedRow
}

interface Built {
  readonly graph: Graph
  /** Time for filing, linking, judging every fork and laying out all lines; not for parsing. */
  readonly ms: number
  /** Rows of the main file that follow, for appending. */
  readonly more: readonly FileRow[]
}

/** Leaves out the session of a million entries. */
const NO_SESSION = '--no-session'
const BATCH = 2000
const LEFT_FOR_LATER = 500

/**
 * One session with forks, agents, parallel tools and compactions, as 2.1.197 writes it. Rows are parsed in batches,
 * which is not timed, and added as they come, as a reader does.
 */
function buildSession(entries: number): Built {
  const files = new Map<string, { readonly facts: FileFacts; rows: number }>()
  const builder = startGraph()
  let waiting: FileRow[] = []
  let ms = 0
  const addAll = (rows: readonly FileRow[]): void => {
    ms += timeOf(() => {
      for (const { facts, row } of rows) builder.addRow(facts, row)
    })
  }
  const writeRow = (path: string, text: string): void => {
    const file = files.get(path) ?? { facts: factsOf(path), rows: 0 }
    files.set(path, file)
    for (const line of text.split('\n').filter(part => part !== '')) {
      const place = { row: ++file.rows, offset: file.rows * 400, length: line.length }
      waiting.push({ facts: file.facts, row: parseRow({ ...place, text: line, whole: true }) })
    }
    if (waiting.length < BATCH + LEFT_FOR_LATER) return
    addAll(waiting.slice(0, BATCH))
    waiting = waiting.slice(BATCH)
  }
  generate(11, { style: '2.1.197', entries: entries + LEFT_FOR_LATER, oneSession: true, writeRow })
  addAll(waiting.slice(0, -LEFT_FOR_LATER))
  let graph = startGraph().build()
  ms += timeOf(() => {
    graph = builder.build()
    graph.lines()
  })
  return { graph, ms, more: waiting.slice(-LEFT_FOR_LATER).filter(({ facts }) => facts.kind === 'session') }
}

function factsOf(path: string): FileFacts {
  const stem =
    path
      .split('/')
      .at(-1)
      ?.replace(/\.jsonl$/, '') ?? path
  const agent = stem.startsWith('agent-') ? agentId(stem.slice('agent-'.length)) : null
  const session = agent === null ? stem : (/([^/]+)\/subagents\//.exec(path)?.[1] ?? stem)
  const kind = agent === null ? 'session' : 'agent'
  return { path: fileId(path), kind, session: sessionId(session), agent, run: null, meta: null }
}

function benchAppend({ graph, more }: Built): void {
  const facts = more[0]?.facts
  if (facts === undefined) return
  let next = graph
  next.live(facts.path)
  const times: number[] = []
  for (let at = 0; at + 10 <= more.length; at += 10) {
    const rows = more.slice(at, at + 10).map(({ row }) => row)
    const append = (): void => {
      next = appendRows(next, [{ facts, rows }])
      next.live(facts.path)
    }
    times.push(timeOf(append))
  }
  const [half, most] = [quantile(times, 0.5).toFixed(2), quantile(times, 1).toFixed(2)]
  print('append', `ten rows, and what is live then: ${half} ms, at most ${most} ms`)
}

const folders = process.argv.slice(2).filter(word => word !== NO_SESSION)
const corpus = corpusFolder(folders[0])
if (corpus === null) print('summary', 'not run, no corpus given and none beside the repository')
else {
  const args = [COMMAND, 'graph', corpus, '--summary']
  compareWithFloor('summary', { name: 'graph --summary', folder: corpus, args, limits: [1.5, 600] })
  compareColdSync(corpus, join(temporaryFolder(), 'index.db'), false)
}
const [, large] = folders
if (large !== undefined) compareColdSync(large, join(temporaryFolder(), 'index.db'), true)
if (!process.argv.includes(NO_SESSION)) benchSession()
