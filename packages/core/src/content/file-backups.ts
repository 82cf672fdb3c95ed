/** The copies of files that Claude Code makes for rewinds, as rows of transcripts name them. */
import { asFlag, asObject, asText, type Json } from '../parse/json.js'

/** A copy of a file that a row names. */
export interface NamedBackup {
  /** Of the file with the copy, in the folder of the session's copies. */
  readonly name: string
  /** The path of what was copied, from the folder in which the session was begun. */
  readonly path: string
  readonly time: number
  /** The entry whose call was about to change the file; null for a copy that was made at a prompt. */
  readonly call: string | null
}

/** The copies that a record names. A file that did not exist has none. */
export function fileBackups(json: Json): readonly NamedBackup[] {
  const entry = asText(json.messageId)
  // Releases from 2.1.212 on name a single file in a row of its own; a snapshot names all files, also those copied earlier.
  if (json.type === 'file-history-delta')
    return backupOf(asText(json.trackingPath), asObject(json.backup), entry)
  if (json.type !== 'file-history-snapshot') return []
  const call = asFlag(json.isSnapshotUpdate) === true ? entry : null
  const backups = asObject(asObject(json.snapshot)?.trackedFileBackups) ?? {}
  return Object.entries(backups).flatMap(([path, backup]) => backupOf(path, asObject(backup), call))
}

function backupOf(path: string | null, backup: Json | null, call: string | null): readonly NamedBackup[] {
  const name = asText(backup?.backupFileName)
  const time = Date.parse(asText(backup?.backupTime) ?? '')
  return path === null || name === null || Number.isNaN(time) ? [] : [{ name, path, time, call }]
}
