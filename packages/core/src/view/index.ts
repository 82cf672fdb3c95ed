/** Rows, lanes, folding and labels for a page. */

export { isAbandoned } from '../model/status.js'
export { type FoldedBranch, type FoldedRow, type FoldedSheet, foldSheet } from './fold.js'
export {
  branchAt,
  type DetailLevel,
  FIRST_CHOICE,
  type FoldChoice,
  isLeftBranch,
  isMarked,
  joinOf,
  kindAt,
  reveal,
  showsKind,
  tailKey,
} from './fold-choice.js'
export {
  branchLabel,
  continuationLabel,
  isLive,
  labelNodes,
  type NodeLabels,
  statusLabel,
  statusLabels,
} from './labels.js'
export type { Joined } from './lanes.js'
export { countMessages, isLandmark } from './order.js'
export { isRun, type OwnFigures, ownFigures } from './own-figures.js'
export {
  type ContentOptions,
  entryBlocks,
  type ImageAddress,
  type RecordReader,
  type RowRange,
  readSpilled,
  rowContents,
} from './row-contents.js'
export { isLaunch } from './scene.js'
export { shapeSessions } from './shape.js'
export { makeSheet, type SheetOptions } from './sheet.js'
export { type PaintableRow, type PaintedRow, paintLanes } from './text.js'
export { queueEvents, type TimelineEvent, type TimelineKind, timelineOf, workflowLabel } from './timeline.js'
export { walkNodes } from './walk.js'
