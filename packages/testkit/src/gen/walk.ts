/** A walk: actions drawn by their weights until there are enough, then an end that is not always a tidy one. */

import { ACTION_NAMES, ACTIONS, type ActionName, type Walk } from './actions.js'
import type { Process, World } from './model.js'
import { words } from './recorder.js'
import { rewindAndReturn } from './rewind.js'
import { planCalls, sayCalls } from './round.js'
import { startSession } from './session.js'
import { newMessage, speak, thinkingBlock } from './speech.js'
import type { Style } from './styles.js'
import { failForGood } from './trouble.js'
import { ask, finish, turn } from './turn.js'

/**
 * How often each action happens; 0 switches it off. Two are chances from 0 to 1: `openEnd`, that the walk ends in mid
 * turn, and `unwritten`, that a result in an agent file of 2.0.64 names a parent that was never written.
 */
export type Weights = Readonly<Record<ActionName | 'openEnd' | 'unwritten', number>>

/** What a walk needs to know. */
export interface WalkPlan {
  readonly styles: readonly Style[]
  readonly weights: Weights
  readonly actions: number
  /** Goes on until so many chained entries are written; 0: counts actions only. */
  readonly entries: number
}

/** The weights of the table. */
export function defaultWeights(): Weights {
  return { ...perAction(name => ACTIONS[name].weight), openEnd: 0.15, unwritten: 0.05 }
}

/** Walks through one project. */
export function walkProject(world: World, plan: WalkPlan): void {
  let reached = 0
  const nextStyle = (): Style => {
    if (reached < plan.styles.length - 1 && world.rng.chance(0.5)) reached++
    return plan.styles[reached] ?? firstStyle(plan)
  }
  const walk: Walk = { world, p: startSession(world, firstStyle(plan)), nextStyle }
  finish(turn(walk.p))
  for (let done = 1; done < plan.actions || world.entries < plan.entries; done++) step(walk, plan.weights)
  endWalk(walk.p, plan.weights)
}

function firstStyle({ styles }: WalkPlan): Style {
  const [style] = styles
  if (!style) throw new RangeError('a walk needs at least one style')
  return style
}

function step(walk: Walk, weights: Weights): void {
  const { style } = walk.p
  const name = walk.world.rng.weighted(
    perAction(action => (canDo(action, style, walk.p) ? weights[action] : 0)),
  )
  ACTIONS[name ?? 'turn'].run(walk)
}

function perAction(value: (name: ActionName) => number): Record<ActionName, number> {
  return Object.fromEntries(ACTION_NAMES.map(name => [name, value(name)])) as Record<ActionName, number>
}

function canDo(name: ActionName, style: Style, p: Process): boolean {
  const { fits, ready } = ACTIONS[name]
  return fits(style) && (ready?.(p) ?? true)
}

/** Ends in mid turn now and then; with `is_active`, on another side than the one written last. */
function endWalk(p: Process, weights: Weights): void {
  const { rng } = p.world
  if (p.file.marked && weights.rewind > 0 && p.state.points.length > 0 && rng.chance(0.5)) rewindAndReturn(p)
  else if (p.style.split && rng.chance(weights.openEnd)) rng.pick(OPEN_ENDS)(p)
}

/** A failure, or a kill with a prompt, thinking, or calls at the end: what was sent is still before the model. */
const OPEN_ENDS: readonly ((p: Process) => void)[] = [
  failForGood,
  p => void ask(p, words(p.world, 'last')),
  p => {
    ask(p, words(p.world, 'last'))
    speak(p, newMessage(p), [thinkingBlock(p)])
  },
  p => {
    ask(p, words(p.world, 'last'))
    for (const _ of sayCalls(p, planCalls(p)));
  },
]
