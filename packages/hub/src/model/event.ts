/** An auto-reset event: one `wait` ends for any number of `set` since the wait before. */
interface AutoResetEvent {
  readonly set: () => void
  /** Ends at once where `set` was called since the last wait, else when it is called, or after so many milliseconds. */
  readonly wait: (most?: number) => Promise<void>
  /** Removes the listener from the signal. */
  readonly close: () => void
}

/** Makes an event, which is also set when the signal aborts. */
export function createEvent(signal?: AbortSignal): AutoResetEvent {
  let isSet = false
  let wake: (() => void) | null = null
  const set = (): void => {
    isSet = true
    wake?.()
  }
  signal?.addEventListener('abort', set)
  return {
    set,
    wait: async most => {
      if (!isSet)
        await new Promise<void>(resolve => {
          const timer = most === undefined ? undefined : setTimeout(resolve, most)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      wake = null
      isSet = false
    },
    close: () => signal?.removeEventListener('abort', set),
  }
}
