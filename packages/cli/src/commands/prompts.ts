/** `dagline prompts`: what was typed. */
import type { PromptItem } from '@dagline/app'
import { cleanLine } from '@dagline/core/content'
import { dayAndTime, isoTime, shortId } from '@dagline/core/format'
import { type AddCommand, defineCommand } from '../command.js'
import type { Console } from '../console.js'
import type { PromptJson } from '../json/lists.js'
import {
  isOfOne,
  LIST_OPTIONS,
  printTable,
  projectColumn,
  type SortKeys,
  sortOption,
  sortRows,
} from '../list.js'
import type { Column } from '../print/table.js'

const SORT_KEYS: SortKeys<PromptItem> = {
  time: ({ time }) => time,
  length: ({ text }) => text.length,
  project: ({ project }) => project,
}

export const promptsCommand: AddCommand = defineCommand({
  usage: 'prompts [session|path]',
  description:
    'List what you typed, the newest first: prompts, commands, and queued text that never arrived.',
  options: { ...LIST_OPTIONS, sort: sortOption(SORT_KEYS) },
  examples: [
    'dagline prompts latest',
    'dagline prompts -n 20',
    'dagline prompts --project shop --since "last month"',
    'dagline prompts --jsonl | jq -r .text',
  ],
  run: async (console, [word], options) => {
    const { sort, limit, jsonl, ...filter } = options
    const most = sort === null || sort === 'time' ? { limit } : {}
    const found = await console.history.prompts({ ...filter, ...most, session: word ?? null })
    await printTable(console, options, {
      command: 'prompts',
      rows: sortRows(found, SORT_KEYS, sort).slice(0, limit ?? undefined),
      facts: factsOf,
      json: prompts => ({ prompts }),
      columns: columns(console, isOfOne(word, found)),
    })
  },
})

function factsOf({ time, node, ...prompt }: PromptItem): PromptJson {
  return { ref: node, ...prompt, node, time: isoTime(time) }
}

function columns({ style }: Console, isOne: boolean): readonly Column<PromptItem>[] {
  return [
    { title: 'ref', text: ({ node }) => shortId(node ?? ''), paint: style.id },
    { title: 'time', text: ({ time }) => dayAndTime(time), paint: style.faint },
    ...(isOne ? [] : [projectColumn<PromptItem>(1)]),
    { title: 'state', text: stateText, paint: style.faint, dropRank: 2 },
    { title: 'prompt', text: ({ text }) => cleanLine(text), flexible: true },
  ]
}

/** What is on a live branch needs no word. */
function stateText({ state }: PromptItem): string {
  return state === 'live' || state === 'kept' ? '' : state === 'lost' ? 'never delivered' : state
}
