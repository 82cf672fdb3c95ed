/** The contents of records: blocks, texts, one-line summaries, usage. */

export { readBlocks, readResults } from './blocks.js'
export {
  type CallFingerprint,
  type CallSummary,
  mainArgument,
  type ResultFingerprint,
  readAttempts,
  readCallFacts,
  readResultFacts,
  summarizeCalls,
  type TouchedFile,
  type TriedCall,
  touchedFiles,
} from './calls.js'
export { cleanLine, cleanText, escapeJson, printableText, undisguised } from './clean.js'
export { contextPieces, type ToolOf } from './context-pieces.js'
export { missingIn } from './cut.js'
export { fileBackups, type NamedBackup } from './file-backups.js'
export { type FileCall, fileCalls, fileChangeOf } from './file-changes.js'
export { recordOf } from './parts.js'
export { commitsIn, commitsMade, type ShellCall, shellCalls } from './shell-calls.js'
export {
  type KnownEntry,
  messageText,
  type Summary,
  type SummaryKind,
  summarize,
  summarizeGone,
} from './summary.js'
export { withoutTags } from './tagged.js'
export { type RecordText, textsOf } from './texts.js'
export { readBilled, readMessageUsage, writtenBy } from './usage.js'
