/** Names and bytes of the files in a project folder, wherever they come from: a disk, an archive, a browser. */

export { addDamage, type Damage, damageOf, type Tally } from './damage.js'
export { groupBySession, SESSION_NAMED } from './groups.js'
export {
  comparePaths,
  isTranscript,
  type Placement,
  placer,
  type SidecarKind,
  sessionPrefix,
  stemOf,
} from './layout.js'
export { REDUCE_LIMITS, type ReduceLimits, RowReducer, reduceRow } from './reduce.js'
export {
  agentMeta,
  type Fields,
  fieldsOf,
  LARGEST_SIDECAR,
  numberIn,
  runRecord,
  runRecordPath,
  textIn,
  truthIn,
} from './sidecars.js'
export { GIANT_ROW, splitRows } from './split.js'
