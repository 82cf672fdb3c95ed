/** Everything that reads, and later keeps, transcripts on disk. */
export {
  discover,
  type FoundFile,
  type FoundRoot,
  type Project,
  type SessionTitle,
  type Sidecar,
} from './files/discover.js'
export { joinMoved } from './files/moved.js'
export { REDUCE_LIMITS, type ReduceLimits, RowReducer, reduceRow } from './files/reduce.js'
export { defaultRoots } from './files/roots.js'
export {
  GIANT_ROW,
  type ReadOptions,
  type ReadResult,
  type RowPlace,
  readRows,
  type Tally,
} from './files/rows.js'
export { changeOf, type FileChange, type FileState, stateOf } from './files/state.js'
export { type Reading, readTranscript } from './files/transcript.js'
