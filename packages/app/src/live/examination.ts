/** What the doctor says of all sessions: who serves them says how they are examined. */
import type { Examine, HealthResult } from '../health/examiner.js'

/** What is known of the health of sessions. */
export interface Examination {
  /** The last result; null before the first. */
  readonly sessions: readonly HealthResult[] | null
  readonly isRunning: boolean
  /** A sentence where the last one failed. */
  readonly failure: string | null
}

/** After an examination, so many times the time that it took pass before the next. */
const REST = 5

const NEVER: Examination = { sessions: null, isRunning: false, failure: null }

/** Returns what is known, and examines again in the background where the list of sessions is another one. */
export function createExamination(examine: Examine | null, listSessions: () => unknown): () => Examination {
  if (examine === null) return () => NEVER
  let known = NEVER
  let from: unknown = null
  let next = 0
  const run = async (): Promise<void> => {
    const start = performance.now()
    known = { ...known, isRunning: true }
    try {
      known = { sessions: await examine(), isRunning: false, failure: null }
    } catch (error) {
      known = { ...known, isRunning: false, failure: error instanceof Error ? error.message : String(error) }
    }
    next = performance.now() + REST * (performance.now() - start)
  }
  return () => {
    const sessions = listSessions()
    if (!known.isRunning && sessions !== from && performance.now() >= next) {
      from = sessions
      void run()
    }
    return known
  }
}
