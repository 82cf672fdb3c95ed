/**
 * Rule Q4: sessions that the queue and the session writer of the library have written, alone and through the Agent SDK.
 * Three messages that are queued at once give one chain, a message onto a chosen parent gives a fork.
 */

import { randomUUID } from 'node:crypto'
import { createMessageQueue, type SessionClock, startSession } from '@dagline/core/queue'
import { written as exampleRows } from '../../examples/queue.ts'
import { readSession } from '../harness/graph.ts'
import { sdkOf, sendThroughSdk } from '../harness/sdk.ts'
import type { CaseSource, LabCase, LabSession } from './case.ts'

export const written: CaseSource = {
  name: 'written',
  *cases() {
    yield writtenCase('three messages at once', threeAtOnce)
    yield writtenCase('and one onto the first answer', threeAndFork)
    yield writtenCase('with calls side by side', withCalls)
    if (sdkOf() === null) return
    yield throughSdk('three messages at once', false)
    yield throughSdk('and one onto the first answer', true)
  },
}

/** Rows, and the uuids that the queue and the writer gave to what must be sent. */
interface Rows {
  readonly text: string
  readonly promise: readonly string[]
}

function writtenCase(name: string, rowsOf: (session: string, clock: SessionClock) => Promise<Rows>): LabCase {
  const make = async (): Promise<LabSession> => {
    const session = randomUUID()
    return { session, folder: null, ...(await rowsOf(session, clock())) }
  }
  return { asks: 'edit', kind: 'written by the session writer', name, make }
}

function clock(): SessionClock {
  let time = Date.UTC(2026, 9, 1)
  const now = (): number => {
    time += 1000
    return time
  }
  return { newId: randomUUID, now }
}

const CWD = '/home/dev/proj'
const MODEL = 'claude-lab'

/** Every message hangs on the answer to the one before it. */
async function threeAtOnce(session: string, given: SessionClock): Promise<Rows> {
  const queue = createMessageQueue({ newId: given.newId })
  const writer = startSession({ session, cwd: CWD }, given)
  const promise: string[] = []
  for (const text of ['one', 'two', 'three']) queue.push(text)
  let text = ''
  for await (const message of queue) {
    text += writer.prompt(message)
    text += writer.answer({ id: `msg_${message.id}`, model: MODEL, blocks: [{ type: 'text', text: 'done' }] })
    const leaf = writer.leaf() ?? message.id
    promise.push(message.id, leaf)
    if (queue.waiting().length === 0) queue.close()
    queue.answered(leaf)
  }
  return { text, promise }
}

/** The rows of `examples/queue.ts`: the fork is live, of the other messages the first. */
async function threeAndFork(session: string, given: SessionClock): Promise<Rows> {
  const text = await exampleRows(given, session, CWD)
  const { graph, path } = readSession(session, text)
  const [fork] = graph.forks().filter(({ kind }) => kind === 'rewind')
  const promise = graph.live(path).map(node => graph.id(node))
  if (fork === undefined || promise.length !== 4) throw new RangeError('the example writes no fork')
  return { text, promise }
}

/** Two calls of one message, whose results come in the other order. */
async function withCalls(session: string, given: SessionClock): Promise<Rows> {
  const writer = startSession({ session, cwd: CWD }, given)
  const call = (id: string) => ({ type: 'tool_use', id, name: 'Bash', input: { command: 'ls' } }) as const
  const blocks = [{ type: 'text', text: 'I look.' } as const, call('toolu_a'), call('toolu_b')]
  const rows = [
    writer.prompt({ id: given.newId(), parent: null, content: 'look around', forks: false }),
    writer.answer({ id: 'msg_1', model: MODEL, blocks }),
    writer.results(['toolu_b', 'toolu_a'].map(id => ({ call: id, content: `output of ${id}` }))),
    writer.answer({ id: 'msg_2', model: MODEL, blocks: [{ type: 'text', text: 'There it is.' }] }),
  ]
  const text = rows.join('')
  const promise = text.split('\n').flatMap(row => (row === '' ? [] : [String(JSON.parse(row).uuid)]))
  return { text, promise }
}

/** The CLI itself has written the session; the queue has given the parents. */
function throughSdk(name: string, forks: boolean): LabCase {
  const make = async (_: string, cli: string): Promise<LabSession> => {
    const { session, text, chain } = await sendThroughSdk(cli, forks)
    return { session, text, folder: null, promise: chain }
  }
  return { asks: 'edit', kind: 'sent through the Agent SDK', name, make }
}
