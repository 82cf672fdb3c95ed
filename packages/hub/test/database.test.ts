/** Reaching PostgreSQL, and making the tables. */

import { StoreError } from '@dagline/store'
import { describe, expect, it, onTestFinished } from 'vitest'
import { databaseFailure, databaseSettings, openPool } from '../src/db/connect.js'
import { type HubDatabase, openHubDatabase } from '../src/db/database.js'
import { migrate, READER_ROLE, type SchemaPart } from '../src/db/migrate.js'
import { migrateHub } from '../src/db/schema.js'
import { freshDatabase, hasPostgres } from './postgres.js'

describe('the URL of a database', () => {
  it('[HU1] names host, port, user, password and database', () => {
    expect(databaseSettings('postgres://ann:p%40ss@127.0.0.1:5433/team')).toEqual({
      host: '127.0.0.1',
      port: 5433,
      database: 'team',
      user: 'ann',
      password: 'p@ss',
      ssl: false,
    })
  })

  it('[HU1] names the folder of a Unix socket', () => {
    expect(databaseSettings('postgres:///team?host=/run/postgresql&user=ann')).toMatchObject({
      host: '/run/postgresql',
      database: 'team',
      user: 'ann',
      ssl: false,
    })
  })

  it('[HU1] another machine is reached by TLS only, and its certificate is verified', () => {
    expect(databaseSettings('postgres://db.example/team')).toMatchObject({
      ssl: { rejectUnauthorized: true },
    })
    for (const mode of ['disable', 'allow', 'prefer'])
      expect(() => databaseSettings(`postgres://db.example/team?sslmode=${mode}`)).toThrow(/unencrypted/)
    expect(() => databaseSettings('postgres://127.0.0.1.example.com/team?sslmode=disable')).toThrow()
    const { ssl } = databaseSettings('postgres://db.example/team?sslmode=require')
    expect(ssl).toEqual({ rejectUnauthorized: true })
  })

  it('[HU1] TLS may be asked for on this machine, too', () => {
    expect(databaseSettings('postgres://localhost/team?sslmode=verify-full').ssl).not.toBe(false)
  })

  it.each(['', 'team', 'http://db/team', 'postgres://db/team?sslmode=sometimes'])(
    '[HU1] %j is refused with a sentence',
    url => {
      expect(() => databaseSettings(url)).toThrow(RangeError)
    },
  )
})

describe('errors of a database', () => {
  it('[HU1] where nothing answers, the message says where, and not the password', async () => {
    const url = 'postgres://ann:secret@127.0.0.1:1/team'
    const pool = openPool(url)
    const error = await pool
      .query('SELECT 1')
      .catch((reason: unknown) => databaseFailure(reason, databaseSettings(url)))
    await pool.end()
    expect(error).toBeInstanceOf(StoreError)
    expect(String(error)).toContain('team at 127.0.0.1:1')
    expect(String(error)).not.toContain('secret')
  })
})

describe.runIf(hasPostgres('the tables of the hub'))('the tables of the hub', () => {
  it('[HU2] steps are done once and in order, by however many servers at a time', async () => {
    const database = await opened()
    const steps = ['CREATE TABLE one (a int)', 'ALTER TABLE one ADD COLUMN b int']
    const part: SchemaPart = { name: 'test', steps, rights: `GRANT SELECT ON one TO ${READER_ROLE}` }
    await Promise.all([migrate(database, [part]), migrate(database, [part]), migrate(database, [part])])
    await migrate(database, [{ ...part, steps: [...steps, 'ALTER TABLE one ADD COLUMN c int'] }])
    const { rows } = await database.pool.query(
      "SELECT string_agg(attname, ' ' ORDER BY attnum) AS cells FROM pg_attribute WHERE attrelid = 'one'::regclass AND attnum > 0",
    )
    expect(rows).toEqual([{ cells: 'a b c' }])
    await expect(migrate(database, [part])).rejects.toThrow(/newer dagline/)
  })

  it('[HU74] a start on tables that are as they should be waits for nobody who writes them', async () => {
    const database = await opened()
    await migrateHub(database)
    const judge = await database.pool.connect()
    await judge.query('BEGIN; LOCK TABLE index_file, index_text, raw_file IN ROW EXCLUSIVE MODE')
    await migrateHub(database)
    await judge.query('ROLLBACK')
    judge.release()
  })

  it('[HU74] rights that are others in this version are given at its first start', async () => {
    const database = await opened()
    const part: SchemaPart = { name: 'test', steps: ['CREATE TABLE one (a int, b int)'] }
    await migrate(database, [{ ...part, rights: `GRANT SELECT (a) ON one TO ${READER_ROLE}` }])
    await migrate(database, [{ ...part, rights: `GRANT SELECT ON one TO ${READER_ROLE}` }])
    const sql = "SELECT has_column_privilege($1, 'one', 'b', 'SELECT') AS may"
    const { rows } = await database.pool.query(sql, [READER_ROLE])
    expect(rows).toEqual([{ may: true }])
  })

  it('[HU1] a database that does not exist is named when its tables are made, with what to do', async () => {
    const database = openHubDatabase((await freshDatabase()).replace(/test\d+/, 'nothing'))
    onTestFinished(() => database.close())
    await expect(migrateHub(database)).rejects.toThrow(
      /nothing .* does not exist: make it with `createdb nothing`/,
    )
  })

  it('[HU2] a step that fails leaves nothing behind', async () => {
    const database = await opened()
    const part = { name: 'test', steps: ['CREATE TABLE one (a int)', 'CREATE TABEL two (a int)'] }
    await expect(migrate(database, [part])).rejects.toThrow(/syntax/)
    const { rows } = await database.pool.query("SELECT to_regclass('one') AS one")
    expect(rows).toEqual([{ one: null }])
  })

  it('[HU2] the role of readers owns nothing and is bound by policies', async () => {
    const database = await opened()
    await migrate(database, [{ name: 'test', steps: ['CREATE TABLE one (a int)'] }])
    const { rows } = await database.pool.query(
      'SELECT rolcanlogin, rolsuper, rolbypassrls FROM pg_roles WHERE rolname = $1',
      [READER_ROLE],
    )
    expect(rows).toEqual([{ rolcanlogin: false, rolsuper: false, rolbypassrls: false }])
    const client = await database.pool.connect()
    onTestFinished(() => client.release())
    await client.query(`SET ROLE ${READER_ROLE}`)
    await expect(client.query('CREATE TABLE two (a int)')).rejects.toThrow(/permission denied/)
    await expect(client.query('INSERT INTO one VALUES (1)')).rejects.toThrow(/permission denied/)
  })
})

async function opened(): Promise<HubDatabase> {
  const database = openHubDatabase(await freshDatabase())
  onTestFinished(() => database.close())
  return database
}
