/** When the figures of a page are loaded again: after sessions changed, and while the server still computes them. */

import { count } from '@dagline/core/format'
import type { Progress } from '@dagline/core/protocol'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useChanges } from '../app/live.js'

/** Milliseconds between two reloads, however often sessions change. */
const PAUSE = 5000
/** Milliseconds between two reloads of an answer that is still being computed. */
const POLL = 700

/** Reloads after sessions changed, at most once in so many milliseconds. */
export function useThrottledChanges(reload: () => void, pause: () => number = () => PAUSE): void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useChanges(() => {
    if (timer.current !== undefined) return
    timer.current = setTimeout(() => {
      timer.current = undefined
      reload()
    }, pause())
  })
}

/** Reloads until the server has finished its work. Returns whether it still works. */
export function useProgress(progress: Progress | undefined, reload: () => void): boolean {
  const isRunning = progress !== undefined && progress.done < progress.of
  useEffect(() => {
    if (!isRunning) return undefined
    const timer = setTimeout(reload, POLL)
    return () => clearTimeout(timer)
  }, [isRunning, progress, reload])
  return isRunning
}

/** How far the server is; nothing once it has finished. */
export function ProgressNote({ progress }: { readonly progress: Progress }): JSX.Element | null {
  if (progress.done >= progress.of) return null
  return (
    <p class="progress" role="status">
      <progress max={progress.of} value={progress.done} aria-label="Sessions read" />
      reading sessions: {count(progress.done)} of {count(progress.of)}
    </p>
  )
}
