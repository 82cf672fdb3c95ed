/** What a release of Claude Code loads from a transcript. */

export { type Survey, type Surveyor, startSurvey } from './content-marks.js'
export { type Loaded, type LoadOptions, loadedBy, NEWEST_VERSION } from './load.js'
export {
  type ContentMarks,
  type DiskFacts,
  type EndNotes,
  type ExtrasGatherer,
  type FileExtras,
  gatherExtras,
  type LoaderExtras,
  NO_EXTRAS,
  type RowFacts,
  type SecretPlace,
  type SpilledOutput,
} from './survey.js'
