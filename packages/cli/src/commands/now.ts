/** `dagline now`: the sessions that are running, and what each of them is doing. */
import { cleanLine } from '@dagline/core/content'
import { duration, isoTime, money, plural, shortId, tokens } from '@dagline/core/format'
import { RUNNING_STATES, type RunningSession } from '@dagline/core/protocol'
import { type AddCommand, defineCommand, INDEX } from '../command.js'
import type { Console } from '../console.js'
import type { RunningSessionJson } from '../json/lists.js'
import { JSONL, printList, projectColumn } from '../list.js'
import { type Column, tableLines } from '../print/table.js'
import { fit } from '../print/width.js'

export const nowCommand: AddCommand = defineCommand({
  usage: 'now',
  description: 'List the sessions that are running: what each is doing, and which of them wait for you.',
  options: { index: INDEX, jsonl: JSONL },
  examples: ['dagline now', 'dagline now --json | jq \'.sessions[] | select(.state == "waiting")\''],
  isEverywhere: true,
  run: async (console, _, options) => {
    const { sessions, at } = await console.history.now(options)
    await printList(console, options, {
      command: 'now',
      rows: sessions,
      facts: factsOf,
      json: listed => ({ sessions: listed }),
      lines: rows => linesOf(console, rows, at),
    })
    if (sessions.length === 0) console.note('No session is running.')
  },
})

function factsOf({ since, contextTokens, costToday, cost, ...running }: RunningSession): RunningSessionJson {
  return {
    ...running,
    since: isoTime(since),
    context: contextTokens,
    costTodayUSD: costToday,
    costUSD: cost,
  }
}

function* linesOf(console: Console, sessions: readonly RunningSession[], at: number): Iterable<string> {
  yield* tableLines(sessions, columns(console, at), console)
  for (const { session, agents, queued } of sessions) {
    for (const { name, description, doing } of agents)
      yield `${shortId(session)}  ${cleanLine(`${name}: ${description ?? ''} ${console.style.faint(doing)}`)}`
    if (queued.length > 0) yield `${shortId(session)}  ${plural(queued.length, 'prompt')} queued`
  }
}

/** Characters of a title: what a session is doing says more. */
const LONGEST_TITLE = 32

function columns({ style }: Console, at: number): readonly Column<RunningSession>[] {
  return [
    { title: 'session', text: ({ session }) => shortId(session), paint: style.id },
    { title: 'state', text: ({ state }) => RUNNING_STATES[state] },
    {
      title: 'for',
      text: ({ since }) => (since === null ? '' : duration(Math.max(0, at - since))),
      align: 'right',
      dropRank: 3,
    },
    projectColumn<RunningSession>(4),
    {
      title: 'context',
      text: ({ contextTokens }) => (contextTokens === null ? '' : tokens(contextTokens)),
      align: 'right',
      dropRank: 2,
    },
    {
      title: 'today',
      text: ({ cost, costToday }) => (cost === null ? '' : money(costToday)),
      align: 'right',
      dropRank: 1,
    },
    { title: 'title', text: ({ title }) => fit(cleanLine(title ?? ''), LONGEST_TITLE), dropRank: 5 },
    { title: 'doing', text: ({ doing }) => cleanLine(doing), flexible: true },
  ]
}
