/** Z8: copies of files that Claude Code keeps for rewinds: what a file was before a call, or at a prompt. */
import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseRow } from '@dagline/core'
import type { FileEvent } from '@dagline/core/blame'
import { fileBackups, type NamedBackup } from '@dagline/core/content'
import { readTranscript } from '@dagline/store'
import type { Copies } from './copies.js'
import { wholePath } from './copies.js'
import type { BlameSession } from './source.js'

/** A copy of a file as it was at a time. */
export interface FileBackup extends Pick<NamedBackup, 'time' | 'call'> {
  /** Which copy of the file that is asked about: its path. */
  readonly track: string
  readonly content: string
}

/** A larger copy is not read. */
const LARGEST = 16 * 1024 * 1024

/** The name of a copy: a hash of the path, and a number. Transcripts name copies, and nothing else is read for them. */
const NAME = /^([0-9a-f]{16})@v\d{1,9}$/

/**
 * The copies that a session kept of a file, with what its transcript says of them. Claude Code deletes copies after some
 * weeks; what is gone is left out.
 */
export function backupsIn({ root, fact }: BlameSession, copies: Copies): readonly FileBackup[] {
  const folder = backupFolder(root, fact.session)
  const present = namesIn(folder)
  if (present.size === 0 || fact.file === null) return []
  const tracks = new Map([...copies].map(([path, track]) => [hashOf(path), track]))
  // A copy of a project that was moved since has the hash of the old path.
  const trackOf = ({ name, path }: NamedBackup): string | undefined =>
    tracks.get(NAME.exec(name)?.[1] ?? '') ?? copies.get(wholePath(path, fact.cwd))
  return namedLast(root, fact.file).flatMap(backup => {
    const track = present.has(backup.name) ? trackOf(backup) : undefined
    const content = track === undefined ? null : contentOf(join(folder, backup.name))
    return track === undefined || content === null ? [] : [{ ...backup, track, content }]
  })
}

/** What a copy says of the file, beside the call before which it was made. */
export function seenIn({ track, time, content }: FileBackup): FileEvent {
  return { track, time, change: { kind: 'seen', content } }
}

/** Copies lie beside the folder of projects. */
function backupFolder(root: string, session: string): string {
  return join(dirname(resolve(root)), 'file-history', /^[\w-]+$/.test(session) ? session : '-')
}

function namesIn(folder: string): ReadonlySet<string> {
  try {
    return new Set(readdirSync(folder).filter(name => NAME.test(name)))
  } catch {
    return new Set()
  }
}

function hashOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 16)
}

/** The copies that a transcript names. A name that two processes gave has the bytes of the later one. */
function namedLast(root: string, file: string): readonly NamedBackup[] {
  const last = new Map<string, NamedBackup>()
  const keep = (backup: NamedBackup): void => {
    const known = last.get(backup.name)
    if (known === undefined || known.time < backup.time) last.set(backup.name, backup)
    else if (known.time === backup.time) last.set(backup.name, { ...known, call: known.call ?? backup.call })
  }
  readTranscript(root, file, row => {
    if (row.text.includes('"file-history-')) parseRow(row, json => fileBackups(json).forEach(keep))
  })
  return [...last.values()]
}

/** Null for what is not a file with text. */
function contentOf(path: string): string | null {
  try {
    const stats = lstatSync(path)
    if (!stats.isFile() || stats.size > LARGEST) return null
    const text = readFileSync(path, 'utf8')
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}
