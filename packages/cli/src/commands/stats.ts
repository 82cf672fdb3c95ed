/** `dagline stats`: agents, delegation, patterns, flows, tools, and what happened to conversations. */

import { jsonLines } from '@dagline/app'
import { isoTime } from '@dagline/core/format'
import { type Durations, quantileOf, type Spent, type Stats } from '@dagline/core/measure'
import type { Command } from 'commander'
import { type Action, command, finish } from '../command.js'
import { type Console, unreadField } from '../console.js'
import { statsLines } from '../print/stats.js'

/** Adds `dagline stats`. */
export function addStats(program: Command): void {
  const made = command(
    program,
    'stats [session|path...]',
    'Show statistics: subagents, delegation, patterns, turns, tools, rewinds and more.',
  ).option('-a, --all', 'print long tables in full')
  const act: Action = async (console, words, { all }) => {
    await stats(console, words, all === true)
  }
  finish(made, act, [
    'dagline stats',
    'dagline stats latest',
    'dagline stats ~/.claude/projects/-home-dev-proj --all',
    "dagline stats --json | jq '.tools[] | [.tool, .calls, .ends.error]'",
  ])
}

/** Prints the tables of everything that the words name: folders, and sessions by id or path; of all without any. */
async function stats(console: Console, words: readonly string[], isAll: boolean): Promise<void> {
  const { stats: all, projects, isEmpty } = await console.history.stats(words)
  if (console.options.json) await console.print(factLines(console, all, projects))
  else if (!isEmpty) await console.page(() => statsLines(console, all, { projects, isAll }))
}

type Facts = Readonly<Record<string, unknown>>

function factLines(console: Console, all: Stats, projects: number): Iterable<string> {
  const { totals, queue, rewinds } = all
  return jsonLines([
    ['dagline', 1],
    ['totals', totalFacts(totals, projects)],
    ['agents', { list: all.agents.map(costAndTime) }],
    ['delegation', { list: all.delegation }],
    ['patterns', { list: all.patterns }],
    ['flows', { list: all.flows.map(({ durations, ...row }) => ({ ...row, ...timeFacts(durations) })) }],
    ['tools', { list: all.tools.map(({ durations, ...row }) => ({ ...row, ...timeFacts(durations) })) }],
    ['compactions', { list: all.compactions }],
    [
      'rewinds',
      { ...rewinds, left: rewinds.left.map(({ spent, ...row }) => ({ ...row, ...spentFacts(spent) })) },
    ],
    ['queue', { ...queue, lost: queue.lost.map(lost => ({ ...lost, time: isoTime(lost.time) })) }],
    ['hours', all.hours],
    ...unreadField(console),
  ])
}

function totalFacts({ spent, first, last, ...counts }: Stats['totals'], projects: number): Facts {
  return { projects, ...counts, first: isoTime(first), last: isoTime(last), ...spentFacts(spent) }
}

function costAndTime({ spent, durations, ...row }: Stats['agents'][number]): Facts {
  return { ...row, ...spentFacts(spent), ...timeFacts(durations) }
}

/** As `usage` has it, and how many messages have no price. */
function spentFacts({
  messages,
  input,
  output,
  cacheRead,
  cacheWrite5m,
  cacheWrite1h,
  costUSD,
  unpriced,
}: Spent): Facts {
  return { messages, input, output, cacheRead, cacheWrite5m, cacheWrite1h, costUSD, unpriced }
}

/** In milliseconds. Median and p90 are right to a twentieth. */
function timeFacts(durations: Durations): Facts {
  const { count, total, longest } = durations
  const [median, p90] = [quantileOf(durations, 0.5), quantileOf(durations, 0.9)]
  return { durationMs: { count, total, median, p90, longest } }
}
