/**
 * A push of the corpus to a hub on this machine, over HTTP: `npm run bench:hub -- [CORPUS] [ROUNDS]`.
 *
 *   cold      all of it, against a local cold sync in the same run
 *   again     nothing changed, against the cold push
 *   append    one row, until a search on the hub finds it: a client that watches, a server and its judge
 *   memory    the most that client and server ever had
 *
 * Processor time suffers less from other load than the clock: both are shown. Nothing is asserted.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, cpSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { SearchPage } from '@dagline/core/protocol'
import { type BenchHub, type Client, measured, startDatabase, startHub, type Used } from './hub-run.ts'
import { COMMAND, corpusFolder, print, quantile, seconds, temporaryFolder } from './measure.ts'

const ROUNDS = Number(process.argv[3] ?? 3)
const APPENDS = 10

interface Round {
  readonly local: Used
  readonly cold: Used
  readonly again: Used
  /** Processor seconds of the server and of PostgreSQL until the push had ended. */
  readonly server: number
  readonly postgres: number
  /** Milliseconds from the start of the push until all of it was judged. */
  readonly judged: number
  readonly serverMegabytes: number
}

const corpus = corpusFolder(process.argv[2])
if (corpus === null) print('hub', 'not run, no corpus given and none beside the repository')
else await bench(copyOf(corpus))

/** As it is below a home: pushed rows are read by the clock of their file. */
function copyOf(folder: string): string {
  const copy = join(temporaryFolder(), 'projects')
  cpSync(folder, copy, { recursive: true, preserveTimestamps: true })
  return copy
}

async function bench(folder: string): Promise<void> {
  const cluster = startDatabase()
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const local = await coldSync(folder)
    const hub = await startHub(cluster)
    const ann = await hub.client('ann')
    rounds.push({ ...(await pushes(hub, ann, folder)), local })
    if (round === ROUNDS - 1) await benchAppend(hub, ann, folder)
    if (round === ROUNDS - 1)
      print('memory', `server ${hub.serverMegabytes().toFixed(0)} MB after all of this`)
    await hub.stop()
  }
  await cluster.stop()
  printRounds(rounds)
}

async function coldSync(folder: string): Promise<Used> {
  const work = temporaryFolder()
  return await measured(['sync', '--root', folder, '--index', join(work, 'index.db')], {
    PATH: process.env['PATH'],
    HOME: work,
  })
}

async function pushes(hub: BenchHub, client: Client, folder: string): Promise<Omit<Round, 'local'>> {
  const push = (): Promise<Used> => measured(['hub', 'push', '--root', folder], client.env)
  const [start, before] = [performance.now(), hub.spent()]
  const cold = await push()
  const after = hub.spent()
  await untilJudged(hub)
  const judged = performance.now() - start
  const again = await push()
  const [server, postgres] = [after.server - before.server, after.postgres - before.postgres]
  return { cold, again, server, postgres, judged, serverMegabytes: hub.serverMegabytes() }
}

/** Ends when the server, its judge and PostgreSQL rest. */
async function untilJudged(hub: BenchHub): Promise<void> {
  for (let last = -1; ; ) {
    const { server, postgres } = hub.spent()
    if (server + postgres - last < 0.05) return
    last = server + postgres
    await wait(1000)
  }
}

async function benchAppend(hub: BenchHub, client: Client, folder: string): Promise<void> {
  const watching = spawn(process.execPath, [COMMAND, 'hub', 'push', '--watch', '--root', folder], {
    env: client.env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await once(watching.stderr, 'data')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(path => /^[^/]+\/[^/]+\.jsonl$/.test(path))
    .map(path => join(folder, path))
    .sort((a, b) => statSync(b).size - statSync(a).size)
  for (const [name, file = ''] of [
    ['the largest', files[0]],
    ['a middling', files[files.length >> 1]],
  ] as const) {
    const times: number[] = []
    for (let round = 0; round < APPENDS; round++) {
      const word = `appended${name.length}x${round}`
      appendFileSync(file, `${JSON.stringify(promptOf(word))}\n`)
      const start = performance.now()
      while (!(await isFound(hub, client, word))) await wait(10)
      times.push(performance.now() - start)
    }
    const size = `${(statSync(file).size / 1e6).toFixed(1)} MB`
    const [half, most] = [quantile(times, 0.5), quantile(times, 1)]
    print(
      'append',
      `one row appended to ${name} session (${size}), found on the hub after ${half.toFixed(0)} ms, at most ${most.toFixed(0)} ms (limit 2000)`,
    )
  }
  watching.kill('SIGTERM')
  await once(watching, 'exit')
}

async function isFound(hub: BenchHub, client: Client, word: string): Promise<boolean> {
  const page = (await hub.ask(client, `/api/search?q=${word}`)) as SearchPage
  return page.total > 0 && page.note === null
}

function promptOf(text: string): unknown {
  return {
    type: 'user',
    uuid: crypto.randomUUID(),
    parentUuid: null,
    timestamp: new Date().toISOString(),
    message: { role: 'user', content: text },
  }
}

function printRounds(rounds: readonly Round[]): void {
  const least = (of: (round: Round) => number): number => Math.min(...rounds.map(of))
  const most = (of: (round: Round) => number): number => Math.max(...rounds.map(of))
  const [local, cold] = [least(round => round.local.milliseconds), least(round => round.cold.milliseconds)]
  print(
    'cold',
    `local sync ${seconds(local)}, push ${seconds(cold)}: ${(cold / local).toFixed(2)} times (limit 3)`,
  )
  const [work, own] = [least(round => round.local.seconds), least(round => round.cold.seconds)]
  const ratio = (own / work).toFixed(2)
  print('cold', `processor time: local sync ${work.toFixed(2)} s, client ${own.toFixed(2)} s: ${ratio} times`)
  const [server, postgres] = [least(round => round.server), least(round => round.postgres)]
  print(
    'cold',
    `until then the server with its judge ${server.toFixed(2)} s, PostgreSQL ${postgres.toFixed(2)} s`,
  )
  print('cold', `all of it judged ${seconds(least(round => round.judged))} after the start of the push`)
  const again = least(round => round.again.milliseconds)
  const part = ((again / cold) * 100).toFixed(1)
  print('again', `nothing changed: ${again.toFixed(0)} ms, ${part} % of the cold push (limit 2)`)
  const spent = least(round => round.again.seconds)
  print(
    'again',
    `processor time ${spent.toFixed(2)} s, ${((spent / own) * 100).toFixed(1)} % of that of the client`,
  )
  const [client, hub] = [most(round => round.cold.megabytes), most(round => round.serverMegabytes)]
  print(
    'memory',
    `client ${client.toFixed(0)} MB, server with its judge ${hub.toFixed(0)} MB (limit 600 each)`,
  )
}
