/** What is wrong with sessions, and its repair. */

export {
  type Examination,
  type ExamOptions,
  examine,
  examineFile,
  hasResumeProblem,
  loadableIn,
  type MarkSurvey,
  type ResumeCoverage,
  type SessionHealth,
  withDiskFaults,
} from './examine.js'
export type { DiskSurvey, Effect, Fault, FaultContext, FaultKind, Finding, RepairStage } from './fault.js'
export { canRepair, FAULT_KINDS } from './kinds.js'
export { pushedFix } from './pushed-fix.js'
export { planRepair, REPAIR_STRATEGIES, type RepairOptions, type RepairStrategy } from './repair.js'
export { type RepairCoverage, repairCoverage } from './repaired.js'
