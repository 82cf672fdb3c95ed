/** A turn: a prompt, rounds of tool calls, an answer. Written as steps, so that two processes can take them in turns. */
import type { Json } from '../base/json.js'
import { queueRow, userBody } from './bodies.js'
import { standingOf } from './memory.js'
import type { Node, Process, RewindPoint } from './model.js'
import { attachContext, closeTurn } from './notes.js'
import { note, record, tick, words } from './recorder.js'
import { planCalls, round } from './round.js'
import { answer, type Steps } from './speech.js'

const POINTS_KEPT = 40

/** How a prompt comes to be written. */
interface Asking {
  /** It has been in the queue already: no queue rows of its own. */
  readonly dequeued?: boolean
  readonly late?: boolean
  readonly extra?: Json
}

/** Writes a prompt with the attachments behind it, and makes it a place to rewind to. */
export function ask(p: Process, text: string, how: Asking = {}): Node {
  p.promptId = p.world.rng.uuid()
  p.revived = false
  if (!how.dequeued) announce(p, text)
  const before = standingOf(p.state)
  const node = record(p, userBody(p, text, how.extra), { kind: 'user' }, { late: how.late === true })
  addPoint(p, { before, head: node, answered: p.state.answered })
  if (!how.dequeued) settleQueue(p, node)
  if (!how.late) attachContext(p)
  return node
}

/** Remembers a way back; old ones are forgotten, so that memory does not grow with the file. */
export function addPoint(p: Process, point: RewindPoint): void {
  p.state = { ...p.state, points: [...p.state.points.slice(1 - POINTS_KEPT), point] }
}

/** Queue rows before a headless prompt. */
function announce(p: Process, text: string): void {
  if (!p.headless || p.agent || p.style.headlessQueue === 'none') return
  tick(p.world)
  if (p.style.headlessQueue === 'both') {
    note(p, queueRow(p, 'enqueue', { content: text }))
    p.world.ledger.queue.push({ path: p.file.path, text, became: 'prompt', node: null })
  }
  note(p, queueRow(p, 'dequeue'))
}

/** The entry that the last announced text became. */
function settleQueue(p: Process, node: Node): void {
  if (!p.headless || p.agent || p.style.headlessQueue !== 'both') return
  const last = p.world.ledger.queue.pop()
  if (last) p.world.ledger.queue.push({ ...last, node: node.uuid })
}

/** What a turn holds; chance decides what is left out here. */
interface TurnPlan {
  readonly text?: string
  readonly how?: Asking
  readonly rounds?: number
  readonly spawns?: 'agents' | 'background'
  /** Done when the prompt is written. */
  readonly asked?: (p: Process) => void
  /** Done when the results of the first round are in. */
  readonly between?: (p: Process) => void
}

/** The steps of a turn. */
export function* turn(p: Process, plan: TurnPlan = {}): Steps {
  const { rng } = p.world
  ask(p, plan.text ?? words(p.world, 'ask'), plan.how)
  plan.asked?.(p)
  yield
  const rounds = plan.rounds ?? rng.pick([0, 0, 1, 1, 2, 3])
  for (let at = 0; at < rounds; at++) {
    yield* round(p, planCalls(p, at === 0 ? plan.spawns : undefined))
    if (at === 0) plan.between?.(p)
    yield
  }
  answer(p)
  yield
  closeTurn(p)
}

/** Takes all steps at once. */
export function finish(steps: Steps): void {
  while (!steps.next().done);
}
