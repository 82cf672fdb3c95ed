/** `dagline context`: what the model saw when it gave an answer. */
import { UserError } from '@dagline/app'
import { isoTime } from '@dagline/core/format'
import type { ContextItem, ContextReport } from '@dagline/core/protocol'
import { type AddCommand, conflicting, defineCommand, flag, text } from '../command.js'
import type { Console } from '../console.js'
import type { ContextItemJson, RequestJson } from '../json/context.js'
import { shared } from '../options.js'
import { contextLines, differenceLines } from '../print/context.js'

export const contextCommand: AddCommand = defineCommand({
  usage: 'context [ref...]',
  description:
    'Print what the model saw at an answer: what was in the request and what was not, and its tokens.',
  options: {
    at: conflicting(
      text(...shared('at', ': the first answer whose request filled so much of the window, as in 80%')),
      ['diff', 'all'],
    ),
    diff: conflicting(flag('--diff', 'what entered and left between two answers'), ['all']),
    all: flag(...shared('all', ': every answer in every file given, subagents included; with --json')),
  },
  examples: [
    'dagline context',
    'dagline context d5b5d498',
    'dagline context latest --at 10%',
    'dagline context --diff cf76f1da 5746034a',
    "dagline context '019c5be1#agent-aecb6038'",
    'dagline context ~/.claude/projects --all --json | jq .contexts[].tokens.total',
  ],
  run: async (console, words, { at, diff: isDiff, all: isAll }) => {
    if (isAll) return await printAll(console, words)
    if (isDiff) return await printDifference(console, words)
    const [ref = 'latest', more] = words
    if (more !== undefined)
      throw new UserError('Give one REF; two with --diff, any number of paths with --all.')
    const report = await console.history.context(ref, { at: at === null ? null : shareOf(at) })
    if (console.options.json) await console.printJson('context', { contexts: [requestFacts(report)] })
    else await console.page(() => contextLines(console, report))
  },
})

/** `80%` or `80`. */
function shareOf(word: string): number {
  const share = Number(/^(\d+(?:\.\d+)?)\s*%?$/.exec(word)?.[1])
  if (share > 0 && share <= 100) return share
  throw new UserError(`--at ${word} is not valid. Give a share of the window, as in 80%.`)
}

async function printAll(console: Console, words: readonly string[]): Promise<void> {
  if (!console.options.json)
    throw new UserError('--all prints every answer as JSON. Run `dagline context --all --json`.')
  await console.printJson('context', { contexts: { list: await console.history.contexts(words) } })
}

async function printDifference(console: Console, words: readonly string[]): Promise<void> {
  const [a, b] = words
  if (a === undefined || b === undefined || words.length > 2)
    throw new UserError('Give two entries with --diff: `dagline context --diff A B`.')
  const difference = await console.history.contextDiff(a, b)
  const { from, to, entered, left } = difference
  if (!console.options.json) return await console.page(() => differenceLines(console, difference))
  await console.printJson('context', {
    contexts: [requestFacts(from), requestFacts(to)],
    entered: entered.map(itemFacts),
    left: left.map(itemFacts),
  })
}

function requestFacts({ context, window, items, out, compaction, dropped }: ContextReport): RequestJson {
  return {
    ...context,
    window,
    items: items.map(itemFacts),
    out,
    compaction: compaction && {
      boundary: compaction.boundary,
      time: isoTime(compaction.time),
      before: compaction.before?.total ?? null,
      after: compaction.after?.total ?? null,
      dropped: compaction.dropped,
      heaviest: dropped.map(itemFacts),
    },
  }
}

function itemFacts({ node, time, kind, text: words, category, tokens }: ContextItem): ContextItemJson {
  return { node, time: isoTime(time), kind, text: words, category, tokens }
}
