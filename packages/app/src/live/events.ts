/** Events of a live history, sent to all listeners. */
import type { ServerEvent, SyncStatus } from '@dagline/core/protocol'

type Listener = (event: ServerEvent) => void

export interface Events {
  readonly tell: (event: ServerEvent) => void
  /** Receives all further events, until the returned function is called. */
  readonly listen: (listener: Listener) => () => void
  /** Whether anybody listens: a page is open. */
  readonly isHeard: () => boolean
  /** How far bringing the index up to date is. */
  readonly status: () => SyncStatus
}

const BEGINNING: SyncStatus = {
  state: 'running',
  bytes: 0,
  bytesDone: 0,
  message: null,
  unread: [],
}

/** Events without listeners. */
export function createEvents(): Events {
  const listeners = new Set<Listener>()
  let status = BEGINNING
  return {
    tell: event => {
      if (event.kind === 'sync') status = event.status
      for (const listener of listeners) listener(event)
    },
    listen: listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    isHeard: () => listeners.size > 0,
    status: () => status,
  }
}
