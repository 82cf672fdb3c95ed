/** HU80: names, tags and notes of sessions that the hub has, as the machines of their owner give them. */
import { BadLabel, giveName, type Label, type LabelKind, type Labels, NO_LABELS } from '@dagline/store'
import { type HubDatabase, numberIn, type Queries } from '../db/database.js'
import type { PgRow, SyncConnection } from '../db/sync-connection.js'
import type { MachineId } from '../model/index.js'
import { machineName, markChanged } from './commit.js'
import { lockPerson, type Owner } from './pieces.js'

/** Keeps the labels of a machine, those of sessions that the hub has, and forgets all others of it. Returns how many are kept. */
export async function keepLabels(
  database: HubDatabase,
  owner: Owner,
  { machine, labels: given }: { readonly machine: MachineId; readonly labels: readonly Label[] },
): Promise<number> {
  const labels = given.filter(isOfItsSession).filter(hasProperName)
  return await database.transact(async queries => {
    await lockPerson(queries, owner)
    await machineName(queries, owner, machine)
    const values = [owner.tenant, owner.person, machine]
    const gone = await queries.query(
      `DELETE FROM raw_label WHERE tenant = $1 AND person = $2 AND machine = $3 AND NOT (id = ANY ($4)) RETURNING id`,
      [...values, labels.map(({ id }) => id)],
    )
    const changed = await queries.query(
      `INSERT INTO raw_label AS label (tenant, person, machine, id, session, kind, name, tags, note)
       SELECT $1, $2, $3, id, session, kind, name, ARRAY(SELECT jsonb_array_elements_text(tags)), note
       FROM jsonb_to_recordset($4::jsonb) AS given (id text, session text, kind text, name text, tags jsonb, note text)
       WHERE EXISTS (SELECT 1 FROM raw_file file WHERE file.tenant = $1 AND file.person = $2 AND file.session = given.session)
       ON CONFLICT (tenant, person, machine, id) DO UPDATE
         SET session = excluded.session, kind = excluded.kind, name = excluded.name, tags = excluded.tags,
             note = excluded.note, taken = now()
         WHERE (label.session, label.kind, label.name, label.tags, label.note)
           IS DISTINCT FROM (excluded.session, excluded.kind, excluded.name, excluded.tags, excluded.note)
       RETURNING id`,
      [...values, JSON.stringify(labels)],
    )
    if (gone.length + changed.length > 0) await markChanged(queries, owner)
    const [kept = {}] = await queries.query(
      'SELECT count(*)::int AS kept FROM raw_label WHERE tenant = $1 AND person = $2 AND machine = $3',
      values,
    )
    return numberIn(kept, 'kept')
  })
}

/** Nobody labels the sessions of others: an id that is not an entry's begins with that of its session. */
function isOfItsSession({ kind, id, session }: Label): boolean {
  return kind === 'entry' || id === session || id.startsWith(`${session}@`) || id.startsWith(`${session}#`)
}

/** Whether a name is one that can be given at home: `latest`, or the beginning of an id, would mean another session to colleagues. */
function hasProperName(label: Label): boolean {
  try {
    giveName(NO_LABELS, label, label.name)
    return true
  } catch (error) {
    if (error instanceof BadLabel) return false
    throw error
  }
}

/** Forgets the labels of a session, whichever machine gave them. */
export async function dropLabels(
  queries: Queries,
  { tenant, person }: Owner,
  session: string,
): Promise<void> {
  await queries.query('DELETE FROM raw_label WHERE tenant = $1 AND person = $2 AND session = $3', [
    tenant,
    person,
    session,
  ])
}

/**
 * The labels that a person sees. Row-level security leaves those of sessions that the person sees. Of several labels of one thing
 * the person's own counts, then the newest.
 */
export function labelsSeen(reader: Pick<SyncConnection, 'query'>, { tenant, person }: Owner): Labels {
  const rows = reader.query(
    `SELECT DISTINCT ON (id) id, session, kind, name, to_json(tags)::text AS tags, note FROM raw_label WHERE tenant = $1
     ORDER BY id, person <> $2, taken DESC`,
    [tenant, person],
  )
  return new Map(rows.map(row => [String(row['id']), labelIn(row)]))
}

function labelIn(row: PgRow): Label {
  const textOrNull = (name: string): string | null => (row[name] === null ? null : String(row[name]))
  return {
    kind: String(row['kind']) as LabelKind,
    id: String(row['id']),
    session: String(row['session']),
    name: textOrNull('name'),
    tags: JSON.parse(String(row['tags'])),
    note: textOrNull('note'),
  }
}
