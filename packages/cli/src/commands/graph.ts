/** `dagline graph`: everything, as the contract has it, or its sums. */

import {
  diagnosticJson,
  type GraphSummary,
  jsonLines,
  PARTS,
  type Part,
  type ProjectFacts,
  type RuleCount,
} from '@dagline/app'
import type { Totals } from '@dagline/core'
import { bytes, plural } from '@dagline/core/format'
import type { Command } from 'commander'
import { type Action, command, finish } from '../command.js'
import type { Console } from '../console.js'
import { tableLines } from '../print/table.js'

/** Adds `dagline graph`. */
export function addGraph(program: Command): void {
  const made = command(
    program,
    'graph [session|path...]',
    'Print the whole conversation graph, without contents.',
  ).option('--summary', 'print totals, and the number of diagnostics by rule')
  const act: Action = async (console, words, { summary }) => {
    await graph(console, words, summary === true)
  }
  finish(made, act, [
    'dagline graph ~/.claude/projects --summary',
    'dagline graph latest --summary',
    'dagline graph session.jsonl --json | jq .totals',
    'dagline graph . --json | jq \'.forks[] | select(.kind == "rewind")\'',
  ])
}

/** Prints the graph of everything that the words name; of all without any. */
async function graph(console: Console, words: readonly string[], isSummary: boolean): Promise<void> {
  if (isSummary || !console.options.json) {
    await printSummary(console, await console.history.summary(words))
    if (!isSummary) console.note('This is the summary; --json prints everything.')
    return
  }
  await console.print(everything(await console.history.facts(words)))
}

function everything({ projects, totals, found }: GraphSummary<ProjectFacts>): Iterable<string> {
  const list = (part: Part): readonly [string, unknown] => [
    part,
    { json: each(projects, facts => facts.parts[part]) },
  ]
  const agents = PARTS.indexOf('agents')
  return jsonLines([
    ['dagline', 1],
    ...PARTS.slice(0, agents).map(list),
    ['live', { record: liveOf(projects) }],
    ...PARTS.slice(agents).map(list),
    ['tools', toolsOf(projects)],
    [
      'diagnostics',
      { json: [...found.map(diagnosticJson), ...projects.flatMap(facts => facts.diagnostics)] },
    ],
    ['totals', totals],
  ])
}

function* each<T, I>(items: readonly T[], inner: (item: T) => Iterable<I>): Generator<I> {
  for (const item of items) yield* inner(item)
}

/** By file; a path that two roots have is told apart by its root. */
function liveOf(projects: readonly ProjectFacts[]): ReadonlyMap<string, string> {
  const live = new Map<string, string>()
  for (const { root, live: files } of projects) {
    for (const [file, nodes] of files) live.set(live.has(file) ? `${root}/${file}` : file, nodes)
  }
  return live
}

function toolsOf(projects: readonly ProjectFacts[]): ProjectFacts['tools'] {
  const sum = (pick: (tools: ProjectFacts['tools']) => number): number =>
    projects.reduce((total, { tools }) => total + pick(tools), 0)
  return {
    calls: sum(tools => tools.calls),
    results: sum(tools => tools.results),
    unanswered: projects.flatMap(({ tools }) => tools.unanswered),
    stray: projects.flatMap(({ tools }) => tools.stray),
  }
}

async function printSummary(console: Console, { totals, rules }: GraphSummary<never>): Promise<void> {
  const fields = Object.entries({ dagline: 1, totals, diagnostics: rules })
  await console.print(console.options.json ? jsonLines(fields) : summaryLines(console, totals, rules))
}

function* summaryLines(
  { style, width }: Console,
  sums: Totals,
  rules: readonly RuleCount[],
): Generator<string> {
  yield `${plural(sums.files, 'file')}, ${bytes(sums.bytes)}`
  yield `${plural(sums.rows, 'row')}: ${plural(sums.entries, 'record')}, ${sums.blank} blank, ${sums.damaged} damaged`
  yield `${plural(sums.nodes, 'node')}: ${plural(sums.placed, 'placed', 'placed')}, ${sums.folded} folded as copies`
  yield `${plural(sums.forks, 'fork')}, ${plural(sums.rewinds, 'of them a rewind', 'of them rewinds')}`
  if (rules.length === 0) return
  yield ''
  const paint = (text: string, { severity }: RuleCount): string =>
    severity === 'info' ? style.faint(text) : style.bad(text)
  yield* tableLines(
    rules,
    [
      { title: 'count', text: rule => rule.count.toLocaleString('en'), side: 'left' },
      { title: 'diagnostic', text: rule => rule.rule },
      { title: 'severity', text: rule => rule.severity, paint },
    ],
    { width, title: style.faint },
  )
}
