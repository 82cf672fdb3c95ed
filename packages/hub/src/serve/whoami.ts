/** HU60: who a caller is, whose sessions the caller sees, and whose a session is. */
import type { HubMe, HubReaders, HubSession } from '@dagline/core/protocol'
import { type HubDatabase, numberIn, type Queries, type Row, textIn } from '../db/database.js'
import type { Caller } from '../model/index.js'

const SEEN = `
  SELECT DISTINCT person.id, person.name, machine.name AS machine FROM raw_file file
  JOIN access_person person ON person.tenant = file.tenant AND person.id = file.person
  JOIN raw_machine machine ON machine.tenant = file.tenant AND machine.id = file.machine
  WHERE file.tenant = $1 AND file.audience = ANY (dagline_audiences()) ORDER BY person.name, machine.name`

/** What a caller may know of itself and of others. */
export async function whoAmI(database: HubDatabase, caller: Caller): Promise<HubMe> {
  return await asCaller(database, caller, async queries => {
    const rows = await queries.query(SEEN, [caller.tenant])
    const [team = {}] = await queries.query('SELECT name FROM access_tenant WHERE id = $1', [caller.tenant])
    const persons = new Map(rows.map(row => [numberIn(row, 'id'), textIn(row, 'name')]))
    return {
      name: caller.name,
      role: caller.role,
      scopes: [...caller.scopes],
      person: caller.person,
      team: textIn(team, 'name'),
      persons: [...persons].map(([id, name]) => ({ id, name })),
      machines: [...new Set(rows.map(row => textIn(row, 'machine')))],
    }
  })
}

/** Of several persons' sessions of one id the caller's own is meant, else that which was pushed last. */
const ABOUT = `
  SELECT file.person, file.session, person.name, machine.name AS machine, audience.everyone, audience.persons,
    EXISTS (SELECT 1 FROM access_share share
      WHERE share.tenant = file.tenant AND share.owner = file.person AND share.session = file.session) AS shared
  FROM raw_file file
  JOIN access_person person ON person.tenant = file.tenant AND person.id = file.person
  JOIN raw_machine machine ON machine.tenant = file.tenant AND machine.id = file.machine
  JOIN access_audience audience ON audience.tenant = file.tenant AND audience.id = file.audience
  WHERE file.tenant = $1 AND file.session = $2 AND file.audience = ANY (dagline_audiences())
  ORDER BY file.person = $3 DESC, file.kind = 'session' DESC, file.id DESC LIMIT 1`

/** Whose a session is; null where the caller sees none of this id. Who else may see it is told to its owner only. */
export async function aboutSession(
  database: HubDatabase,
  caller: Caller,
  session: string,
): Promise<Omit<HubSession, 'hub'> | null> {
  // No session has such an id, and the database refuses it.
  if (session.includes('\u0000')) return null
  return await asCaller(database, caller, async queries => {
    const [row] = await queries.query(ABOUT, [caller.tenant, session, caller.person])
    if (row === undefined) return null
    const owner = { id: numberIn(row, 'person'), name: textIn(row, 'name') }
    const isOwn = owner.id === caller.person
    return {
      session: textIn(row, 'session'),
      owner,
      machine: textIn(row, 'machine'),
      isOwn,
      readers: isOwn ? await readersIn(queries, caller, row) : null,
      mayShare: isOwn && caller.mayShare,
    }
  })
}

async function readersIn(queries: Queries, { tenant }: Caller, row: Row): Promise<HubReaders> {
  const persons = await queries.query(
    'SELECT name FROM access_person WHERE tenant = $1 AND id = ANY ($2) ORDER BY name',
    [tenant, row['persons']],
  )
  return {
    by: row['shared'] === true ? 'owner' : 'policy',
    everyone: row['everyone'] === true,
    persons: persons.map(each => textIn(each, 'name')),
  }
}

/** Asks with the settings that the audiences of the caller are computed from. */
function asCaller<T>(
  database: HubDatabase,
  { tenant, person }: Caller,
  ask: (queries: Queries) => Promise<T>,
): Promise<T> {
  return database.transact(async queries => {
    await queries.query(
      "SELECT set_config('dagline.tenant', $1, true), set_config('dagline.person', $2, true)",
      [String(tenant), String(person)],
    )
    return await ask(queries)
  })
}
