/** The examination of all sessions in a worker, while this process goes on answering. */

import type { SessionHealth } from '@dagline/core/faults'
import type { WorkProgress } from '@dagline/core/protocol'
import { silentHost } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import type { SyncInput } from '../index/sync.js'
import { runOnce } from '../workers/pool.js'
import { examineRoots } from './examine.js'

/** A session after its examination. */
export type HealthResult = Pick<SessionHealth, 'session' | 'coverage' | 'faults'>

/** Examines everything that a history holds. */
export type Examine = () => Promise<readonly HealthResult[]>

/** How the sessions of a history are examined. */
export function createExaminer(input: SyncInput): Examine {
  return () => runOnce('examine', input, { hasSpool: true, endedEarly, here: examineAll })
}

function endedEarly(code: number | null): UserError {
  const what = `The examination ended early (${code ?? 'killed'})`
  return new UserError(`${what}: try \`dagline doctor\` in a terminal.`)
}

/** The task of a worker: examines all sessions. */
export async function examineAll({ index, paths, roots }: SyncInput): Promise<readonly HealthResult[]> {
  const projects = await examineRoots(silentHost(roots), { index, paths })
  return projects.flat().map(({ session, coverage, faults }) => ({ session, coverage, faults }))
}

/** What is known of the health of sessions. */
export interface Examination {
  /** The last result; null before the first. */
  readonly sessions: readonly HealthResult[] | null
  readonly isRunning: boolean
  /** The message where the last one failed. */
  readonly failure: string | null
  /** How far it is, where it is made in parts. */
  readonly progress?: WorkProgress
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
