/** Plans for new sessions: repair, checkout, fork, pick, split, trim; and how they are written. */

export { type PlanProof, proofOf, type Reread, type Rereading, startRereading } from './check.js'
export { planCheckout } from './checkout.js'
export { planFork } from './fork.js'
export { planPick } from './pick.js'
export {
  type Change,
  type ChangeKind,
  DAMAGED_ROW,
  type EditCommand,
  type EditPlan,
  type PlannedCopy,
  type PlannedRows,
  REPAIR_KINDS,
  type RepairKind,
  type RowPatch,
  type TrimWishes,
} from './plan.js'
export {
  needsWhole,
  type ReducedRow,
  type Renderer,
  renderSidecarRow,
  startRender,
  type TextChange,
} from './render.js'
export { planRepair, REPAIR_WAYS, type RepairWay, type RepairWishes } from './repair.js'
export type { EditMake, EditSource } from './source.js'
export { planSplit } from './split.js'
export { planTrim } from './trim.js'
export { type Saved, savedTokens, trimsNothing } from './trim-content.js'
export { endBefore, endOfFile, endOfLine, endsOpen, promptOf } from './turns.js'
