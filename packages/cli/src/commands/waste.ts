/** `dagline waste`: what was paid for in vain, or for longer than needed. */
import type { WasteItem, WasteOfKind, WasteReport } from '@dagline/app'
import { cleanLine } from '@dagline/core/content'
import { count, dayAndTime, isoTime, money, percent, plural, shortId, tokens } from '@dagline/core/format'
import { WASTE_KINDS } from '@dagline/core/waste'
import { type AddCommand, choice, defineCommand } from '../command.js'
import type { Console } from '../console.js'
import type { WasteItemJson } from '../json/lists.js'
import { LIST_OPTIONS, printList } from '../list.js'
import { type Column, tableLines } from '../print/table.js'
import { fit, wrap } from '../print/width.js'

const NOTES = `
Each token counts once, for the first kind that applies, so the sum is never more than "dagline usage" shows.
The size of a single result is estimated: by how much longer its request was than the one before.
cache-expiry counts only what writing to the cache costs more than reading from it, from 1,024 tokens on. carried-result
counts results of 5,000 tokens and more that at least 20 requests carried after the first, which was needed.
compaction counts results of 10,000 tokens and more within 3 requests before an automatic compaction. These limits
are choices: below them, what was carried was most likely needed.
--json has every message that a sum is made of. Every REF opens with "dagline show" or "log".
`

export const wasteCommand: AddCommand = defineCommand({
  usage: 'waste [session|path]',
  description: 'Show what was paid for in vain: rewinds, expired caches, repeated calls, large results.',
  options: {
    ...LIST_OPTIONS,
    kind: choice('--kind <kind>', 'only waste of this kind', WASTE_KINDS, null),
  },
  examples: [
    'dagline waste',
    'dagline waste latest',
    'dagline waste --kind rewind --since 30d',
    'dagline waste --everywhere -n 50',
    "dagline waste --json | jq '.kinds[] | [.kind, .costUSD]'",
  ],
  notes: NOTES,
  run: async (console, [word], options) => {
    const { kind, limit, jsonl, ...filter } = options
    const report = await console.history.waste({ ...filter, session: word ?? null })
    const items = report.items.filter(item => kind === null || item.kind === kind)
    const kinds = report.kinds.filter(each => kind === null || each.kind === kind)
    const isShort = limit === null && !jsonl && !console.options.json
    const rows = items.slice(0, isShort ? USUAL : (limit ?? undefined))
    await printList(console, options, {
      command: 'waste',
      rows,
      facts: factsOf,
      json: waste => ({ waste, kinds, wasted: report.wasted, used: report.used }),
      lines: shown => linesOf(console, { ...report, items, kinds }, shown),
    })
    if (items.length === 0 && report.used.messages > 0) console.note(nothingFound(report))
  },
})

/** So many are listed, unless more are asked for. */
const USUAL = 10

function factsOf({ time, ...item }: WasteItem): WasteItemJson {
  return { ...item, time: isoTime(time) }
}

function nothingFound({ used }: WasteReport): string {
  return `No waste was found in ${plural(used.messages, 'API message')}.`
}

function* linesOf(console: Console, report: WasteReport, shown: readonly WasteItem[]): Generator<string> {
  const { style, width } = console
  const { kinds, used, items } = report
  yield* tableLines(kinds, columnsOf(report), { width, style })
  yield ''
  const sum = kinds.reduce((total, { costUSD }) => total + (costUSD ?? 0), 0)
  yield `Together ${money(sum)}, ${percent(sum, used.costUSD ?? 0)} of the ${money(used.costUSD)} of ${plural(used.messages, 'API message')}.`
  yield ''
  for (const item of shown) yield* itemLines(console, item)
  if (shown.length < items.length)
    yield* [style.faint(`${count(items.length - shown.length)} more: -n ${items.length} shows all.`), '']
  yield style.strong('What would avoid it')
  const wide = Math.max(...kinds.map(({ kind }) => kind.length))
  const indent = ' '.repeat(wide + 2)
  for (const { kind, avoid } of kinds) {
    const [first = '', ...rest] = wrap(avoid, Math.min(width, WIDEST) - indent.length)
    yield `${kind.padEnd(wide)}  ${first}`
    for (const line of rest) yield indent + line
  }
}

const WIDEST = 110

function columnsOf({ used }: WasteReport): readonly Column<WasteOfKind>[] {
  return [
    { title: 'kind', text: ({ kind }) => kind },
    { title: 'found', text: each => count(each.count), align: 'right' },
    { title: 'tokens', text: each => (each.tokens === 0 ? '' : tokens(each.tokens)), align: 'right' },
    { title: 'cost', text: ({ costUSD }) => (costUSD === null ? '' : money(costUSD)), align: 'right' },
    {
      title: 'of all',
      text: ({ costUSD }) => (costUSD === null ? '' : percent(costUSD, used.costUSD ?? 0)),
      align: 'right',
    },
  ]
}

function* itemLines({ style, width }: Console, item: WasteItem): Generator<string> {
  const { kind, time, session, what, why, refs, costUSD } = item
  const cost = costUSD === null ? '' : `${style.bad(money(costUSD))}  `
  yield `${cost}${kind}  ${dayAndTime(time)}  ${style.id(shortId(session))}`
  if (what !== '') yield fit(`  ${cleanLine(what)}`, width)
  yield fit(`  ${why}`, width)
  yield `  ${style.faint('refs')} ${refs.map(ref => style.id(shortRef(ref, session))).join(' ')}`
  yield ''
}

/** Branches and subagents keep the beginning of their session: it is part of their name. */
function shortRef(ref: string, session: string): string {
  return session !== '' && ref.startsWith(session) ? ref.replace(session, shortId(session)) : shortId(ref)
}
