export type { Corruption, Corruptions } from './corrupt/corruption.js'
export { withEqualMarks } from './corrupt/growth.js'
export { CORRUPTIONS } from './corrupt/kinds.js'
export { isPrompt, put } from './corrupt/rows.js'
export {
  type CorruptedSession,
  type CorruptOptions,
  corruptBySeed,
  corruptedSessions,
  corruptOnce,
  type SessionText,
  sessionTexts,
} from './corrupt/session.js'
export type { ActionName } from './gen/actions.js'
export { type DamageKind, type DamageWeights, SOME_DAMAGE } from './gen/damage.js'
export type { RowWriter } from './gen/sink.js'
export type { Weights } from './gen/walk.js'
export { type Generated, type GenerateOptions, generate, PLAIN_WALK } from './generate.js'
export { inProject, type TestHome, withHome } from './home.js'
export {
  blocksOf,
  isJson,
  type Json,
  mergeJson,
  objectOf,
  objectsIn,
  objectsOf,
  parseJson,
  textIn,
} from './json.js'
export { naiveFull, naiveLive, parseRows } from './naive.js'
export { type CarryOptions, carryInProgress } from './progress.js'
export {
  listRecordings,
  type RecordedLive,
  type RecordedTruth,
  type Recording,
} from './recordings.js'
export {
  compareRequests,
  isForgotten,
  type LiveBefore,
  listRequests,
  type RecordedRequest,
  type RequestDifference,
} from './requests.js'
export { createRng, type Rng } from './rng.js'
export { expandShape, type ShapeFiles, type TextFile } from './shape.js'
export { tokenUuid, toolUseId } from './shape-entries.js'
export { STYLE_NAMES, STYLES, type Style, type StyleName } from './styles.js'
export type {
  AgentTruth,
  BranchTruth,
  QueueFate,
  QueueTruth,
  RowTruth,
  Truth,
} from './truth.js'
