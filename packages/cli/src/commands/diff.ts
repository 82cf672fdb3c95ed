/** `dagline diff`: two branches or sessions from where they part; or what a compaction dropped. */
import { jsonLines, UserError } from '@dagline/app'
import type { Command } from 'commander'
import { type Action, command, finish } from '../command.js'
import type { Console } from '../console.js'
import { diffFacts, diffLines } from '../print/diff.js'
import { droppedFacts, droppedLines } from '../print/dropped.js'

/** Adds `dagline diff`. */
export function addDiff(program: Command): void {
  const made = command(
    program,
    'diff <a> [b]',
    'Compare two branches or sessions from where they diverge; a single one is compared with the live branch.',
  )
    .option('--compaction', 'what a compaction dropped: the compaction <a>, or the next one after it')
    .option('--full', 'print prompts and answers in full')
  const act: Action = async (console, words, options) => {
    await diff(console, words, {
      compaction: options['compaction'] === true,
      full: options['full'] === true,
    })
  }
  finish(made, act, [
    'dagline diff a2a9607f@7e083490-abc',
    'dagline diff decimal-attempt tax-rewrite',
    'dagline diff 4539d2d0 a2a9607f --json | jq .sides[].cost',
    'dagline diff --compaction latest',
  ])
}

interface DiffOptions {
  /** Tell of the compaction that a REF means. */
  readonly compaction: boolean
  readonly full: boolean
}

/** Compares two ways; one alone with what is live in its session. */
async function diff(console: Console, words: readonly string[], options: DiffOptions): Promise<void> {
  const [a, b, more] = words
  if (a === undefined)
    throw new UserError('Say what to compare: dagline diff A B, each a session, a branch or a uuid.')
  if (options.compaction) return await tellDropped(console, words)
  if (more !== undefined) throw new UserError('Two can be compared, not more: dagline diff A B.')
  const { comparison, names } = await console.history.compare(a, b ?? null)
  const page = { comparison, names, isFull: options.full }
  if (console.options.json) await console.print(jsonLines(diffFacts(page)))
  else await console.page(() => diffLines(console, page))
}

async function tellDropped(console: Console, words: readonly string[]): Promise<void> {
  const [ref = '', more] = words
  if (more !== undefined)
    throw new UserError('With --compaction give one REF: a session, a branch or an entry.')
  const dropped = await console.history.dropped(ref)
  if (console.options.json) await console.print(jsonLines(droppedFacts(dropped)))
  else await console.page(() => droppedLines(console, dropped))
}
