/** All tables of a history, exported to a lake. */
import { resolve } from 'node:path'
import type { Redactor } from '@dagline/core/redact'
import type { Table, TableRow } from '@dagline/core/tables'
import type { Host } from '../host/host.js'
import { inStore, UserError } from '../host/user-error.js'
import { askIndex, type IndexOptions } from '../index/open.js'
import { isBucketAddress } from '../s3/settings.js'
import { type TableGroup, tableGroups } from '../tables/groups.js'
import { lookThroughTexts } from './check.js'
import { type Exporter, settleSecrets } from './export.js'
import { knownLake, type LakeReport, MANIFEST, redactedRow, writeLake } from './lake.js'
import { type LakeFolder, openLakeFolder } from './lake-folder.js'
import type { ExportOptions } from './options.js'
import { type Redacted, redactedIn } from './report.js'
import { namesFor, redactorFor, type SecretLocation } from './secrets.js'
import { untilClean } from './session.js'

/** Where tables are exported to, and what is replaced in them. */
export interface TablesOptions
  extends IndexOptions,
    Pick<ExportOptions, 'redact' | 'names' | 'allowSecrets'> {
  /** A folder, or a bucket: `s3://bucket/prefix`. */
  readonly to: string
  /** The address of the bucket's server; that of AWS unless given. */
  readonly s3Endpoint?: string | null
}

/** What was exported. */
export interface TablesReport extends LakeReport {
  readonly folder: string
  /** What was replaced in rows that are new; null where nothing was to be. */
  readonly redacted: Redacted | null
}

/** Exports the tables of all roots. Throws `UserError` where the folder holds something else. */
export async function exportTables(
  { host, approve }: Pick<Exporter, 'host' | 'approve'>,
  options: TablesOptions,
): Promise<TablesReport> {
  return await inStore(() =>
    askIndex(host, options, async indexed => {
      const groups = tableGroups(indexed)
      const folders = indexed.index.sessions(indexed.roots).map(({ cwd }) => cwd)
      const names = namesFor(options, folders)
      const basis = [options.redact, names]
      const target = isBucketAddress(options.to) ? options.to : resolve(options.to)
      const folder = await openLake(target, options)
      try {
        const known = (await knownLake(folder, basis)).groups
        const fresh = groups.filter(group => !known.has(group.basis))
        const learner = redactorFor(options, names)
        await settleSecrets({ approve }, options, () => learnTables(host, fresh, learner))
        const redactor = options.redact === null ? null : learner
        const look = await untilClean(redactor, {
          write: async () => 0,
          look: clean => lookThroughTexts(textsIn(fresh, clean), clean),
        })
        const report = await writeLake(folder, groups, { host, redactor, basis })
        return { ...report, folder: target, redacted: redactor && redactedIn([look], redactor) }
      } finally {
        await folder.close()
      }
    }),
  )
}

async function openLake(target: string, { s3Endpoint = null }: TablesOptions): Promise<LakeFolder> {
  if (!isBucketAddress(target)) {
    if (s3Endpoint === null) return openLakeFolder(target, MANIFEST)
    throw new UserError('--s3-endpoint is for a bucket: give --to s3://BUCKET/PREFIX.')
  }
  const { openLakeBucket } = await import('./lake-bucket.js')
  return await openLakeBucket(target, MANIFEST, { endpoint: s3Endpoint })
}

/** Teaches a redactor all texts of some groups, and says what it found. */
function learnTables(
  host: Host,
  groups: readonly TableGroup[],
  redactor: Redactor,
): readonly SecretLocation[] {
  const locations: SecretLocation[] = []
  for (const [at, group] of groups.entries()) {
    host.progress(`looking for secrets: ${at + 1} of ${groups.length} file groups`)
    for (const { table, row } of group.rows())
      for (const cell of row) {
        if (typeof cell !== 'string') continue
        for (const { kind } of redactor.learn(cell)) locations.push({ kind, ...locationOf(table, row) })
      }
  }
  host.progress(null)
  return locations
}

function locationOf({ columns }: Table, row: TableRow): Omit<SecretLocation, 'kind'> {
  const cell = (name: string): TableRow[number] =>
    row[columns.findIndex(column => column.name === name)] ?? null
  const number = cell('row')
  const node = cell('node')
  return {
    session: String(cell('session') ?? ''),
    node: typeof node === 'string' ? node : null,
    row: typeof number === 'number' ? number : null,
  }
}

/** All texts of some groups as they are exported. */
function* textsIn(groups: readonly TableGroup[], redactor: Redactor): Generator<string> {
  for (const group of groups)
    for (const { table, row } of group.rows())
      for (const cell of redactedRow(row, table.columns, redactor)) if (typeof cell === 'string') yield cell
}
