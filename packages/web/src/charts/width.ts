import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** An element, and how wide it is; 0 before it is there. */
export function useWidth<T extends HTMLElement>(): readonly [RefObject<T | null>, number] {
  const element = useRef<T | null>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const watched = element.current
    if (watched === null) return undefined
    const watch = new ResizeObserver(() => setWidth(watched.clientWidth))
    watch.observe(watched)
    setWidth(watched.clientWidth)
    return () => watch.disconnect()
  }, [])
  return [element, width]
}
