/** Parts of documents about conformance: pictures of shapes for conformance/SHAPES.md, tables for docs/CONFORMANCE.md. */
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { ROOT, readText } from './sources.ts'

/** Recordings that show a shape, and the beginning of the session's id where there are several. */
const SHAPES: Readonly<Record<string, readonly [recording: string, session?: string]>> = {
  rewind: ['2.1.325/s13_rewind'],
  'summarized-rewind': ['2.1.325/s13f_summarize_up_to'],
  'parallel-tools': ['2.1.325/s03_parallel_tools'],
  compaction: ['2.1.325/s09_compact_headless'],
  resume: ['2.1.325/s11_resume'],
  'resume-copy': ['1.0.66/s05_subagent', '8298'],
  'two-writers': ['2.1.325/s11c_two_writers'],
  fork: ['2.1.325/s12_fork_session', 'ff8c'],
  subagents: ['2.1.325/s06_parallel_subagents'],
  'nested-subagents': ['2.1.325/s07_nested_subagents'],
  'background-subagent': ['2.1.325/s08_background_agent'],
  workflow: ['2.1.325/s24d_workflow'],
  teammate: ['2.1.325/s24h_teammates'],
  worktree: ['2.1.325/s24f_stay_in_worktree'],
  clear: ['2.1.325/s14_clear', '7ff3'],
  queue: ['2.1.325/s16c_queue_ui'],
  hooks: ['2.1.325/s15_hooks'],
  interrupt: ['2.1.325/s18b_interrupt'],
}

/** Pictures by the name of the shape, drawn by a build of the command. */
export async function drawShapes(command: string): Promise<ReadonlyMap<string, string>> {
  const drawn = Object.entries(SHAPES).map(
    async ([name, [recording, session = '']]) => [name, await draw(command, recording, session)] as const,
  )
  return new Map(await Promise.all(drawn))
}

async function draw(command: string, recording: string, session: string): Promise<string> {
  const folder = `fixtures/recordings/${recording}/projects`
  const paths = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
  const isSession = ([, name = '', ...deeper]: readonly string[]): boolean =>
    deeper.length === 0 && name.endsWith('.jsonl') && name.startsWith(session)
  const file = `${folder}/${paths.sort().find(each => isSession(each.split(/[/\\]/)))}`
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [command, 'log', '--graph', '--quiet', file], {
    cwd: ROOT,
    env: { PATH, TZ: 'UTC', COLUMNS: '100' },
  })
  const picture = await text(child.stdout)
  if (picture === '') throw new Error(`dagline log printed nothing for ${file}`)
  return `\`\`\`text\n${picture.trim()}\n\`\`\``
}

/** What `conformance/score.js` stores of a reader. */
interface Result {
  readonly reader: string
  readonly recordings: number
  readonly hasOthers: boolean
  readonly all: Counts
  readonly releases: Readonly<Record<string, Counts>>
  readonly shapes: Readonly<Record<string, Counts>>
}

type Counts = Readonly<Record<string, number>>

/** The tables of results: readers side by side, then by shape and by release. */
export function resultTables(): string {
  const results: readonly Result[] = JSON.parse(readText('conformance/results.json'))
  const sorted = results.toSorted((a, b) => (b.all.lenient ?? 0) - (a.all.lenient ?? 0))
  const names = sorted.map(({ reader }) => reader)
  const all = sorted[0]?.all ?? {}
  return [
    `${sorted[0]?.recordings ?? 0} recordings, ${all.sessions} sessions, ${all.subagents} subagents.`,
    table(['', ...names], measures(all, sorted)),
    '### Sessions right by shape, strict / lenient',
    table(['Shape', 'Sessions', ...names], grouped(sorted, 'shapes')),
    '### Sessions right by release, strict / lenient',
    table(['Release', 'Sessions', ...names], grouped(sorted, 'releases')),
  ].join('\n\n')
}

function measures(all: Counts, results: readonly Result[]): readonly (readonly string[])[] {
  const row = (title: string, cell: (counts: Counts, result: Result) => unknown): readonly string[] => [
    title,
    ...results.map(result => String(cell(result.all, result))),
  ]
  return [
    row(`Sessions right, strict (of ${all.sessions})`, ({ strict }) => strict),
    row(`Sessions right, lenient (of ${all.sessions})`, ({ lenient }) => lenient),
    row(`Sessions in the order of sending (of ${all.sessions})`, ({ ordered }) => ordered),
    row(`Live entries missing (of ${all.entries})`, ({ missing }) => missing),
    row(`Abandoned entries shown as live (of ${all.abandoned})`, ({ shownAbandoned }) => shownAbandoned),
    row(`Subagents at their call (of ${all.subagents})`, ({ atCall }) => atCall),
    row(`Conversations of subagents right, lenient (of ${all.subagentFiles})`, each => each.subagentsRight),
    row(`Rows lost (of ${all.rows})`, ({ lost }, { hasOthers }) => (hasOthers ? lost : 'live only')),
  ]
}

function grouped(results: readonly Result[], by: 'shapes' | 'releases'): readonly (readonly string[])[] {
  const keys = new Set(results.flatMap(result => Object.keys(result[by])))
  const sorted = [...keys].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  return sorted.map(key => [
    key,
    String(results[0]?.[by][key]?.sessions ?? 0),
    ...results.map(result => `${result[by][key]?.strict ?? 0} / ${result[by][key]?.lenient ?? 0}`),
  ])
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [
    line(head),
    `|---|${head
      .slice(1)
      .map(() => '--:|')
      .join('')}`,
    ...rows.map(line),
  ].join('\n')
}
