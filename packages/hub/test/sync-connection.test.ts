/** The connection that waits. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { connectSync, type SyncConnection } from '../src/db/sync-connection.js'
import { freshDatabase, hasPostgres } from './postgres.js'

async function connected(): Promise<SyncConnection> {
  const connection = connectSync(await freshDatabase())
  onTestFinished(() => connection.close())
  return connection
}

it('[HU3] a database that does not answer is named in the error', () => {
  expect(() => connectSync('postgres://ann:secret@127.0.0.1:1/team')).toThrow(
    /^team at 127.0.0.1:1 does not answer/,
  )
})

describe.runIf(hasPostgres('the connection that waits'))('the connection that waits', () => {
  it('[HU3] rows come back with whole numbers, texts, lists and bytes', async () => {
    const db = await connected()
    expect(
      db.query(
        'SELECT $1::bigint AS big, $2::text AS text, $3::float8 AS time, $4::bytea AS bytes, NULL AS none, count(*) AS total',
        [2 ** 52, 'ä "quoted" \\ \n', 1.5, new Uint8Array([0, 255])],
      ),
    ).toEqual([
      {
        big: 2 ** 52,
        text: 'ä "quoted" \\ \n',
        time: 1.5,
        bytes: new Uint8Array([0, 255]),
        none: null,
        total: 1,
      },
    ])
    expect(
      db.query('SELECT * FROM unnest($1::text[])', [['a', 'b"', '\\']]).map(({ unnest }) => unnest),
    ).toEqual(['a', 'b"', '\\'])
  })

  it('[HU3] many rows arrive whole', async () => {
    const db = await connected()
    const rows = db.query("SELECT n, repeat('x', 1000) AS text FROM generate_series(1, 30000) n")
    expect([rows.length, rows.at(-1)?.['n']]).toEqual([30_000, 30_000])
  })

  it('[HU3] what is sent is done in order, before the next answer', async () => {
    const db = await connected()
    db.send('CREATE TABLE one (a int, b text)')
    db.copy('COPY one FROM STDIN', '1\ta\\\\b\n2\t\\N\n')
    db.send('UPDATE one SET a = a + $1', [10])
    expect(db.query('SELECT * FROM one ORDER BY a')).toEqual([
      { a: 11, b: 'a\\b' },
      { a: 12, b: null },
    ])
  })

  it('[HU3] a failure of what was sent is thrown by the next statement that waits, and a rollback forgets it', async () => {
    const db = await connected()
    db.send('CREATE TABLE one (a int)')
    db.send('BEGIN')
    db.copy('COPY one FROM STDIN', 'x\n')
    db.send('INSERT INTO one VALUES (1)')
    expect(() => db.query('SELECT 1')).toThrow(/invalid input syntax/)
    db.rollback()
    expect(db.query('SELECT count(*) AS total FROM one')).toEqual([{ total: 0 }])
    db.send('SELEC')
    db.rollback()
    expect(db.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  it('[HU3] a server that goes away is an error, not a wait without end', async () => {
    const db = await connected()
    expect(() => db.query('SELECT pg_terminate_backend(pg_backend_pid())')).toThrow(/does not answer/)
    expect(() => db.query('SELECT 1')).toThrow(/does not answer/)
  })
})
