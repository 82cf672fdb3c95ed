/**
 * Runs the commands of a test file in one process, one after the other, through the entry of the bundle: starting a
 * process for each takes longer than most commands. A thread owns the process, so that a test can wait for a command
 * without `await`. This file is both: the thread starts it again as the process.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread, type MessagePort, workerData } from 'node:worker_threads'

/** What the thread is given. */
export interface ThreadData {
  readonly bundle: string
  /** Variables of the process, where a command has no others. */
  readonly env: Readonly<Record<string, string>>
  /** Commands come from here, and results go there. */
  readonly port: MessagePort
  /** 1 when there is a result; then the id of the process. */
  readonly shared: Int32Array
}

/** A command. */
export interface CommandRequest {
  readonly words: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** What a command came to. */
export interface CommandResult {
  readonly stdout: string
  readonly stderr: string
  readonly code: number | null
  /** The memory that the process had resident at most while the command ran, in KB. */
  readonly memory: number
  /** The next command needs another process. */
  readonly isLast: boolean
}

if (isMainThread) serve(process.argv[2] ?? '')
else forward(workerData)

/** In the thread: hands commands to the process, and starts another one where it has ended. */
function forward({ bundle, env, port, shared }: ThreadData): void {
  let stderr = ''
  let child: ChildProcess | null = null
  start()
  port.on('message', (request: CommandRequest) => {
    const asked = child ?? start()
    const end = (code: number | null): void => post({ stdout: '', stderr: '', code, memory: 0, isLast: true })
    asked.once('exit', end)
    asked.once('message', (result: CommandResult) => {
      asked.off('exit', end)
      if (result.isLast) asked.disconnect()
      post(result)
    })
    asked.send(request)
  })

  function start(): ChildProcess {
    const made = fork(import.meta.filename, [bundle], {
      env,
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    // Only processes that a command has started write there.
    made.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    Atomics.store(shared, 1, made.pid ?? 0)
    child = made
    return made
  }

  function post(result: CommandResult): void {
    if (result.isLast) child = null
    port.postMessage({ ...result, stderr: result.stderr + stderr })
    stderr = ''
    Atomics.store(shared, 0, 1)
    Atomics.notify(shared, 0)
  }
}

/** A process that keeps more bytes after a command gets no other, so that what the next one takes is its own. */
const MOST_KEPT = 380e6
/** So many bytes of objects are worth a collection. It also drops compiled code, so it is rare. */
const MUCH = 100e6
const IS_LINUX = process.platform === 'linux'

/** In the process: runs commands until the thread has gone. */
function serve(bundle: string): void {
  let nth = 0
  process.on('message', async (request: CommandRequest) => {
    const result = await run(request, `${pathToFileURL(bundle)}?${nth++}`, bundle)
    process.send?.(result)
  })
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
}

async function run({ words, env }: CommandRequest, entry: string, bundle: string): Promise<CommandResult> {
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    capture(name, text => {
      written[name] += text
    })
  const before = process.getActiveResourcesInfo().length
  resetPeakMemory()
  const restore = [...[process, process.stdout, process.stderr].map(keepListeners), replaceEnv(env)]
  process.argv = [process.execPath, bundle, ...words]
  process.exitCode = undefined
  const hasExited = await Promise.race([exited(), import(entry).then(() => settled(before))])
  const code = Number(process.exitCode ?? 0)
  process.exitCode = undefined
  for (const each of restore) each()
  const memory = peakMemory()
  if (process.memoryUsage().heapUsed > MUCH) collect()
  return { ...written, code, memory, isLast: hasExited || process.memoryUsage.rss() > MOST_KEPT }
}

function collect(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

function resetPeakMemory(): void {
  if (IS_LINUX) writeFileSync('/proc/self/clear_refs', '5')
}

function peakMemory(): number {
  const [, peak] = IS_LINUX ? (/VmHWM:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? []) : []
  return peak === undefined ? process.resourceUsage().maxRSS : Number(peak)
}

/** Resolves when the command ends the process, which goes on until its result is sent. */
function exited(): Promise<true> {
  return new Promise(resolve => {
    process.exit = ((code?: number) => {
      process.exitCode = code
      resolve(true)
    }) as typeof process.exit
  })
}

type Restore = () => void

/** Variables are replaced one by one: the operating system's own copy tells the home folder and the time zone. */
function replaceEnv(values: Readonly<Record<string, string>>): Restore {
  const before = { ...process.env }
  const replace = (by: Readonly<Record<string, string | undefined>>): void => {
    for (const name of Object.keys(process.env)) if (by[name] === undefined) delete process.env[name]
    Object.assign(process.env, by)
  }
  replace(values)
  return () => replace(before)
}

/** Removes the listeners that a command leaves behind. */
function keepListeners(emitter: NodeJS.EventEmitter): Restore {
  const before = new Map(emitter.eventNames().map(name => [name, emitter.rawListeners(name)]))
  return () => {
    for (const name of emitter.eventNames())
      for (const listener of emitter.rawListeners(name))
        if (before.get(name)?.includes(listener) !== true) emitter.off(name, listener as () => void)
  }
}

/** Collects what is written. */
function capture(name: 'stdout' | 'stderr', see: (text: string) => void): void {
  const write = (text: string | Uint8Array, ...rest: readonly unknown[]): boolean => {
    see(typeof text === 'string' ? text : Buffer.from(text).toString('utf8'))
    for (const done of rest) if (typeof done === 'function') done()
    return true
  }
  Object.defineProperty(process[name], 'write', { value: write, configurable: true, writable: true })
}

/** Waits for what a process would wait for before it ends: timers, files and processes of the command. */
async function settled(before: number): Promise<false> {
  while (process.getActiveResourcesInfo().length > before)
    await new Promise(resolve => setTimeout(resolve, 1).unref())
  return false
}
