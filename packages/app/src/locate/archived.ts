/**
 * Sessions that exist in the archive only. They are given back to a folder of the cache, so that every command reads
 * them as it reads others; the cache may be deleted at any time.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ArchivedSession,
  archivedOnly,
  cacheFolder,
  discover,
  hasArchive,
  openArchive,
  openIndex,
  restoreFiles,
  StoreError,
} from '@dagline/store'
import { findRoots, type ProjectLocation, projectLocations } from '../files/projects.js'
import type { Host } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import { usualIndex } from '../index/path.js'

/** The archived sessions whose id begins so, ready to be read. */
export function archivedSessions(start: string, host: Host): readonly ProjectLocation[] {
  if (!hasArchive()) return []
  try {
    return restoreToCache(start, host)
  } catch (error) {
    throw error instanceof StoreError ? new UserError(error.message) : error
  }
}

function restoreToCache(start: string, host: Host): readonly ProjectLocation[] {
  const archive = openArchive()
  try {
    const sessions = archivedOnly(archive, findRoots([], host))
    const found = sessions.filter(({ session }) => session.startsWith(start))
    const folders = new Set<string>()
    for (const session of found) {
      const to = folderOf(session)
      // What was given back before is found the same and left.
      for (const _ of restoreFiles(archive, session.files, { to })) folders.add(to)
    }
    if (found.length > 0) host.note(`${start} exists in the archive only; it is read from there.`)
    return projectLocations(discover([...folders]))
  } finally {
    archive.close()
  }
}

/** One folder for each root and session: a session that grew in the archive is written again. */
function folderOf({ root, session, bytes }: ArchivedSession): string {
  const name = createHash('sha256').update(`${root} ${session} ${bytes}`).digest('hex').slice(0, 16)
  return join(cacheFolder(), 'archived', name)
}

/** The archived session with an entry whose uuid begins so, as far as the index knows it, ready to be read. */
export function archivedEntry(uuid: string, host: Host): readonly ProjectLocation[] {
  const path = usualIndex()
  if (!existsSync(path) || !hasArchive()) return []
  try {
    const index = openIndex(path, { readOnly: true })
    const sessions = new Set(
      index.locate('uuid', uuid).flatMap(entry => (entry.isArchived ? (entry.session ?? []) : [])),
    )
    index.close()
    return [...sessions].flatMap(session => archivedSessions(session, host))
  } catch (error) {
    // Without an index the entry is only not found.
    if (error instanceof StoreError) return []
    throw error
  }
}
