/** `dagline graph`: everything, as the contract has it. Projects are read one by one; only what is printed is kept. */
import { type Diagnostic, type Graph, never, type Totals } from '@dagline/core'
import type { FoundRoot } from '@dagline/store'
import type { Console } from '../console.js'
import { bytes, count } from '../print/figures.js'
import { jsonLines } from '../print/json.js'
import { tableLines } from '../print/table.js'
import { describeProject, PARTS, type Part } from '../read/facts.js'
import { findPlaces, nothingFound, placesOf } from '../read/places.js'
import { allFindings, loadProjects } from '../read/project.js'

/** Prints the graph of all paths. */
export async function graph(console: Console, paths: readonly string[], isSummary: boolean): Promise<void> {
  const roots = findPlaces(paths, console)
  if (placesOf(roots).length === 0) console.note(nothingFound(paths, console))
  if (isSummary || !console.options.json) await printSummary(console, roots, !isSummary)
  else await console.print(everything(console, roots))
}

function* everything(console: Console, roots: readonly FoundRoot[]): Generator<string> {
  const parts = new Map<Part, unknown[]>(PARTS.map(part => [part, []]))
  const live = new Map<string, unknown>()
  const tools = { calls: 0, results: 0, unanswered: [] as unknown[], stray: [] as unknown[] }
  const sums = { ...NOTHING }
  const found: Diagnostic[] = roots.flatMap(root => root.diagnostics)
  for (const loaded of loadProjects(placesOf(roots), console)) {
    const facts = describeProject(loaded)
    for (const part of PARTS) for (const item of facts[part]()) parts.get(part)?.push(item)
    for (const [file, nodes] of facts.live())
      live.set(live.has(file) ? `${loaded.root}/${file}` : file, nodes)
    const own = facts.tools()
    tools.calls += own.calls
    tools.results += own.results
    for (const item of own.unanswered) tools.unanswered.push(item)
    for (const item of own.stray) tools.stray.push(item)
    for (const diagnostic of allFindings(loaded)) found.push(diagnostic)
    addTotals(sums, loaded.graph)
  }
  const list = (part: Part): readonly [string, unknown] => [part, { list: parts.get(part) ?? [] }]
  yield* jsonLines([
    ['dagline', 1],
    ...PARTS.slice(0, PARTS.indexOf('agents')).map(list),
    ['live', { record: live }],
    ...PARTS.slice(PARTS.indexOf('agents')).map(list),
    ['tools', tools],
    ['diagnostics', { list: found.map(diagnosticFacts) }],
    ['totals', sums],
  ])
}

function diagnosticFacts({ rule, severity, file, row, node, message }: Diagnostic): Diagnostic {
  return { rule, severity, file, row, node, message }
}

const NOTHING: Totals = {
  files: 0,
  bytes: 0,
  rows: 0,
  entries: 0,
  blank: 0,
  damaged: 0,
  nodes: 0,
  placed: 0,
  folded: 0,
  forks: 0,
  rewinds: 0,
}

type Sums = { -readonly [K in keyof Totals]: number }

function addTotals(sums: Sums, graph: Graph): void {
  const totals = graph.totals()
  for (const key of totalNames) sums[key] += totals[key]
}

const totalNames = [
  'files',
  'bytes',
  'rows',
  'entries',
  'blank',
  'damaged',
  'nodes',
  'placed',
  'folded',
  'forks',
  'rewinds',
] as const satisfies readonly (keyof Totals)[]

interface RuleCount {
  readonly rule: string
  readonly severity: Diagnostic['severity']
  readonly count: number
}

async function printSummary(console: Console, roots: readonly FoundRoot[], hasHint: boolean): Promise<void> {
  const sums = { ...NOTHING }
  const counts = new Map<string, number>()
  const add = ({ rule, severity }: Diagnostic): void => {
    counts.set(`${rule} ${severity}`, (counts.get(`${rule} ${severity}`) ?? 0) + 1)
  }
  for (const root of roots) root.diagnostics.forEach(add)
  for (const loaded of loadProjects(placesOf(roots), console)) {
    addTotals(sums, loaded.graph)
    allFindings(loaded).forEach(add)
  }
  const rules = [...counts].map(([key, number]) => ruleCount(key, number)).sort(bySeverity)
  if (console.options.json)
    await console.print(
      jsonLines([
        ['dagline', 1],
        ['totals', sums],
        ['diagnostics', rules],
      ]),
    )
  else await console.print(summaryLines(console, sums, rules))
  if (hasHint) console.note('This is the summary; --json prints everything.')
}

function ruleCount(key: string, number: number): RuleCount {
  const [rule = '', severity = 'info'] = key.split(' ')
  return { rule, severity: severity === 'error' || severity === 'warning' ? severity : 'info', count: number }
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
