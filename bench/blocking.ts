/**
 * How long a request keeps the server from answering others. All routes are asked, one by one, of the real command; a clock
 * runs in its event loop. The largest gap counts: of the clock, and of the processor time that the loop's thread used in it,
 * which other programs on the machine do not change.
 *
 * `npm run bench:blocking` prints the worst request of each route; `npm run bench:blocking -- CORPUS` names a folder of
 * transcripts. Nothing is asserted.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { corpusFolder, print, run, temporaryFolder } from './measure.ts'

const COMMAND = 'packages/cli/dist/dagline.js'
const INDEX = join(temporaryFolder(), 'index.db')

/** Runs in the server: notes the largest gap between two turns of the loop, and reports it on request. */
const CLOCK = `
  const used = () => { const { user, system } = process.threadCpuUsage(); return (user + system) / 1000 }
  let time = performance.now(), cpu = used(), most = { wall: 0, cpu: 0 }
  const note = () => {
    const [now, busy] = [performance.now(), used()]
    most = { wall: Math.max(most.wall, now - time), cpu: Math.max(most.cpu, busy - cpu) }
    time = now; cpu = busy
  }
  setInterval(note, 2).unref()
  process.on('message', () => { note(); process.send(most); most = { wall: 0, cpu: 0 } })
  process.channel?.unref()`

interface Gap {
  readonly wall: number
  readonly cpu: number
}

interface Server {
  readonly child: ChildProcess
  readonly ask: (path: string) => Promise<Gap & { readonly value: unknown }>
}

async function serve(folder: string): Promise<Server> {
  const clock = `data:text/javascript,${encodeURIComponent(CLOCK)}`
  const words = [
    '--import',
    clock,
    COMMAND,
    'serve',
    '--no-open',
    '--json',
    '--root',
    folder,
    '--index',
    INDEX,
  ]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'ignore', 'ipc'] })
  const [printed] = await once(child.stdout ?? child, 'data')
  const { port, token } = JSON.parse(String(printed))
  const headers = { authorization: `Bearer ${token}` }
  const gap = async (): Promise<Gap> => {
    child.send('gap')
    const [most] = await once(child, 'message')
    return most
  }
  return {
    child,
    ask: async path => {
      await gap()
      const reply = await fetch(`http://127.0.0.1:${port}/api/${path}`, { headers })
      const body = await reply.text()
      const most = await gap()
      return { ...most, value: body.startsWith('{"ok":true') ? JSON.parse(body).value : body.slice(0, 300) }
    },
  }
}

/** Patterns that a reader may type, and hostile ones. */
const PATTERNS = ['shadow', 'a.*b.*c', '(a+)+$', '(.*a){25}zq', '(x+x+)+y', '(?:.?){50}z', '[^]*[^]*[^]*q']
const WORDS = [
  'the',
  'a',
  'shadow',
  'error in',
  'src/app.ts',
  '"connection refused"',
  'zzqx',
  '*tion',
  'e*',
  'unzst',
]

interface Sheet {
  readonly rows: { readonly node: readonly string[] }
  readonly lines: readonly { readonly id: string }[]
}

function* fixedPaths(): Generator<string> {
  yield* ['home', 'home?q=the', 'home?flat=1&count=1000', 'agents', 'health', 'now', 'waste']
  for (const by of ['project', 'model', 'agent', 'session', 'branch']) yield `usage?by=${by}`
  for (const words of WORDS) yield `search?q=${encodeURIComponent(words)}`
  for (const words of WORDS.slice(0, 3))
    yield `search?q=${encodeURIComponent(words)}&branch=abandoned&sort=time`
  for (const pattern of PATTERNS) yield `search?regex=${encodeURIComponent(pattern)}`
}

function* sessionPaths(id: string, { rows, lines }: Sheet): Generator<string> {
  const size = rows.node.length
  const node = rows.node[size >> 1] ?? ''
  yield `sessions/${id}/labels`
  for (const from of [0, size >> 1])
    yield `sessions/${id}/contents?from=${from}&to=${Math.min(size, from + 64)}`
  yield `sessions/${id}/contents?from=0&to=${Math.min(size, 500)}`
  yield `sessions/${id}/contexts`
  yield `sessions/${id}/findings`
  for (const end of ['', '/why', '/raw', '/text', '/context']) yield `nodes/${node}${end}`
  yield `compare?session=${id}`
  const [a, b] = lines.map(line => line.id).filter(each => !each.includes('#'))
  if (a !== undefined && b !== undefined)
    yield `compare?a=${encodeURIComponent(a)}&b=${encodeURIComponent(b)}`
  yield `export/${id}.html?secrets=redact`
}

/** The name of a route: without ids and values. */
function routeOf(path: string): string {
  return path
    .replace(/(sessions|nodes|export)\/[^/?]+/, '$1/ID')
    .replace(/=[^&]*/g, match => (/^=(project|model|agent|session|branch|0)$/.test(match) ? match : '='))
}

const SESSIONS = 12

async function bench(folder: string): Promise<void> {
  run([COMMAND, 'sync', '--root', folder, '--index', INDEX, '--quiet'])
  const list: { sessions: readonly { session: string; bytes: number }[] } = JSON.parse(
    run([COMMAND, 'ls', '--json', '--root', folder, '--index', INDEX]),
  )
  const largest = [...list.sessions].sort((a, b) => b.bytes - a.bytes).slice(0, SESSIONS)
  const { child, ask } = await serve(folder)
  const worst = new Map<string, Gap & { path: string }>()
  const note = async (path: string): Promise<unknown> => {
    const { value, ...gap } = await ask(path)
    const before = worst.get(routeOf(path))
    if (before === undefined || gap.cpu > before.cpu) worst.set(routeOf(path), { ...gap, path })
    return value
  }
  for (const path of fixedPaths()) await note(path)
  for (const { session } of largest) {
    const sheet = (await note(`sessions/${session}`)) as Sheet
    await note(`sessions/${session}?known=x`)
    if (typeof sheet === 'object') for (const path of sessionPaths(session, sheet)) await note(path)
  }
  child.kill('SIGTERM')
  for (const [route, { wall, cpu, path }] of [...worst].sort((a, b) => b[1].cpu - a[1].cpu))
    print(
      route,
      `${cpu.toFixed(0)} ms of processor time, ${wall.toFixed(0)} ms of the clock (${path.slice(0, 90)})`,
    )
}

const corpus = corpusFolder(process.argv[2])
if (corpus === null) print('blocking', 'not run, no corpus given and none beside the repository')
else await bench(corpus)
