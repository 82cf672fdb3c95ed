/**
 * How soon dagline is of use, on a root that is not indexed yet and on one that is:
 *
 *   viewer    cold: from the start of `dagline serve` until its list has the newest 50 sessions
 *   ls        cold, on a terminal: until the newest sessions are printed
 *   search    cold, on a terminal: until a word is found that only the oldest files may have
 *   home      warm: the first list of sessions, and the memory of the server
 *   typing    warm: what the page asks for after each key of some words, until the answer is there
 *
 * `npm run bench:first` prints them; `npm run bench:first -- CORPUS` names a folder of transcripts. Seconds are those of the
 * clock, then the processor time of all processes. Nothing is asserted.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import {
  COMMAND,
  corpusFolder,
  print,
  printLimited,
  quantile,
  seconds,
  syncedIndex,
  temporaryFolder,
} from './measure.ts'

const ROUNDS = 3
const NEWEST = 50
/** Rows of a list of sessions, which all come at once. */
const NEWEST_LISTED = /(?:\d\d:\d\d[^\n]*\n){10}/
const INDEX = join(temporaryFolder(), 'index.db')

function removeIndex(): void {
  for (const end of ['', '-wal', '-shm', '-sums', '.lock']) rmSync(INDEX + end, { force: true })
}

/** A process and all below it. */
function family(pid: number): readonly number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    return [pid, ...children.filter(Boolean).flatMap(child => family(Number(child)))]
  } catch {
    return []
  }
}

/** Milliseconds of processor time of a process and all below it, those that have ended included. */
function processorTime(pid: number): number {
  const ticks = family(pid).map(each => {
    const cells = readFileSync(`/proc/${each}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return [11, 12, 13, 14].reduce((sum, at) => sum + Number(cells[at] ?? 0), 0)
  })
  return ticks.reduce((sum, each) => sum + each, 0) * 10
}

function memory(pid: number): number {
  const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0'
  return Number(kilobytes) / 1024
}

interface Server {
  readonly child: ChildProcess
  readonly pid: number
  /** Asks for a path below `/api/`. */
  readonly ask: (path: string) => Promise<unknown>
  readonly home: () => Promise<{ readonly sessions: number; readonly sync: { readonly state: string } }>
  readonly end: () => Promise<void>
}

async function serve(folder: string, index = INDEX): Promise<Server> {
  const words = [COMMAND, 'serve', '--no-open', '--json', '--root', folder, '--index', index]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  for await (const piece of child.stdout) {
    printed += String(piece)
    if (printed.includes('\n')) break
  }
  const { port, token } = JSON.parse(printed)
  const headers = { authorization: `Bearer ${token}` }
  const ask = async (path: string) =>
    (await (await fetch(`http://127.0.0.1:${port}/api/${path}`, { headers })).json()).value
  return {
    child,
    pid: child.pid ?? 0,
    ask,
    home: () => ask('home?idle=1'),
    end: async () => {
      const ended = new Promise(resolve => child.once('close', resolve))
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Milliseconds of the clock, and of processor time. */
interface Taken {
  readonly ms: number
  readonly work: number
}

function printTaken(what: string, text: string, runs: readonly Taken[], limit: number): void {
  const each = runs.map(({ ms, work }) => `${seconds(ms)} (${seconds(work)})`).join(', ')
  const half = quantile(
    runs.map(({ ms }) => ms / 1000),
    0.5,
  )
  printLimited(what, `${text} after ${each}, median`, { value: half, limit, unit: 's' })
}

async function benchViewer(folder: string): Promise<void> {
  const least = Math.min(NEWEST, readdirSync(folder, { recursive: true }).length)
  const runs: Taken[] = []
  for (let round = 0; round < ROUNDS; round++) {
    removeIndex()
    const start = performance.now()
    const server = await serve(folder)
    while ((await server.home()).sessions < least) await setTimeout(10)
    runs.push({ ms: performance.now() - start, work: processorTime(server.pid) })
    await server.end()
  }
  printTaken('viewer', `cold, the newest ${NEWEST} sessions`, runs, 1)
}

/** Runs a command on a terminal until it has printed something that matches. */
async function untilPrinted(words: readonly string[], pattern: RegExp): Promise<Taken> {
  const start = performance.now()
  const command = [process.execPath, COMMAND, ...words].map(word => `'${word}'`).join(' ')
  // Without an open input `script` does not end.
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // A pager would show one screen and wait for a key.
    env: { ...process.env, PAGER: 'cat' },
  })
  let printed = ''
  for await (const piece of child.stdout) {
    printed += String(piece)
    if (pattern.test(printed)) break
  }
  const took = { ms: performance.now() - start, work: processorTime(child.pid ?? 0) }
  child.kill('SIGTERM')
  return took
}

async function benchTerminal(folder: string): Promise<void> {
  if (spawnSync('script', ['--version']).status !== 0)
    return print('ls', 'not measured: there is no `script`')
  const [lists, searches]: [Taken[], Taken[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    removeIndex()
    lists.push(await untilPrinted(['ls', '--root', folder, '--index', INDEX], NEWEST_LISTED))
    removeIndex()
    const words = ['search', 'qwertyuiopasdf', '--root', folder, '--index', INDEX]
    searches.push(await untilPrinted(words, /Nothing found|No entry/))
  }
  printTaken('ls', 'cold, on a terminal, the newest sessions', lists, 2)
  for (const { ms, work } of searches)
    print('search', `cold, on a terminal, a word that nothing has after ${seconds(ms)} (${seconds(work)})`)
}

async function benchHome(folder: string): Promise<void> {
  const index = syncedIndex(folder)
  // What is computed once for each state of the index is kept with it.
  await (await serve(folder, index)).end()
  const server = await serve(folder, index)
  const before = processorTime(server.pid)
  const start = performance.now()
  const { sessions } = await server.home()
  const took = { ms: performance.now() - start, work: processorTime(server.pid) - before }
  while ((await server.home()).sync.state === 'running') await setTimeout(100)
  await setTimeout(3000)
  await server.home()
  printTaken('home', `warm, first list of ${sessions} sessions`, [took], 0.3)
  printLimited('home', 'peak memory of the server', { value: memory(server.pid), limit: 250, unit: 'MB' })
  await benchTyping(server)
  await server.end()
}

/** Words that people type, one key after the other. */
const TYPED = ['notification', 'compaction', 'database error', 'package.json', 'redact']

async function benchTyping({ ask }: Server): Promise<void> {
  const times: number[] = []
  // What the page asks for when its box gets the focus.
  await ask('search')
  for (const word of TYPED)
    for (let keys = 2; keys <= word.length; keys++) {
      const start = performance.now()
      await ask(`search?q=${encodeURIComponent(word.slice(0, keys))}`)
      times.push(performance.now() - start)
    }
  const half = `p50 ${quantile(times, 0.5).toFixed(0)} ms`
  const text = `${times.length} searches in the page, ${half}, p95`
  printLimited('typing', text, { value: quantile(times, 0.95), limit: 50, unit: 'ms' })
}

const folder = corpusFolder(process.argv[2])
if (folder === null || !existsSync('/proc/self/status')) {
  print('first', 'needs a folder of transcripts, and Linux')
} else {
  await benchViewer(folder)
  await benchTerminal(folder)
  await benchHome(folder)
}
