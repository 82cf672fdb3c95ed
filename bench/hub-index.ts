/**
 * The index of the hub: `npm run bench:hub-index -- [sessions] [folder]`.
 *
 * 1. A folder of transcripts (the corpus beside the repository, unless another is given) is read into SQLite and into PostgreSQL.
 * 2. A tenant of so many sessions (1,000,000 unless given) is generated: facts and verdicts, no transcripts. Then people list their
 *    sessions and search all they may see, under row-level security.
 *
 * Processor time suffers less from other load than the clock: both are shown.
 */
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { discover, type IndexStore, openIndex, syncRoot } from '@dagline/store'
import { openHubDatabase } from '../packages/hub/src/db/database.js'
import { migrateHub } from '../packages/hub/src/db/schema.js'
import { connectSync, type SyncConnection } from '../packages/hub/src/db/sync-connection.js'
import { becomeOwner } from '../packages/hub/src/index/as-person.js'
import { openPgIndex, openPgReader } from '../packages/hub/src/index/store.js'
import { startCluster } from '../packages/hub/test/postgres.js'
import { corpusFolder, temporaryFolder } from './measure.ts'

const PERSONS = 200
const sessions = Number(process.argv[2] ?? 1_000_000)
const folder = corpusFolder(process.argv[3])

// The database of a million sessions does not belong into memory.
process.env['TMPDIR'] = process.env['DAGLINE_BENCH_FOLDER'] ?? tmpdir()
const cluster = startCluster({
  settings: ['shared_buffers=512MB', 'max_wal_size=4GB', 'maintenance_work_mem=256MB'],
})
const url = await cluster.createDatabase()
const database = openHubDatabase(url)
await migrateHub(database)
await database.close()
const connection = connectSync(url)
connection.query("SELECT set_config('jit', 'off', false)")
if (folder !== null) await compareSync(folder)
generate()
measureReaders()
connection.close()
await cluster.stop()

async function compareSync(root: string): Promise<void> {
  const found = discover([root])
  const measureSync = async (name: string, index: IndexStore): Promise<void> => {
    const [start, own, server] = [performance.now(), process.cpuUsage(), serverTime(connection)]
    for (const each of found) await syncRoot(index, each)
    index.close()
    const { user, system } = process.cpuUsage(own)
    const used = [(user + system) / 1000, (serverTime(connection) - server) * 1000]
    const [client, database] = used.map(ms => `${Math.round(ms)} ms`)
    const clock = `${Math.round(performance.now() - start)} ms`
    console.log(`${name}: ${clock}; processor: this process ${client}, PostgreSQL ${database}`)
  }
  const sql = `WITH t AS (INSERT INTO access_tenant (name) VALUES ('real') RETURNING id),
    p AS (INSERT INTO access_person (tenant, name, role) SELECT id, 'ann', 'member' FROM t RETURNING tenant, id)
    INSERT INTO access_audience (tenant, owner, everyone, persons) SELECT tenant, id, false, '{}' FROM p RETURNING tenant, owner, id`
  const [made = {}] = connection.query(sql)
  const [tenant, person, audience] = ['tenant', 'owner', 'id'].map(name => Number(made[name])) as [
    number,
    number,
    number,
  ]
  await measureSync('SQLite', openIndex(join(temporaryFolder(), 'index.db')))
  await measureSync('PostgreSQL', openPgIndex(connection, { tenant, audienceOf: () => audience }))
  console.log(`${connection.statements()} statements`)
  connection.query('ANALYZE')
  const owner = openPgIndex(connection, { tenant, audienceOf: () => audience })
  const words = owner
    .vocabulary()
    .split('\n')
    .map(line => line.slice(0, line.indexOf('\t')))
  const ask = (index: IndexStore): void => {
    for (let nth = 0; nth < 200; nth++)
      index.find([word(words[(nth * 7919) % words.length] ?? 'the')], {}, 50, 'rank')
    for (const each of ['the', 'a', 'to', 'file', 'error']) index.find([word(each)], {}, 50, 'rank')
  }
  measureRights('205 searches without row-level security', () => ask(owner))
  const reader = openPgReader(connection, { tenant, person })
  measureRights('the same with it, all texts being the own', () => ask(reader))
  becomeOwner(connection)
}

function measureRights(name: string, work: () => void): void {
  const [start, server] = [performance.now(), serverTime(connection)]
  work()
  const used = Math.round((serverTime(connection) - server) * 1000)
  console.log(`${name}: ${Math.round(performance.now() - start)} ms; processor of PostgreSQL ${used} ms`)
}

/** Seconds of processor time of the server's process for a connection. */
function serverTime(db: SyncConnection): number {
  const pid = Number(db.query('SELECT pg_backend_pid() AS pid')[0]?.['pid'])
  const [, cells = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user, system] = cells.split(' ').slice(11, 13).map(Number)
  return ((user ?? 0) + (system ?? 0)) / 100
}

/** Each session has a file, a group, a line, two prompts with their verdict; one in ten is shared with everyone. */
function generate(): void {
  const start = performance.now()
  const steps = [
    'SELECT setseed(0.5)',
    "INSERT INTO access_tenant (name) VALUES ('generated')",
    `INSERT INTO access_person (tenant, name, role) SELECT t.id, 'person ' || n, 'member' FROM access_tenant t, generate_series(1, ${PERSONS}) n WHERE t.name = 'generated'`,
    "INSERT INTO access_audience (tenant, owner, everyone, persons) SELECT tenant, id, false, '{}' FROM access_person WHERE name LIKE 'person %' ORDER BY id",
    "INSERT INTO access_audience (tenant, owner, everyone, persons) SELECT tenant, min(id), true, '{}' FROM access_person WHERE name LIKE 'person %' GROUP BY tenant",
    "INSERT INTO index_root (tenant, id, path, filling) SELECT tenant, row_number() OVER (ORDER BY id), '/hub/' || id, false FROM access_person WHERE name LIKE 'person %'",
    `CREATE TEMP TABLE one AS SELECT s, t.id AS tenant, 1 + s % ${PERSONS} AS root, CASE WHEN s % 10 = 0 THEN (SELECT id FROM access_audience WHERE everyone)
      ELSE (SELECT min(id) FROM access_audience a WHERE a.tenant = t.id) + s % ${PERSONS} END AS audience,
      md5(s::text)::uuid::text AS session, '-home-dev-project-' || s % 50 AS project,
      1700000000000 + s * 60000::float8 AS time, s::bigint << 26 AS node
      FROM generate_series(1, ${sessions}) s, access_tenant t WHERE t.name = 'generated'`,
    // Words as frequent as in texts: the nth is n times as rare as the first.
    `CREATE TEMP TABLE sentence AS SELECT n, (SELECT string_agg('w' || floor(exp(random() * ln(60000)))::int, ' ') FROM generate_series(1, 20 + n % 20)) AS words
      FROM generate_series(0, 19999) n`,
    `INSERT INTO index_file (tenant, id, audience, root, path, project, session, facts, state, diagnostics, bytes, archived, file_group)
      SELECT tenant, s, audience, root, project || '/' || session || '.jsonl', project, session,
      '{"path":"x","kind":"session","session":"' || session || '","agent":null,"run":null,"meta":null,"title":null}', '{}', '[]', 500000, true, s FROM one`,
    "INSERT INTO index_group SELECT tenant, audience, s, root, '[]', '[]', '[]', '[]' FROM one",
    "INSERT INTO index_line SELECT tenant, audience, s, s, session, 'trunk', 'live', session, NULL, NULL, session, 'live' FROM one",
    'INSERT INTO index_verdict SELECT tenant, audience, node, node + 1, node, s, 1, 0 FROM one',
    "INSERT INTO index_node SELECT tenant, audience, node + nth, md5(s || ' ' || nth)::uuid::text FROM one, generate_series(0, 1) nth",
    `INSERT INTO index_session SELECT tenant, audience, root, s, session, project, time,
      '{"session":"' || session || '","project":"' || project || '","cwd":"/home/dev/project","title":"Session ' || s || '","prompt":"Please look at this","shape":null,"file":null,"first":' || time || ',"last":' || time || ',"turns":2,"branches":0,"agents":0,"called":0,"compactions":0,"bytes":500000,"problems":0,"isIdle":false,"isCleared":false,"archivedOnly":true,"parent":null}'
      FROM one`,
    'DROP INDEX index_text_words',
    `INSERT INTO index_text SELECT tenant, audience, s * 2 + nth, s, nth + 1, nth * 300, 200, node + nth, time + nth, 0, NULL, false, false,
      ' ' || words || ' u' || s || ' ' FROM one, generate_series(0, 1) nth, LATERAL (SELECT words FROM sentence WHERE n = (s * 7 + nth * 13) % 20000) w`,
    'CREATE INDEX index_text_words ON index_text USING gin (index_terms(tenant, words, long)) WITH (fastupdate = on)',
    'VACUUM (ANALYZE)',
  ]
  for (const step of steps) connection.query(step)
  console.log(`${sessions} sessions generated in ${Math.round((performance.now() - start) / 1000)} s`)
  const tables =
    connection.query(`SELECT regexp_replace(relname, '_\\d$', '') AS name, sum(pg_table_size(oid)) AS rows, sum(pg_indexes_size(oid)) AS indexes
    FROM pg_class WHERE relname LIKE 'index\\_%' AND relkind = 'r' GROUP BY 1 ORDER BY sum(pg_total_relation_size(oid)) DESC`)
  for (const { name, rows, indexes } of tables)
    console.log(`  ${name}: ${megabytes(rows)} and ${megabytes(indexes)} of indexes`)
  console.log(
    `  in all ${megabytes(connection.query('SELECT pg_database_size(current_database()) AS size')[0]?.['size'])}`,
  )
}

function megabytes(bytes: unknown): string {
  return `${Math.round(Number(bytes) / 1e6)} MB`
}

function measureReaders(): void {
  const [{ tenant, first } = {}] = connection.query(
    'SELECT tenant, min(id) AS first FROM access_person WHERE name LIKE $1 GROUP BY tenant',
    ['person %'],
  )
  const asked: readonly (readonly [string, (index: IndexStore, nth: number) => unknown])[] = [
    ['list: sessions of a person', (index, nth) => index.sessions([1 + (nth % PERSONS)])],
    ['list: all sessions that the person may see', index => index.sessions()],
    [
      'search: a word of one text',
      (index, nth) => index.find([word(`u${(nth * 7919) % sessions}`)], {}, 50, 'rank'),
    ],
    ['search: a rare word', (index, nth) => index.find([word(`w${40_000 + nth}`)], {}, 50, 'rank')],
    [
      'search: a word in one of a hundred texts',
      (index, nth) => index.find([word(`w${300 + nth}`)], {}, 50, 'rank'),
    ],
    [
      'search: a word in a third of all texts',
      (index, nth) => index.find([word(`w${1 + (nth % 5)}`)], {}, 50, 'rank'),
    ],
    [
      'search: two words',
      (index, nth) => index.find([word(`w${100 + nth}`), word(`w${20 + (nth % 9)}`)], {}, 50, 'rank'),
    ],
    [
      'search: a beginning',
      (index, nth) => index.find([{ words: [`w${1000 + nth}`], isPrefix: true }], {}, 50, 'rank'),
    ],
    ['the newest texts', index => index.find([], {}, 50, 'time')],
  ]
  for (const [name, ask] of asked) {
    const server = serverTime(connection)
    const times = Array.from({ length: 100 }, (_, nth) => {
      const index = openPgReader(connection, {
        tenant: Number(tenant),
        person: Number(first) + (nth % PERSONS),
      })
      const start = performance.now()
      ask(index, nth)
      return performance.now() - start
    }).sort((a, b) => a - b)
    const used = ((serverTime(connection) - server) * 1000) / times.length
    const [p50 = 0, p95 = 0] = [times[49], times[94]]
    console.log(
      `${name}: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms; processor of PostgreSQL ${used.toFixed(1)} ms each`,
    )
  }
}

function word(text: string): { readonly words: readonly string[]; readonly isPrefix: boolean } {
  return { words: [text], isPrefix: false }
}
