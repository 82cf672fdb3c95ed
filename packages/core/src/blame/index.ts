/** Who wrote the lines of a file: calls of sessions, replayed and matched against its content. */

export {
  type AskedFile,
  type AttributedLine,
  type Attribution,
  attributeLines,
  type FileEvent,
} from './attribute.js'
export {
  absentEdits,
  describeAdded,
  describeFate,
  describeLine,
  describeOrigins,
  describeSource,
  isAbandonedEdit,
} from './describe.js'
export type { EditSummary } from './fates.js'
export { type LineOrigin, linesOf } from './version.js'
