/** `dagline usage`: tokens and cost by day, project, model and so on; and the cost of abandoned branches. */
import type { UsageReport } from '@dagline/app'
import { PRICES_AS_OF, USAGE_KEYS, type UsageGroup, type UsageSum } from '@dagline/core/measure'
import { type AddCommand, choice, conflicting, defineCommand, flag, INDEX, text } from '../command.js'
import type { Facts } from '../console.js'
import { UNDERCOUNT_REASON, usageMarkdown, usageTable } from '../print/usage.js'

export const usageCommand: AddCommand = defineCommand({
  usage: 'usage [session|path...]',
  description: 'Show tokens and cost; each API message counts once.',
  options: {
    index: INDEX,
    by: choice(
      '--by <what>',
      'what a row stands for (default: day; with --branch: branch)',
      USAGE_KEYS,
      null,
    ),
    branch: flag('--branch', 'only abandoned branches, one row each'),
    since: text('--since <date>', 'only from this day, month or year (2026-03-01, 2026-03)'),
    until: text('--until <date>', 'only up to and including this day, month or year'),
    project: text('--project <name>', 'only projects whose name contains this'),
    session: text('--session <id>', 'only this session: an id, a unique prefix of one, or "latest"'),
    markdown: conflicting(flag('--markdown', 'print a Markdown table'), ['json']),
  },
  examples: [
    'dagline usage',
    'dagline usage --by model --since 2026-10',
    'dagline usage --branch --session latest',
    'dagline usage --by month --markdown > report.md',
    "dagline usage --by project --json | jq '.rows[] | [.key, .costUSD]'",
  ],
  run: async (console, words, options) => {
    const report = await console.history.usageReport(words, options)
    if (console.options.json) await console.printJson(factsOf(report))
    else if (report.tally.totals.messages === 0) console.note(nothingCounted(report))
    else await console.print(options.markdown ? usageMarkdown(report) : usageTable(report, console))
  },
})

function nothingCounted({ whole }: UsageReport): string {
  if (whole === null || whole.messages === 0) return 'No API messages with usage were found.'
  return 'No abandoned branch has usage: everything that was counted is live.'
}

function factsOf({ by, tally, whole }: UsageReport): Facts {
  const { messages, output, missing } = tally.undercounted
  return {
    by: by === 'line' ? 'branch' : by,
    totals: sumFacts(tally.totals),
    ...(whole === null ? {} : { whole: sumFacts(whole) }),
    rows: { list: tally.groups.map(groupFacts) },
    unknownModels: tally.unpriced.map(({ key }) => key),
    unpriced: { list: tally.unpriced.map(groupFacts) },
    undercounted: { messages, why: UNDERCOUNT_REASON, output, missingOutput: missing },
    pricesAsOf: PRICES_AS_OF,
  }
}

function groupFacts(group: UsageGroup): Facts {
  return { key: group.key, ...sumFacts(group), models: group.models }
}

function sumFacts(sum: UsageSum): Facts {
  const { messages, input, output, cacheRead, cacheWrite5m, cacheWrite1h, webSearches, cost } = sum
  return { messages, input, output, cacheRead, cacheWrite5m, cacheWrite1h, costUSD: cost, webSearches }
}
