/** `dagline graph`: the whole conversation graph without contents, or its sums. */
import {
  diagnosticJson,
  type GraphSummary,
  PARTS,
  type Part,
  type ProjectFacts,
  type RuleCount,
} from '@dagline/app'
import { diagnosticAdvice } from '@dagline/core'
import { bytes, count, plural } from '@dagline/core/format'
import { sumOf } from '@dagline/core/model'
import { type AddCommand, defineCommand, flag } from '../command.js'
import type { Console } from '../console.js'
import type { JsonFields } from '../json/fields.js'
import { figureColumn, tableLines } from '../print/table.js'

export const graphCommand: AddCommand = defineCommand({
  usage: 'graph [session|path...]',
  description: 'Print the whole conversation graph, without contents.',
  options: { summary: flag('--summary', 'print totals, and the number of diagnostics by rule') },
  examples: [
    'dagline graph ~/.claude/projects --summary',
    'dagline graph latest --summary',
    'dagline graph session.jsonl --json | jq .totals',
    'dagline graph . --json | jq \'.forks[] | select(.kind == "rewind")\'',
  ],
  run: async (console, words, { summary: isSummary }) => {
    const { json } = console.options
    if (json && !isSummary)
      return await console.printJson('graph', factsOf(await console.history.facts(words)))
    const summary = await console.history.summary(words)
    if (json) await console.printJson('graph', { totals: summary.totals, diagnostics: summary.rules })
    else if (summary.totals.files > 0) await console.print(summaryLines(console, summary))
    if (!isSummary && summary.totals.files > 0) console.note('This is the summary; --json prints everything.')
  },
})

function factsOf({ projects, totals, found }: GraphSummary<ProjectFacts>): JsonFields<'graph'> {
  const lists = (parts: readonly Part[]): Partial<Record<Part, { readonly json: Iterable<string> }>> =>
    Object.fromEntries(parts.map(part => [part, { json: each(projects, facts => facts.parts[part]) }]))
  const agents = PARTS.indexOf('agents')
  return {
    ...lists(PARTS.slice(0, agents)),
    live: { record: liveOf(projects) },
    ...lists(PARTS.slice(agents)),
    tools: toolsOf(projects),
    diagnostics: {
      json: [...found.map(diagnosticJson), ...projects.flatMap(({ diagnostics }) => diagnostics)],
    },
    totals,
  }
}

function* each<T, I>(items: readonly T[], inner: (item: T) => Iterable<I>): Generator<I> {
  for (const item of items) yield* inner(item)
}

/** By file. A path that two roots have gets its root before it. */
function liveOf(projects: readonly ProjectFacts[]): ReadonlyMap<string, string> {
  const live = new Map<string, string>()
  for (const { root, live: files } of projects) {
    for (const [file, nodes] of files) live.set(live.has(file) ? `${root}/${file}` : file, nodes)
  }
  return live
}

function toolsOf(projects: readonly ProjectFacts[]): ProjectFacts['tools'] {
  return {
    calls: sumOf(projects, ({ tools }) => tools.calls),
    results: sumOf(projects, ({ tools }) => tools.results),
    unanswered: projects.flatMap(({ tools }) => tools.unanswered),
    stray: projects.flatMap(({ tools }) => tools.stray),
  }
}

function* summaryLines(console: Console, { totals, rules }: GraphSummary<never>): Generator<string> {
  const { style } = console
  yield `${plural(totals.files, 'file')}, ${bytes(totals.bytes)}`
  yield `${plural(totals.rows, 'row')}: ${plural(totals.entries, 'record')}, ${count(totals.blank)} blank, ${count(totals.damaged)} damaged`
  yield `${plural(totals.nodes, 'node')}: ${plural(totals.placed, 'placed', 'placed')}, ${count(totals.folded)} folded as copies`
  yield `${plural(totals.forks, 'fork')}, ${plural(totals.rewinds, 'of them with a branch', 'of them with branches')} (rewinds, or two processes)`
  if (rules.length > 0) yield ''
  const paint = (text: string, { severity }: RuleCount): string =>
    severity === 'info' ? style.faint(text) : style.bad(text)
  yield* tableLines(
    rules,
    [
      figureColumn('count', rule => rule.count),
      { title: 'diagnostic', text: rule => rule.rule },
      { title: 'severity', text: rule => rule.severity, paint },
    ],
    console,
  )
  // A rule that is given with two severities has two counts, and one advice.
  for (const rule of new Set(rules.map(each => each.rule))) {
    const advice = diagnosticAdvice(rule)
    if (advice !== null) yield style.faint(`${rule}: ${advice}`)
  }
}
