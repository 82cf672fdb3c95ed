/**
 * Y4: all tables as Parquet files in folders by project and month, for engines such as DuckDB, Spark and Trino. A second export
 * writes only the partitions whose rows changed. A file gets its name when it is whole; the manifest says which rows of which
 * file groups are in which files, and which projects were being written: the next export completes one that was killed.
 */
import { createHash, type Hash } from 'node:crypto'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { groupBy } from '@dagline/core/model'
import type { Redactor } from '@dagline/core/redact'
import { type Column, TABLES, type TableRow } from '@dagline/core/tables'
import { hashBasis } from '../graphs/answers.js'
import type { Host } from '../host/host.js'
import type { TableGroup } from '../tables/groups.js'
import { createParquet, type ParquetFile, withoutPartition } from '../tables/parquet.js'
import { progressLine } from '../text/meter.js'
import type { LakeFolder } from './lake-folder.js'

/** What an export to a lake did. */
export interface LakeReport {
  /** Files that were written, that are as they were, and that are gone because no row is left for them. */
  readonly written: number
  readonly unchanged: number
  readonly removed: number
  /** Rows and bytes that were written. */
  readonly rows: number
  readonly bytes: number
}

/** How rows are written. */
interface LakeOptions {
  readonly host: Host
  /** Null where nothing is replaced. */
  readonly redactor: Redactor | null
  /** What rows depend on beside their groups: an export with other options writes all of them again. */
  readonly basis: readonly unknown[]
}

/** The name of the manifest. Engines do not read files whose names begin with an underscore. */
export const MANIFEST = '_dagline.json'

/** What the manifest says. */
interface Manifest {
  readonly dagline: 2
  readonly basis: string
  /** The files of the lake. */
  readonly files: readonly string[]
  /** Which of them have rows of a group, by the basis of the group, each followed by a hash of these rows. */
  readonly groups: Readonly<Record<string, readonly (number | string)[]>>
  /** Projects that were being written: none of their files counts. */
  readonly open: readonly string[]
}

/** The files with rows of a group, and a hash of its rows in each. */
type Parts = ReadonlyMap<string, string>

/** What an export before has left. */
interface Known {
  readonly groups: ReadonlyMap<string, Parts>
  readonly open: ReadonlySet<string>
}

/** What the lake holds. Nothing of it counts where it was made with other options, or by another version. */
export async function knownLake(folder: LakeFolder, basis: readonly unknown[]): Promise<Known> {
  const { files = [], groups = {}, open = [], ...manifest } = await readManifest(folder)
  if (manifest.dagline !== 2 || manifest.basis !== hashBasis(basis))
    return { groups: new Map(), open: new Set() }
  const named = Object.entries(groups).map(([group, parts]) => [group, partsIn(parts, files)] as const)
  return { groups: new Map(named), open: new Set(open) }
}

function partsIn(parts: readonly (number | string)[], files: readonly string[]): Parts {
  const known = new Map<string, string>()
  for (let at = 0; at < parts.length; at += 2)
    known.set(files[Number(parts[at])] ?? '', String(parts[at + 1]))
  return known
}

async function readManifest(folder: LakeFolder): Promise<Partial<Manifest>> {
  try {
    return JSON.parse((await folder.read(MANIFEST)) ?? '{}')
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

/** A lake while it is written. */
interface OpenLake {
  readonly folder: LakeFolder
  readonly options: LakeOptions
  /** The files that are being written, by their names. */
  readonly files: Map<string, ParquetFile>
  /** Names of files that are to be written again, or removed where no row is left for them. */
  readonly stale: Set<string>
  /** Those of them whose rows are not known: an export was killed while it wrote them. */
  readonly doubtful: ReadonlySet<string>
  /** The files with rows of each group, those of groups that are gone included while such a file is there. */
  readonly groups: Map<string, Parts>
  /** The groups that there are now. */
  readonly now: ReadonlySet<string>
  readonly report: { written: number; removed: number; rows: number; bytes: number }
}

/** Writes what changed since the export before. */
export async function writeLake(
  folder: LakeFolder,
  groups: readonly TableGroup[],
  options: LakeOptions,
): Promise<LakeReport> {
  const { groups: before, open } = await knownLake(folder, options.basis)
  const now = new Set(groups.map(({ basis }) => basis))
  const doubtful = await doubtfulFiles(folder, before, open)
  const gone = [...before].flatMap(([group, parts]) => (now.has(group) ? [] : [...parts.keys()]))
  const lake: OpenLake = {
    ...{ folder, options, doubtful, now },
    files: new Map(),
    stale: new Set([...gone, ...doubtful]),
    groups: new Map(before),
    report: { written: 0, removed: 0, rows: 0, bytes: 0 },
  }
  const meter = progressLine(options.host)
  let done = 0
  for (const batch of batchesOf(groups, options.redactor)) {
    meter.show(() => `exporting: ${done} of ${groups.length} file groups`)
    done += batch.length
    await writeBatch(lake, batch, before)
  }
  meter.done()
  for (const name of lake.stale) await folder.remove(name)
  lake.report.removed = lake.stale.size
  const isSame = before.size === now.size && open.size === 0 && [...now].every(group => before.has(group))
  for (const group of lake.groups.keys()) if (!now.has(group)) lake.groups.delete(group)
  if (!isSame) await putManifest(lake, [])
  const files = new Set([...lake.groups.values()].flatMap(parts => [...parts.keys()]))
  return { ...lake.report, unchanged: files.size - lake.report.written }
}

/** Files of projects that were being written, and files that no group knows. */
async function doubtfulFiles(
  folder: LakeFolder,
  before: Known['groups'],
  open: Known['open'],
): Promise<ReadonlySet<string>> {
  const known = new Set([...before.values()].flatMap(parts => [...parts.keys()]))
  const names = (await folder.list()).filter(isOurs)
  return new Set(names.filter(name => !known.has(name) || open.has(projectIn(name))))
}

const FILE = 'data.parquet'

function isOurs(name: string): boolean {
  return name.endsWith(`/${FILE}`) && TABLES.some(table => name.startsWith(`${table.name}/project=`))
}

function projectIn(name: string): string {
  return name.split('/')[1] ?? ''
}

/** The name of the file that a row is in. Engines read `project` and `month` from it. */
function fileName(table: string, [project, month]: TableRow): string {
  return `${table}/${partition('project', project)}/${partition('month', month)}/${FILE}`
}

/** Hive's name for a value that is not known. */
const UNKNOWN = '__HIVE_DEFAULT_PARTITION__'

function partition(name: string, value: TableRow[number] | undefined): string {
  return `${name}=${value == null || value === '' ? UNKNOWN : encoded(String(value))}`
}

/**
 * What Hive writes as %XX, and no other character: engines read these back one by one, and not as bytes of UTF-8. O6: Windows
 * takes no `<`, `>` and `|`, and neither a dot nor a space at the end.
 */
function encoded(value: string): string {
  return value.replace(HIVE_ESCAPED, character => {
    const code = character.charCodeAt(0)
    return `%${code.toString(16).toUpperCase().padStart(2, '0')}`
  })
}

const HIVE_ESCAPED = /[\p{Cc}"#%'*/:=?\\{[\]^<>|]|[. ]$/gu

/** Bytes of transcripts that are exported before the manifest notes it. */
const BATCH = 64 * 1024 * 1024

/** All groups in batches, the groups of a project in one: they share its files. */
function* batchesOf(
  groups: readonly TableGroup[],
  redactor: Redactor | null,
): Generator<readonly TableGroup[]> {
  let batch: TableGroup[] = []
  let room = BATCH
  for (const together of joinProjects(groups, redactor)) {
    batch.push(...together)
    room -= together.reduce((sum, { bytes }) => sum + bytes, 0)
    if (room > 0) continue
    yield batch
    batch = []
    room = BATCH
  }
  if (batch.length > 0) yield batch
}

/** Groups that have a project in common, by the name that the project has in the lake. */
function joinProjects(
  groups: readonly TableGroup[],
  redactor: Redactor | null,
): readonly (readonly TableGroup[])[] {
  const parts = new Map<string, TableGroup[]>()
  for (const group of groups) {
    const names = [...group.projects].map(project => redactor?.text(project) ?? project)
    const joined = [...new Set(names.flatMap(name => parts.get(name) ?? [])), group]
    const projects = new Set(joined.flatMap(each => [...each.projects]))
    for (const project of projects) parts.set(redactor?.text(project) ?? project, joined)
  }
  return [...new Set(parts.values())]
}

async function writeBatch(
  lake: OpenLake,
  batch: readonly TableGroup[],
  before: Known['groups'],
): Promise<void> {
  const fresh = batch.filter(({ basis }) => !before.has(basis))
  const isTouched = ({ basis }: TableGroup): boolean =>
    [...(before.get(basis)?.keys() ?? [])].some(name => lake.stale.has(name))
  if (fresh.length === 0 && !batch.some(isTouched)) return
  await putManifest(lake, openProjects(lake, batch))
  for (const group of fresh) addGroup(lake, group, () => true)
  for (const name of lake.files.keys()) lake.stale.add(name)
  keepUnchanged(lake, before)
  for (const group of batch.filter(each => before.has(each.basis) && isTouched(each)))
    addGroup(lake, group, name => lake.stale.has(name))
  await finishFiles(lake)
  dropGone(lake)
  await putManifest(lake, [])
}

/** Files whose rows are those that they had stay as they are: a session that goes on leaves its earlier months alone. */
function keepUnchanged({ stale, doubtful, files, groups, now }: OpenLake, before: Known['groups']): void {
  const had = hashesOf(before, stale, () => true)
  const have = hashesOf(groups, stale, group => now.has(group))
  for (const name of stale) {
    const hashes = have.get(name)
    if (doubtful.has(name) || hashes === undefined || had.get(name)?.join() !== hashes.join()) continue
    stale.delete(name)
    files.get(name)?.discard()
    files.delete(name)
  }
}

/** The hashes of the rows in some files, of the groups that count. */
function hashesOf(
  groups: Known['groups'],
  names: ReadonlySet<string>,
  counts: (group: string) => boolean,
): ReadonlyMap<string, readonly string[]> {
  const counted = [...groups].filter(([group]) => counts(group))
  const all = counted.flatMap(([, parts]) => [...parts].filter(([name]) => names.has(name)))
  const byFile = groupBy(all, ([name]) => name)
  return new Map([...byFile].map(([name, parts]) => [name, parts.map(([, hash]) => hash).sort()]))
}

/** Groups that are gone are needed only while a file may have their rows. */
function dropGone({ groups, now, stale }: OpenLake): void {
  for (const [group, parts] of groups)
    if (!now.has(group) && ![...parts.keys()].some(name => stale.has(name))) groups.delete(group)
}

function openProjects({ options: { redactor } }: OpenLake, batch: readonly TableGroup[]): readonly string[] {
  const names = batch.flatMap(({ projects }) => [...projects])
  return [...new Set(names.map(name => partition('project', redactor?.text(name) ?? name)))]
}

/** Rows that wait in memory, of all files together. */
const MOST_HELD = 100_000
const ROWS_AT_ONCE = 16_384

/** Adds the rows of a group to the files that are wanted. */
function addGroup(lake: OpenLake, group: TableGroup, isWanted: (name: string) => boolean): void {
  const hashes = new Map<string, Hash>()
  let held = [...lake.files.values()].reduce((sum, file) => sum + file.held(), 0)
  for (const { table, row } of group.rows()) {
    const cells = redactedRow(row, table.columns, lake.options.redactor)
    const name = fileName(table.name, cells)
    addHash(hashes, name, cells)
    if (!isWanted(name)) continue
    const file = fileNamed(lake, name, table.columns)
    file.add(withoutPartition(cells))
    held++
    if (file.held() < ROWS_AT_ONCE && held < MOST_HELD) continue
    const fullest = [...lake.files.values()].reduce((a, b) => (b.held() > a.held() ? b : a))
    held -= fullest.held()
    fullest.flush()
  }
  lake.groups.set(
    group.basis,
    new Map([...hashes].map(([name, rows]) => [name, rows.digest('base64url').slice(0, DIGITS)])),
  )
}

/** Of a hash of rows: enough that a change is not overlooked. */
const DIGITS = 16

function addHash(hashes: Map<string, Hash>, name: string, cells: TableRow): void {
  const known = hashes.get(name)
  const rows = known ?? createHash('sha1')
  if (known === undefined) hashes.set(name, rows)
  rows.update(JSON.stringify(cells)).update('\n')
}

/** The row with placeholders. */
export function redactedRow(row: TableRow, columns: readonly Column[], redactor: Redactor | null): TableRow {
  if (redactor === null) return row
  return row.map((cell, at) =>
    typeof cell === 'string' && columns[at]?.type === 'text' ? redactor.text(cell) : cell,
  )
}

function fileNamed({ files, folder }: OpenLake, name: string, columns: readonly Column[]): ParquetFile {
  const known = files.get(name)
  if (known !== undefined) return known
  const file = createParquet(join(folder.scratch, `${files.size}.parquet`), withoutPartition(columns))
  files.set(name, file)
  return file
}

async function finishFiles({ files, folder, stale, report }: OpenLake): Promise<void> {
  for (const [name, file] of files) {
    report.rows += file.finish()
    report.bytes += statSync(file.path).size
    await folder.put(name, file.path)
    stale.delete(name)
    report.written++
  }
  files.clear()
}

async function putManifest({ folder, groups, options }: OpenLake, open: readonly string[]): Promise<void> {
  const files = [...new Set([...groups.values()].flatMap(parts => [...parts.keys()]))]
  const numbers = new Map(files.map((name, at) => [name, at]))
  const manifest: Manifest = {
    dagline: 2,
    basis: hashBasis(options.basis),
    files,
    groups: Object.fromEntries(
      [...groups].map(([group, parts]) => [
        group,
        [...parts].flatMap(([name, hash]) => [numbers.get(name) ?? 0, hash]),
      ]),
    ),
    open,
  }
  const path = join(folder.scratch, 'manifest')
  writeFileSync(path, JSON.stringify(manifest))
  await folder.put(MANIFEST, path)
}
