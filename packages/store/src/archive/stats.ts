/** What the archive holds and saves. */
import { statSync } from 'node:fs'
import type { Row } from '../db/driver.js'
import type { Archive } from './archive.js'
import { hasMarks, numberIn } from './schema.js'

/** Figures of an archive. */
export interface ArchiveStats {
  readonly files: number
  readonly sessions: number
  /** States of files: more than files where some were cut or replaced. */
  readonly versions: number
  readonly blocks: number
  /** Bytes of the files as they were last read. */
  readonly bytes: number
  /** The same with all earlier versions. */
  readonly allBytes: number
  /** Bytes of different rows and sidecars: what is left when every one is stored once. */
  readonly different: number
  /** The same packed. */
  readonly packed: number
  /** Bytes of the archive on disk. */
  readonly disk: number
  /** When the first and the last version were read, in milliseconds since 1970; null where there is none. */
  readonly first: number | null
  readonly last: number | null
}

/** Counts what an archive holds. Reads no block. */
export function archiveStats({ db, path }: Archive): ArchiveStats {
  const get = (sql: string): Row | undefined => db.prepare(sql).get()
  const count = (sql: string): number => numberIn(get(`SELECT ${sql} AS value`), 'value')
  const times = get('SELECT min(taken) AS first, max(taken) AS last FROM version')
  return {
    files: count('(SELECT count(*) FROM file)'),
    sessions: count('(SELECT count(DISTINCT session) FROM file)'),
    versions: count('(SELECT count(*) FROM version)'),
    blocks: count('(SELECT count(*) FROM block)'),
    bytes: count(
      `(SELECT ifnull(sum(bytes), 0) FROM version
        WHERE number = (SELECT max(number) FROM version AS other WHERE other.file = version.file))`,
    ),
    allBytes: count('(SELECT ifnull(sum(bytes), 0) FROM version)'),
    different:
      count('(SELECT ifnull(sum(bytes), 0) FROM block)') -
      (hasMarks(db) ? count('(SELECT ifnull(sum(bytes), 0) FROM erased)') : 0),
    packed: count('(SELECT ifnull(sum(length(data)), 0) FROM block)'),
    disk: statSync(path).size,
    first: timeIn(times, 'first'),
    last: timeIn(times, 'last'),
  }
}

function timeIn(row: Row | undefined, name: string): number | null {
  return row?.[name] === null ? null : numberIn(row, name)
}
