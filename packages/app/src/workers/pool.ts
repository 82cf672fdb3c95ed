/**
 * Workers: processes, or threads of this one. A process has an engine with flags of its own, and may end in any way without
 * harm to this one; a thread needs less memory, because Node's program is in it once (docs/PERFORMANCE.md).
 */
import { availableParallelism } from 'node:os'
import { UserError } from '../host/user-error.js'
import type { Tasks } from '../tasks.js'
import { bundledCommand } from './entry.js'
import { type Peer, startChild, startThread } from './peer.js'
import type { Reply } from './protocol.js'

type TaskName = keyof Tasks
type InputOf<N extends TaskName> = Parameters<Tasks[N]>[0]
type OutputOf<N extends TaskName> = Awaited<ReturnType<Tasks[N]>>

/** How a worker runs. */
export interface WorkerOptions {
  /** It is a thread of this process, with the flags of the engine that are set here. */
  readonly isThread?: boolean
  /** Flags of the JavaScript engine, for a process. */
  readonly flags?: readonly string[]
  /** Large values of a process go through a file instead of a pipe. */
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
  const { isThread = false, flags = [], hasSpool = false, isKept = false } = options
  const peer = isThread ? startThread(program, task) : startChild(program, task, { flags, hasSpool })
  let isClosed = false
  const close = (): void => {
    if (!isClosed) peer.close()
    isClosed = true
    atWork.delete(end)
  }
  const end = (): void => {
    peer.unref()
    close()
  }
  if (isKept) peer.unref()
  else atWork.add(end)
  return {
    run: (input, onPart = () => {}) => runIn(peer, { task, input, onPart, options }),
    isAlive: peer.isAlive,
    close,
  }
}

/** Ends each worker that keeps this process alive. */
const atWork = new Set<() => void>()

/** Ends all workers that keep this process alive: nobody waits for their results any more. */
export function endWorkers(): void {
  for (const end of [...atWork]) end()
}

interface Job {
  readonly task: string
  readonly input: unknown
  readonly onPart: (part: unknown) => void
  readonly options: WorkerOptions
}

function runIn<Output>(peer: Peer, { task, input, onPart, options }: Job): Run<Output> {
  const result = new Promise<Output>((resolve, reject) => {
    const settle = (act: () => void): void => {
      forget()
      act()
    }
    const fail = (error: unknown): void => settle(() => reject(error))
    const hear = (reply: Reply): void => {
      try {
        if (reply.kind === 'error') throw errorOf(reply)
        const value = peer.take(reply)
        if (reply.kind === 'part') onPart(value)
        else settle(() => resolve(value as Output))
      } catch (error) {
        fail(error)
      }
    }
    const forget = peer.listen({ hear, fail, end: code => fail(options.endedEarly(code)) })
  })
  // The caller that awaits the result receives the failure; until then it must not count as unhandled.
  result.catch(() => {})
  const sent = new Promise<void>(resolve =>
    peer.send({ kind: 'run', task, input, isLast: options.isKept !== true }, resolve),
  )
  return {
    result,
    sent,
    send: value => peer.send({ kind: 'input', value }),
    end: () => peer.send({ kind: 'end' }),
  }
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
