/** What is running now, as the command and the page show it. */

/** J2: what a session is doing. `waiting`: for a permission or an answer of the user. `idle`: for the next prompt. */
export type RunningState = 'waiting' | 'failed' | 'working' | 'idle'

/** The states as people read them, in the order in which they are listed. */
export const RUNNING_STATES: Readonly<Record<RunningState, string>> = {
  waiting: 'waits for you',
  failed: 'failed',
  working: 'working',
  idle: 'idle',
}

/** A session whose process is running. */
export interface RunningSession {
  readonly session: string
  readonly title: string | null
  /** The folder of its project below the root; empty while it has no transcript. */
  readonly project: string
  readonly cwd: string | null
  readonly state: RunningState
  /** What it is doing, or waiting for, in a few words. */
  readonly doing: string
  /** How that is known: from the record of its process, or from the end of its transcript. */
  readonly evidence: 'process' | 'transcript'
  /** Since when, in milliseconds since 1970. */
  readonly since: number | null
  readonly pid: number | null
  /** Tokens of the last request and its answer: what the context held then. */
  readonly contextTokens: number | null
  /** What its messages of today cost, and all of them, in USD; null where no price is known. */
  readonly costToday: number | null
  readonly cost: number | null
  readonly agents: readonly RunningAgent[]
  /** Prompts that wait until the turn ends. */
  readonly queued: readonly string[]
}

/** A subagent at work. */
export interface RunningAgent {
  readonly agent: string
  /** Its type. */
  readonly name: string
  /** What it is for. */
  readonly description: string | null
  readonly doing: string
}

/** The sessions that are running: those that wait for the user first. */
export interface NowPage {
  readonly sessions: readonly RunningSession[]
  /** When this was true, in milliseconds since 1970. */
  readonly at: number
}
