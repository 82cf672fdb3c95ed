/**
 * Worker processes. They are processes, not threads: reading makes and drops large strings all the time, and two threads
 * of one process then wait for each other at the memory map (measured: two threads took as long as one;
 * docs/PERFORMANCE.md).
 */
import { type ChildProcess, fork } from 'node:child_process'
import { closeSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { UserError } from '../host/user-error.js'
import type { Tasks } from '../tasks.js'
import { bundledCommand, WORKER_ARGUMENT } from './entry.js'
import type { Carried, Reply, Request } from './protocol.js'
import { openSpool, takeValue } from './spool.js'

type TaskName = keyof Tasks
type InputOf<N extends TaskName> = Parameters<Tasks[N]>[0]
type OutputOf<N extends TaskName> = Awaited<ReturnType<Tasks[N]>>

/** How a worker runs. */
export interface WorkerOptions {
  /** Flags of the JavaScript engine. */
  readonly flags?: readonly string[]
  /** Large values go through a file instead of a pipe. */
  readonly hasSpool?: boolean
  /** It stays for further runs, and does not keep this process alive. */
  readonly isKept?: boolean
  /** The error where it ends before its result. */
  readonly endedEarly: (code: number | null) => Error
}

/** A task in a worker. */
interface Run<Output> {
  readonly result: Promise<Output>
  /** Resolves when the worker has its request, which is sent while this process is not busy. */
  readonly sent: Promise<void>
  /** Gives the task further input. */
  readonly send: (value: unknown) => void
  /** There is no further input. */
  readonly end: () => void
}

export interface WorkerProcess<Input, Output> {
  /** Starts the task, one at a time. `onPart` receives what it sends on the way. */
  readonly run: (input: Input, onPart?: (part: unknown) => void) => Run<Output>
  readonly isAlive: () => boolean
  readonly close: () => void
}

/** How many workers can share work beside this process; none while sources run as they are. */
export function workerCount(most: number): number {
  return bundledCommand() === null ? 0 : Math.max(0, Math.min(availableParallelism() - 1, most))
}

/** Starts a worker for a task. Only the bundled command is a file that a process can be started from. */
export function startWorker<N extends TaskName>(
  task: N,
  options: WorkerOptions,
): WorkerProcess<InputOf<N>, OutputOf<N>> {
  return startProcess(bundledCommand() ?? '', task, options)
}

/** Starts a program that serves tasks. */
export function startProcess<Input, Output>(
  program: string,
  task: string,
  options: WorkerOptions,
): WorkerProcess<Input, Output> {
  const { flags = [], hasSpool = false, isKept = false } = options
  const spool = hasSpool ? openSpool() : null
  const child = fork(program, [WORKER_ARGUMENT, task], {
    serialization: 'advanced',
    execArgv: [...flags],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc', ...(spool === null ? [] : [spool])],
  })
  child.on('error', () => {})
  if (isKept) {
    child.unref()
    child.channel?.unref()
  }
  let isClosed = false
  return {
    run: (input, onPart = () => {}) => runIn(child, spool, { task, input, onPart, options }),
    isAlive: () => child.connected,
    close: () => {
      if (isClosed) return
      isClosed = true
      if (child.connected) child.disconnect()
      if (spool !== null) closeSync(spool)
    },
  }
}

interface Job {
  readonly task: string
  readonly input: unknown
  readonly onPart: (part: unknown) => void
  readonly options: WorkerOptions
}

function runIn<Output>(
  child: ChildProcess,
  spool: number | null,
  { task, input, onPart, options }: Job,
): Run<Output> {
  // A worker that is gone does not receive it; that it is gone is heard by its exit.
  const post = (request: Request, done: () => void = () => {}): void => void child.send(request, () => done())
  const result = new Promise<Output>((resolve, reject) => {
    const settle = (act: () => void): void => {
      child.off('message', hear).off('error', fail).off('exit', end).off('disconnect', end)
      act()
    }
    const fail = (error: unknown): void => settle(() => reject(error))
    // Its last messages may come after its exit, but not after the channel was closed; its exit code comes after that.
    const end = (): void => {
      const hasExited = child.exitCode !== null || child.signalCode !== null
      if (hasExited && !child.connected) fail(options.endedEarly(child.exitCode))
    }
    const hear = (reply: Reply): void => {
      try {
        if (reply.kind === 'error') throw errorOf(reply)
        const value = carriedValue(reply, spool, bytes => post({ kind: 'taken', bytes }))
        if (reply.kind === 'part') onPart(value)
        else settle(() => resolve(value as Output))
      } catch (error) {
        fail(error)
      }
    }
    child.on('message', hear).once('error', fail).once('exit', end).once('disconnect', end)
  })
  // Whoever waits for it receives the failure; until then it must not count as unhandled.
  result.catch(() => {})
  const sent = new Promise<void>(resolve =>
    post({ kind: 'run', task, input, isLast: options.isKept !== true }, resolve),
  )
  return {
    result,
    sent,
    send: value => post({ kind: 'input', value }),
    end: () => post({ kind: 'end' }),
  }
}

function carriedValue(carried: Carried, spool: number | null, taken: (bytes: number) => void): unknown {
  if ('value' in carried) return carried.value
  const value = spool === null ? undefined : takeValue(spool, carried.location)
  taken(carried.location.takes)
  return value
}

function errorOf({ message, code }: Extract<Reply, { readonly kind: 'error' }>): Error {
  return code === null ? new Error(message) : new UserError(message, code)
}

/** Runs a task once: in a worker, or with `here` in this process while sources run as they are. */
export async function runOnce<N extends TaskName>(
  name: N,
  input: InputOf<N>,
  options: WorkerOptions & { readonly here: (input: InputOf<N>) => Promise<OutputOf<N>> },
): Promise<OutputOf<N>> {
  if (bundledCommand() === null) return await options.here(input)
  const worker = startWorker(name, options)
  try {
    return await worker.run(input).result
  } finally {
    worker.close()
  }
}
