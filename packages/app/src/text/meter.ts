/** How far a long work is, on one line. */
import { bytes, duration } from '@dagline/core/format'
import type { Host } from '../host/host.js'

/** A work whose size is known. */
interface Progress {
  /** What is counted, done and in all: `files`. */
  readonly done: number
  readonly of: number
  readonly bytes: number
  readonly ofBytes: number
}

/** Shows a work that takes longer than a moment. */
interface WorkMeter {
  readonly show: (progress: Progress) => void
  readonly done: () => void
}

const FIRST_AFTER = 400
const EVERY = 100

/** Shows a line about a work that takes longer than a moment, and not too often. */
export function progressLine(host: Host): {
  /** `text` receives the seconds since the work began. */
  readonly show: (text: (seconds: number) => string) => void
  readonly done: () => void
} {
  // Exact enough, and at hand: `performance` is loaded when it is first asked, which takes 2 ms in every command.
  const start = Date.now()
  let shown: number | null = null
  return {
    show: text => {
      const now = Date.now()
      if (now < (shown === null ? start + FIRST_AFTER : shown + EVERY)) return
      shown = now
      host.progress(text((now - start) / 1000))
    },
    done: () => {
      if (shown !== null) host.progress(null)
    },
  }
}

/** A meter for a work such as `archiving` of things such as `files`. */
export function workMeter(host: Host, work: string, things: string): WorkMeter {
  const { show, done } = progressLine(host)
  return {
    show: progress => show(seconds => `${work}: ${progressText(progress, things, seconds)}`),
    done,
  }
}

/** `12 of 383 files, 34 MB of 176 MB, 25 MB/s, 6 s left`. */
function progressText(progress: Progress, things: string, seconds: number): string {
  const rate = progress.bytes / Math.max(seconds, 0.001)
  const left = rate > 0 ? Math.ceil((progress.ofBytes - progress.bytes) / rate) : null
  const parts = [
    `${progress.done} of ${progress.of} ${things}`,
    `${bytes(progress.bytes)} of ${bytes(progress.ofBytes)}`,
    `${bytes(rate)}/s`,
    ...(left === null ? [] : [`${duration(left * 1000)} left`]),
  ]
  return parts.join(', ')
}
