/** Waiting for files to change: told by the system where it tells, and by the clock everywhere. */
import { type FSWatcher, watch } from 'node:fs'

/** Waits between two looks. */
export interface Waker {
  /** Ends when something may have changed, when it is time to look again, or at once after `stop`. */
  readonly wait: () => Promise<void>
  /** Watches these folders; those that are not there, or cannot be watched, are left to the clock. */
  readonly watch: (folders: readonly string[]) => void
  readonly stop: () => void
  readonly isStopped: () => boolean
}

/** How long a change may go unseen where the system does not tell. */
const EVERY = 250
/** A row is often written in several pieces: after a change we wait for the rest. */
const SETTLE = 20

/** A waker that watches nothing yet. */
export function createWaker(): Waker {
  const watchers = new Map<string, FSWatcher>()
  let isStopped = false
  let isChanged = false
  let wake: () => void = () => {}
  const change = (): void => {
    isChanged = true
    setTimeout(() => wake(), SETTLE).unref()
  }
  return {
    wait: async () => {
      if (isStopped) return
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, isChanged ? SETTLE : EVERY)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      isChanged = false
    },
    watch: folders => {
      for (const folder of folders) if (!watchers.has(folder)) watchFolder(watchers, folder, change)
    },
    stop: () => {
      isStopped = true
      for (const watcher of watchers.values()) watcher.close()
      watchers.clear()
      wake()
    },
    isStopped: () => isStopped,
  }
}

function watchFolder(watchers: Map<string, FSWatcher>, folder: string, change: () => void): void {
  try {
    const watcher = watch(folder, { persistent: false }, change)
    watcher.on('error', () => {
      watcher.close()
      watchers.delete(folder)
    })
    watchers.set(folder, watcher)
  } catch {
    // The clock does it.
  }
}
