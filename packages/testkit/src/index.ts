export {
  blocksOf,
  isJson,
  type Json,
  objectOf,
  objectsIn,
  parseJson,
  textIn,
} from './base/json.js'
export { createRng, type Rng } from './base/rng.js'
export { until } from './base/until.js'
export { COPY_MARKS, withEqualMarks } from './corrupt/growth.js'
export { type Mutant, mutantBySeed } from './corrupt/mutants.js'
export { isPrompt, put } from './corrupt/rows.js'
export {
  CORRUPTIONS,
  type CorruptedSession,
  corruptedSessions,
  corruptOnce,
  type SessionText,
  sessionTexts,
} from './corrupt/session.js'
export { type Generated, type GenerateOptions, generate } from './gen/generate.js'
export { STYLE_NAMES, STYLES, type StyleName } from './gen/styles.js'
export { inProject, PEAK_MEMORY, type TestHome, withHome } from './home.js'
export {
  listRecordings,
  type Recording,
} from './recordings/recordings.js'
export { tokenUuid } from './shape/entries.js'
export { expandShape, type ShapeFiles, type TextFile } from './shape/expand.js'
export { type CarryOptions, carryInProgress } from './shape/progress.js'
