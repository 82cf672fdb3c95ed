/** How a session starts, ends, and is taken up again. */

import { noteRow } from './bodies.js'
import { writeStub } from './commands.js'
import { resumeAsCopy } from './copies.js'
import { itemsOf, memoryOf, survivorsOf } from './memory.js'
import type { Process, State, World } from './model.js'
import { hook } from './notes.js'
import { EMPTY_STATE, openSession, startProcess } from './process.js'
import { note } from './recorder.js'
import type { Style } from './styles.js'

/** A new session with its first process. Only the seeds' vocabulary knows `is_active`, and not always. */
export function startSession(world: World, style: Style): Process {
  const marked = style.words === 'seed' && world.rng.chance(0.5)
  const p = startProcess(world, style, openSession(world, marked), EMPTY_STATE)
  if (p.hooks) hook(p, 'SessionStart', world.rng.uuid())
  return p
}

/** What a process leaves when it ends in order. A killed one leaves nothing. */
export function endProcess(p: Process): void {
  if (p.style.name === '2.1.325')
    note(p, noteRow(p, 'cost-state', { totalCostUSD: 0.1, startTime: p.world.clock }))
}

/** Resumes a session after an orderly end: in the same file, or as a copy in a new one (1.0.66). */
export function resume(p: Process, style: Style): Process {
  endProcess(p)
  if (style.resume === 'copy') return resumeAsCopy(p, style)
  leaveEmptyFile(p, style)
  const next = startProcess(p.world, style, p.file, p.state)
  const last = itemsOf(p.state.memory).findLast(({ kind }) => kind !== 'other')
  if (style.killed === 'drop' && style.words === 'real' && last?.kind === 'user') writeStub(next)
  return next
}

/** 2.0.64 also leaves a file of no bytes under a new id. */
function leaveEmptyFile(p: Process, style: Style): void {
  if (style.name === '2.0.64' && p.world.emptyFiles)
    p.world.sink.touch(`${p.world.project}/${p.world.rng.uuid()}.jsonl`)
}

/** Resumes a killed session: calls without a result are forgotten (L7), unless the style makes results up. */
export function revive(p: Process, style: Style): Process {
  const state = style.killed === 'drop' ? forgetOpenCalls(p.state) : p.state
  if (style.resume === 'copy') return resumeAsCopy({ ...p, state }, style)
  const next = startProcess(p.world, style, p.file, state)
  next.revived = true
  return next
}

function forgetOpenCalls(state: State): State {
  const items = survivorsOf(state.memory)
  return items === null ? state : { ...state, memory: memoryOf(items), tip: items.at(-1)?.node ?? null }
}
