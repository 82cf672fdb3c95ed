/** What a worker knows of the process that started it, whether it is a process of its own or a thread. */
import { fstatSync } from 'node:fs'
import { isMainThread, type MessagePort, parentPort } from 'node:worker_threads'
import type { Reply, Request } from './protocol.js'
import { SpoolWriter } from './spool.js'

/** A reply that has a value. */
type ValueReply = 'part' | 'result'

/** The other end of the protocol. */
export interface Parent {
  readonly listen: (hear: (request: Request) => void) => void
  /** Resolves when it is on its way: what is in a pipe when the channel is closed is lost. */
  readonly reply: (reply: Reply) => Promise<void>
  /** Sends a value of any size, and waits until there is room for it. */
  readonly carry: (kind: ValueReply, value: unknown) => Promise<void>
  /** The other end has taken an amount of what was carried. */
  readonly taken: (amount: number) => void
  /** Ends this worker once the other end has taken everything. */
  readonly end: () => Promise<void>
}

/** The process that started this one; null where there is none any more. */
export function findParent(): Parent | null {
  if (!isMainThread && parentPort !== null) return threadParent(parentPort)
  return process.connected === true ? processParent() : null
}

/** Where a worker finds the spool among its open files. */
const SPOOL_FILE = 4

function processParent(): Parent {
  const spool = hasSpool() ? new SpoolWriter(SPOOL_FILE) : null
  for (const gone of ['disconnect', 'error']) process.once(gone, () => process.exit())
  const reply = async (message: Reply): Promise<void> =>
    await new Promise(resolve => process.send?.(message, () => resolve()) ?? resolve())
  return {
    listen: hear => void process.on('message', hear),
    reply,
    carry: async (kind, value) =>
      await reply(spool === null ? { kind, value } : { kind, location: await spool.put(value) }),
    taken: bytes => spool?.taken(bytes),
    end: async () => {
      // Its memory is needed elsewhere once everything is taken.
      await spool?.drain()
      process.disconnect()
    },
  }
}

function hasSpool(): boolean {
  try {
    return fstatSync(SPOOL_FILE).isFile()
  } catch {
    return false
  }
}

/** Values of a thread that the other end has not taken yet: they are in memory until it has. */
const MOST_CARRIED = 8

function threadParent(port: MessagePort): Parent {
  let carried = 0
  let wake: () => void = () => {}
  return {
    listen: hear => void port.on('message', hear),
    reply: async message => port.postMessage(message),
    carry: async (kind, value) => {
      while (carried >= MOST_CARRIED) {
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
      carried++
      port.postMessage({ kind, value, isCounted: true } satisfies Reply)
    },
    taken: amount => {
      carried -= amount
      wake()
    },
    end: async () => port.close(),
  }
}
