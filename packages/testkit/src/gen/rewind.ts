/** Going back: rewinds and what only looks like one. */
import { userBody } from './bodies.js'
import type { Branch, Choice, Node, Process, RewindPoint, Standing, State } from './model.js'
import { record, words } from './recorder.js'
import { answer } from './speech.js'
import { ask, finish, turn } from './turn.js'

/** Rewinds to an earlier prompt: the next one becomes its sibling. Gives back the side that was left. */
export function rewind(p: Process): Choice {
  const point = p.world.rng.pick(p.state.points)
  goBack(p, point.before, point)
  const steps = turn(p)
  steps.next()
  const branch = takeSide(p, { at: point.before.tip, old: point.head, head: newHead(p), kind: 'rewind' })
  finish(steps)
  return { branch, head: point.head.uuid, before: point.before.choices }
}

/** The seeds' `is_active`: a rewind that is undone again, so that the row written last is not on the live side. */
export function rewindAndReturn(p: Process): void {
  const { choices, ...state } = p.state
  const left = rewind(p)
  p.state = { ...state, choices: { ...left, before: choices } }
}

/** `--resume-session-at` the end of an earlier answer; a plain rewind where there is none. */
export function resumeAt(p: Process): void {
  const points = p.state.points.filter(({ answered, head }) => childToward(answered?.tip, head))
  const point = points.length > 0 ? p.world.rng.pick(points) : null
  const old = point && childToward(point.answered?.tip, point.head)
  if (!point?.answered || !old) {
    rewind(p)
    return
  }
  goBack(p, point.answered, point)
  const steps = turn(p)
  steps.next()
  takeSide(p, { at: point.answered.tip, old, head: newHead(p), kind: 'rewind' })
  finish(steps)
}

/** The child of `at` on the way to `node`. */
function childToward(at: Node | null | undefined, node: Node): Node | null {
  for (let child: Node | null = node; child; child = child.parent) if (child.parent === at) return child
  return null
}

/** The seeds' "regenerate": another answer to the same prompt. */
export function regenerate(p: Process): void {
  const prompt = ask(p, words(p.world, 'ask'))
  const before: State = p.state
  answer(p)
  const old = p.state.tip
  p.state = before
  answer(p)
  const head = p.state.tip
  if (old && head) takeSide(p, { at: prompt, old, head, kind: 'rewind' })
}

/** Esc before any output: the prompt is taken back, or stays with a note behind it. Another prompt follows. */
export function takeBack(p: Process): void {
  const before = p.state
  const prompt = ask(p, words(p.world, 'hasty'))
  if (p.style.takenBack === 'note') {
    record(p, userBody(p, [{ type: 'text', text: '[Request interrupted by user]' }]), { kind: 'user' })
  } else {
    p.world.ledger.takenBack.push(prompt.uuid)
    p.state = before
  }
  finish(turn(p))
}

/** Goes back to an earlier standing; the ways back from there are those to prompts that are still on the way. */
function goBack(p: Process, to: Standing, { answered }: RewindPoint): void {
  const place = to.tip?.place ?? -1
  p.state = { ...to, points: p.state.points.filter(({ head }) => head.place <= place), answered }
}

/** The two sides of a fork: the entry that was there, and the new one. */
interface Parting {
  readonly at: Node | null
  readonly old: Node
  readonly head: Node
  readonly kind: Branch['kind']
}

/** Enters a fork into the truth, the process going on along `head`. */
export function takeSide(p: Process, { at, old, head, kind }: Parting): Branch {
  const branch = (at ? at.branch : p.file.rootBranch) ?? openBranch(p, at, kind)
  for (const { uuid } of [old, head]) if (!branch.heads.includes(uuid)) branch.heads.push(uuid)
  p.state = { ...p.state, choices: { branch, head: head.uuid, before: p.state.choices } }
  return branch
}

function openBranch(p: Process, at: Node | null, kind: Branch['kind']): Branch {
  const branch: Branch = {
    session: p.file.session,
    at: at?.uuid ?? null,
    heads: [],
    kind,
    copied: false,
    liveHead: null,
  }
  if (at) at.branch = branch
  else p.file.rootBranch = branch
  p.world.ledger.branches.push(branch)
  return branch
}

/** The prompt that the process has just sent. */
export function newHead(p: Process): Node {
  const point = p.state.points.at(-1)
  if (!point) throw new RangeError('no prompt has been sent')
  return point.head
}
