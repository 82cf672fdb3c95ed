/** `dagline agents`: the subagents of a session, or of all. */
import type { AgentItem } from '@dagline/app'
import { cleanLine } from '@dagline/core/content'
import { dayAndTime, duration, exactMoney, isoTime, plural, shortId, tokens } from '@dagline/core/format'
import { type AddCommand, defineCommand, flag } from '../command.js'
import type { Console } from '../console.js'
import type { ListedAgentJson } from '../json/lists.js'
import {
  isOfOne,
  LIST_OPTIONS,
  printTable,
  projectColumn,
  type SortKeys,
  sortOption,
  sortRows,
} from '../list.js'
import { shared } from '../options.js'
import { shortAgentId } from '../print/names.js'
import { type Column, figureColumn } from '../print/table.js'

const SORT_KEYS: SortKeys<AgentItem> = {
  last: ({ last }) => last,
  first: ({ first }) => first,
  type: ({ name }) => name,
  state: ({ state }) => state,
  turns: ({ turns }) => turns,
  tools: ({ tools }) => tools,
  tokens: each => each.tokens,
  cost: ({ costUSD }) => costUSD,
  duration: each => each.duration,
}

export const agentsCommand: AddCommand = defineCommand({
  usage: 'agents [session|path]',
  description: 'List subagents: what they were for, how far they came, and what they cost.',
  options: {
    ...LIST_OPTIONS,
    all: flag(...shared('all', ', also subagents that only warm the cache')),
    sort: sortOption(SORT_KEYS),
  },
  examples: [
    'dagline agents latest',
    'dagline agents --since 7d --sort cost -n 10',
    'dagline agents 019c5be1 --json | jq .agents',
    "dagline log '019c5be1#agent-aecb6038'",
  ],
  run: async (console, [word], options) => {
    const { sort, limit, jsonl, all: isAll, ...filter } = options
    const all = await console.history.agents({ ...filter, session: word ?? null })
    const found = isAll ? all : all.filter(({ state }) => state !== 'warmup')
    await printTable(console, options, {
      command: 'agents',
      rows: sortRows(found, SORT_KEYS, sort).slice(0, limit ?? undefined),
      facts: factsOf,
      json: agents => ({ agents }),
      columns: columns(console, isOfOne(word, found)),
    })
    const hidden = all.length - found.length
    if (hidden > 0)
      console.note(`${plural(hidden, 'subagent')} that only warmed the cache not shown; --all lists them.`)
  },
})

function factsOf({ first, last, name: type, ...agent }: AgentItem): ListedAgentJson {
  return { ref: agent.line ?? agent.node, type, ...agent, first: isoTime(first), last: isoTime(last) }
}

function columns({ style }: Console, isOne: boolean): readonly Column<AgentItem>[] {
  const ref = ({ session, agent, node }: AgentItem): string =>
    agent === null ? shortId(node ?? '') : `${shortId(session)}#${shortAgentId(agent)}`
  return [
    { title: 'ref', text: ref, paint: style.id },
    { title: 'last', text: ({ last }) => dayAndTime(last), paint: style.faint, dropRank: 5 },
    ...(isOne ? [] : [projectColumn<AgentItem>(7)]),
    { title: 'type', text: ({ name }) => cleanLine(name), shrinksTo: SHORT_TYPE },
    {
      title: 'state',
      text: stateText,
      paint: (text, { state }) => (state === 'complete' ? text : style.faint(text)),
      dropRank: 0.5,
    },
    figureColumn('turns', ({ turns }) => turns, 6),
    figureColumn('tools', ({ tools }) => tools, 4),
    figureColumn('errors', ({ errors }) => errors, 8),
    {
      title: 'tokens',
      text: each => (each.tokens === 0 ? '' : tokens(each.tokens)),
      align: 'right',
      dropRank: 3,
    },
    {
      title: 'cost',
      text: ({ costUSD }) => (costUSD === null ? '' : exactMoney(costUSD)),
      align: 'right',
      dropRank: 1,
    },
    {
      title: 'time',
      text: each => (each.duration === null ? '' : duration(each.duration)),
      align: 'right',
      dropRank: 2,
    },
    { title: 'for', text: ({ description }) => cleanLine(description ?? ''), flexible: true },
  ]
}

const SHORT_TYPE = 16

function stateText({ state }: AgentItem): string {
  return state === 'missing' ? 'no file' : state
}
