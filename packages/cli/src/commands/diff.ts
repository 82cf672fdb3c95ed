/** `dagline diff`: two branches or sessions from where they diverge; or what a compaction dropped. */
import { UserError } from '@dagline/app'
import { type AddCommand, defineCommand, flag } from '../command.js'
import type { Console } from '../console.js'
import { diffFacts, diffLines } from '../print/diff.js'
import { droppedFacts, droppedLines } from '../print/dropped.js'

export const diffCommand: AddCommand = defineCommand({
  usage: 'diff <a> [b]',
  description:
    'Compare two branches or sessions from where they diverge; a single one is compared with the live branch.',
  options: {
    compaction: flag(
      '--compaction',
      'what a compaction dropped: the compaction <a>, or the next one after it',
    ),
    full: flag('--full', 'print prompts and answers in full'),
  },
  examples: [
    'dagline diff 019c5be1@07e8e1e4-cc4',
    'dagline diff decimal-attempt tax-rewrite',
    'dagline diff 4ca2e108 e779dcd5 --json | jq .sides[].costUSD',
    'dagline diff --compaction latest',
  ],
  run: async (console, [a = '', b], { compaction, full: isFull }) => {
    if (compaction && b !== undefined)
      throw new UserError('Give one REF with --compaction: a session, a branch or an entry.')
    if (compaction) return await printDropped(console, a)
    const page = { ...(await console.history.compare(a, b ?? null)), isFull }
    if (console.options.json) await console.printJson('diff', diffFacts(page))
    else await console.page(() => diffLines(console, page))
  },
})

async function printDropped(console: Console, ref: string): Promise<void> {
  const dropped = await console.history.dropped(ref)
  if (console.options.json) await console.printJson('diff', droppedFacts(dropped))
  else await console.page(() => droppedLines(console, dropped))
}
