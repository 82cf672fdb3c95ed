/** `dagline stats`: agents, delegation, patterns, flows, tools, and what happened to conversations. */
import {
  analyseSessions,
  findPlaces,
  isFolder,
  isoTime,
  jsonLines,
  nothingFound,
  placesOf,
  runOnProjects,
  unreadField,
} from '@dagline/app'
import {
  type Durations,
  mergeStats,
  noStats,
  quantileOf,
  type Spent,
  type Stats,
} from '@dagline/core/measure'
import type { Console } from '../console.js'
import { statsLines } from '../print/stats.js'

/** Prints the tables of everything that the words name: folders, and sessions by id or path; of all without any. */
export async function stats(console: Console, words: readonly string[], isAll: boolean): Promise<void> {
  const folders = words.filter(isFolder)
  const sessions = words.filter(word => !isFolder(word))
  const places = sessions.length === 0 || folders.length > 0 ? placesOf(findPlaces(folders, console)) : []
  if (places.length === 0 && sessions.length === 0) console.note(nothingFound(folders, console))
  const projects = await runOnProjects('analyseProject', places, console)
  const parts = [...projects, ...analyseSessions(sessions, console)]
  const all = parts.reduce(mergeStats, noStats)
  if (console.options.json) await console.print(factLines(console, all, projects.length))
  else if (parts.length > 0)
    await console.page(() => statsLines(console, all, { projects: projects.length, isAll }))
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
