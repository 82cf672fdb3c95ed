/** `dagline usage`: tokens and cost by day, project, model and so on; and the cost of abandoned branches. */
import { type ReportKey, UserError } from '@dagline/app'
import { USAGE_KEYS } from '@dagline/core/measure'
import {
  type AddCommand,
  choice,
  conflicting,
  defineCommand,
  flag,
  INDEX,
  PROJECT,
  SESSION,
} from '../command.js'
import { SPAN_OPTIONS } from '../list.js'
import { BRANCHES, shared } from '../options.js'
import { usageMarkdown, usageTable } from '../print/usage.js'
import { REPORTS, usageFacts } from '../print/usage-json.js'

export const usageCommand: AddCommand = defineCommand({
  usage: 'usage [report|session|path...]',
  description: 'Show tokens and cost; each API message counts once.',
  notes: `
Reports: daily, weekly, monthly and session are short for --by; blocks shows windows of five hours, which
begin with the full hour of their first message. With one of them, --json adds the fields of ccusage.`,

  options: {
    index: INDEX,
    by: choice(
      '--by <what>',
      'what a row stands for (default: day; with --branch abandoned: branch)',
      USAGE_KEYS,
      null,
    ),
    branch: choice(...shared('branch', '; abandoned ones get a row each'), BRANCHES, null),
    ...SPAN_OPTIONS,
    project: PROJECT,
    session: SESSION,
    markdown: conflicting(flag('--markdown', 'print a Markdown table'), ['json']),
  },
  examples: [
    'dagline usage',
    'dagline usage weekly --since 30d',
    'dagline usage blocks --since today',
    'dagline usage --by model --since 2026-10',
    'dagline usage --branch abandoned --session latest',
    'dagline usage --by month --markdown > report.md',
    "dagline usage --by project --json | jq '.rows[] | [.key, .costUSD]'",
  ],
  run: async (console, words, options) => {
    const { name, by, paths } = reportAsked(words, options.by)
    const report = await console.history.usageReport(paths, { ...options, by })
    if (console.options.json) await console.printJson('usage', usageFacts(report, name))
    else if (report.nothing !== null) console.note(report.nothing)
    else await console.page(() => (options.markdown ? usageMarkdown(report) : usageTable(report, console)))
  },
})

interface Asked {
  /** The report that was named; null for none. */
  readonly name: string | null
  readonly by: ReportKey | null
  readonly paths: readonly string[]
}

/** The first word may name a report. */
function reportAsked(words: readonly string[], by: ReportKey | null): Asked {
  const [name = '', ...paths] = words
  const report = Object.hasOwn(REPORTS, name) ? REPORTS[name] : undefined
  if (report === undefined) return { name: null, by, paths: words }
  if (by !== null && by !== report)
    throw new UserError(`${name} and --by ${by} are two reports. Give one of them.`)
  return { name, by: report, paths }
}
