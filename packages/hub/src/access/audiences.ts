/**
 * HU34: who may see a session: its owner alone, unless the owner has shared it, or the policy of its project shares what is
 * pushed into it. A share of the session itself overrides the policy. There are few audiences: one for each set of persons
 * that an owner shares something with.
 */
import { numberIn, type Queries, type Row, textIn, textOrNull } from '../db/database.js'
import type { AudienceId, PersonId, ProjectId, TenantId } from '../model/index.js'
import type { Person } from './people.js'

/** The persons other than the owner who may see something. */
interface Readers {
  /** All of the tenant, except auditors. */
  readonly everyone: boolean
  readonly persons: readonly PersonId[]
}

export const NOBODY: Readers = { everyone: false, persons: [] }

/** A file as far as its audience depends on it. */
interface OwnedFile extends Person {
  readonly project: ProjectId
  readonly session: string | null
}

/** The audience of a file. It is added where there is none for these readers yet. */
export async function audienceOf(queries: Queries, file: OwnedFile): Promise<AudienceId> {
  return await audienceFor(queries, file, await readersOf(queries, file))
}

async function readersOf(queries: Queries, file: OwnedFile): Promise<Readers> {
  const { tenant, person, project, session } = file
  const [shared] = await queries.query(
    'SELECT everyone, persons FROM access_share WHERE tenant = $1 AND owner = $2 AND session = $3',
    [tenant, person, session],
  )
  if (shared !== undefined) return readersIn(shared)
  const [policy] = await queries.query(
    'SELECT everyone FROM access_policy WHERE tenant = $1 AND project = $2',
    [tenant, project],
  )
  return policy?.['everyone'] === true ? { everyone: true, persons: [] } : NOBODY
}

async function audienceFor(
  queries: Queries,
  { tenant, person }: Person,
  readers: Readers,
): Promise<AudienceId> {
  const values = [tenant, person, readers.everyone, sorted(readers.persons)]
  await queries.query(
    `INSERT INTO access_audience (tenant, owner, everyone, persons) VALUES ($1, $2, $3, $4)
     ON CONFLICT (tenant, owner, everyone, persons) DO NOTHING`,
    values,
  )
  const [row = {}] = await queries.query(
    'SELECT id FROM access_audience WHERE tenant = $1 AND owner = $2 AND everyone = $3 AND persons = $4',
    values,
  )
  return numberIn(row, 'id')
}

function sorted(persons: readonly PersonId[]): readonly PersonId[] {
  return [...new Set(persons)].sort((a, b) => a - b)
}

function readersIn(row: Row): Readers {
  const persons = row['persons']
  return {
    everyone: row['everyone'] === true,
    persons: Array.isArray(persons) ? persons.map(Number) : [],
  }
}

/** A file whose audience has changed. */
export interface MovedFile extends Person {
  readonly file: number
  readonly path: string
  readonly session: string | null
  readonly audience: AudienceId
}

/** Shares a session with other persons, or hides it. The policy of its project no longer applies to it. */
export async function shareSession(
  queries: Queries,
  { tenant, person }: Person,
  { session, readers }: { readonly session: string; readonly readers: Readers },
): Promise<readonly MovedFile[]> {
  await queries.query(
    `INSERT INTO access_share (tenant, owner, session, everyone, persons) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (tenant, owner, session) DO UPDATE SET everyone = $4, persons = $5, made = now()`,
    [tenant, person, session, readers.everyone, sorted(readers.persons)],
  )
  return await moveFiles(queries, 'tenant = $1 AND person = $2 AND session = $3', [tenant, person, session])
}

/** Sets whether everyone may see what is pushed into a project. Sessions that were shared or hidden one by one stay so. */
export async function shareProject(
  queries: Queries,
  {
    tenant,
    project,
    everyone,
  }: { readonly tenant: TenantId; readonly project: ProjectId; readonly everyone: boolean },
): Promise<readonly MovedFile[]> {
  await queries.query(
    `INSERT INTO access_policy (tenant, project, everyone) VALUES ($1, $2, $3)
     ON CONFLICT (tenant, project) DO UPDATE SET everyone = $3`,
    [tenant, project, everyone],
  )
  return await moveFiles(queries, 'tenant = $1 AND project = $2', [tenant, project])
}

/** Updates the audiences of files. Returns the files whose audience has changed. */
async function moveFiles(
  queries: Queries,
  condition: string,
  values: readonly unknown[],
): Promise<readonly MovedFile[]> {
  const rows = await queries.query(
    `SELECT id, tenant, person, project, session, path, audience FROM raw_file WHERE ${condition} ORDER BY id FOR UPDATE`,
    values,
  )
  const known = new Map<string, AudienceId>()
  const moved: MovedFile[] = []
  for (const row of rows) {
    const file = {
      tenant: numberIn(row, 'tenant'),
      person: numberIn(row, 'person'),
      project: numberIn(row, 'project'),
      session: textOrNull(row, 'session'),
    }
    const key = JSON.stringify(file)
    const audience = known.get(key) ?? (await audienceOf(queries, file))
    known.set(key, audience)
    if (audience !== numberIn(row, 'audience'))
      moved.push({ ...file, file: numberIn(row, 'id'), path: textIn(row, 'path'), audience })
  }
  for (const { tenant, file, audience } of moved)
    await queries.query('UPDATE raw_file SET audience = $3 WHERE tenant = $1 AND id = $2', [
      tenant,
      file,
      audience,
    ])
  return moved
}
