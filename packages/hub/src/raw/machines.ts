/** HU10: machines of a person, and what the hub has of each. */

import { bytesIn, type HubDatabase, numberIn, type Queries, type Row, textIn } from '../db/database.js'
import type { MachineId } from '../model/index.js'
import type { HubFile, HubVersion, MachineName, Welcome } from './model.js'
import { lockPerson, type Owner } from './pieces.js'

/** The number of a machine, given at its first visit; and whether a client's memory of this hub counts. */
export async function welcomeMachine(
  database: HubDatabase,
  owner: Owner,
  machine: MachineName,
): Promise<Welcome> {
  return await database.transact(async queries => {
    await lockPerson(queries, owner)
    const known =
      (await findMachine(queries, owner, machine.uuid)) ?? (await addMachine(queries, owner, machine))
    const [hub = {}] = await queries.query('SELECT uuid::text AS uuid FROM raw_hub')
    const gone = await queries.query(
      'SELECT session FROM raw_gone WHERE tenant = $1 AND person = $2 ORDER BY session',
      [owner.tenant, owner.person],
    )
    return {
      hub: textIn(hub, 'uuid'),
      machine: numberIn(known, 'id'),
      name: textIn(known, 'name'),
      changes: numberIn(known, 'changes'),
      gone: gone.map(row => textIn(row, 'session')),
      takesLabels: true,
    }
  })
}

async function findMachine(
  queries: Queries,
  { tenant, person }: Owner,
  uuid: string,
): Promise<Row | undefined> {
  const [row] = await queries.query(
    `UPDATE raw_machine SET seen = now() WHERE tenant = $1 AND person = $2 AND uuid = $3
     RETURNING id, name, changes`,
    [tenant, person, uuid],
  )
  return row
}

async function addMachine(
  queries: Queries,
  { tenant, person }: Owner,
  { uuid, name, platform }: MachineName,
): Promise<Row> {
  const [other] = await queries.query(
    'SELECT id FROM raw_machine WHERE tenant = $1 AND person = $2 AND name = $3',
    [tenant, person, name],
  )
  const own = other === undefined ? name : `${name}-${uuid.slice(0, 8)}`
  const [row = {}] = await queries.query(
    `INSERT INTO raw_machine (tenant, person, uuid, name, platform) VALUES ($1, $2, $3, $4, $5)
     RETURNING id, name, changes`,
    [tenant, person, uuid, own, platform],
  )
  return row
}

/** All files of a machine with their last versions, in order of their places. */
export async function filesOfMachine(
  queries: Queries,
  { tenant, person }: Owner,
  machine: MachineId,
): Promise<readonly HubFile[]> {
  const rows = await queries.query(
    `SELECT file.place, version.* FROM raw_file file
     CROSS JOIN LATERAL (${LAST_VERSION}) version
     WHERE file.tenant = $1 AND file.person = $2 AND file.machine = $3 ORDER BY file.place`,
    [tenant, person, machine],
  )
  return rows.map(row => ({ ...versionIn(row), place: textIn(row, 'place') }))
}

/** The last version of `file`. */
export const LAST_VERSION = `
  SELECT id AS version, number, bytes, chain, original_bytes, original_sha256 FROM raw_version
  WHERE tenant = file.tenant AND file = file.id ORDER BY number DESC LIMIT 1`

/** The version in a row of an answer. */
export function versionIn(row: Row): HubVersion {
  return {
    number: numberIn(row, 'number'),
    bytes: numberIn(row, 'bytes'),
    chain: bytesIn(row, 'chain'),
    originalBytes: numberIn(row, 'original_bytes'),
    originalSha256: bytesIn(row, 'original_sha256'),
  }
}
