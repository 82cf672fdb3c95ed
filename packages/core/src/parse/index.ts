/** From rows to records: every kind of entry and note, and readers of single rows. */

export type {
  AgentMetaNote,
  AssistantEntry,
  AttachmentEntry,
  Compaction,
  Entry,
  EntryBase,
  JournalNote,
  Note,
  NoteBase,
  OpaqueEntry,
  OtherNote,
  ProcessNote,
  ProgressEntry,
  QueuedCommand,
  QueueNote,
  QueueOperation,
  ResultState,
  Spawn,
  SystemEntry,
  TextDigest,
  TitleNote,
  ToolCall,
  ToolResult,
  TranscriptRecord,
  Usage,
  UserEntry,
  UserMeaning,
} from '../model/entry.js'
export { recordsWithCarried } from '../model/row.js'
export { createRecordFinder, type RecordFinder, type RecordLocation } from './find.js'
export { asList, asNumber, asObject, asText, asTexts, type Json } from './json.js'
export { isKnownType, typeName, unknownFields, unknownType } from './known.js'
export { packRows, unpackRows } from './pack.js'
export { parseLastRow, withCarried } from './row.js'
export { writeJson } from './write-json.js'
