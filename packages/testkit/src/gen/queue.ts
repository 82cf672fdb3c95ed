/** Input typed while the model works. */

import { attachmentBody, queueRow } from './bodies.js'
import { standingOf } from './memory.js'
import type { Process } from './model.js'
import { instant, note, record, tick, words } from './recorder.js'
import { answer } from './speech.js'
import type { QueueFate } from './truth.js'
import { addPoint, ask, finish, turn } from './turn.js'

/** A text in the queue, and when it was typed. */
interface Queued {
  readonly text: string
  readonly time: string
}

/** Texts that wait for the end of the turn: merged into one prompt, or sent one by one. */
export function queueBetweenTurns(p: Process): void {
  const queued: Queued[] = []
  finish(turn(p, { asked: () => queued.push(...enqueueSome(p)) }))
  if (p.style.waiting === 'merge') sendMerged(p, queued)
  else sendEach(p, queued)
}

function sendMerged(p: Process, queued: readonly Queued[]): void {
  for (const _ of queued) note(p, queueRow(p, 'dequeue'))
  const node = ask(p, queued.map(({ text }) => text).join('\n'), { dequeued: true })
  for (const { text } of queued) settle(p, text, queued.length > 1 ? 'merged' : 'prompt', node.uuid)
  answer(p)
}

function sendEach(p: Process, queued: readonly Queued[]): void {
  for (const { text } of queued) {
    note(p, queueRow(p, 'dequeue'))
    const node = ask(p, text, { dequeued: true })
    settle(p, text, 'prompt', node.uuid)
    answer(p)
  }
}

/** Texts taken into the running turn: as attachments behind the results, or without a trace in the chain. */
export function queueInMidTurn(p: Process): void {
  const queued: Queued[] = []
  const absorb = (): void => {
    for (const one of queued) absorbOne(p, one)
  }
  finish(
    turn(p, {
      rounds: p.world.rng.between(1, 2),
      asked: () => queued.push(...enqueueSome(p)),
      between: absorb,
    }),
  )
}

function absorbOne(p: Process, { text, time }: Queued): void {
  if (p.style.midTurn === 'silent') {
    note(p, queueRow(p, 'remove'))
    settle(p, text, 'absorbed', null)
    return
  }
  const source = p.world.rng.uuid()
  const before = standingOf(p.state)
  const fields = { prompt: text, source_uuid: source, commandMode: 'prompt', timestamp: time }
  const node = record(p, attachmentBody('queued_command', fields), {}, { time })
  // The user can rewind to it like to a prompt.
  addPoint(p, { before, head: node, answered: null })
  note(p, queueRow(p, 'remove', { content: text, reason: 'absorbed_mid_turn', commandUuid: source }))
  settle(p, text, 'attachment', node.uuid)
}

/** Texts called back into the editor. */
export function recallQueue(p: Process): void {
  const recall = (): void => {
    const queued = enqueueSome(p)
    note(p, queueRow(p, 'popAll', { content: queued.map(({ text }) => text).join('\n') }))
    for (const { text } of queued) settle(p, text, 'recalled', null)
  }
  finish(turn(p, { asked: recall }))
}

function enqueueSome(p: Process): Queued[] {
  return Array.from({ length: p.world.rng.between(1, 3) }, () => {
    const queued = { text: words(p.world, 'queued'), time: tick(p.world) }
    note(p, queueRow(p, 'enqueue', { content: queued.text, timestamp: instant(p.world) }))
    return queued
  })
}

function settle(p: Process, text: string, became: QueueFate, node: string | null): void {
  p.world.ledger.queue.push({ path: p.file.path, text, became, node })
}
