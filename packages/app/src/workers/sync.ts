/**
 * Bringing an index up to date in another process, again and again: this one goes on answering. The helper lives as long
 * as there is something to do now and then, and ends with whoever started it.
 */
import { type ChildProcess, fork } from 'node:child_process'
import type { UnreadPath } from '@dagline/core'
import type { SyncProgress } from '@dagline/store'
import { silentHost } from '../host.js'
import { openIndexed } from '../index/open.js'
import { UserError } from '../user-error.js'
import { bundledCommand, HELP_SYNCING } from './entry.js'

/** What to keep up to date. */
export interface SyncOrder {
  readonly index: string
  /** What to read; the roots where there is none. */
  readonly paths: readonly string[]
  readonly roots: readonly string[]
}

export interface Syncer {
  /** Brings the index up to date, one at a time, and says what could not be read. */
  readonly sync: (tell: (progress: SyncProgress) => void) => Promise<readonly UnreadPath[]>
  readonly close: () => void
}

/** What a helper says. */
type Word =
  | { readonly progress: SyncProgress }
  | { readonly unread: readonly UnreadPath[] }
  | { readonly failure: string }

/** A helper that had nothing to do for so long ends. */
const IDLE = 60_000

/** Syncs in a process of its own; in this one where it was not started from a bundle. */
export function createSyncer(order: SyncOrder): Syncer {
  if (bundledCommand() === null) return { sync: tell => syncOnce(order, tell), close: () => {} }
  let child: ChildProcess | null = null
  let timer: NodeJS.Timeout | null = null
  const close = (): void => {
    if (timer !== null) clearTimeout(timer)
    if (child?.connected === true) child.disconnect()
    child = null
  }
  return {
    close,
    sync: async tell => {
      if (timer !== null) clearTimeout(timer)
      if (child?.connected !== true) child = startHelper()
      try {
        return await orderFrom(child, order, tell)
      } finally {
        timer = setTimeout(close, IDLE)
        timer.unref()
      }
    },
  }
}

function startHelper(): ChildProcess {
  const child = fork(bundledCommand() ?? '', [HELP_SYNCING], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  // What has nothing to do keeps nobody waiting.
  child.unref()
  child.channel?.unref()
  return child
}

function orderFrom(
  child: ChildProcess,
  order: SyncOrder,
  tell: (progress: SyncProgress) => void,
): Promise<readonly UnreadPath[]> {
  return new Promise((resolve, reject) => {
    const leaveAlone = (): void => {
      child.off('message', hear).off('error', fail).off('exit', leave)
    }
    const fail = (error: Error): void => {
      leaveAlone()
      reject(error)
    }
    const hear = (word: Word): void => {
      if ('progress' in word) tell(word.progress)
      else if ('failure' in word) fail(new UserError(word.failure))
      else {
        leaveAlone()
        resolve(word.unread)
      }
    }
    const leave = (code: number | null): void => fail(new UserError(endedEarly(code)))
    child.on('message', hear).once('error', fail).once('exit', leave)
    child.send(order, error => {
      if (error !== null) fail(error)
    })
  })
}

function endedEarly(code: number | null): string {
  return `The process that reads the sessions ended early (${code ?? 'killed'}); it is started again with the next change.`
}

/** Helps: takes orders one after another. Ends when whoever asked is gone. */
export function helpSyncing(): void {
  if (process.connected !== true) return
  process.once('disconnect', () => process.exit())
  process.on('message', (order: SyncOrder) => void answer(order))
}

async function answer(order: SyncOrder): Promise<void> {
  const say = (word: Word): void => {
    process.send?.(word)
  }
  try {
    say({ unread: await syncOnce(order, progress => say({ progress })) })
  } catch (error) {
    say({ failure: error instanceof Error ? error.message : String(error) })
  }
}

async function syncOnce(
  { index, paths, roots }: SyncOrder,
  tell: (progress: SyncProgress) => void,
): Promise<readonly UnreadPath[]> {
  const host = silentHost(roots)
  const { close } = await openIndexed(host, { index, paths, tell })
  close()
  return [...host.unread.values()].map(({ path, message }) => ({ path, message }))
}
