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
import { COMMAND, corpusFolder, print, quantile, run, seconds, temporaryFolder } from './measure.ts'

const ROUNDS = 3
const NEWEST = 50
const INDEX = join(temporaryFolder(), 'index.db')

function removeIndex(): void {
  for (const end of ['', '-wal', '-shm', '.lock']) rmSync(INDEX + end, { force: true })
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

function memory(pid: number): string {
  const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0'
  return `${(Number(kilobytes) / 1024).toFixed(0)} MB`
}

interface Server {
  readonly child: ChildProcess
  readonly pid: number
  /** Asks for a path below `/api/`. */
  readonly ask: (path: string) => Promise<unknown>
  readonly home: () => Promise<{ readonly sessions: number; readonly sync: { readonly state: string } }>
  readonly end: () => Promise<void>
}

async function serve(folder: string): Promise<Server> {
  const words = [COMMAND, 'serve', '--no-open', '--json', '--root', folder, '--index', INDEX]
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

async function benchViewer(folder: string): Promise<void> {
  const least = Math.min(NEWEST, readdirSync(folder, { recursive: true }).length)
  const runs: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    removeIndex()
    const start = performance.now()
    const server = await serve(folder)
    while ((await server.home()).sessions < least) await setTimeout(10)
    runs.push(`${seconds(performance.now() - start)} (${seconds(processorTime(server.pid))})`)
    await server.end()
  }
  print('viewer', `cold, the newest ${NEWEST} sessions after ${runs.join(', ')}`)
}

/** Runs a command on a terminal until it has printed something that matches. */
async function untilPrinted(words: readonly string[], pattern: RegExp): Promise<string> {
  const start = performance.now()
  const command = [process.execPath, COMMAND, ...words].map(word => `'${word}'`).join(' ')
  // Without an open input `script` does not end.
  const child = spawn('script', ['-qec', command, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'] })
  let printed = ''
  for await (const piece of child.stdout) {
    printed += String(piece)
    if (pattern.test(printed)) break
  }
  const took = `${seconds(performance.now() - start)} (${seconds(processorTime(child.pid ?? 0))})`
  child.kill('SIGTERM')
  return took
}

async function benchTerminal(folder: string): Promise<void> {
  if (spawnSync('script', ['--version']).status !== 0)
    return print('ls', 'not measured: there is no `script`')
  const [lists, searches]: [string[], string[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    removeIndex()
    lists.push(await untilPrinted(['ls', '--root', folder, '--index', INDEX], /\d\d:\d\d[\s\S]*\n\r?\n/))
    removeIndex()
    const words = ['search', 'qwertyuiopasdf', '--root', folder, '--index', INDEX]
    searches.push(await untilPrinted(words, /Nothing found|No entry/))
  }
  print('ls', `cold, on a terminal, the newest sessions after ${lists.join(', ')}`)
  print('search', `cold, on a terminal, a word that nothing has after ${searches.join(', ')}`)
}

async function benchHome(folder: string): Promise<void> {
  run([COMMAND, 'sync', '--quiet', '--root', folder, '--index', INDEX])
  // What is computed once for each state of the index is kept with it.
  await (await serve(folder)).end()
  const server = await serve(folder)
  const before = processorTime(server.pid)
  const start = performance.now()
  const { sessions } = await server.home()
  const took = `${seconds(performance.now() - start)} (${seconds(processorTime(server.pid) - before)})`
  while ((await server.home()).sync.state === 'running') await setTimeout(100)
  await setTimeout(3000)
  await server.home()
  print(
    'home',
    `warm, first list of ${sessions} sessions ${took}; peak memory of the server ${memory(server.pid)}`,
  )
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
  const [half, most] = [quantile(times, 0.5).toFixed(0), quantile(times, 0.95).toFixed(0)]
  print('typing', `${times.length} searches in the page, p50 ${half} ms, p95 ${most} ms`)
}

const folder = corpusFolder(process.argv[2])
if (folder === null || !existsSync('/proc/self/status')) {
  print('first', 'needs a folder of transcripts, and Linux')
} else {
  await benchViewer(folder)
  await benchTerminal(folder)
  await benchHome(folder)
}
