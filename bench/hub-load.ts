/**
 * Many people at a hub at a time: `npm run bench:hub-load -- [CORPUS] [CLIENTS] [MEGABYTES] [READERS] [MINUTES]`.
 *
 * Each of 50 clients pushes 10 MB of the corpus, under ids of its own, while 200 readers search and browse until all is pushed, and
 * for a tenth of that time more, while the judge still works: half of their requests are searches, the others lists and sessions. A
 * reader looks at an answer for up to four seconds. Clients and readers are one process, the hub and PostgreSQL others, all on this
 * machine; `-` stands for the corpus beside the repository.
 *
 * After 30 minutes, or as many as are given, no client begins another session, and what was done by then is printed with the load of
 * the machine. The exit code is 1 where any request or push failed.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Home } from '@dagline/core/protocol'
import { discover } from '@dagline/store'
import { openHttpStore } from '../packages/hub/src/push/http-store.js'
import { pushOnce } from '../packages/hub/src/push/push.js'
import { openPushState } from '../packages/hub/src/push/state.js'
import { type BenchHub, type Client, startDatabase, startHub } from './hub-run.ts'
import { corpusFolder, print, quantile, renamed, seconds, temporaryFolder } from './measure.ts'

const [, , given, clients = '50', megabytes = '10', readers = '200', minutes = '30'] = process.argv
const WORDS = 'error file test git update function session build parse hook commit server'.split(' ')
const LOOK = 4000

// Each client has folders that are removed at the end.
process.setMaxListeners(0)

interface Asked {
  readonly search: number[]
  readonly browse: number[]
  readonly failures: string[]
}

const corpus = corpusFolder(given === '-' ? undefined : given)
if (corpus === null) print('load', 'not run, no corpus given and none beside the repository')
else await bench(corpus)

async function bench(folder: string): Promise<void> {
  const cluster = startDatabase()
  const hub = await startHub(cluster)
  const people: Client[] = []
  for (let nth = 0; nth < Number(clients); nth++) people.push(await hub.client(`person${nth}`))
  const roots = people.map((_, nth) => rootOf(folder, nth))
  const asked: Asked = { search: [], browse: [], failures: [] }
  const isDone = { pushed: false }
  const reading = Array.from({ length: Number(readers) }, (_, nth) =>
    read(hub, people[nth % people.length], asked, isDone),
  )
  const start = performance.now()
  const signal = AbortSignal.timeout(Number(minutes) * 60_000)
  const progress = setInterval(() => report(asked, performance.now() - start), 60_000)
  const pushes = await Promise.allSettled(
    people.map((client, nth) => push(hub, client, roots[nth] ?? '', signal)),
  )
  const time = performance.now() - start
  await wait(time / 10)
  isDone.pushed = true
  await Promise.all(reading)
  clearInterval(progress)
  const failures = pushes.flatMap(each => (each.status === 'rejected' ? [String(each.reason)] : []))
  const bytes = pushes.reduce((sum, each) => sum + (each.status === 'fulfilled' ? each.value : 0), 0)
  const [load = 0] = loadavg()
  print('load', `${availableParallelism()} cores, load average of the last minute ${load.toFixed(1)}`)
  print(
    'load',
    `${clients} clients pushed ${(bytes / 1e6).toFixed(0)} MB in ${seconds(time)}${signal.aborted ? ' (out of time: not all)' : ''}, ${failures.length} of them failed ${failures[0] ?? ''}`,
  )
  const { server, postgres } = hub.spent()
  print('load', `processor time: server ${server.toFixed(0)} s, PostgreSQL ${postgres.toFixed(0)} s`)
  report(asked, null)
  print('load', `${asked.failures.length} requests of readers failed ${asked.failures[0] ?? ''}`)
  print('memory', `server ${hub.serverMegabytes().toFixed(0)} MB`)
  await hub.stop()
  await cluster.stop()
  if (asked.failures.length + failures.length > 0) process.exitCode = 1
}

/** What the readers have met so far; with the time while it goes on. */
function report(asked: Asked, time: number | null): void {
  if (time !== null) print('load', `after ${seconds(time)}: ${asked.failures.length} requests failed`)
  for (const kind of ['search', 'browse'] as const) {
    if (asked[kind].length === 0) continue
    const [p50, p95, most] = [0.5, 0.95, 1].map(share => quantile(asked[kind], share).toFixed(0))
    print(kind, `${asked[kind].length} answers: p50 ${p50} ms, p95 ${p95} ms, at most ${most} ms`)
  }
}

/** A part of the corpus, other than that of the client before, as if it were the client's own. */
function rootOf(folder: string, nth: number): string {
  const root = join(temporaryFolder(), '.claude', 'projects')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(path =>
    path.endsWith('.jsonl'),
  )
  let left = Number(megabytes) * 1e6
  for (let at = (nth * 7) % files.length; left > 0; at = (at + 1) % files.length) {
    const path = files[at] ?? ''
    const text = renamed(readFileSync(join(folder, path), 'utf8'), nth)
    left -= text.length
    const target = join(root, renamed(path, nth))
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text)
  }
  return root
}

/** Returns how many bytes were pushed. */
async function push(
  hub: BenchHub,
  { home, token }: Client,
  root: string,
  signal: AbortSignal,
): Promise<number> {
  const state = openPushState(join(home, 'state.db'))
  const { bytes } = await pushOnce({
    signal,
    store: openHttpStore({ url: hub.url, token }),
    state,
    machine: { uuid: crypto.randomUUID(), name: 'laptop', platform: 'linux' },
    choice: { allow: ['*'], deny: [], plain: [] },
    roots: discover([root]),
  })
  state.close()
  return bytes
}

async function read(
  hub: BenchHub,
  client: Client | undefined,
  { search, browse, failures }: Asked,
  isDone: { readonly pushed: boolean },
): Promise<void> {
  if (client === undefined) return
  const timed = async <T>(times: number[], path: string): Promise<T | null> => {
    const start = performance.now()
    try {
      return (await hub.ask(client, path)) as T
    } catch (error) {
      failures.push(String(error))
      return null
    } finally {
      times.push(performance.now() - start)
    }
  }
  while (!isDone.pushed) {
    await wait(Math.random() * LOOK)
    await timed(search, `/api/search?q=${WORDS[Math.floor(Math.random() * WORDS.length)]}`)
    await wait(Math.random() * LOOK)
    const home = await timed<Home>(browse, '/api/home?count=50')
    const ids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/.exec(JSON.stringify(home))
    if (ids !== null && Math.random() < 0.3) await timed(browse, `/api/sessions/${ids[0]}`)
  }
}
