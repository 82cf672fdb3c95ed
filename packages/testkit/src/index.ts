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
} from './base/json.js'
export { createRng, type Rng } from './base/rng.js'
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
export { type Generated, type GenerateOptions, generate, PLAIN_WALK } from './gen/generate.js'
export type { RowWriter } from './gen/sink.js'
export { STYLE_NAMES, STYLES, type Style, type StyleName } from './gen/styles.js'
export type {
  AgentTruth,
  BranchTruth,
  QueueFate,
  QueueTruth,
  RowTruth,
  Truth,
} from './gen/truth.js'
export type { Weights } from './gen/walk.js'
export { inProject, type TestHome, withHome } from './home.js'
export { naiveFull, naiveLive, parseRows } from './naive.js'
export {
  listRecordings,
  type RecordedLive,
  type RecordedTruth,
  type Recording,
} from './recordings/recordings.js'
export {
  compareRequests,
  isForgotten,
  type LiveBefore,
  listRequests,
  type RecordedRequest,
  type RequestDifference,
} from './recordings/requests.js'
export { tokenUuid, toolUseId } from './shape/entries.js'
export { expandShape, type ShapeFiles, type TextFile } from './shape/expand.js'
export { type CarryOptions, carryInProgress } from './shape/progress.js'
