/** Plans for new sessions: checkout, fork, pick, split, trim; and how they are written. */

export { type PlanProof, proofOf, type Reread, type Rereading, startRereading } from './check.js'
export { planCheckout } from './checkout.js'
export type { Draft, DraftFacts } from './draft.js'
export { planFork } from './fork.js'
export { planPick } from './pick.js'
export {
  type Change,
  DAMAGED_ROW,
  type EditCommand,
  type EditPlan,
  type KeptEntries,
  type PlannedCopy,
  type PlannedRows,
  type RowPatch,
  type TrimScope,
} from './plan.js'
export {
  needsWhole,
  type ReducedRow,
  type Renderer,
  renderSidecarRow,
  startRender,
  type TextChange,
} from './render.js'
export type { EditSource, NewSession } from './source.js'
export { planSplit } from './split.js'
export { planTrim } from './trim.js'
export { type Saved, savedTokens, trimsNothing } from './trim-content.js'
export { endBefore, endOfFile, endOfLine, endsOpen, promptOf } from './turns.js'
