/**
 * HU11, HU71: storing versions of files. A commit is one transaction, and committing twice changes nothing, so that a client
 * sends again what was cut off.
 */

import { type HubDatabase, numberIn, type Queries, type Row, textIn } from '../db/database.js'
import { PUSHED } from '../db/listen.js'
import type { MachineId } from '../model/index.js'
import { LAST_VERSION, versionIn } from './machines.js'
import type { Committed, HubVersion, NewVersion, Outcome } from './model.js'
import { chainOf, HASH_BYTES, NO_CHAIN } from './pack.js'
import { hubPath, isInner } from './paths.js'
import { BadPush, lockPerson, type Owner, type Place, placeIn, placesOf } from './pieces.js'
import { isBeginning, type Run, runsOfPlaces } from './runs.js'

/** What decides who may see a file. */
export type AudienceOf = (
  queries: Queries,
  file: Owner & { readonly project: number; readonly session: string | null },
) => Promise<number>

/** Keeps versions whose pieces are there. Throws `BadPush` where they are not what they say. */
export async function commitVersions(
  database: HubDatabase,
  owner: Owner,
  {
    machine,
    files,
    audienceOf,
    hasMore,
  }: {
    machine: MachineId
    files: readonly NewVersion[]
    audienceOf: AudienceOf
    hasMore: boolean
  },
): Promise<Committed> {
  for (const file of files) checkVersion(file)
  return await database.transact(async queries => {
    await lockPerson(queries, owner)
    const name = await machineName(queries, owner, machine)
    const kept = new Commit(queries, owner, { id: machine, name }, audienceOf)
    const results = await kept.keepAll(files)
    const changes = await kept.noteChanges()
    // HU70: a judgement in the middle of a push would have to be repeated at its end.
    if (!hasMore) await callJudge(queries, owner)
    return { changes, results }
  })
}

/** Throws `BadPush` for values that no client of ours sends. */
function checkVersion({ folder, path, hashes, base, chain, bytes, place }: NewVersion): void {
  if (!isInner(path) || !isInner(folder) || folder.includes('/../') || place.includes('\u0000'))
    throw new BadPush(`The path ${folder}/${path} is not one below a folder.`)
  if (hashes.some(({ length }) => length !== HASH_BYTES) || chain.length !== HASH_BYTES)
    throw new BadPush(`The hashes of ${path} do not have ${HASH_BYTES} bytes.`)
  if (!Number.isSafeInteger(bytes) || bytes < 0)
    throw new BadPush(`The size of ${path} is not a number of bytes.`)
  if (base !== null && base.chain.length !== HASH_BYTES)
    throw new BadPush(`The base of ${path} has no chain of ${HASH_BYTES} bytes.`)
}

/** The name of a machine of the person. Throws `BadPush` where there is none of that number. */
export async function machineName(
  queries: Queries,
  { tenant, person }: Owner,
  machine: MachineId,
): Promise<string> {
  const [row] = await queries.query(
    'SELECT name FROM raw_machine WHERE tenant = $1 AND person = $2 AND id = $3',
    [tenant, person, machine],
  )
  if (row === undefined) throw new BadPush(`There is no machine ${machine} of this person.`)
  return textIn(row, 'name')
}

/** A file that the hub has, with its last version. */
interface Known {
  readonly file: number
  /** The number of the last version in the database; null where the file has none. */
  readonly version: number | null
  readonly last: HubVersion | null
}

/** What is to be written of a file. */
interface Step {
  readonly outcome: Outcome
  /** Runs to add, to the last version where it grows; null where nothing is written. */
  readonly runs: readonly Run[] | null
  readonly isGrown: boolean
}

const NOTHING = (outcome: Outcome): Step => ({ outcome, runs: null, isGrown: false })

type Result = Committed['results'][number]

class Commit {
  private readonly queries: Queries
  private readonly owner: Owner
  private readonly machine: { readonly id: MachineId; readonly name: string }
  private readonly audienceOf: AudienceOf
  private readonly projects = new Map<string, number>()
  private isChanged = false

  constructor(
    queries: Queries,
    owner: Owner,
    machine: { readonly id: MachineId; readonly name: string },
    audienceOf: AudienceOf,
  ) {
    this.queries = queries
    this.owner = owner
    this.machine = machine
    this.audienceOf = audienceOf
  }

  async keepAll(files: readonly NewVersion[]): Promise<readonly Result[]> {
    const places = await placesOf(
      this.queries,
      this.owner,
      files.flatMap(({ hashes }) => hashes),
    )
    const gone = await this.gone(files)
    const known = await this.known(files)
    const results: Result[] = []
    for (const file of files) {
      const path = this.pathOf(file)
      const isGone = file.session !== null && gone.has(file.session)
      const before = known.get(path) ?? null
      const step = isGone ? NOTHING('gone') : await this.plan(file, before, places)
      if (step.runs === null) results.push({ outcome: step.outcome, version: before?.last ?? null })
      else {
        const after = await this.write(file, before, step, step.runs)
        known.set(path, after)
        results.push({ outcome: 'stored', version: after.last })
      }
    }
    return results
  }

  private pathOf({ folder, path }: NewVersion): string {
    return hubPath(folder, path, this.machine.name)
  }

  private async gone(files: readonly NewVersion[]): Promise<ReadonlySet<string>> {
    const sessions = [...new Set(files.flatMap(({ session }) => session ?? []))]
    const { tenant, person } = this.owner
    const rows = await this.queries.query(
      'SELECT session FROM raw_gone WHERE tenant = $1 AND person = $2 AND session = ANY($3)',
      [tenant, person, sessions],
    )
    return new Set(rows.map(row => textIn(row, 'session')))
  }

  private async known(files: readonly NewVersion[]): Promise<Map<string, Known>> {
    const { tenant, person } = this.owner
    const rows = await this.queries.query(
      `SELECT file.id, file.path, version.* FROM raw_file file
       LEFT JOIN LATERAL (${LAST_VERSION}) version ON true
       WHERE file.tenant = $1 AND file.person = $2 AND file.path = ANY($3)`,
      [tenant, person, files.map(file => this.pathOf(file))],
    )
    return new Map(rows.map(row => [textIn(row, 'path'), knownIn(row)]))
  }

  /** Decides what a version is to what the hub has. */
  private async plan(
    file: NewVersion,
    before: Known | null,
    places: ReadonlyMap<string, Place>,
  ): Promise<Step> {
    const last = before?.last ?? null
    if (last?.chain.equals(file.chain) && last.bytes === file.bytes && !file.isOther) return NOTHING('same')
    const isBased = file.base !== null
    if (isBased && !isLast(file.base, last)) return NOTHING('conflict')
    const found = file.hashes.map(hash => places.get(hash.toString('hex')))
    const all = found.filter(place => place !== undefined)
    if (all.length < found.length) return NOTHING('missing')
    const from = file.base !== null && last !== null ? last : { chain: NO_CHAIN, bytes: 0 }
    checkSums(file, all, from)
    if (isBased) return { outcome: 'stored', runs: runsOfPlaces(all, from.bytes), isGrown: true }
    return await this.compare(file, before, all)
  }

  /** All pieces of a file that the hub may have in part. */
  private async compare(file: NewVersion, before: Known | null, places: readonly Place[]): Promise<Step> {
    const runs = runsOfPlaces(places, 0)
    const last = before?.last ?? null
    if (before === null || before.version === null || last === null || file.isOther)
      return { outcome: 'stored', runs, isGrown: false }
    const shared = sharedPieces(file.hashes, places, last)
    if (shared !== null)
      return { outcome: 'stored', runs: runsOfPlaces(places.slice(shared), last.bytes), isGrown: true }
    // Another process of the same machine has sent more of it meanwhile.
    const isOlder = isBeginning(runs, await runsOfVersion(this.queries, this.owner, before.version))
    return isOlder ? NOTHING('older') : { outcome: 'stored', runs, isGrown: false }
  }

  private async write(
    file: NewVersion,
    before: Known | null,
    { isGrown }: Step,
    runs: readonly Run[],
  ): Promise<Known> {
    this.isChanged = true
    const id = before?.file ?? (await this.addFile(file))
    const number = isGrown ? (before?.last?.number ?? 1) : (before?.last?.number ?? 0) + 1
    const version =
      isGrown && before !== null && before.version !== null
        ? await this.renewVersion(before.version, file)
        : await this.addVersion(id, number, file)
    await this.addRuns(version, runs)
    const { bytes, chain, originalBytes, originalSha256 } = file
    return { file: id, version, last: { number, bytes, chain, originalBytes, originalSha256 } }
  }

  private async addFile(file: NewVersion): Promise<number> {
    const { tenant, person } = this.owner
    const project = await this.projectOf(file)
    const audience = await this.audienceOf(this.queries, { tenant, person, project, session: file.session })
    const { place, kind, session } = file
    const [row = {}] = await this.queries.query(
      `INSERT INTO raw_file (tenant, person, machine, project, path, place, kind, session, audience)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING id`,
      [tenant, person, this.machine.id, project, this.pathOf(file), place, kind, session, audience],
    )
    return numberIn(row, 'id')
  }

  /** A project is named by its git remote, for everyone; without one by its folder, for its person. */
  private async projectOf({ remote, cwd, folder }: NewVersion): Promise<number> {
    const { tenant, person } = this.owner
    const name = remote ?? `${this.machine.name}:${cwd ?? folder}`
    const known = this.projects.get(name)
    if (known !== undefined) return known
    const [row = {}] = await this.queries.query(
      `INSERT INTO raw_project (tenant, person, name) VALUES ($1, $2, $3)
       ON CONFLICT (tenant, person, name) DO UPDATE SET name = excluded.name RETURNING id`,
      [tenant, remote === null ? person : 0, name],
    )
    const id = numberIn(row, 'id')
    this.projects.set(name, id)
    return id
  }

  private async addVersion(file: number, number: number, version: NewVersion): Promise<number> {
    const [row = {}] = await this.queries.query(
      `INSERT INTO raw_version (tenant, file, number, bytes, mtime, taken, chain, original_bytes, original_sha256, redacted)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id`,
      [this.owner.tenant, file, number, ...cellsOf(version)],
    )
    return numberIn(row, 'id')
  }

  private async renewVersion(id: number, version: NewVersion): Promise<number> {
    await this.queries.query(
      `UPDATE raw_version SET bytes = $3, mtime = $4, taken = $5, chain = $6, original_bytes = $7, original_sha256 = $8,
         redacted = $9 WHERE tenant = $1 AND id = $2`,
      [this.owner.tenant, id, ...cellsOf(version)],
    )
    return id
  }

  private async addRuns(version: number, runs: readonly Run[]): Promise<void> {
    if (runs.length === 0) return
    await this.queries.query(
      `INSERT INTO raw_run (tenant, version, position, block, start, length)
       SELECT $1, $2, * FROM unnest($3::bigint[], $4::bigint[], $5::int[], $6::int[])`,
      [
        this.owner.tenant,
        version,
        runs.map(({ position }) => position),
        runs.map(({ block }) => block),
        runs.map(({ start }) => start),
        runs.map(({ length }) => length),
      ],
    )
  }

  /** Notes that there is something to judge; returns how often files of the machine have changed. */
  async noteChanges(): Promise<number> {
    const { tenant, person } = this.owner
    const [row = {}] = await this.queries.query(
      `UPDATE raw_machine SET changes = changes + $4 WHERE tenant = $1 AND person = $2 AND id = $3 RETURNING changes`,
      [tenant, person, this.machine.id, this.isChanged ? 1 : 0],
    )
    if (this.isChanged) await noteChange(this.queries, this.owner)
    return numberIn(row, 'changes')
  }
}

/** Notes that the judge has to look at a person, and calls it. */
export async function markChanged(queries: Queries, owner: Owner): Promise<void> {
  await noteChange(queries, owner)
  await callJudge(queries, owner)
}

async function noteChange(queries: Queries, { tenant, person }: Owner): Promise<void> {
  await queries.query(
    `INSERT INTO raw_root (tenant, person, changed) VALUES ($1, $2, 1)
     ON CONFLICT (tenant, person) DO UPDATE SET changed = raw_root.changed + 1`,
    [tenant, person],
  )
}

async function callJudge(queries: Queries, { tenant, person }: Owner): Promise<void> {
  await queries.query('SELECT pg_notify($1, $2)', [PUSHED, `${tenant}:${person}`])
}

function cellsOf(version: NewVersion): readonly unknown[] {
  const { bytes, mtime, chain, originalBytes, originalSha256, redacted } = version
  const kinds = redacted === null ? null : JSON.stringify(redacted)
  return [bytes, mtime, Date.now(), chain, originalBytes, originalSha256, kinds]
}

/** Whether a base is the last version; number 0 says that there is none. */
function isLast(base: Pick<HubVersion, 'number' | 'chain'>, last: HubVersion | null): boolean {
  const { number, chain } = last ?? { number: 0, chain: NO_CHAIN }
  return base.number === number && base.chain.equals(chain)
}

function knownIn(row: Row): Known {
  const hasVersion = row['version'] !== null
  return {
    file: numberIn(row, 'id'),
    version: hasVersion ? numberIn(row, 'version') : null,
    last: hasVersion ? versionIn(row) : null,
  }
}

function checkSums(
  { hashes, chain, bytes, path }: NewVersion,
  places: readonly Place[],
  from: { readonly chain: Buffer; readonly bytes: number },
): void {
  const sum = places.reduce((total, { length }) => total + length, from.bytes)
  if (sum !== bytes || !chainOf(from.chain, hashes).equals(chain))
    throw new BadPush(`The pieces of ${path} are not those that its chain names.`)
}

/** How many pieces of a file the last version has, where it is the beginning of the file; null where it is not. */
function sharedPieces(hashes: readonly Buffer[], places: readonly Place[], last: HubVersion): number | null {
  let bytes = 0
  let chain: Buffer = NO_CHAIN
  for (let at = 0; at <= hashes.length && bytes <= last.bytes; at++) {
    if (bytes === last.bytes) return chain.equals(last.chain) ? at : null
    const hash = hashes[at]
    if (hash === undefined) return null
    chain = chainOf(chain, [hash])
    bytes += places[at]?.length ?? 0
  }
  return null
}

/** The runs of a version, in order. */
export async function runsOfVersion(
  queries: Queries,
  { tenant }: Pick<Owner, 'tenant'>,
  version: number,
): Promise<readonly Run[]> {
  const rows = await queries.query(
    'SELECT position, block, start, length FROM raw_run WHERE tenant = $1 AND version = $2 ORDER BY position',
    [tenant, version],
  )
  return rows.map(row => ({ ...placeIn(row), position: numberIn(row, 'position') }))
}
