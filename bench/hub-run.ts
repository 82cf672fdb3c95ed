/** A hub as a team runs it, for benchmarks: PostgreSQL, a server with its judge, and clients, each a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Cluster, startCluster } from '../packages/hub/test/postgres.js'
import { COMMAND, temporaryFolder } from './measure.ts'

/** What a process used from its start to its end. */
export interface Used {
  readonly milliseconds: number
  /** Processor time of all its threads. */
  readonly seconds: number
  readonly megabytes: number
}

/** A person with a token, on a machine of her own. */
export interface Client {
  readonly home: string
  readonly token: string
  readonly env: NodeJS.ProcessEnv
}

/** A hub that runs. */
export interface BenchHub {
  readonly url: string
  readonly database: string
  readonly server: ChildProcess
  readonly client: (name: string) => Promise<Client>
  /** Asks a route of the page. Throws where the hub refuses. */
  readonly ask: (client: Client, path: string) => Promise<unknown>
  /** Processor seconds so far: of the server with its judge, and of PostgreSQL. */
  readonly spent: () => { readonly server: number; readonly postgres: number }
  readonly serverMegabytes: () => number
  readonly stop: () => Promise<void>
}

/** PostgreSQL as Debian's package sets it up: every commit reaches the disk. */
export function startDatabase(): Cluster {
  return startCluster({ durable: true })
}

/** Starts a hub on a new database. */
export async function startHub(cluster: Cluster, more: NodeJS.ProcessEnv = {}): Promise<BenchHub> {
  const database = await cluster.createDatabase()
  const env = { ...envOf(temporaryFolder()), ...more }
  const server = spawn(process.execPath, [COMMAND, 'hub', 'serve', '--hub', database, '--port', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line] = await once(createInterface({ input: server.stdout }), 'line')
  const url = /http:\S+/.exec(String(line))?.[0] ?? ''
  const postmaster = cluster.pid()
  let admin: string | null = null
  const ask = async ({ token }: Client, path: string): Promise<unknown> => {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    const { value } = await response.json()
    return value
  }
  return {
    url,
    database,
    server,
    client: async name => {
      const home = temporaryFolder()
      const own = { ...envOf(home), DAGLINE_PUSH: '*', DAGLINE_HUB: url }
      admin ??= await adminOf(database, own)
      await act(url, admin, { kind: 'person', name, role: 'member' })
      const scopes = ['push', 'read']
      const made = await act(url, admin, { kind: 'token', device: 'laptop', scopes, days: 90, person: name })
      const { token } = made as { token: string }
      return { home, token, env: { ...own, DAGLINE_HUB_TOKEN: token } }
    },
    ask,
    spent: () => ({
      server: secondsOf(server.pid ?? 0),
      postgres: [postmaster, ...childrenOf(postmaster)].reduce((sum, pid) => sum + secondsOf(pid), 0),
    }),
    serverMegabytes: () => peakOf(server.pid ?? 0),
    stop: async () => {
      server.kill('SIGTERM')
      await once(server, 'exit')
    },
  }
}

/** The token of an admin: with it fifty persons are there at once, and by commands after minutes. */
async function adminOf(database: string, env: NodeJS.ProcessEnv): Promise<string> {
  await complete(['hub', 'users', 'admin', 'admin', '--hub', database], env)
  const words = ['hub', 'tokens', 'add', 'laptop', 'admin', '90', '--person', 'admin']
  const { token } = JSON.parse(await complete([...words, '--hub', database, '--json'], env))
  return String(token)
}

async function act(url: string, token: string, operation: object): Promise<unknown> {
  const response = await fetch(`${url}/api/hub/do`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify(operation),
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  const { value } = await response.json()
  return value
}

function envOf(home: string): NodeJS.ProcessEnv {
  const { PATH = '' } = process.env
  return { PATH, HOME: home }
}

async function complete(words: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(process.execPath, [COMMAND, ...words], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const parts: Buffer[] = []
  child.stdout.on('data', (part: Buffer) => parts.push(part))
  const [status] = await once(child, 'close')
  if (status !== 0) throw new Error(`dagline ${words.join(' ')} ended with ${status}`)
  return Buffer.concat(parts).toString('utf8')
}

const RESOURCES = join(import.meta.dirname, 'resources.ts')

/** Runs a command to its end, and says what it used. Throws where it fails. */
export async function measured(words: readonly string[], env: NodeJS.ProcessEnv): Promise<Used> {
  const file = join(temporaryFolder(), 'resources.json')
  const start = performance.now()
  const args = ['--import', RESOURCES, COMMAND, ...words]
  const child = spawn(process.execPath, args, {
    env: { ...env, DAGLINE_RESOURCES: file },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [status] = await once(child, 'exit')
  const milliseconds = performance.now() - start
  if (status !== 0) throw new Error(`dagline ${words.join(' ')} ended with ${status}`)
  const { seconds, kilobytes } = JSON.parse(readFileSync(file, 'utf8'))
  return { milliseconds, seconds, megabytes: kilobytes / 1024 }
}

/** Processor seconds of a process and of those of its children that have ended. */
function secondsOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const cells = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = cells.slice(11, 15).map(Number)
    return ticks.reduce((sum, each) => sum + each, 0) / 100
  } catch {
    return 0
  }
}

function childrenOf(pid: number): readonly number[] {
  return readdirSync(`/proc/${pid}/task`)
    .flatMap(task => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' '))
    .filter(child => child !== '')
    .map(Number)
}

/** The largest resident memory of a process so far. */
function peakOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}
