/** The worker's side of the protocol: runs one task after another, and ends with the process that started it. */
import { fstatSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import type { UserError } from '../host/user-error.js'
import { userErrorOf } from '../host/user-error.js'
import type { Channel, Reply, Request, Task } from './protocol.js'
import { SpoolWriter } from './spool.js'

/** Where a worker finds the spool among its open files. */
const SPOOL_FILE = 4

/** Serves the process that started this one, which may be gone before it began. */
export function serveTasks(load: (name: string) => Promise<Task<never, unknown>>): void {
  if (process.connected !== true) return
  const spool = hasSpool() ? new SpoolWriter(SPOOL_FILE) : null
  const inputs = createQueue()
  for (const gone of ['disconnect', 'error']) process.once(gone, () => process.exit())
  process.on('message', (request: Request) => {
    if (request.kind === 'taken') spool?.taken(request.bytes)
    else if (request.kind === 'input') inputs.push(request.value)
    else if (request.kind === 'end') inputs.end()
    else void runRequest(load, request, spool, inputs)
  })
}

function hasSpool(): boolean {
  try {
    return fstatSync(SPOOL_FILE).isFile()
  } catch {
    return false
  }
}

type RunRequest = Extract<Request, { readonly kind: 'run' }>

async function runRequest(
  load: (name: string) => Promise<Task<never, unknown>>,
  { task, input, isLast }: RunRequest,
  spool: SpoolWriter | null,
  inputs: Queue,
): Promise<void> {
  // What is still in the pipe when the channel is closed is lost: the last reply is waited for.
  const reply = async (message: Reply): Promise<void> =>
    await new Promise(resolve => process.send?.(message, () => resolve()) ?? resolve())
  const carry = async (kind: 'part' | 'result', value: unknown): Promise<void> => {
    await reply(spool === null ? { kind, value } : { kind, location: await spool.put(value) })
    // What the other end has taken is heard in between.
    await setImmediate()
  }
  const channel: Channel = {
    inputs,
    post: value => void reply({ kind: 'part', value }),
    send: value => carry('part', value),
  }
  try {
    await carry('result', await (await load(task))(input as never, channel))
  } catch (error) {
    await reply({ kind: 'error', ...describeError(error) })
  }
  if (!isLast) return
  // Its memory is needed elsewhere once everything is taken.
  await spool?.drain()
  process.disconnect()
}

function describeError(error: unknown): {
  readonly message: string
  readonly code: UserError['code'] | null
} {
  const known = userErrorOf(error)
  if (known !== null) return { message: known.message, code: known.code }
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error), code: null }
}

interface Queue extends AsyncIterable<unknown> {
  readonly push: (value: unknown) => void
  readonly end: () => void
}

/** Values that wait to be taken, one by one. */
function createQueue(): Queue {
  const waiting: unknown[] = []
  let isEnded = false
  let wake: () => void = () => {}
  async function* take(): AsyncGenerator<unknown> {
    while (true) {
      if (waiting.length > 0) yield waiting.shift()
      else if (isEnded) return
      else
        await new Promise<void>(resolve => {
          wake = resolve
        })
    }
  }
  return {
    push: value => {
      waiting.push(value)
      wake()
    },
    end: () => {
      isEnded = true
      wake()
    },
    [Symbol.asyncIterator]: take,
  }
}
