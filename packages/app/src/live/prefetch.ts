/**
 * Opens the newest sessions once, before anybody asks for them: they are what people click on first. Only while a page
 * is open and nothing is asked, one step at a time, so that a question never waits for more than one of them.
 */
import type { LiveContext } from './context.js'

interface Prefetch {
  /** Somebody asks: what is to come waits until it is quiet again. */
  readonly postpone: () => void
  readonly stop: () => void
}

/** The most sessions and bytes that are prefetched: they must not evict what the user looks at, nor fill the memory. */
const MOST_SESSIONS = 4
const MOST_BYTES = 24_000_000
/** Milliseconds without a question before a step. */
const QUIET = 250

/** Makes the graph of a session, or its sheet. */
type Open = (session: string, what: 'graph' | 'sheet') => Promise<void>
type Step = () => Promise<void>

/** Begins when the index is up to date and a page is open. */
export function createPrefetch(context: LiveContext, open: Open): Prefetch {
  let timer: NodeJS.Timeout | null = null
  let steps: Step[] | null = null
  const stop = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
  }
  const postpone = (): void => {
    stop()
    if (steps?.length === 0) return
    timer = setTimeout(run, QUIET)
    timer.unref()
  }
  const run = (): void => {
    const { events } = context
    if (events.isHeard() && events.status().state !== 'running') {
      steps ??= stepsOf(context, open)
      void quietly(steps.shift())
    }
    // Without a page nothing happens until one asks.
    if (events.isHeard()) postpone()
  }
  return { postpone, stop }
}

/** Each session in two steps: its graph, then its sheet. */
function stepsOf(context: LiveContext, open: Open): Step[] {
  const steps: Step[] = []
  void quietly(async () => {
    let left = MOST_BYTES
    for (const { session, bytes, isIdle } of context.sessions()) {
      left -= isIdle ? 0 : bytes
      if (left < 0 || steps.length >= 2 * MOST_SESSIONS) return
      if (isIdle) continue
      steps.push(
        () => open(session, 'graph'),
        () => open(session, 'sheet'),
      )
    }
  })
  return steps
}

/** What fails here fails again, and is reported, when it is requested. */
async function quietly(work: Step | undefined): Promise<void> {
  try {
    await work?.()
  } catch {
    // Nothing was requested.
  }
}
