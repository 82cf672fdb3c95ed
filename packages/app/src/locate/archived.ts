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
  archivePath,
  cacheFolder,
  discover,
  openArchive,
  openIndex,
  restoreFiles,
  StoreFailure,
} from '@dagline/store'
import { findPlaces, type Place, placesOf } from '../files/projects.js'
import type { Host } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import { usualIndex } from '../index/open.js'

/** The archived sessions whose id begins so, ready to be read. */
export function keptSessions(start: string, host: Host): readonly Place[] {
  if (!existsSync(archivePath())) return []
  try {
    return giveBack(start, host)
  } catch (error) {
    throw error instanceof StoreFailure ? new UserError(error.message) : error
  }
}

function giveBack(start: string, host: Host): readonly Place[] {
  const archive = openArchive()
  try {
    const sessions = archivedOnly(archive, findPlaces([], host))
    const found = sessions.filter(({ session }) => session.startsWith(start))
    const folders = new Set<string>()
    for (const session of found) {
      const to = folderOf(session)
      // What was given back before is found the same and left.
      for (const _ of restoreFiles(archive, session.files, { to })) folders.add(to)
    }
    if (found.length > 0) host.note(`${start} exists in the archive only; it is read from there.`)
    return placesOf(discover([...folders]))
  } finally {
    archive.close()
  }
}

/** One folder for each root and session: a session that grew in the archive is given back anew. */
function folderOf({ root, session, bytes }: ArchivedSession): string {
  const name = createHash('sha256').update(`${root} ${session} ${bytes}`).digest('hex').slice(0, 16)
  return join(cacheFolder(), 'archived', name)
}

/** The archived session with an entry whose uuid begins so, as far as the index knows it, ready to be read. */
export function keptPlaces(uuid: string, host: Host): readonly Place[] {
  const path = usualIndex()
  if (!existsSync(path) || !existsSync(archivePath())) return []
  try {
    const index = openIndex(path, { readOnly: true })
    const sessions = new Set(
      index.entries(uuid).flatMap(entry => (entry.isArchived ? (entry.session ?? []) : [])),
    )
    index.close()
    return [...sessions].flatMap(session => keptSessions(session, host))
  } catch (error) {
    // Without an index the entry is only not found.
    if (error instanceof StoreFailure) return []
    throw error
  }
}
