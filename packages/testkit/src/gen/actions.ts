/** The things that can happen in a walk, by name: what each needs of the style and the moment, and what it does. */

import { deliverNotice, warmUp } from './agents.js'
import { echoCommand, systemCommand, writeStub } from './commands.js'
import { compact } from './compact.js'
import { branchSession, forkSession, replayInPlace } from './copies.js'
import type { Process, World } from './model.js'
import { mystify, scatterNote } from './notes.js'
import { startProcess } from './process.js'
import { queueBetweenTurns, queueInMidTurn, recallQueue } from './queue.js'
import { regenerate, resumeAt, rewind, takeBack } from './rewind.js'
import { sdkFork } from './sdk-fork.js'
import { endProcess, resume, startSession } from './session.js'
import type { Style } from './styles.js'
import {
  cutStream,
  failAndGoOn,
  hitTokenLimit,
  interruptText,
  interruptThinking,
  interruptTool,
  killAndResume,
  loseInput,
  retryRequest,
  sendAgain,
} from './trouble.js'
import { finish, turn } from './turn.js'
import { writeTogether } from './writers.js'

/** A walk through one project: the process whose turn it is. */
export interface Walk {
  readonly world: World
  p: Process
  /** The style of the next process: as now, or newer. */
  nextStyle(): Style
}

/** One thing that can happen. */
interface Action {
  /** How often it happens where it can, beside a plain turn of 10. */
  readonly weight: number
  readonly fits: (style: Style) => boolean
  readonly ready?: (p: Process) => boolean
  readonly run: (walk: Walk) => void
}

const always = (): boolean => true
const real = ({ words }: Style): boolean => words === 'real'
const split = ({ split: parts }: Style): boolean => parts
const talked = ({ state }: Process): boolean => state.answered !== null
const canRewind = ({ state }: Process): boolean => state.points.length > 0
const withRetries = ({ name }: Style): boolean => name !== 'seed' && name !== '1.0.66'
const preserving = ({ preserves }: Style): boolean => preserves

/** An action on the process itself. */
function doing(weight: number, fits: (style: Style) => boolean, run: (p: Process) => void): Action {
  return { weight, fits, run: walk => run(walk.p) }
}

/** An action that leaves another process in charge. */
function handing(weight: number, fits: (style: Style) => boolean, run: (walk: Walk) => Process): Action {
  return {
    weight,
    fits,
    ready: talked,
    run: walk => {
      walk.p = run(walk)
    },
  }
}

/** A fork of the session: the walk goes on in the new one, or returns to the old. */
function forking(fits: (style: Style) => boolean, fork: (p: Process, style: Style) => Process): Action {
  return handing(1, fits, walk => {
    const next = fork(walk.p, walk.nextStyle())
    finish(turn(next))
    return walk.world.rng.chance(0.5) ? next : walk.p
  })
}

function backgroundTurn(p: Process): void {
  finish(turn(p, { rounds: 1, spawns: 'background' }))
}

function tellNotice(p: Process): void {
  if (p.world.rng.chance(0.5)) deliverNotice(p, false)
  else finish(turn(p, { rounds: 1, between: () => deliverNotice(p, true) }))
}

function compactInMidTurn(p: Process): void {
  finish(turn(p, { rounds: p.world.rng.between(1, 2), between: () => compact(p, 'auto') }))
}

/** A turn follows the described records, so that their summary is not the last entry. */
function compactByHand(p: Process): void {
  compact(p, 'manual')
  if (p.style.words === 'seed') finish(turn(p))
}

/** A local command; in the newest CLIs most leave system entries. */
function localCommand(p: Process): void {
  if (p.style.name === '2.1.325' && p.world.rng.chance(0.5)) systemCommand(p, 'status')
  else echoCommand(p, 'status')
}

/** Resume after `/exit`: the client's stub hangs on the caveat, so the echo of `/exit` is a dead end (rule F8). */
function exitAndResume({ p, nextStyle }: Walk): Process {
  const caveat = echoCommand(p, 'exit')
  endProcess(p)
  const next = startProcess(p.world, nextStyle(), p.file, caveat)
  writeStub(next)
  finish(turn(next))
  return next
}

/** `/clear`: a new session that begins with the echo of the command. */
function clearSession({ p, nextStyle, world }: Walk): Process {
  endProcess(p)
  const next = startSession(world, nextStyle())
  if (next.style.words === 'real') echoCommand(next, 'clear')
  finish(turn(next))
  return next
}

/** Takes up another session of the project. */
function switchSession({ p, nextStyle, world }: Walk): Process {
  const owners = world.files.flatMap(({ owner }) => (owner && owner.agent === null ? [owner] : []))
  const owner = world.rng.pick(owners)
  if (owner === p) return p
  endProcess(p)
  return resume(owner, nextStyle())
}

function replaySome(p: Process): void {
  for (let count = p.world.rng.between(1, 2); count > 0; count--) {
    replayInPlace(p)
    finish(turn(p))
  }
}

function lostAndResumed({ p, nextStyle }: Walk): Process {
  loseInput(p)
  return resume(p, nextStyle())
}

/** Names of all actions. */
export const ACTION_NAMES = [
  'turn',
  'agents',
  'background',
  'notice',
  'warmup',
  'compact',
  'autoCompact',
  'summarizeUpTo',
  'summarizeFrom',
  'rewind',
  'resumeAt',
  'regenerate',
  'takeBack',
  'retryRequest',
  'failForGood',
  'sendAgain',
  'cutStream',
  'interruptText',
  'interruptThinking',
  'interruptTool',
  'kill',
  'resume',
  'replay',
  'forkSession',
  'branch',
  'sdkFork',
  'twoWriters',
  'queue',
  'midTurn',
  'recall',
  'lostInput',
  'localCommand',
  'exitEcho',
  'clear',
  'switchSession',
  'notes',
  'opaque',
  'tokenLimit',
  'lateRow',
] as const

/** The name of an action. */
export type ActionName = (typeof ACTION_NAMES)[number]

/** All actions by name. */
export const ACTIONS: Readonly<Record<ActionName, Action>> = {
  turn: doing(10, always, p => finish(turn(p))),
  agents: doing(3, always, p => finish(turn(p, { rounds: 1, spawns: 'agents' }))),
  background: doing(1, s => s.background, backgroundTurn),
  notice: { ...doing(3, s => s.background, tellNotice), ready: (p: Process) => p.notices.length > 0 },
  warmup: doing(1, s => s.warmup, warmUp),
  compact: { ...doing(1, always, compactByHand), ready: talked },
  autoCompact: doing(1, s => s.compaction === 'boundary', compactInMidTurn),
  summarizeUpTo: { ...doing(0.5, preserving, p => compact(p, 'upTo')), ready: canRewind },
  summarizeFrom: { ...doing(0.5, preserving, p => compact(p, 'from')), ready: canRewind },
  rewind: {
    ...doing(
      3,
      s => s.rewind,
      p => void rewind(p),
    ),
    ready: canRewind,
  },
  resumeAt: { ...doing(1, s => s.rewind && real(s), resumeAt), ready: canRewind },
  regenerate: doing(2, s => s.words === 'seed', regenerate),
  takeBack: doing(1, real, takeBack),
  retryRequest: doing(1, withRetries, retryRequest),
  failForGood: doing(1, real, failAndGoOn),
  sendAgain: doing(1, s => s.rewind && real(s), sendAgain),
  cutStream: doing(0.5, real, cutStream),
  interruptText: doing(1, real, interruptText),
  interruptThinking: doing(0.5, s => s.results === 'tree', interruptThinking),
  interruptTool: doing(1, real, interruptTool),
  kill: handing(1, split, walk => killAndResume(walk.p, walk.nextStyle())),
  resume: handing(1, always, walk => resume(walk.p, walk.nextStyle())),
  replay: { ...doing(1, s => s.name === '1.0.66', replaySome), ready: talked },
  forkSession: forking(s => s.fork !== 'none', forkSession),
  branch: forking(s => s.branch, branchSession),
  sdkFork: forking(s => s.branch, sdkFork),
  twoWriters: handing(
    1,
    s => s.rewind && real(s),
    walk => writeTogether(walk.p),
  ),
  queue: doing(1, s => s.waiting !== 'none', queueBetweenTurns),
  midTurn: doing(1, s => s.midTurn !== 'none', queueInMidTurn),
  recall: doing(0.5, s => s.midTurn !== 'none', recallQueue),
  lostInput: handing(0.5, s => s.midTurn === 'attachment', lostAndResumed),
  localCommand: doing(1, real, localCommand),
  exitEcho: handing(0.5, s => s.results === 'tree', exitAndResume),
  clear: handing(0.5, always, clearSession),
  switchSession: handing(1, always, switchSession),
  notes: doing(1, real, scatterNote),
  opaque: doing(0.5, always, mystify),
  tokenLimit: doing(0.5, real, hitTokenLimit),
  lateRow: doing(
    1,
    s => s.lateRows,
    p => finish(turn(p, { rounds: 0, how: { late: true } })),
  ),
}
