import { useEffect, useRef } from 'preact/hooks'
import { useChanges } from '../app/live.js'

/** Figures are added up anew at most this often, in milliseconds, however often sessions grow. */
const PAUSE = 5000

/** Calls back when sessions changed, but not at every change. */
export function useCalmChanges(reload: () => void): void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useChanges(() => {
    if (timer.current !== undefined) return
    timer.current = setTimeout(() => {
      timer.current = undefined
      reload()
    }, PAUSE)
  })
}
