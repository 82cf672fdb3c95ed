/** What a process and its worker send each other. There is one protocol for all tasks. */
import type { UserErrorCode } from '../host/user-error.js'
import type { SpoolLocation } from './spool.js'

/** From the process to its worker. */
export type Request =
  | {
      readonly kind: 'run'
      readonly task: string
      readonly input: unknown
      /** The worker ends after this task. */
      readonly isLast: boolean
    }
  /** Input for the running task. */
  | { readonly kind: 'input'; readonly value: unknown }
  /** There is no further input. */
  | { readonly kind: 'end' }
  /** What was carried and is taken: bytes of the spool, or values of a thread. */
  | { readonly kind: 'taken'; readonly amount: number }

/** A value in the message itself, which may count as carried, or in the spool. */
type Carried =
  | { readonly value: unknown; readonly isCounted?: boolean }
  | { readonly location: SpoolLocation }

/** From the worker to the process. */
export type Reply =
  /** Something on the way (progress, or a part of the result), or the result. */
  | ({ readonly kind: 'part' | 'result' } & Carried)
  | { readonly kind: 'error'; readonly message: string; readonly code: UserErrorCode | null }

/** What a running task exchanges with the process that started it. */
export interface Channel {
  /** Input that comes while the task runs. */
  readonly inputs: AsyncIterable<unknown>
  /** Sends a small part at once. */
  readonly post: (part: unknown) => void
  /** Sends a part of any size, and waits until there is room for it. */
  readonly send: (part: unknown) => Promise<void>
}

/** Work that another process can do: plain data in, plain data out. */
export type Task<Input, Output> = (input: Input, channel: Channel) => Promise<Output> | Output
