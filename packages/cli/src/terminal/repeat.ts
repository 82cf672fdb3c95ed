/** Doing something again and again, until a signal ends it. */
import { setTimeout } from 'node:timers/promises'

/** The work takes at most one part in so many of the time. */
const SHARE = 20

/**
 * Does the work, waits, and does it again, until SIGINT or SIGTERM. The work is told whether it should end, and is
 * never cut off. Where it takes long the pauses grow, so that going on stays cheap.
 */
export async function again(pause: number, work: (isStopped: () => boolean) => Promise<void>): Promise<void> {
  const stop = new AbortController()
  const end = (): void => stop.abort()
  process.on('SIGINT', end).on('SIGTERM', end)
  try {
    while (!stop.signal.aborted) {
      const start = performance.now()
      await work(() => stop.signal.aborted)
      const took = performance.now() - start
      await setTimeout(Math.max(pause, took * SHARE), null, { signal: stop.signal }).catch(() => {})
    }
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end)
  }
}
