/** The two kinds of workers, as the process that starts them sees them. */
import { fork } from 'node:child_process'
import { closeSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { WORKER_ARGUMENT } from './entry.js'
import type { Reply, Request } from './protocol.js'
import { openSpool, takeValue } from './spool.js'

/** What is heard from a worker. */
interface PeerListener {
  readonly hear: (reply: Reply) => void
  readonly fail: (error: unknown) => void
  /** It has ended, and everything that it sent was heard. */
  readonly end: (code: number | null) => void
}

/** The other end of the protocol. */
export interface Peer {
  /** A worker that is gone does not receive it; that it is gone is heard by its end. */
  readonly send: (request: Request, done?: () => void) => void
  /** Calls a listener until the function that is returned is called. */
  readonly listen: (listener: PeerListener) => () => void
  /** The value of a reply. Taken once. */
  readonly take: (reply: Exclude<Reply, { readonly kind: 'error' }>) => unknown
  readonly isAlive: () => boolean
  /** It does not keep this process alive. */
  readonly unref: () => void
  readonly close: () => void
}

/**
 * The environment of a worker. It takes compiled code from where this thread does (`keepCompiled` of the launcher), which it does
 * not do by itself; the folder that Node tells is one for its own version within that.
 */
function workerEnv(): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir()
  return folder === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(folder) }
}

/** Starts a program as a process that serves a task. */
export function startChild(
  program: string,
  task: string,
  { flags, hasSpool }: { readonly flags: readonly string[]; readonly hasSpool: boolean },
): Peer {
  const spool = hasSpool ? openSpool() : null
  const child = fork(program, [WORKER_ARGUMENT, task], {
    serialization: 'advanced',
    execArgv: [...flags],
    env: workerEnv(),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc', ...(spool === null ? [] : [spool])],
  })
  child.on('error', () => {})
  const send: Peer['send'] = (request, done) => void child.send(request, () => done?.())
  return {
    send,
    listen: ({ hear, fail, end }) => {
      // Its last messages may come after its exit, but not after the channel was closed; its exit code comes after that.
      const endOnce = (): void => {
        const hasExited = child.exitCode !== null || child.signalCode !== null
        if (hasExited && !child.connected) end(child.exitCode)
      }
      child.on('message', hear).on('error', fail).on('exit', endOnce).on('disconnect', endOnce)
      return () =>
        child.off('message', hear).off('error', fail).off('exit', endOnce).off('disconnect', endOnce)
    },
    take: reply => {
      if ('value' in reply) return reply.value
      const value = spool === null ? undefined : takeValue(spool, reply.location)
      send({ kind: 'taken', amount: reply.location.takes })
      return value
    },
    // A process that was killed is gone before its channel is closed.
    isAlive: () => child.connected && child.exitCode === null && child.signalCode === null,
    unref: () => {
      child.unref()
      child.channel?.unref()
    },
    close: () => {
      if (child.connected) child.disconnect()
      if (spool !== null) closeSync(spool)
    },
  }
}

/** Starts a program as a thread of this process that serves a task. */
export function startThread(program: string, task: string): Peer {
  const thread = new Worker(program, {
    argv: [WORKER_ARGUMENT, task],
    execArgv: [],
    env: workerEnv(),
    stdin: false,
  })
  let isAlive = true
  let ended: number | null = null
  // Its end reports the failure.
  thread.on('error', () => {})
  thread.on('exit', code => {
    isAlive = false
    ended = code
  })
  return {
    send: (request, done) => {
      thread.postMessage(request)
      if (done !== undefined) setImmediate(done)
    },
    listen: ({ hear, end }) => {
      const endOnce = (): void => end(ended)
      thread.on('message', hear).on('exit', endOnce)
      return () => thread.off('message', hear).off('exit', endOnce)
    },
    take: reply => {
      if (!('value' in reply)) return undefined
      if (reply.isCounted === true) thread.postMessage({ kind: 'taken', amount: 1 } satisfies Request)
      return reply.value
    },
    isAlive: () => isAlive,
    unref: () => thread.unref(),
    close: () => {
      isAlive = false
      void thread.terminate()
    },
  }
}
