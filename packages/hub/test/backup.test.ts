/** HU75: what docs/HUB.md says of backups, tried with the programs of PostgreSQL. */
import { spawnSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { discover } from '@dagline/store'
import { describe, expect, it, onTestFinished } from 'vitest'
import { dumpAnswers } from '../../store/test/dump.js'
import { temporaryFolder } from '../../store/test/temporary.js'
import { audienceOf } from '../src/access/audiences.js'
import { findOrAddPerson } from '../src/access/people.js'
import { type HubDatabase, openHubDatabase } from '../src/db/database.js'
import { migrateHub } from '../src/db/schema.js'
import { connectSync } from '../src/db/sync-connection.js'
import { openPgIndex } from '../src/index/store.js'
import { judgeOnce } from '../src/judge/run.js'
import { rootOf } from '../src/raw/paths.js'
import { openRawStore } from '../src/raw/store.js'
import { listVersions, verifyRaw } from '../src/raw/stream.js'
import { makeClient } from './hub-support.js'
import { freshDatabase, hasPostgres, POSTGRES } from './postgres.js'

const SAMPLES = join(import.meta.dirname, '../../../fixtures/samples/projects')

describe.runIf(hasPostgres('backup and restore of a hub'))('a backup of a hub', () => {
  it.each([
    ['as a whole', []],
    ['without the index, which is made again', ['--exclude-table-data=index_*']],
  ])('[HU75] %s is restored to the same', { timeout: 300_000 }, async (_, options) => {
    const url = await pushedHub()
    const dump = join(temporaryFolder(), 'hub.dump')
    run('pg_dump', ['-Fc', ...options, '-f', dump, '-d', url])
    const restored = await freshDatabase()
    run('pg_restore', ['-d', restored, dump])
    const database = openHubDatabase(restored)
    onTestFinished(() => database.close())
    await migrateHub(database)
    if (options.length > 0) await database.query('UPDATE raw_root SET judged = 0')
    await judgeOnce({ database: restored })
    expect(await stateOf(restored, database)).toEqual(await stateOf(url, openedUntilEnd(url)))
  })
})

function openedUntilEnd(url: string): HubDatabase {
  const database = openHubDatabase(url)
  onTestFinished(() => database.close())
  return database
}

/** Those of PATH may be links to some of the programs only. */
function run(program: string, words: readonly string[]): void {
  const folder = dirname(realpathSync(join(POSTGRES ?? '', 'initdb')))
  const { status, stderr } = spawnSync(join(folder, program), words, { encoding: 'utf8' })
  expect({ program, status, stderr }).toEqual({ program, status: 0, stderr: '' })
}

async function pushedHub(): Promise<string> {
  const url = await freshDatabase()
  const database = openedUntilEnd(url)
  await migrateHub(database)
  const owner = await findOrAddPerson(database, 'default', 'ann')
  await makeClient().push(openRawStore(database, owner, audienceOf), { roots: discover([SAMPLES]) })
  await judgeOnce({ database: url })
  return url
}

async function stateOf(url: string, database: HubDatabase): Promise<unknown> {
  const owner = await findOrAddPerson(database, 'default', 'ann')
  const versions = await listVersions(database, owner, { all: true })
  const { problems } = await verifyRaw(database, owner)
  const connection = connectSync(url)
  const index = openPgIndex(connection, { tenant: owner.tenant, audienceOf: () => 0 })
  const said = dumpAnswers(index, index.findRoot(rootOf(owner.person)) ?? 0)
  index.close()
  connection.close()
  return { versions, problems, said }
}
