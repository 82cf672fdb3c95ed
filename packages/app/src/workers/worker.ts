/** The worker's side of the protocol: runs one task after another, and ends with the process that started it. */
import { setImmediate } from 'node:timers/promises'
import type { UserError } from '../host/user-error.js'
import { userErrorOf } from '../host/user-error.js'
import { findParent, type Parent } from './parent.js'
import type { Channel, Request, Task } from './protocol.js'

/** Serves the process that started this one, which may be gone before it began. */
export function serveTasks(load: (name: string) => Promise<Task<never, unknown>>): void {
  const parent = findParent()
  if (parent === null) return
  const inputs = createQueue()
  parent.listen(request => {
    if (request.kind === 'taken') parent.taken(request.amount)
    else if (request.kind === 'input') inputs.push(request.value)
    else if (request.kind === 'end') inputs.end()
    else void runRequest(load, request, parent, inputs)
  })
}

type RunRequest = Extract<Request, { readonly kind: 'run' }>

async function runRequest(
  load: (name: string) => Promise<Task<never, unknown>>,
  { task, input, isLast }: RunRequest,
  parent: Parent,
  inputs: Queue,
): Promise<void> {
  const carry = async (kind: 'part' | 'result', value: unknown): Promise<void> => {
    await parent.carry(kind, value)
    // What the other end has taken is heard in between.
    await setImmediate()
  }
  const channel: Channel = {
    inputs,
    post: value => void parent.reply({ kind: 'part', value }),
    send: value => carry('part', value),
  }
  try {
    await carry('result', await (await load(task))(input as never, channel))
  } catch (error) {
    await parent.reply({ kind: 'error', ...describeError(error) })
  }
  if (isLast) await parent.end()
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
