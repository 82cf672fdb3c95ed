/** `dagline files`: what a session, a project or everything touched. */
import type { FileItem } from '@dagline/app'
import { cleanLine } from '@dagline/core/content'
import { dayAndTime, isoTime } from '@dagline/core/format'
import { type AddCommand, defineCommand, text } from '../command.js'
import type { Console } from '../console.js'
import type { TouchedFileJson } from '../json/lists.js'
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
import { type Column, figureColumn } from '../print/table.js'

const SORT_KEYS: SortKeys<FileItem> = {
  last: ({ last }) => last,
  path: ({ path }) => path,
  reads: ({ reads }) => reads,
  changes: ({ edits, writes }) => edits + writes,
  sessions: ({ sessions }) => sessions.length,
}

export const filesCommand: AddCommand = defineCommand({
  usage: 'files [session|path]',
  description:
    'List the files that tool calls read or changed: how often, by whom, and in how many sessions.',
  options: {
    ...LIST_OPTIONS,
    file: text(...shared('file')),
    sort: sortOption(SORT_KEYS),
  },
  examples: [
    'dagline files latest',
    'dagline files --project shop --sort changes -n 20',
    'dagline files --file total.ts --json | jq -r ".files[0].sessions[]"',
    'dagline search --file src/total.ts',
  ],
  run: async (console, [word], options) => {
    const { sort, limit, jsonl, ...filter } = options
    const found = await console.history.files({ ...filter, session: word ?? null })
    await printTable(console, options, {
      command: 'files',
      rows: sortRows(found, SORT_KEYS, sort).slice(0, limit ?? undefined),
      facts: factsOf,
      json: files => ({ files }),
      columns: columns(console, isOfOne(word, found)),
    })
  },
})

function factsOf({ first, last, ...file }: FileItem): TouchedFileJson {
  return { ...file, first: isoTime(first), last: isoTime(last) }
}

/** A path below the working folder is relative to it. */
function shownPath({ path, cwd }: FileItem): string {
  const isBelow = cwd !== null && path.startsWith(`${cwd}/`)
  return cleanLine(isBelow ? path.slice(cwd.length + 1) : path)
}

function columns({ style }: Console, isOne: boolean): readonly Column<FileItem>[] {
  return [
    { title: 'last', text: ({ last }) => dayAndTime(last), paint: style.faint, dropRank: 2 },
    figureColumn('reads', ({ reads }) => reads),
    figureColumn('edits', ({ edits }) => edits),
    figureColumn('writes', ({ writes }) => writes),
    figureColumn('others', ({ others }) => others, 4),
    figureColumn('main', ({ main }) => main, 3),
    figureColumn('subagents', ({ subagents }) => subagents, 3),
    figureColumn('sessions', ({ sessions }) => sessions.length, 1),
    ...(isOne ? [] : [projectColumn<FileItem>(5)]),
    { title: 'file', text: shownPath, flexible: true, keepsEnd: true },
  ]
}
