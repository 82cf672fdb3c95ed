/** What is wrong with sessions. */

export { type ExamOptions, examine, isIll, type Reach, reachableIn, type SessionHealth } from './examine.js'
export type { Effect, Fault, FaultKind } from './fault.js'
export { FAULT_KINDS } from './kinds.js'
