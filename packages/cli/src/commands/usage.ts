/** `dagline usage`: tokens and cost by day, project, model and so on; what branches cost that were left. */

import type { IndexOptions } from '@dagline/app'
import { jsonLines, type UsageFilter } from '@dagline/app'
import { isoDay } from '@dagline/core/format'
import {
  PRICES_AS_OF,
  tallyUsage,
  USAGE_KEYS,
  type UsageGroup,
  type UsageKey,
  type UsageRow,
  type UsageSum,
  type UsageTally,
} from '@dagline/core/measure'
import { type Command, Option } from 'commander'
import { type Action, command, finish, textIn, withIndexOption } from '../command.js'
import type { Console } from '../console.js'
import { UNDERCOUNT_REASON, type UsageReport, usageMarkdown, usageTable } from '../print/usage.js'

/** Adds `dagline usage`. */
export function addUsage(program: Command): void {
  const by = new Option('--by <what>', 'what a row stands for (default: day; with --branch: branch)')
  const made = withIndexOption(
    command(program, 'usage [session|path...]', 'Show tokens and cost; each API message counts once.'),
  )
    .addOption(by.choices(['day', 'week', 'month', 'project', 'session', 'model', 'agent', 'branch']))
    .option('--branch', 'only abandoned branches, one row each')
    .option('--since <date>', 'only from this day, month or year (2026-03-01, 2026-03)')
    .option('--until <date>', 'only up to and including this day, month or year')
    .option('--project <name>', 'only projects whose name contains this')
    .option('--session <id>', 'only this session: an id, a unique prefix of one, or "latest"')
    .addOption(new Option('--markdown', 'print a Markdown table').conflicts('json'))
  const act: Action = async (console, words, options) => {
    const text = (name: string): string | null => textIn(options, name)
    await usage(console, words, {
      index: text('index'),
      by: text('by'),
      branch: options['branch'] === true,
      since: text('since'),
      until: text('until'),
      project: text('project'),
      session: text('session'),
      markdown: options['markdown'] === true,
    })
  }
  finish(made, act, [
    'dagline usage',
    'dagline usage --by model --since 2026-10',
    'dagline usage --branch --session latest',
    'dagline usage --by month --markdown > report.md',
    "dagline usage --by project --json | jq '.rows[] | [.key, .costUSD]'",
  ])
}

/** What was asked for. */
interface UsageOptions extends UsageFilter, IndexOptions {
  readonly by: string | null
  /** Only branches that were left. */
  readonly branch: boolean
  readonly markdown: boolean
}

/** Prints the usage of everything that the words name; of all without any. */
async function usage(console: Console, words: readonly string[], options: UsageOptions): Promise<void> {
  const rows = await console.history.usage(words, options)
  const report = reportOf(rows, options)
  if (console.options.json) await console.print(factLines(report))
  else if (report.tally.totals.messages === 0) console.note(nothingCounted(report))
  else await console.print(options.markdown ? usageMarkdown(report) : usageTable(report, console))
}

function nothingCounted({ whole }: UsageReport): string {
  if (whole === null || whole.messages === 0) return 'No API messages with usage were found.'
  return 'No branch with usage was left here: all that was counted is live.'
}

function reportOf(rows: readonly UsageRow[], { by, branch }: UsageOptions): UsageReport {
  const key = USAGE_KEYS.find(known => known === by) ?? (branch ? 'line' : 'day')
  if (!branch)
    return { by: key, tally: tallyUsage(rows, key, isoDay), whole: null, projects: projectsOf(rows, key) }
  const left = rows.filter(isLeft)
  const whole = tallyUsage(rows, 'branch', isoDay).totals
  return { by: key, tally: tallyUsage(left, key, isoDay), whole, projects: projectsOf(left, key) }
}

/** On a branch that did not become the conversation: rewound, taken back, or tried again. */
function isLeft({ status }: UsageRow): boolean {
  return status !== 'live' && status !== 'copy'
}

/** Sessions and branches say little by their ids: the project is named beside them. */
function projectsOf(rows: readonly UsageRow[], key: UsageKey): ReadonlyMap<string, string> {
  if (key !== 'session' && key !== 'line') return new Map()
  return new Map(rows.map(row => [row[key], row.project]))
}

function factLines({ by, tally, whole }: UsageReport): Iterable<string> {
  return jsonLines([
    ['dagline', 1],
    ['by', by === 'line' ? 'branch' : by],
    ['totals', sumFacts(tally.totals)],
    ...(whole === null ? [] : [['whole', sumFacts(whole)] as const]),
    ['rows', { list: tally.groups.map(groupFacts) }],
    ['unknownModels', tally.unpriced.map(({ key }) => key)],
    ['unpriced', { list: tally.unpriced.map(groupFacts) }],
    ['undercounted', undercountFacts(tally)],
    ['pricesAsOf', PRICES_AS_OF],
  ])
}

function undercountFacts({ undercounted }: UsageTally): Readonly<Record<string, unknown>> {
  const { messages, output, missing } = undercounted
  return { messages, why: UNDERCOUNT_REASON, output, missingOutput: missing }
}

function groupFacts(group: UsageGroup): Readonly<Record<string, unknown>> {
  return { key: group.key, ...sumFacts(group), models: group.models }
}

function sumFacts(sum: UsageSum): Readonly<Record<string, unknown>> {
  const { messages, input, output, cacheRead, cacheWrite5m, cacheWrite1h, webSearches, cost } = sum
  return { messages, input, output, cacheRead, cacheWrite5m, cacheWrite1h, costUSD: cost, webSearches }
}
