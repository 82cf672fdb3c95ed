/** Long work on rows lets the event loop run now and then: packs are sent while the next rows are searched. */
import { setImmediate } from 'node:timers/promises'

/** Notes that so many bytes were worked on. */
export type Pace = (bytes: number) => Promise<void>

/** Bytes that are worked on without a pause. */
const STEP = 512 * 1024

/** Makes a pacer for one push. */
export function createPacer(): Pace {
  let worked = 0
  return async bytes => {
    worked += bytes
    if (worked < STEP) return
    worked = 0
    await setImmediate()
  }
}
