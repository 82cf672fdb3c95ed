/**
 * Many people at a hub at a time: `npm run bench:hub-load -- [CORPUS] [CLIENTS] [MEGABYTES] [READERS]`.
 *
 * Each of 50 clients pushes 10 MB of the corpus, under ids of its own, while 200 readers search and browse until all is pushed:
 * half of their requests are searches, the others lists and sessions. A reader looks at an answer for up to four seconds.
 * Clients and readers are one process, the hub and PostgreSQL others, all on this machine. Nothing is asserted.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Home } from '@dagline/core/protocol'
import { discover } from '@dagline/store'
import { openHttpStore } from '../packages/hub/src/push/http-store.js'
import { pushOnce } from '../packages/hub/src/push/push.js'
import { openPushState } from '../packages/hub/src/push/state.js'
import { type BenchHub, type Client, startDatabase, startHub } from './hub-run.ts'
import { corpusFolder, print, quantile, renamed, seconds, temporaryFolder } from './measure.ts'

const [, , given, clients = '50', megabytes = '10', readers = '200'] = process.argv
const WORDS = 'error file test git update function session build parse hook commit server'.split(' ')
const LOOK = 4000

// Each client has folders that are removed at the end.
process.setMaxListeners(0)

interface Asked {
  readonly search: number[]
  readonly browse: number[]
  readonly failures: string[]
}

const corpus = corpusFolder(given)
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
  const pushes = await Promise.allSettled(people.map((client, nth) => push(hub, client, roots[nth] ?? '')))
  const time = performance.now() - start
  isDone.pushed = true
  await Promise.all(reading)
  const failed = pushes.filter(({ status }) => status === 'rejected').length
  print(
    'load',
    `${clients} clients pushed ${megabytes} MB each in ${seconds(time)}, ${failed} of them failed`,
  )
  const { server, postgres } = hub.spent()
  print('load', `processor time: server ${server.toFixed(0)} s, PostgreSQL ${postgres.toFixed(0)} s`)
  for (const kind of ['search', 'browse'] as const) {
    const [p50, p95, most] = [0.5, 0.95, 1].map(share => quantile(asked[kind], share).toFixed(0))
    print(kind, `${asked[kind].length} answers: p50 ${p50} ms, p95 ${p95} ms, at most ${most} ms`)
  }
  print('load', `${asked.failures.length} requests of readers failed ${asked.failures[0] ?? ''}`)
  print('memory', `server ${hub.serverMegabytes().toFixed(0)} MB`)
  await hub.stop()
  await cluster.stop()
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

async function push(hub: BenchHub, { home, token }: Client, root: string): Promise<void> {
  const state = openPushState(join(home, 'state.db'))
  await pushOnce({
    store: openHttpStore({ url: hub.url, token }),
    state,
    machine: { uuid: crypto.randomUUID(), name: 'laptop', platform: 'linux' },
    choice: { allow: ['*'], deny: [], plain: [] },
    roots: discover([root]),
  })
  state.close()
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
