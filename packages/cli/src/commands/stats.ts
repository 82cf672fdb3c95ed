/** `dagline stats`: subagents, delegation, patterns, flows, tools, and what happened to conversations. */
import { isoTime } from '@dagline/core/format'
import { type Durations, quantileOf, type Spent, type Stats } from '@dagline/core/measure'
import { type AddCommand, defineCommand, flag, INDEX, PROJECT, refuseBoth } from '../command.js'
import { unreadField } from '../console.js'
import type { JsonFields } from '../json/fields.js'
import type { SpentJson } from '../json/history.js'
import type { DurationJson } from '../json/shared.js'
import { shared } from '../options.js'
import { statsLines } from '../print/stats.js'

export const statsCommand: AddCommand = defineCommand({
  usage: 'stats [session|path...]',
  description: 'Show statistics: subagents, delegation, patterns, turns, tools, rewinds and more.',
  options: { index: INDEX, project: PROJECT, all: flag(...shared('all', ' of long tables')) },
  examples: [
    'dagline stats',
    'dagline stats latest',
    'dagline stats ~/.claude/projects/-home-dev-shop --all',
    "dagline stats --json | jq '.tools[] | [.tool, .calls, .ends.error]'",
  ],
  run: async (console, given, { index, project, all: isAll }) => {
    refuseBoth(given, project)
    const words = project === null ? given : [project]
    const { stats, projects, isEmpty } = await console.history.stats(words, { index })
    if (console.options.json)
      await console.printJson('stats', { ...factsOf(stats, projects), ...unreadField(console) })
    else if (!isEmpty) await console.page(() => statsLines(console, stats, { projects, isAll }))
  },
})

function factsOf(stats: Stats, projects: number): JsonFields<'stats'> {
  const { totals, queue, rewinds } = stats
  const { spent, first, last, ...counts } = totals
  const timed = <T extends { readonly durations: Durations }>({
    durations,
    ...row
  }: T): Omit<T, 'durations'> & TimedJson => ({
    ...row,
    ...timeFacts(durations),
  })
  return {
    totals: { projects, ...counts, first: isoTime(first), last: isoTime(last), ...spentFacts(spent) },
    agents: {
      list: stats.agents.map(({ spent: own, durations, ...row }) => ({
        ...row,
        ...spentFacts(own),
        ...timeFacts(durations),
      })),
    },
    delegation: { list: stats.delegation },
    patterns: { list: stats.patterns },
    flows: { list: stats.flows.map(timed) },
    tools: { list: stats.tools.map(timed) },
    compactions: { list: stats.compactions },
    rewinds: {
      ...rewinds,
      left: rewinds.left.map(({ spent: own, ...row }) => ({ ...row, ...spentFacts(own) })),
    },
    queue: { ...queue, lost: queue.lost.map(lost => ({ ...lost, time: isoTime(lost.time) })) },
    hours: stats.hours,
  }
}

/** As `usage` has it, and how many messages have no price. */
function spentFacts(spent: Spent): SpentJson {
  const { messages, input, output, cacheRead, cacheWrite5m, cacheWrite1h, costUSD, unpriced } = spent
  return { messages, input, output, cacheRead, cacheWrite5m, cacheWrite1h, costUSD, unpriced }
}

interface TimedJson {
  readonly durationMs: DurationJson
}

/** In milliseconds. Median and p90 are right to a twentieth. */
function timeFacts(durations: Durations): TimedJson {
  const { count, total, longest } = durations
  const [median, p90] = [quantileOf(durations, 0.5), quantileOf(durations, 0.9)]
  return { durationMs: { count, total, median, p90, longest } }
}
