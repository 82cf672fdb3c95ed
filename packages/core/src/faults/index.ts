/** What is wrong with sessions, and its repair. */

export {
  type ExamOptions,
  examine,
  isIll,
  loadableIn,
  type ResumeCoverage,
  type SessionHealth,
} from './examine.js'
export type { Effect, Fault, FaultKind, RepairStep } from './fault.js'
export { canRepair, FAULT_KINDS } from './kinds.js'
export { planRepair, REPAIR_WAYS, type RepairOptions, type RepairWay } from './repair.js'
