/**
 * Every figure that docs/PERFORMANCE.md gives a limit for, in one run: `npm run bench -- [CORPUS] [LARGE]`.
 *
 * Without folders the corpus beside the repository is unpacked, and ten copies of it are the large one. The benchmarks run one
 * after the other, each root is indexed once for all of them, and a benchmark that takes longer than its minutes is ended. The
 * last lines repeat the figures that have a limit. Each benchmark can be run alone by its own script of package.json. Nothing is
 * asserted.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { corpusFolder, isLimited, print, run, syncedIndex, temporaryFolder } from './measure.ts'

const ENLARGE = '../shared/corpus/enlarge.mjs'
const COPIES = 10

function largeFolder(corpus: string, given: string | undefined): string | null {
  if (given !== undefined || !existsSync(ENLARGE)) return given ?? null
  const folder = join(temporaryFolder(), 'large')
  run([ENLARGE, corpus, folder, String(COPIES)])
  return folder
}

const limited: string[] = []

/** Runs a benchmark by its script, which builds what it needs. Its lines are printed as they come. */
async function bench(name: string, args: readonly string[], minutes: number): Promise<void> {
  const start = performance.now()
  const child = spawn('npm', ['run', '--silent', `bench:${name}`, '--', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own: the programs that it has started end with it.
    detached: true,
  })
  const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), minutes * 60_000)
  for await (const line of createInterface(child.stdout)) {
    process.stdout.write(`${line}\n`)
    if (isLimited(line)) limited.push(line)
  }
  if (child.exitCode === null && child.signalCode === null)
    await new Promise(resolve => child.once('exit', resolve))
  clearTimeout(timer)
  const took = `${((performance.now() - start) / 1000).toFixed(0)} s`
  if (child.exitCode === 0) return print('bench', `${name} took ${took}`)
  const why =
    child.signalCode === null ? `ended with ${child.exitCode}` : `was ended after ${minutes} minutes`
  limited.push(`${name}: ${why}: not met`)
  print('bench', `${name} ${why}`)
}

const [, , given, second] = process.argv
const corpus = corpusFolder(given)
if (corpus === null) {
  print('bench', 'not run, no corpus given and none beside the repository')
  process.exit(1)
}
const large = largeFolder(corpus, second)
const folders = [corpus, ...(large === null ? [] : [large])]
process.env['DAGLINE_BENCH_INDEXES'] = temporaryFolder()
await bench('graph', [...folders, '--no-session'], 15)
await bench('usage', folders, 10)
for (const folder of folders) await bench('first', [folder], 10)
for (const folder of folders) await bench('search', [syncedIndex(folder)], 5)
await bench('answers', folders, 15)
print('bench', 'figures that have a limit')
for (const line of limited) process.stdout.write(`${line}\n`)
