/**
 * HU71, HU72: clients, servers, judges and PostgreSQL are killed at random moments, connections are cut, the disk is full.
 * Whatever happened, afterwards the hub has what an undisturbed run has, byte for byte. Set DAGLINE_RUNS for more kills.
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
import { text } from 'node:stream/consumers'
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
import { freePort, startCuttingProxy } from './cutting-proxy.js'
import { type Cluster, canMount, hasPostgres, startCluster } from './postgres.js'

const SAMPLES = join(import.meta.dirname, '../../../fixtures/samples/projects')
const RUNS = Number(process.env['DAGLINE_RUNS'] ?? 12)
const SEED = Number(process.env['DAGLINE_SEED'] ?? 18)

/** These end what hangs; a loaded machine takes many times as long as a quiet one. */
const LONG = 300_000 + RUNS * 60_000

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

type Env = NodeJS.ProcessEnv

function start(env: Env, words: readonly string[]): ChildProcess {
  return spawn(process.execPath, [BUNDLE, 'hub', ...words], { env, stdio: 'ignore' })
}

/** Runs a command until it ends well: the database or a server may be starting. */
async function complete(env: Env, words: readonly string[]): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const [code] = await once(start(env, words), 'exit')
    if (code === 0) return
    if (attempt === 50) throw new Error(`dagline hub ${words[0]} ended with ${code}`)
    await wait(500)
  }
}

async function makeToken(url: string, person: string): Promise<string> {
  const { env } = makeHome()
  await complete(env, ['users', person, 'member', '--hub', url])
  const words = ['tokens', 'add', 'laptop', 'push,read', '90', '--person', person, '--hub', url, '--json']
  const child = spawn(process.execPath, [BUNDLE, 'hub', ...words], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return JSON.parse(await text(child.stdout)).token
}

/** The transcripts of the samples, row by row as they would have been written. */
function plan(): readonly (readonly [path: string, rows: readonly string[]])[] {
  return readdirSync(SAMPLES, { recursive: true, encoding: 'utf8' })
    .filter(path => statSync(join(SAMPLES, path)).isFile())
    .map(path => {
      const content = readFileSync(join(SAMPLES, path), 'utf8')
      return [path, path.endsWith('.jsonl') ? content.split(/(?<=\n)/) : [content]] as const
    })
}

/** Writes one of several parts of all files. */
function grow(root: string, files: ReturnType<typeof plan>, part: number, parts: number): void {
  for (const [path, rows] of files) {
    const [from, to] = [part, part + 1].map(each => Math.floor((rows.length * each) / parts))
    mkdirSync(join(root, path, '..'), { recursive: true })
    if (path.endsWith('.jsonl')) appendFileSync(join(root, path), rows.slice(from, to).join(''))
    else writeFileSync(join(root, path), rows.join(''))
  }
}

/** What an undisturbed run gives: pushed and judged once. */
async function pushCalmly(url: string): Promise<void> {
  const { root, env } = makeHome()
  cpSync(SAMPLES, root, { recursive: true, preserveTimestamps: true })
  await complete(env, ['push', '--hub', url, '--person', 'calm'])
  await complete(env, ['judge', '--once', '--hub', url])
}

/** All files are there with the times of the samples; they are pushed over HTTP, and judged. */
async function pushTheRest({ root }: Home, env: Env, url: string): Promise<void> {
  for (const [path] of plan()) cpSync(join(SAMPLES, path), join(root, path), { preserveTimestamps: true })
  await complete(env, ['push'])
  await complete(env, ['judge', '--once', '--hub', url])
}

/** The bytes of all versions by hash, what is wrong with them, and everything the index says. */
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

async function pushedFiles(url: string): Promise<number> {
  const database = openHubDatabase(url)
  const owner = await findOrAddPerson(database, 'default', 'wild')
  const versions = await listVersions(database, owner, {})
  await database.close()
  return versions.length
}

/** What PostgreSQL says of transactions that waited for each other. */
function deadlocksIn(log: string): readonly string[] {
  return log.match(/^.*deadlock detected\n(?:.*\n){1,12}/gm) ?? []
}

/** Processes of one test; what still runs at its end is killed. */
function makeCrew() {
  const running = new Map<ChildProcess, readonly string[]>()
  onTestFinished(() => {
    for (const child of running.keys()) child.kill('SIGKILL')
  })
  return {
    launch: (env: Env, words: readonly string[]): void => {
      const child = start(env, words)
      running.set(child, words)
      child.on('exit', () => running.delete(child))
    },
    all: (): readonly ChildProcess[] => [...running.keys()],
    isRunning: (words: readonly string[]): boolean => [...running.values()].includes(words),
    /** Ends when all have ended that end by themselves. */
    rest: async (): Promise<void> => {
      const ending = [...running].filter(([, [action]]) => action !== 'serve')
      await Promise.all(ending.map(([child]) => once(child, 'exit')))
    },
  }
}

async function startDatabase(
  options: Parameters<typeof startCluster>[0],
): Promise<{ cluster: Cluster; url: string }> {
  const cluster = startCluster({ durable: true, ...options })
  onTestFinished(() => cluster.stop())
  return { cluster, url: await cluster.createDatabase() }
}

describe.runIf(hasPostgres('faults of a hub'))('faults of a hub', () => {
  it('[HU15] [HU71] after kill -9 and cut connections everything converges to what an undisturbed run gives', {
    timeout: LONG,
  }, async () => {
    const { cluster, url } = await startDatabase({})
    const random = createRng(SEED)
    await pushCalmly(url)
    const token = await makeToken(url, 'wild')
    const ports = [await freePort(), await freePort()]
    const servers = ports.map(port => ['serve', '--hub', url, '--port', String(port)])
    let isCalm = false
    const proxy = await startCuttingProxy({
      target: () => ports[random.int(ports.length)] ?? 0,
      limit: () => (isCalm || random.int(4) === 0 ? null : random.int(8000)),
    })
    const home = makeHome()
    const env = { ...home.env, DAGLINE_HUB: `http://127.0.0.1:${proxy.port}`, DAGLINE_HUB_TOKEN: token }
    const crew = makeCrew()
    const serve = (): void => {
      for (const words of servers) if (!crew.isRunning(words)) crew.launch(home.env, words)
    }
    const files = plan()
    for (let run = 0; run < RUNS; run++) {
      // Files grow while they are pushed: over HTTP by two clients of one machine, straight to the database by a third one.
      grow(home.root, files, run, RUNS)
      serve()
      for (let client = 0; client < 2; client++) crew.launch(env, ['push'])
      crew.launch(home.env, ['push', '--hub', url, '--person', 'wild'])
      crew.launch(home.env, ['judge', '--once', '--hub', url])
      await wait(100 + random.int(1500))
      const victims = crew.all()
      const victim = random.int(victims.length + 1)
      if (victim === victims.length) {
        cluster.crash()
        cluster.start()
      } else victims[victim]?.kill('SIGKILL')
      if (random.int(2) === 0) await crew.rest()
    }
    await crew.rest()
    isCalm = true
    serve()
    await pushTheRest(home, env, url)
    expect(await stateOf(url, 'wild')).toEqual(await stateOf(url, 'calm'))
    expect(deadlocksIn(cluster.log())).toEqual([])
    process.stderr.write(`${RUNS} kills, ${proxy.cuts()} connections cut\n`)
  })

  const mounts = canMount()
  it.runIf(!mounts)('[HU72] not run: a small disk can be mounted by root on Linux only', () => {
    process.stderr.write('not run: a full disk at the database. Only root can mount a small one.\n')
    expect(mounts).toBe(false)
  })
  it.runIf(mounts)(
    '[HU72] a full disk at the database costs nothing but the time until there is room',
    {
      timeout: LONG,
    },
    async () => {
      const { cluster, url } = await startDatabase({
        disk: 400,
        settings: ['max_wal_size=64MB', 'wal_recycle=off'],
      })
      await pushCalmly(url)
      const token = await makeToken(url, 'wild')
      const port = await freePort()
      const home = makeHome()
      const env = { ...home.env, DAGLINE_HUB: `http://127.0.0.1:${port}`, DAGLINE_HUB_TOKEN: token }
      const crew = makeCrew()
      const serve = ['serve', '--hub', url, '--port', String(port)]
      crew.launch(home.env, serve)
      const files = plan()
      // Each page that is added fails, and sooner or later the log.
      cluster.fillDisk()
      const parts = 2
      for (let part = 0; part < parts; part++) {
        grow(home.root, files, part, parts)
        for (let client = 0; client < 2; client++) crew.launch(env, ['push'])
        crew.launch(home.env, ['judge', '--once', '--hub', url])
        await crew.rest()
      }
      cluster.clearDisk()
      try {
        cluster.crash()
      } catch {
        // It may have ended by itself.
      }
      cluster.start()
      expect(await pushedFiles(url)).toBeLessThan(files.length)
      if (!crew.isRunning(serve)) crew.launch(home.env, serve)
      await pushTheRest(home, env, url)
      expect(await stateOf(url, 'wild')).toEqual(await stateOf(url, 'calm'))
    },
  )
})
