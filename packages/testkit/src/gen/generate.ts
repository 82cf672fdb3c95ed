/**
 * Random conversations with known truth. A simulated process has a conversation in memory and writes rows as a CLI of
 * a chosen style would; the truth is taken from that memory, never read back from the rows.
 *
 *   generate(7)                                        a small project in a style drawn from the seed
 *   generate(7, { style: '2.1.197', actions: 40 })     more of one style; a list of styles is an upgrade under way
 *   generate(7, { weights: { kill: 0 }, damage: true })
 *   generate(7, { entries: 1_000_000, oneSession: true, writeRow })    rows go to the callback, none is kept
 *
 * Limits: what no reader can know is not generated. A walk never leaves a taken-back prompt, a late row or a
 * half-answered message as the last word of a file; `--resume-session-at` never cuts a message (L8), nobody rewinds to a
 * preserved prompt, and no branch consists of a failed request only.
 */

import { createRng, type Rng } from '../base/rng.js'
import type { TextFile } from '../shape/expand.js'
import { runAgent } from './agents.js'
import { type DamageWeights, NO_DAMAGE, SOME_DAMAGE } from './damage.js'
import { sendingOf } from './memory.js'
import type { Node, TranscriptFile, World } from './model.js'
import { flushHeld } from './recorder.js'
import { createSink, type RowWriter, type Sink } from './sink.js'
import { STYLE_NAMES, STYLES, type Style, type StyleName } from './styles.js'
import type { RowTruth, Truth } from './truth.js'
import { defaultWeights, type WalkPlan, type Weights, walkProject } from './walk.js'

/** What may be chosen; the seed decides the rest. */
export interface GenerateOptions {
  /** One style, or several for a project whose CLI is upgraded on the way (oldest first). */
  readonly style?: StyleName | readonly StyleName[]
  /** Number of actions (default 12). */
  readonly actions?: number
  /** Goes on until so many chained entries are written. */
  readonly entries?: number
  /** One session file (and its agents') only: nothing is copied or cleared, and memory does not grow with the rows. */
  readonly oneSession?: boolean
  readonly weights?: Partial<Weights>
  /** Damage that leaves the truth as it is: none (default), a bit of everything, or chances per kind. */
  readonly damage?: boolean | Partial<DamageWeights>
  /** Project folder, the first part of every path. */
  readonly project?: string
  /** Takes the text piece by piece, to be appended to the file; `files` is empty then. */
  readonly writeRow?: RowWriter
}

/** A generated project. */
export interface Generated {
  readonly files: readonly TextFile[]
  /** Sidecars of agents. */
  readonly metas: readonly TextFile[]
  readonly truth: Truth
}

/** Weights for walks that a plain reading gets right: no compaction, kill, replay, nor row out of order. */
export const PLAIN_WALK: Readonly<Partial<Weights>> = {
  autoCompact: 0,
  compact: 0,
  kill: 0,
  lateRow: 0,
  summarizeFrom: 0,
  replay: 0,
  summarizeUpTo: 0,
  unwritten: 0,
}

/** Far from every seed: the second word of the generator's state. */
const DAMAGE_SEED = 77 * 0x1_0000_0000
const START = Date.UTC(2026, 0, 5, 9, 0, 0)
/** Actions that copy rows: always, or where the style resumes into a new file. */
const COPYING = ['branch', 'forkSession', 'replay', 'sdkFork'] as const
const RESUMING = ['kill', 'lostInput', 'resume', 'switchSession'] as const

/** Generates a project. Equal seeds and options give equal bytes. */
export function generate(seed: number, options: GenerateOptions = {}): Generated {
  const texts = new Map<string, string[]>()
  const rng = createRng(seed)
  const { actions = 12, entries = 0 } = options
  const styles = stylesOf(options, rng).map(name => STYLES[name])
  const plan = { styles, weights: weightsOf(options, styles), actions, entries }
  // Damage has a chance of its own: the conversation is the same with and without it.
  const chance = createRng(seed + DAMAGE_SEED)
  const sink = createSink(options.writeRow ?? collectInto(texts), chance, damageOf(options))
  const world = createWorld(rng, sink, plan, options)
  walkProject(world, plan)
  for (const file of world.files) closeFile(world, file)
  const truth = truthOf(world, world.sink.finish())
  return {
    files: [...texts].map(([path, parts]) => ({ path, text: parts.join('') })),
    metas: world.metas,
    truth,
  }
}

function collectInto(texts: Map<string, string[]>): RowWriter {
  return (path, text) => {
    const parts = texts.get(path)
    if (parts) parts.push(text)
    else texts.set(path, [text])
  }
}

function stylesOf({ style }: GenerateOptions, rng: Rng): readonly StyleName[] {
  if (style === undefined) return [rng.pick(STYLE_NAMES)]
  return typeof style === 'string' ? [style] : style
}

function weightsOf({ weights, oneSession }: GenerateOptions, styles: readonly Style[]): Weights {
  const all = { ...defaultWeights(), ...weights }
  if (oneSession !== true) return all
  const off = [...COPYING, 'clear', 'switchSession', ...(copiesOnResume(styles) ? RESUMING : [])]
  return { ...all, ...Object.fromEntries(off.map(name => [name, 0])) }
}

function copiesOnResume(styles: readonly Style[]): boolean {
  return styles.some(({ resume }) => resume === 'copy')
}

function damageOf({ damage }: GenerateOptions): DamageWeights {
  if (typeof damage === 'object') return { ...NO_DAMAGE, ...damage }
  return damage === true ? SOME_DAMAGE : NO_DAMAGE
}

function createWorld(rng: Rng, sink: Sink, { weights, styles }: WalkPlan, options: GenerateOptions): World {
  const resumes = copiesOnResume(styles) && RESUMING.some(name => weights[name] > 0)
  return {
    rng,
    sink,
    project: options.project ?? '-home-dev-proj',
    keepRows: resumes || COPYING.some(name => weights[name] > 0),
    keepFiles: weights.sdkFork > 0,
    emptyFiles: options.oneSession !== true,
    lateRoots: weights.lateRow > 0 ? 0.1 : 0,
    unwritten: weights.unwritten,
    runAgent,
    ledger: {
      branches: [],
      parents: new Set(),
      agents: {},
      takenBack: [],
      retried: [],
      copies: {},
      queue: [],
      messages: 0,
      output: 0,
    },
    metas: [],
    files: [],
    clock: START,
    texts: 0,
    entries: 0,
  }
}

/** Writes what was held back: a late row, or all rows of a file that is marked with `is_active`. */
function closeFile(world: World, file: TranscriptFile): void {
  flushHeld(world, file)
  const active = activeNodes(file)
  for (const { row, node } of file.marked ?? []) {
    const marked = node && row.isSidechain !== true ? { ...row, is_active: active.has(node) } : row
    world.sink.row(file.path, JSON.stringify(marked), node !== null)
  }
}

function activeNodes({ owner, marked }: TranscriptFile): Set<Node> {
  const active = new Set<Node>()
  if (!marked) return active
  for (let at = owner?.state.tip ?? null; at; at = at.before) active.add(at)
  return active
}

function truthOf(world: World, rows: Record<string, RowTruth>): Truth {
  const { ledger, files } = world
  for (const { owner } of files) {
    for (let at = owner?.state.choices ?? null; at; at = at.before) at.branch.liveHead = at.head
  }
  const forks = new Set(ledger.branches.map(({ at }) => at))
  const lost = ledger.queue.filter(({ became }) => became === 'lost')
  return {
    live: Object.fromEntries(files.map(file => [file.path, liveOf(file)])),
    branches: ledger.branches,
    agents: ledger.agents,
    notForks: [...ledger.parents].filter(uuid => !forks.has(uuid)),
    takenBack: ledger.takenBack,
    retried: ledger.retried,
    rows,
    copies: ledger.copies,
    lostQueue: lost.map(({ text }) => text),
    queue: ledger.queue,
    usage: { messages: ledger.messages, output: ledger.output },
    entries: world.entries,
  }
}

function liveOf({ owner }: TranscriptFile): string[] {
  return sendingOf(owner?.state.memory ?? null).map(({ node }) => node.uuid)
}
