/** What benchmarks share: running the command, timing, memory, the corpus. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const COMMAND = 'packages/cli/dist/dagline.js'
export const FLOOR = 'bench/floor.ts'
const ROUNDS = 5

/** A folder that is removed at the end. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dagline-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
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
  /** Runs before each round, and is not measured. */
  readonly prepare?: () => void
}

/** Prints the time of a command against that of the floor, in turns, and its memory. Returns its milliseconds. */
export function compareWithFloor(what: string, { name, folder, args, prepare }: Measured): number {
  const [floors, times]: [number[], number[]] = [[], []]
  let memory = 0
  for (let round = 0; round < ROUNDS; round++) {
    floors.push(timeOf(() => run([FLOOR, folder])))
    prepare?.()
    times.push(timeOf(() => run(args)))
    prepare?.()
    memory = Math.max(memory, peakMemory(args))
  }
  const [floor, time] = [Math.min(...floors), Math.min(...times)]
  const ratio = `${(time / floor).toFixed(2)} times the floor`
  print(what, `floor ${seconds(floor)}, ${name} ${seconds(time)}: ${ratio}`)
  print(what, `peak memory ${(memory / 1024).toFixed(0)} MB over all processes`)
  return time
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
