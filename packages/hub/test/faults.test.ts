/**
 * HU11, HU15, HU16 under kill -9: clients, judges and PostgreSQL are killed at random moments, connections with them. Whatever
 * happened, after restart the hub has what an undisturbed run has, byte for byte. Set DAGLINE_RUNS for more kills.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createRng } from '@dagline/testkit'
import { describe, expect, it, onTestFinished } from 'vitest'
import { BUNDLE } from '../../cli/test/run.js'
import { dumpAnswers } from '../../store/test/dump.js'
import { temporaryFolder } from '../../store/test/temporary.js'
import { findOrAddPerson } from '../src/access/people.js'
import { openHubDatabase } from '../src/db/database.js'
import { connectSync } from '../src/db/sync-connection.js'
import { openPgIndex } from '../src/index/store.js'
import { rootOf } from '../src/raw/paths.js'
import { listVersions, readVersion, verifyRaw } from '../src/raw/stream.js'
import { hasPostgres, startCluster } from './postgres.js'

const SAMPLES = join(import.meta.dirname, '../../../fixtures/samples/projects')
const RUNS = Number(process.env['DAGLINE_RUNS'] ?? 12)
const SEED = Number(process.env['DAGLINE_SEED'] ?? 18)

interface Home {
  readonly root: string
  readonly env: NodeJS.ProcessEnv
}

function makeHome(): Home {
  const home = temporaryFolder()
  const root = join(home, '.claude', 'projects')
  mkdirSync(root, { recursive: true })
  const { PATH = '' } = process.env
  return { root, env: { PATH, HOME: home, DAGLINE_PUSH: '*' } }
}

function start(home: Home, words: readonly string[]): ChildProcess {
  return spawn(process.execPath, [BUNDLE, 'hub', ...words], { env: home.env, stdio: 'ignore' })
}

/** Runs a command to its end, again where the database was being restarted. */
async function complete(home: Home, words: readonly string[]): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const [code] = await once(start(home, words), 'exit')
    if (code === 0) return
    if (attempt === 5) throw new Error(`dagline hub ${words[0]} ended with ${code}`)
    await wait(500)
  }
}

/** The transcripts of the samples, row by row as they would have been written. */
function plan(): readonly (readonly [path: string, rows: readonly string[]])[] {
  return readdirSync(SAMPLES, { recursive: true, encoding: 'utf8' })
    .filter(path => statSync(join(SAMPLES, path)).isFile())
    .map(path => {
      const text = readFileSync(join(SAMPLES, path), 'utf8')
      return [path, path.endsWith('.jsonl') ? text.split(/(?<=\n)/) : [text]] as const
    })
}

async function stateOf(url: string, name: string): Promise<unknown> {
  const database = openHubDatabase(url)
  const owner = await findOrAddPerson(database, 'default', name)
  const hashes: Record<string, string> = {}
  for (const { path, id, number } of await listVersions(database, owner, { all: true })) {
    const hash = createHash('sha256')
    for await (const part of readVersion(database, owner.tenant, id)) hash.update(part)
    hashes[`${path} ${number}`] = hash.digest('hex')
  }
  const check = await verifyRaw(database, owner)
  const connection = connectSync(url)
  const index = openPgIndex(connection, { tenant: owner.tenant, audienceOf: () => 0 })
  const root = rootOf(owner.person)
  const said = JSON.stringify(dumpAnswers(index, index.findRoot(root) ?? 0), (key, value) =>
    key === 'state' ? null : value,
  )
  index.close()
  connection.close()
  await database.close()
  return { hashes, problems: check.problems, said: JSON.parse(said.replaceAll(root, '')) }
}

describe.runIf(hasPostgres('faults of a hub'))('under kill -9', () => {
  it('[HU15] everything converges to what an undisturbed run gives', {
    timeout: 120_000 + RUNS * 20_000,
  }, async () => {
    const cluster = startCluster({ durable: true })
    onTestFinished(() => cluster.stop())
    const url = await cluster.createDatabase()
    const random = createRng(SEED)
    const files = plan()
    const calm = makeHome()
    cpSync(SAMPLES, calm.root, { recursive: true, preserveTimestamps: true })
    await complete(calm, ['push', '--hub', url, '--person', 'calm'])
    await complete(calm, ['judge', '--once', '--hub', url])

    const home = makeHome()
    const running = new Set<ChildProcess>()
    const launch = (words: readonly string[]): void => {
      const child = start(home, words)
      running.add(child)
      child.on('exit', () => running.delete(child))
    }
    for (let run = 0; run < RUNS; run++) {
      // Files grow while they are pushed; two clients and two judges do the same at the same time.
      for (const [path, rows] of files) {
        const [from, to] = [run, run + 1].map(each => Math.floor((rows.length * each) / RUNS))
        mkdirSync(join(home.root, path, '..'), { recursive: true })
        if (path.endsWith('.jsonl')) appendFileSync(join(home.root, path), rows.slice(from, to).join(''))
        else writeFileSync(join(home.root, path), rows.join(''))
      }
      for (let client = 0; client < 2; client++) launch(['push', '--hub', url, '--person', 'wild'])
      for (let judge = 0; judge < 2; judge++) launch(['judge', '--once', '--hub', url])
      await wait(100 + random.int(1500))
      const victims = [...running]
      const victim = random.int(victims.length + 1)
      if (victim === victims.length) {
        cluster.crash()
        cluster.start()
      } else victims[victim]?.kill('SIGKILL')
      if (random.int(2) === 0) await Promise.all([...running].map(child => once(child, 'exit')))
    }
    await Promise.all([...running].map(child => once(child, 'exit')))
    for (const [path] of files)
      cpSync(join(SAMPLES, path), join(home.root, path), { preserveTimestamps: true })
    await complete(home, ['push', '--hub', url, '--person', 'wild'])
    await complete(home, ['judge', '--once', '--hub', url])
    expect(await stateOf(url, 'wild')).toEqual(await stateOf(url, 'calm'))
  })
})
