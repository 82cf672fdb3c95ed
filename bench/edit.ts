/**
 * What the issue promises about edits of a long session, as ratios within one run: whole processes of `dagline repair`
 * and `dagline checkout` against the floor (every row through JSON.parse once on one thread), by the clock and by the
 * processor time of all threads, and their memory. The session has a parent in its middle that was never written, so
 * that there is something to repair.
 *
 * Rows of two lengths: short ones as the generator makes them, and ones as long as those of real sessions are, where
 * outputs stand twice. `npm run bench:edit` prints them; `npm run bench:edit -- 100000` has so many entries instead of
 * a million. Nothing is asserted.
 */
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { largeSessionRows, uuidOf } from './large-session.ts'
import { COMMAND, FLOOR, peakMemory, print, run, seconds, temporaryFolder, timeOf } from './measure.ts'

const ROUNDS = 2
const SESSION = uuidOf('a session to edit')
const entries = Number(process.argv[2] ?? 1_000_000)
const work = temporaryFolder()
// Nothing of this is to stand in the user's own journal.
process.env.XDG_DATA_HOME = join(work, 'data')
process.env.XDG_CACHE_HOME = join(work, 'cache')

/** Writes the session, and gives its bytes. Real rows carry an output a second time, for the client. */
function writeSession(root: string, padding: number): number {
  const folder = join(root, '-home-dev-shop')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${SESSION}.jsonl`)
  const file = openSync(path, 'w')
  let rows: string[] = []
  let count = 0
  for (const row of largeSessionRows(SESSION, entries)) {
    count++
    rows.push(padded(count === entries >> 1 ? withLostParent(row) : row, padding))
    if (rows.length < 2000) continue
    writeSync(file, `${rows.join('\n')}\n`)
    rows = []
  }
  writeSync(file, rows.length === 0 ? '' : `${rows.join('\n')}\n`)
  closeSync(file)
  utimesSync(path, 0, 0)
  return statSync(path).size
}

function withLostParent(row: string): string {
  return row.replace(/"parentUuid":"[^"]+"/, `"parentUuid":"${uuidOf('never written')}"`)
}

function padded(row: string, padding: number): string {
  if (padding === 0) return row
  const line = 'src/order.ts:12:  const total = basket.reduce((sum, { price }) => sum + price, 0)\\n'
  const stdout = line.repeat(Math.ceil(padding / line.length))
  return `${row.slice(0, -1)},"toolUseResult":{"stdout":"${stdout}","stderr":"","interrupted":false}}`
}

function bench(name: string, padding: number): void {
  const root = join(work, 'projects')
  const bytes = writeSession(root, padding)
  print(name, `${entries} rows of ${Math.round(bytes / entries)} bytes, ${(bytes / 1e6).toFixed(0)} MB`)
  const out = join(work, 'out')
  const write = ['--root', root, '--out', out]
  const commands = {
    repair: [COMMAND, 'repair', SESSION, '--yes', ...write],
    checkout: [COMMAND, 'checkout', SESSION, ...write],
  }
  for (const [command, words] of Object.entries(commands)) {
    const [floor, ours]: [Cost[], Cost[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      floor.push(costOf([FLOOR, root]))
      ours.push(costOf(words))
      rmSync(out, { recursive: true, force: true })
    }
    const memory = peakMemory(words)
    rmSync(out, { recursive: true, force: true })
    const [least, most] = [bestOf(floor), bestOf(ours)]
    print(
      name,
      `${command} ${seconds(most.time)}, floor ${seconds(least.time)}: ${times(most.time, least.time)}`,
    )
    print(
      name,
      `  processor ${seconds(most.cpu)}, floor ${seconds(least.cpu)}: ${times(most.cpu, least.cpu)}; memory ${(memory / 1024).toFixed(0)} MB`,
    )
  }
  rmSync(root, { recursive: true, force: true })
}

/** Milliseconds by the clock, and of processors. */
interface Cost {
  readonly time: number
  readonly cpu: number
}

const CPU = join(work, 'cpu')
const TELL = `import { writeFileSync } from 'node:fs'
process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  writeFileSync(${JSON.stringify(CPU)}, String((user + system) / 1000))
})`

function costOf(words: readonly string[]): Cost {
  const tell = `data:text/javascript,${encodeURIComponent(TELL)}`
  const time = timeOf(() => run(['--import', tell, ...words]))
  return { time, cpu: Number(readFileSync(CPU, 'utf8')) }
}

function bestOf(costs: readonly Cost[]): Cost {
  return { time: Math.min(...costs.map(({ time }) => time)), cpu: Math.min(...costs.map(({ cpu }) => cpu)) }
}

function times(ours: number, floor: number): string {
  return `${(ours / floor).toFixed(1)} times`
}

bench('short rows', 0)
bench('long rows', 1400)
