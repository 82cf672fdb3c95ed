/** `dagline diff`: two branches or sessions from where they part; or what a compaction dropped. */
import {
  abandonedSide,
  compareOptions,
  findDropped,
  jsonLines,
  liveSide,
  namedBy,
  type OpenSide,
  openOtherSide,
  openSide,
  UserError,
} from '@dagline/app'
import { compareApart, compareLines } from '@dagline/core/measure'
import type { ComparedSide, Comparison } from '@dagline/core/protocol'
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
  const named = openSide(a, console)
  const one = b === undefined ? abandonedSide(named) : named
  const other = b === undefined ? liveSide(one) : openOtherSide(b, one, console)
  const comparison = compare(one, other)
  const names = [nameOf(console, comparison.sides[0], a), nameOf(console, comparison.sides[1], b)] as const
  const page = { comparison, names, isFull: options.full }
  if (console.options.json) await console.print(jsonLines(diffFacts(page)))
  else await console.page(() => diffLines(console, page))
}

/** The name that was typed, else that of the line where a side leaves the other. */
function nameOf(console: Console, { line }: ComparedSide, word: string | undefined): string {
  const typed = word === undefined ? null : namedBy(word, console)
  return (typed ?? console.history.labels().get(line))?.name ?? ''
}

function compare(one: OpenSide, other: OpenSide): Comparison {
  const [left, right] = [compareOptions(one), compareOptions(other)]
  try {
    if (one.loaded === other.loaded) return compareLines(one.loaded.graph, one.node, other.node, left)
    return compareApart(
      { graph: one.loaded.graph, node: one.node, options: left },
      { graph: other.loaded.graph, node: other.node, options: right },
    )
  } finally {
    left.close()
    right.close()
  }
}

async function tellDropped(console: Console, words: readonly string[]): Promise<void> {
  const [ref = '', more] = words
  if (more !== undefined)
    throw new UserError('With --compaction give one REF: a session, a branch or an entry.')
  const dropped = findDropped(openSide(ref, console))
  if (console.options.json) await console.print(jsonLines(droppedFacts(dropped)))
  else await console.page(() => droppedLines(console, dropped))
}
