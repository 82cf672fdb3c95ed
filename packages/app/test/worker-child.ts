/** A program that serves tasks for tests of the worker protocol. The name of the task is its second argument. */
import { setTimeout } from 'node:timers/promises'
import { UserError } from '../src/host/user-error.js'
import type { Channel, Task } from '../src/workers/protocol.js'
import { serveTasks } from '../src/workers/worker.js'

const TASKS: Readonly<Record<string, Task<never, unknown>>> = {
  double: (input: number) => input * 2,
  /** Sends each number below its input, some of them after a pause, then the sum. */
  count: async (input: number, { post, send }: Channel) => {
    for (let number = 0; number < input; number++) {
      if (number % 3 === 0) await setTimeout(1)
      if (number % 2 === 0) post(number)
      else await send(number)
    }
    return (input * (input - 1)) / 2
  },
  /** Collects its inputs until there are no more. */
  collect: async (_: null, { inputs }: Channel) => {
    const values: unknown[] = []
    for await (const value of inputs) values.push(value)
    return values
  },
  /** Sends texts of many characters. */
  large: async (input: number, { send }: Channel) => {
    for (let number = 0; number < input; number++) await send(String(number).padEnd(4_000_000, '.'))
    return 'x'.repeat(4_000_000)
  },
  refuse: () => {
    throw new UserError('There is no such session: give another.', 'no-session')
  },
  fail: () => {
    throw new TypeError('a fault of our own')
  },
  /** Fails for odd inputs only. */
  even: (input: number) => {
    if (input % 2 === 1) throw new UserError(`${input} is odd.`)
    return input
  },
  exit: () => process.exit(3),
  kill: () => process.kill(process.pid, 'SIGKILL'),
  sleep: async () => await setTimeout(60_000),
  /** Gives its input back, unless it is to sleep. */
  'sleep-or-answer': async (input: string) => (input === 'sleep' ? await setTimeout(60_000) : input),
  'own-pid': () => process.pid,
}

serveTasks(async name => {
  const task = TASKS[name]
  if (task === undefined) throw new Error(`no task ${name}`)
  return task
})
