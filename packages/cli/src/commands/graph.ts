/** `dagline graph`: everything, as the contract has it, or its sums. */
import {
  addRules,
  addTotals,
  bytes,
  count,
  countRules,
  diagnosticJson,
  findPlaces,
  jsonLines,
  nothingFound,
  PARTS,
  type Part,
  type ProjectFacts,
  pathsOf,
  placesOf,
  type RuleCount,
  runOnProjects,
} from '@dagline/app'
import type { Diagnostic, Totals } from '@dagline/core'
import { never } from '@dagline/core/model'
import type { FoundRoot } from '@dagline/store'
import type { Console } from '../console.js'
import { tableLines } from '../print/table.js'

/** Prints the graph of everything that the words name; of all without any. */
export async function graph(console: Console, words: readonly string[], isSummary: boolean): Promise<void> {
  const roots = findPlaces(pathsOf(words, console), console)
  const places = placesOf(roots)
  if (places.length === 0) console.note(nothingFound(words, console))
  if (isSummary || !console.options.json) {
    await printSummary(console, roots)
    if (!isSummary) console.note('This is the summary; --json prints everything.')
    return
  }
  const projects = await runOnProjects('describeProject', places, console)
  await console.print(everything(roots, projects))
}

function everything(roots: readonly FoundRoot[], projects: readonly ProjectFacts[]): Iterable<string> {
  const list = (part: Part): readonly [string, unknown] => [
    part,
    { json: each(projects, facts => facts.parts[part]) },
  ]
  const found = roots.flatMap(root => root.diagnostics.map(diagnosticJson))
  const agents = PARTS.indexOf('agents')
  return jsonLines([
    ['dagline', 1],
    ...PARTS.slice(0, agents).map(list),
    ['live', { record: liveOf(projects) }],
    ...PARTS.slice(agents).map(list),
    ['tools', toolsOf(projects)],
    ['diagnostics', { json: [...found, ...projects.flatMap(facts => facts.diagnostics)] }],
    ['totals', addTotals(projects.map(facts => facts.totals))],
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

async function printSummary(console: Console, roots: readonly FoundRoot[]): Promise<void> {
  const projects = await runOnProjects('summarise', placesOf(roots), console)
  const totals = addTotals(projects.map(summary => summary.totals))
  const found = countRules(roots.flatMap(root => root.diagnostics))
  const rules = [...addRules([...found, ...projects.flatMap(summary => summary.rules)])].sort(bySeverity)
  const fields = Object.entries({ dagline: 1, totals, diagnostics: rules })
  await console.print(console.options.json ? jsonLines(fields) : summaryLines(console, totals, rules))
}

function bySeverity(a: RuleCount, b: RuleCount): number {
  return weight(b.severity) - weight(a.severity) || b.count - a.count || (a.rule < b.rule ? -1 : 1)
}

function weight(severity: Diagnostic['severity']): number {
  switch (severity) {
    case 'error':
      return 2
    case 'warning':
      return 1
    case 'info':
      return 0
    default:
      return never(severity)
  }
}

function* summaryLines(
  { style, width }: Console,
  sums: Totals,
  rules: readonly RuleCount[],
): Generator<string> {
  yield `${count(sums.files, 'file')}, ${bytes(sums.bytes)}`
  yield `${count(sums.rows, 'row')}: ${count(sums.entries, 'record')}, ${sums.blank} blank, ${sums.damaged} damaged`
  yield `${count(sums.nodes, 'node')}: ${count(sums.placed, 'placed', 'placed')}, ${sums.folded} folded as copies`
  yield `${count(sums.forks, 'fork')}, ${count(sums.rewinds, 'of them a rewind', 'of them rewinds')}`
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
