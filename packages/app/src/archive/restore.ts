/** Restoring sessions from the archive. */
import { basename } from 'node:path'
import {
  type ArchivedFile,
  archivePath,
  openArchive,
  type RestoredFile,
  restoreFiles,
  sweepDays,
} from '@dagline/store'
import type { Host } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import { withArchive } from '../index/archive.js'
import { idOf, notArchived, uniqueId } from './named.js'

/** How a session is restored. */
export interface RestoreOptions {
  /** The archive's file; the usual one where null. */
  readonly archive: string | null
  /** A folder to write below; null for the original locations. */
  readonly to: string | null
  /** Earlier versions, too; needs `to`. */
  readonly all: boolean
  /** Sets the times of files to now. */
  readonly touch: boolean
  /** Receives each file as it is done: those before a failure stay. */
  readonly onFile?: (file: RestoredFile) => void
}

/** What was restored. */
export interface RestoreReport {
  /** The session, or what was typed where it names a file. */
  readonly name: string
  readonly files: readonly RestoredFile[]
  /** Claude Code deletes the files again at its next start: they keep their times. */
  readonly isSweptAgain: boolean
}

/** Writes the files of a session to their original locations, or below another folder. */
export async function restoreSession(
  host: Host,
  word: string,
  options: RestoreOptions,
): Promise<RestoreReport> {
  const { archive, to, all, touch, onFile } = options
  if (all && to === null)
    throw new UserError('Earlier versions are not written beside the originals: give a folder with --out.')
  return await withArchive(
    () => openArchive(archive ?? archivePath()),
    open => {
      const { name, files } = findFiles(open.list(), idOf(word, host))
      const restored: RestoredFile[] = []
      try {
        for (const file of restoreFiles(open, files, { ...(to === null ? {} : { to }), all, touch })) {
          restored.push(file)
          onFile?.(file)
          host.progress(`restoring: ${restored.length} of ${files.length} files`)
        }
      } finally {
        host.progress(null)
      }
      return { name, files: restored, isSweptAgain: to === null && !touch && restored.some(isOld) }
    },
  )
}

interface FoundFiles {
  readonly name: string
  readonly files: readonly ArchivedFile[]
}

/** The files of the session of an id, or of a unique beginning of one; else a file by the beginning of its name. */
function findFiles(files: readonly ArchivedFile[], word: string): FoundFiles {
  const name = uniqueId(
    files.flatMap(({ session }) => session ?? []),
    word,
  )
  if (name !== null) return { name, files: files.filter(({ session }) => session === name) }
  const named = files.filter(({ path }) => basename(path).startsWith(word))
  if (named.length > 0) return { name: word, files: named }
  throw notArchived(word)
}

const DAY = 24 * 60 * 60 * 1000

/** A file that keeps its old time is deleted again at the next start of Claude Code. */
function isOld({ file, outcome }: RestoredFile): boolean {
  const days = sweepDays(file.root)
  return outcome === 'written' && days !== null && file.mtime + days * DAY < Date.now()
}
