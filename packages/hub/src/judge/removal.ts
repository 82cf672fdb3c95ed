/** HU42: removing sessions: first a tombstone, then the rows of the index, then the bytes. An interrupted removal is finished later. */
import { groupBy } from '@dagline/core/model'
import { type Actor, noteAudit } from '../access/audit.js'
import { isHeld, markGone, type OwnedSession } from '../access/keeping.js'
import { type HubDatabase, numberIn, type Queries, textIn } from '../db/database.js'
import type { SyncConnection } from '../db/sync-connection.js'
import { setAudience } from '../index/set-audience.js'
import { openPgIndex } from '../index/store.js'
import type { PersonId, TenantId } from '../model/index.js'
import { dropLabels } from '../raw/labels.js'
import { rootOf } from '../raw/paths.js'
import { lockPerson } from '../raw/pieces.js'
import { removeFiles } from '../raw/remove.js'
import { lockPersonToJudge, unlockPerson } from './lock.js'

/** Files whose rows have to leave the index. */
export interface DroppedFiles {
  readonly tenant: TenantId
  readonly person: PersonId
  /** Below the root of the person. */
  readonly paths: readonly string[]
}

/** What sessions are removed with. */
export interface Remover {
  readonly database: HubDatabase
  /** Removes rows of the index at once. */
  readonly drop: (files: DroppedFiles) => Promise<void>
}

interface Removal {
  /** Who removes it, for the record of reads; nobody where a removal that was recorded is finished. */
  readonly by: (Actor & { readonly detail: string | null }) | null
  /** Whether it is still to be removed; asked while no push can run. */
  readonly isDue?: (queries: Queries) => Promise<boolean>
}

/** Removes a session with all its files. It stays where a hold covers it, or where it is no longer due. */
export async function removeSession(
  { database, drop }: Remover,
  { tenant, person, session }: OwnedSession,
  { by, isDue = async () => true }: Removal,
): Promise<'removed' | 'held' | 'kept'> {
  const owner = { tenant, person }
  const found = await database.transact(async queries => {
    await lockPerson(queries, owner)
    if (await isHeld(queries, owner, session)) return 'held'
    if (!(await isDue(queries))) return 'kept'
    await markGone(queries, owner, session)
    await dropLabels(queries, owner, session)
    if (by !== null)
      await noteAudit(queries, by, [{ action: 'delete', owner: person, session, detail: by.detail }])
    return await queries.query(
      'SELECT id, path FROM raw_file WHERE tenant = $1 AND person = $2 AND session = $3 ORDER BY id',
      [tenant, person, session],
    )
  })
  if (typeof found === 'string') return found
  await drop({ ...owner, paths: found.map(row => textIn(row, 'path')) })
  await removeFiles(
    database,
    owner,
    found.map(row => numberIn(row, 'id')),
  )
  return 'removed'
}

/** Files whose rows have to be given another audience. */
export interface MovedFiles {
  readonly tenant: TenantId
  readonly person: PersonId
  /** By the path below the root of the person. */
  readonly files: readonly { readonly path: string; readonly audience: number }[]
}

/** HU62: changes the audience of the rows of files, while no judge writes rows with the previous one. */
export function moveFiles(writer: SyncConnection, { tenant, person, files }: MovedFiles): void {
  const owner = { tenant, person }
  lockPersonToJudge(writer, owner)
  try {
    for (const [audience, same] of groupBy(files, file => file.audience)) {
      const rows = writer.query(
        `SELECT file.id FROM index_file file JOIN index_root root ON root.tenant = file.tenant AND root.id = file.root
         WHERE file.tenant = $1 AND root.path = $2 AND file.path = ANY ($3)`,
        [tenant, rootOf(person), same.map(({ path }) => path)],
      )
      if (rows.length > 0) setAudience(writer, { tenant, files: rows.map(({ id }) => Number(id)) }, audience)
    }
  } finally {
    unlockPerson(writer, owner)
  }
}

/** Removes files from the index. The judge adds those that still exist again. */
export function dropFiles(writer: SyncConnection, { tenant, person, paths }: DroppedFiles): void {
  const index = openPgIndex(writer, { tenant, audienceOf: () => 0 })
  const root = index.findRoot(rootOf(person))
  if (root === null) return
  const wanted = new Set(paths)
  index.rootId(rootOf(person))
  index.begin()
  const files = index.files(root).filter(({ path }) => wanted.has(path))
  for (const group of new Set(files.flatMap(file => file.group ?? []))) index.release(group)
  for (const { id } of files) index.removeFile(id)
  index.keepListing(root, null)
  index.commit()
  index.begin()
  index.sweep()
  index.commit()
  index.close()
}
