/** What goes wrong in a turn: failed requests, cut streams, interrupts, kills, answers that are too long. */

import { queueRow, syntheticBody, systemBody, userBody } from './bodies.js'
import { writeStub } from './commands.js'
import { compact } from './compact.js'
import { itemsOf } from './memory.js'
import type { Node, Process } from './model.js'
import { closeTurn } from './notes.js'
import { note, record, words } from './recorder.js'
import { answerCall, giveResult, type OpenCall, planCalls, sayCalls } from './round.js'
import { revive } from './session.js'
import { answer, newMessage, speak, textBlock, thinkingBlock } from './speech.js'
import type { Style } from './styles.js'
import { ask, finish, turn } from './turn.js'

/** Requests that fail and are tried again: notices in the chain, then the answer. */
export function retryRequest(p: Process): void {
  ask(p, words(p.world, 'ask'))
  const asked = p.state.tip
  failRequests(p)
  answer(p)
  // A notice written late stands beside the answer, and is never the last entry.
  if (p.style.name === '2.1.325') record(p, errorNotice(2), {}, { parent: asked, isAside: true })
  closeTurn(p)
  finish(turn(p))
}

function failRequests(p: Process): void {
  for (let attempt = p.world.rng.between(1, 3); attempt > 0; attempt--) record(p, errorNotice(attempt))
}

function errorNotice(attempt: number): ReturnType<typeof systemBody> {
  return systemBody('api_error', { level: 'error', retryAttempt: attempt, maxRetries: 10, retryInMs: 500 })
}

/** A request that fails for good, and the turn after it: a side that only failed would be no branch (rule F9). */
export function failAndGoOn(p: Process): void {
  failForGood(p)
  finish(turn(p))
}

/** A request that fails for good: the notice is in the chain, and only 1.0.66 sends it later. */
export function failForGood(p: Process): void {
  ask(p, words(p.world, 'ask'))
  if (p.world.rng.chance(0.5)) failRequests(p)
  writeApiError(p)
  closeTurn(p)
}

function writeApiError(p: Process): Node {
  const body = syntheticBody(p, 'API Error: 529 overloaded', { isApiErrorMessage: true, error: 'unknown' })
  return record(p, body, { kind: 'assistant', error: true })
}

/** The same prompt sent again after it failed: a sibling of the failed one, no branch (rule F9). */
export function sendAgain(p: Process): void {
  const before = p.state
  const text = words(p.world, 'again')
  const failed = ask(p, text)
  writeApiError(p)
  p.world.ledger.retried.push(failed.uuid)
  p.state = before
  finish(turn(p, { text }))
}

/** A stream that breaks off: the parts received stay, a notice follows, then the turn goes on. */
export function cutStream(p: Process): void {
  ask(p, words(p.world, 'ask'))
  const thinks = p.world.rng.chance(0.4)
  speak(p, newMessage(p), [...(thinks ? [thinkingBlock(p)] : []), textBlock(p)])
  writeApiError(p)
  answer(p)
  closeTurn(p)
}

/** Esc while text streams: what came stays, then a note. */
export function interruptText(p: Process): void {
  ask(p, words(p.world, 'ask'))
  speak(p, newMessage(p), [textBlock(p)])
  writeInterrupt(p, '')
}

/** L7: Esc after the thinking: that message is not sent later. Another turn follows. */
export function interruptThinking(p: Process): void {
  ask(p, words(p.world, 'ask'))
  speak(p, newMessage(p), [thinkingBlock(p)])
  writeInterrupt(p, '')
  finish(turn(p))
}

/** Esc in a tool call: all open calls are refused, then a note. */
export function interruptTool(p: Process): void {
  ask(p, words(p.world, 'ask'))
  for (const call of openCalls(p)) {
    const denied = p.style.name === '2.1.325' ? { toolDenialKind: 'user-rejected' } : {}
    const content = "The user doesn't want to proceed with this tool use."
    answerCall(p, call, { content, error: true, extra: { toolUseResult: `Error: ${content}`, ...denied } })
  }
  writeInterrupt(p, ' for tool use')
}

function writeInterrupt(p: Process, why: string): void {
  record(p, userBody(p, [{ type: 'text', text: `[Request interrupted by user${why}]` }]), { kind: 'user' })
}

/** Says calls and leaves them open. */
function openCalls(p: Process): OpenCall[] {
  return [...sayCalls(p, planCalls(p))].flat()
}

/** Killed in a tool call, then resumed: some results may be in, never all. Input that waited is lost. */
export function killAndResume(p: Process, style: Style): Process {
  const { rng } = p.world
  ask(p, words(p.world, 'ask'))
  const open = openCalls(p)
  for (const call of rng.shuffle(open).slice(0, rng.int(open.length))) giveResult(p, call)
  if (p.style.midTurn === 'attachment' && rng.chance(0.3)) loseInput(p)
  const next = revive(p, style)
  if (style.killed === 'made-up') makeUpResults(next, open)
  if (next.revived && style.compaction === 'boundary' && rng.chance(0.3)) compact(next, 'manual')
  finish(turn(next))
  return next
}

/** Enqueued, and never delivered. */
export function loseInput(p: Process): void {
  const text = words(p.world, 'waiting')
  note(p, queueRow(p, 'enqueue', { content: text }))
  p.world.ledger.queue.push({ path: p.file.path, text, became: 'lost', node: null })
}

function makeUpResults(p: Process, open: readonly OpenCall[]): void {
  const answered = new Set(itemsOf(p.state.memory).map(({ answers }) => answers))
  for (const call of open.filter(({ id }) => !answered.has(id))) {
    const content = '[Tool call interrupted: the session ended before it finished.]'
    answerCall(p, call, {
      content,
      error: true,
      extra: { toolDenialKind: 'interrupted', toolUseResult: content },
    })
  }
  writeStub(p)
}

/** An answer cut by the token limit: a note of the client between its two halves. */
export function hitTokenLimit(p: Process): void {
  ask(p, words(p.world, 'ask'))
  speak(p, newMessage(p), [textBlock(p)])
  record(p, userBody(p, 'Output token limit hit. Resume directly.', { isMeta: true }), { kind: 'user' })
  answer(p)
  closeTurn(p)
}
