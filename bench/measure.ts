/** What benchmarks share: running the command, timing, memory, the corpus. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** What users run: it keeps compiled code, as an installed command does. */
export const COMMAND = 'packages/cli/bin/dagline.js'
export const FLOOR = 'bench/floor.ts'
const ROUNDS = 5

const folders: string[] = []

/** A folder that is removed at the end. */
export function temporaryFolder(): string {
  if (folders.length === 0)
    process.on('exit', () => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    })
  const folder = mkdtempSync(join(tmpdir(), 'dagline-bench-'))
  folders.push(folder)
  return folder
}

/** The corpus given, or that beside the repository, unpacked to a temporary folder that is removed at the end. */
export function corpusFolder(given: string | undefined): string | null {
  const packed = '../shared/corpus/projects.tar.xz'
  if (given !== undefined || !existsSync(packed)) return given ?? null
  const folder = temporaryFolder()
  execFileSync('tar', ['xJf', packed, '-C', folder])
  return folder
}

/**
 * An index of a folder that is up to date. `npm run bench` names a folder for all of its benchmarks, so that each root is
 * indexed once; else it is made anew.
 */
export function syncedIndex(folder: string): string {
  const { DAGLINE_BENCH_INDEXES: kept = temporaryFolder() } = process.env
  const index = join(kept, `${createHash('sha1').update(resolve(folder)).digest('hex')}.db`)
  run([COMMAND, 'sync', '--quiet', '--root', folder, '--index', index])
  return index
}

/** Runs a program of Node; throws where it fails. */
export function run(args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (status !== 0) throw new Error(`${args[0]} ended with ${status}: ${stderr}`)
  return stdout
}

/** Processor seconds of a program of Node with all of its processes. It suffers less from other load than the clock. */
export function processorTime(args: readonly string[], env: Readonly<Record<string, string>> = {}): number {
  const script = 'TIMEFORMAT="%U %S"; time "$@" >/dev/null'
  const { status, stderr } = spawnSync('bash', ['-c', script, 'time', process.execPath, ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  const [, user, system] = /([\d.]+) ([\d.]+)\s*$/.exec(stderr) ?? []
  if (status !== 0 || user === undefined) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`)
  return Number(user) + Number(system)
}

/** The largest resident memory of the process and its helpers, in kB, as the system counts it; 0 where it does not. */
export function peakMemory(args: readonly string[]): number {
  if (!existsSync('/proc/self/status')) return 0
  const script = `
    const { spawn } = require('node:child_process'); const { readFileSync, readdirSync } = require('node:fs')
    const child = spawn(process.execPath, JSON.parse(process.argv[1]), { stdio: 'ignore' }); let peak = 0
    const rss = pid => { try { return Number(/VmRSS:\\s+(\\d+)/.exec(readFileSync('/proc/' + pid + '/status', 'utf8'))?.[1] ?? 0) } catch { return 0 } }
    const kids = pid => { try { return readFileSync('/proc/' + pid + '/task/' + pid + '/children', 'utf8').trim().split(' ').filter(Boolean) } catch { return [] } }
    const timer = setInterval(() => { peak = Math.max(peak, [child.pid, ...kids(child.pid)].reduce((sum, pid) => sum + rss(pid), 0)) }, 5)
    child.on('exit', () => { clearInterval(timer); console.log(peak) })`
  const { stdout } = spawnSync(process.execPath, ['-e', script, JSON.stringify(args)], { encoding: 'utf8' })
  return Number(stdout) || 0
}

/** Milliseconds that work takes. */
export function timeOf(work: () => void): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

/** Milliseconds of the fastest of some runs. */
export function leastTimeOf(work: () => void): number {
  return Math.min(...Array.from({ length: ROUNDS }, () => timeOf(work)))
}

/** A command that reads a folder. */
interface Measured {
  readonly name: string
  readonly folder: string
  readonly args: readonly string[]
  /** How many times the floor, and how many megabytes. */
  readonly limits: readonly [times: number, megabytes: number]
  readonly rounds?: number
  /** Runs before each round, and is not measured. */
  readonly prepare?: () => void
}

/**
 * Prints the time of a command against that of the floor, in turns (medians), and its memory. Returns its milliseconds. Processor
 * time of all processes is printed beside it: it tells more on a machine that does other work.
 */
export function compareWithFloor(what: string, measured: Measured): number {
  const { name, folder, args, limits, rounds = ROUNDS, prepare } = measured
  const [floors, times, floorWork, work]: [number[], number[], number[], number[]] = [[], [], [], []]
  let memory = 0
  for (let round = 0; round < rounds; round++) {
    floors.push(timeOf(() => floorWork.push(processorTime([FLOOR, folder]))))
    prepare?.()
    times.push(timeOf(() => work.push(processorTime(args))))
    if (round > 1) continue
    prepare?.()
    memory = Math.max(memory, peakMemory(args))
  }
  const ratio = (ours: readonly number[], floor: readonly number[]): number =>
    quantile(ours, 0.5) / quantile(floor, 0.5)
  const [most, megabytes] = limits
  const [floor, time] = [quantile(floors, 0.5), quantile(times, 0.5)]
  const text = `${name} ${seconds(time)}, floor ${seconds(floor)}`
  printLimited(what, text, { value: ratio(times, floors), limit: most, unit: 'times the floor' })
  const [spent, least] = [quantile(work, 0.5).toFixed(2), quantile(floorWork, 0.5).toFixed(2)]
  print(what, `processor time ${spent} s, floor ${least} s: ${ratio(work, floorWork).toFixed(2)} times`)
  const peak = { value: memory / 1024, limit: megabytes, unit: 'MB' }
  printLimited(what, 'peak memory over all processes', peak)
  return time
}

/** A cold sync against the floor: the limit is lower for an archive that is read in a moment. Returns its milliseconds. */
export function compareColdSync(folder: string, index: string, isLarge: boolean): number {
  return compareWithFloor(isLarge ? 'sync of a large root' : 'sync', {
    name: 'cold sync',
    folder,
    args: [COMMAND, 'sync', '--root', folder, '--index', index],
    limits: [isLarge ? 4 : 2.5, 250],
    rounds: isLarge ? 1 : ROUNDS,
    prepare: () => {
      for (const end of ['', '-wal', '-shm', '-sums', '.lock']) rmSync(index + end, { force: true })
    },
  })
}

/** What the last lines of `npm run bench` repeat. */
const VERDICT = /: (?:met|not met)$/

/** Whether a line tells of a figure that has a limit. */
export function isLimited(line: string): boolean {
  return VERDICT.test(line)
}

/** A figure that has a limit. */
interface Limited {
  readonly value: number
  readonly limit: number
  readonly unit: string
}

/** Prints a figure that has a limit, and whether it is met. */
export function printLimited(what: string, text: string, { value, limit, unit }: Limited): void {
  const digits = limit < 10 ? 2 : 0
  const verdict = value <= limit ? 'met' : 'not met'
  print(what, `${text}: ${value.toFixed(digits)} ${unit} (limit ${limit}): ${verdict}`)
}

/** The value below which a share of all lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`
}

export function print(what: string, text: string): void {
  process.stdout.write(`${what}: ${text}\n`)
}

const ID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b(?:msg|toolu)_\w+/g

/** A text of transcripts with other ids, the same for the same copy: nothing in it is a copy of anything. */
export function renamed(text: string, copy: number): string {
  return text.replace(ID, id => (id.includes('_') ? `${id}${copy}` : shifted(id, copy)))
}

function shifted(uuid: string, copy: number): string {
  const head = (Number.parseInt(uuid.slice(0, 8), 16) + copy * 7919) >>> 0
  return head.toString(16).padStart(8, '0') + uuid.slice(8)
}
