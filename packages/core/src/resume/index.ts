/** What a release of Claude Code loads from a transcript. */

export type { ChainStop } from './chain.js'
export type {
  ConversationItem,
  InsertedRow,
  LiveConversation,
  LoadedConversation,
  PromisedConversation,
  SentConversation,
} from './conversation.js'
export { type LoadOptions, loadedBy, NEWEST_VERSION } from './load.js'
export { compareVersions } from './releases.js'
export {
  type ContentMarks,
  type DiskFacts,
  type EndNotes,
  type LoaderSurvey,
  type NamelessEntry,
  NO_SURVEY,
  type SecretPlace,
  type SpilledOutput,
  type Survey,
  type SurveyedNote,
  type Surveyor,
  startSurvey,
} from './survey.js'
