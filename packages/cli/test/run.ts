/** Runs the real bundle as a process of its own. `npm run unit` builds it first. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { expandShape, inProject, type TestHome, withHome } from '@dagline/testkit'
import type { CommandRequest, CommandResult, ThreadData } from './command-server.js'

export const REPOSITORY: string = join(import.meta.dirname, '..', '..', '..')
/** A projects root with recordings of Claude Code. */
export const RECORDED: string = join(REPOSITORY, 'fixtures', 'recorded', 'projects')
/** What comes with the command. */
export const SAMPLES: string = join(REPOSITORY, 'fixtures', 'samples', 'projects')
export const BUNDLE: string = join(REPOSITORY, 'packages', 'cli', 'dist', 'dagline.js')

/** What a run came to. */
export interface Ran {
  readonly stdout: string
  readonly stderr: string
  readonly code: number | null
}

const CACHE = join(REPOSITORY, 'node_modules', '.cache', 'dagline')
/** A home folder without sessions, for all tests of a worker; `vitest.config.ts` removes what earlier runs have left. */
const HOME = join(CACHE, `home-${process.env['VITEST_POOL_ID']}`)

/** Compiled code of the bundle: a command starts a fifth sooner. */
const NODE_COMPILE_CACHE = join(CACHE, 'compiled')

/** An environment with nothing of the machine's own sessions in it. */
export function cleanEnv(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { PATH = '' } = process.env
  // Snapshots are as wide as this; without it nothing would be cut.
  return { PATH, HOME, TZ: 'UTC', COLUMNS: '120', NODE_COMPILE_CACHE, ...more }
}

/** Runs `dagline` with the words, in the process that the commands of this worker share. */
export function dagline(words: readonly string[], env: Readonly<Record<string, string>> = {}): Ran {
  const { stdout, stderr, code } = daglineMeasured(words, env)
  return { stdout, stderr, code }
}

/** The same, with the memory that it took. One that hangs is killed, and has no exit code. */
export function daglineMeasured(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): CommandResult {
  server ??= startServer()
  const { port, shared } = server
  Atomics.store(shared, 0, 0)
  const request: CommandRequest = { words, env: cleanEnv(env) }
  port.postMessage(request)
  if (Atomics.wait(shared, 0, 0, HANGS) === 'timed-out') {
    process.kill(Atomics.load(shared, 1), 'SIGKILL')
    Atomics.wait(shared, 0, 0)
  }
  return receiveMessageOnPort(port)?.message
}

/** It does not measure speed: a busy machine takes long. */
const HANGS = 180_000

interface Server {
  readonly port: MessagePort
  readonly shared: Int32Array
}

let server: Server | undefined

function startServer(): Server {
  const { port1, port2 } = new MessageChannel()
  const shared = new Int32Array(new SharedArrayBuffer(8))
  const data: ThreadData = { bundle: BUNDLE, env: cleanEnv(), port: port2, shared }
  const options = { workerData: data, transferList: [port2], execArgv: [], env: cleanEnv() }
  new Worker(new URL('command-server.ts', import.meta.url), options).unref()
  port1.unref()
  return { port: port1, shared }
}

/** Runs `dagline` as a process of its own. */
export function daglineProcess(words: readonly string[], env: Readonly<Record<string, string>> = {}): Ran {
  const options = { env: cleanEnv(env), encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 } as const
  const { stdout, stderr, status } = spawnSync(process.execPath, [BUNDLE, ...words], options)
  return { stdout, stderr, code: status }
}

/** Runs on the recorded projects. */
export function onRecorded(...words: string[]): Ran {
  return dagline([...words, '--root', RECORDED])
}

/** The JSON that a run printed. */
// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
export function json(ran: Ran): any {
  return JSON.parse(ran.stdout)
}

/** Runs on a home that a shape describes. */
export async function onShape<T>(
  shape: string,
  use: (run: (...words: string[]) => Ran, home: TestHome) => T,
): Promise<T> {
  const { files, metas } = expandShape(shape)
  return await withHome(inProject([...files, ...metas]), home =>
    use((...words) => dagline(words, { CLAUDE_CONFIG_DIR: home.config, ...ownFolders(home) }), home),
  )
}

/** Folders for the index and the archive that go with the home. */
export function ownFolders(home: TestHome): Record<string, string> {
  return { XDG_CACHE_HOME: join(home.config, 'cache'), XDG_DATA_HOME: join(home.config, 'data') }
}

/** Text between newlines, so that an inline snapshot stands on lines of its own. */
export function block(text: string): string {
  return `\n${text}`
}
