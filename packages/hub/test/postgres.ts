/**
 * A PostgreSQL of the tests: a cluster of its own in a temporary folder, which goes with the process that asked for it,
 * however that ends.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, it } from 'vitest'
import { findPostgres, NO_POSTGRES } from '../../../scripts/postgres.ts'

/** The folder of the programs of PostgreSQL; null where the tests on a database are left out. */
export const POSTGRES: string | null = findPostgres()

/** Says which tests are not run; for `describe.runIf(hasPostgres('...'))`. */
export function hasPostgres(what: string): boolean {
  if (POSTGRES !== null) return true
  process.stderr.write(`not run: ${what}. ${NO_POSTGRES}\n`)
  it(`${what} not run: no PostgreSQL here`, () => expect(POSTGRES).toBeNull())
  return false
}

export interface ClusterOptions {
  /** Listens on a port of 127.0.0.1, too. */
  readonly port?: number
  /** Writes reach the disk before a commit returns, as they do outside of tests: for tests that kill the server. */
  readonly durable?: boolean
  /** Megabytes of a disk of its own, in memory; see `canMount`. */
  readonly disk?: number
  /** Further settings: `work_mem=4MB`. */
  readonly settings?: readonly string[]
}

export interface Cluster {
  /** The URL of a database, through the Unix socket. */
  readonly url: (database: string) => string
  /** Makes a database and returns its URL. */
  readonly createDatabase: () => Promise<string>
  /** The process that all others of the server are children of. */
  readonly pid: () => number
  /** What the server has written to its log. */
  readonly log: () => string
  /** Kills the server and all its processes at once, as a crash would. */
  readonly crash: () => void
  /** Starts it, after a crash. */
  readonly start: () => void
  /** Leaves no room on its own disk. */
  readonly fillDisk: () => void
  /** Makes room again. */
  readonly clearDisk: () => void
  /** Stops it and removes its folder. */
  readonly stop: () => Promise<void>
}

let shared: Cluster | null = null

/** The URL of a fresh database in the cluster of this process. */
export async function freshDatabase(): Promise<string> {
  shared ??= startCluster()
  return await shared.createDatabase()
}

/** Starts a cluster of its own. */
export function startCluster(options: ClusterOptions = {}): Cluster {
  const folder = makeFolder()
  const disk = options.disk === undefined ? null : mountDisk(folder, options.disk)
  const guard = startGuard(folder)
  run('initdb', [
    '-D',
    join(folder, 'data'),
    '-U',
    'dagline',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--no-sync',
    ...LOCALE,
  ])
  const start = (): void => {
    const settings = settingsOf(folder, options).flatMap(setting => ['-c', setting])
    run('pg_ctl', [
      '-D',
      join(folder, 'data'),
      '-l',
      join(folder, 'log'),
      '-w',
      '-s',
      '-o',
      settings.join(' '),
      'start',
    ])
  }
  start()
  const url = (database: string): string =>
    `postgres:///${database}?host=${encodeURIComponent(folder)}&user=dagline`
  let made = 0
  return {
    url,
    createDatabase: async () => {
      const name = `test${++made}`
      const client = new pg.Client({ host: folder, user: 'dagline', database: 'postgres' })
      await client.connect()
      await client.query(`CREATE DATABASE ${name}`)
      await client.end()
      return url(name)
    },
    pid: () => Number(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]),
    log: () => readFileSync(join(folder, 'log'), 'utf8'),
    crash: () => run('pg_ctl', ['-D', join(folder, 'data'), '-s', '-m', 'immediate', '-w', 'stop']),
    start,
    fillDisk: () => disk?.fill(),
    clearDisk: () => disk?.clear(),
    stop: async () => {
      guard.ref()
      guard.stdin?.end()
      await once(guard, 'exit')
      disk?.unmount()
    },
  }
}

/** Sorts texts otherwise than by bytes, so that a comparison without a collation of its own shows. */
const LOCALE = ['--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en']

function settingsOf(
  folder: string,
  { port, durable = false, settings = [] }: ClusterOptions,
): readonly string[] {
  const quick = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']
  const listen = port === undefined ? ["listen_addresses=''"] : ['listen_addresses=127.0.0.1', `port=${port}`]
  return [
    `unix_socket_directories=${folder}`,
    'max_connections=150',
    ...listen,
    ...(durable ? [] : quick),
    ...settings,
  ]
}

/** PostgreSQL does not run as root; Debian's package has made a user for it. */
const OWNER: { readonly uid: number; readonly gid: number } | null =
  process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : null

function idOf(what: '-u' | '-g'): number {
  return Number(spawnSync('id', [what, 'postgres'], { encoding: 'utf8' }).stdout)
}

/** The path of a Unix socket has at most 107 bytes, which a temporary folder may exceed. */
function makeFolder(): string {
  const parent = tmpdir().length < 80 ? tmpdir() : '/tmp'
  const folder = mkdtempSync(join(parent, 'dagline-pg-'))
  chmodSync(folder, 0o711)
  if (OWNER !== null) chownSync(folder, OWNER.uid, OWNER.gid)
  return folder
}

/** Whether a disk of a given size can be made here: on Linux, by root. */
export function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  const folder = mkdtempSync(join(tmpdir(), 'dagline-mount-'))
  const isDone = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]).status === 0
  if (isDone) spawnSync('umount', [folder])
  rmSync(folder, { recursive: true, force: true })
  return isDone
}

interface Disk {
  readonly fill: () => void
  readonly clear: () => void
  readonly unmount: () => void
}

function mountDisk(folder: string, megabytes: number): Disk {
  const owner = `uid=${OWNER?.uid ?? 0},gid=${OWNER?.gid ?? 0}`
  const options = `size=${megabytes}m,mode=711,${owner}`
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder])
  if (status !== 0) throw new Error(`mount failed: ${stderr}`)
  const filling = join(folder, 'filling')
  const unmount = (): void => {
    spawnSync('umount', ['--lazy', folder])
    rmSync(folder, { recursive: true, force: true })
  }
  process.on('exit', unmount)
  return {
    // It ends when there is no room, which is the point.
    fill: () => void spawnSync('dd', ['if=/dev/zero', `of=${filling}`, 'bs=4096']),
    clear: () => rmSync(filling, { force: true }),
    unmount: () => {
      process.off('exit', unmount)
      unmount()
    },
  }
}

function run(program: string, words: readonly string[]): void {
  const path = join(POSTGRES ?? '', program)
  const { status, stderr, error } = spawnSync(path, words, {
    ...OWNER,
    cwd: '/',
    // The server inherits what is open: a pipe would never end.
    stdio: ['ignore', 'ignore', program === 'pg_ctl' ? 'ignore' : 'pipe'],
  })
  if (status === 0) return
  const log = join(words[1] ?? '', '../log')
  const why =
    stderr?.toString() || error?.message || (existsSync(log) ? readFileSync(log, 'utf8').slice(-2000) : '')
  throw new Error(`${program} failed: ${why}`)
}

/** A process that waits for the end of this one, then stops the server and removes its folder. */
function startGuard(folder: string): ChildProcess {
  const script = `cat >/dev/null
    pid=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null)
    if [ -n "$pid" ]; then kill -QUIT "$pid" 2>/dev/null; while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done; fi
    rm -rf "$1"`
  const guard = spawn('sh', ['-c', script, 'sh', folder], {
    ...OWNER,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.unref()
  if (guard.stdin !== null && 'unref' in guard.stdin && typeof guard.stdin.unref === 'function')
    guard.stdin.unref()
  // Only its owner removes what is in the folder; the folder itself may lie where he must not write.
  process.on(
    'exit',
    () => existsSync(join(folder, 'data')) || rmSync(folder, { recursive: true, force: true }),
  )
  return guard
}
