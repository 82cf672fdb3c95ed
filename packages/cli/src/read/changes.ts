/** Doing something whenever transcripts change. */
import { type FSWatcher, watch } from 'node:fs'
import type { Console } from '../console.js'
import { rootsOf } from './places.js'

/** Changes come in bursts: wait until a moment after the first. */
const SETTLE = 200
/** Where watching does not work (network folders), looking now and then does. */
const LOOK_EVERY = 5000

/** Runs the work after changes below the roots, until Ctrl-C. */
export async function whenChanged(console: Console, work: () => Promise<void>): Promise<void> {
  const stop = new AbortController()
  const end = (): void => stop.abort()
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
  const watchers = rootsOf(console.options.root).flatMap(root => watcherOf(root))
  while (!stop.signal.aborted) {
    await nextChange(watchers, stop.signal)
    if (!stop.signal.aborted) await work()
  }
  for (const watcher of watchers) watcher.close()
  process.off('SIGINT', end)
  process.off('SIGTERM', end)
}

function watcherOf(root: string): readonly FSWatcher[] {
  try {
    const watcher = watch(root, { recursive: true })
    watcher.on('error', () => watcher.close())
    return [watcher]
  } catch {
    return []
  }
}

function nextChange(watchers: readonly FSWatcher[], signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    let timer = setTimeout(done, LOOK_EVERY)
    const settle = (): void => {
      clearTimeout(timer)
      timer = setTimeout(done, SETTLE)
      for (const watcher of watchers) watcher.off('change', settle)
    }
    function done(): void {
      clearTimeout(timer)
      for (const watcher of watchers) watcher.off('change', settle)
      signal.removeEventListener('abort', done)
      resolve()
    }
    for (const watcher of watchers) watcher.on('change', settle)
    signal.addEventListener('abort', done)
  })
}
