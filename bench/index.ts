/**
 * What issue and design promise about the index, as ratios within one run:
 *
 *   sync      cold, against the floor (every row through JSON.parse once on one thread), and its memory
 *   again     nothing changed, against cold; one appended row until it is found
 *   search    in process, and as a whole process against ripgrep's literal scan of an archive of 1 GB
 *   usage     with a warm index, as a whole process
 *   answers   of `stats`, `doctor`, `tree` and `census`: the first, and those after it, from what the index keeps
 *
 * `npm run bench:index` prints them; `npm run bench:index -- CORPUS` names a folder of transcripts. Nothing is asserted.
 */
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { discover, type IndexStore, openIndex, openRangeReader, search, syncRoot } from '@dagline/store'
import {
  COMMAND,
  compareColdSync,
  corpusFolder,
  leastTimeOf,
  peakMemory,
  print,
  processorTime,
  quantile,
  renamed,
  run,
  seconds,
  temporaryFolder,
  timeOf,
} from './measure.ts'
import { printSearchTimes } from './search-times.ts'

const work = temporaryFolder()
const INDEX = join(work, 'index.db')

function benchCold(folder: string): number {
  const time = compareColdSync(folder, INDEX, false)
  print('sync', `index ${megabytes(statSync(INDEX).size)}`)
  return time
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`
}

async function benchAgain(folder: string, cold: number): Promise<void> {
  const copy = join(work, 'copy')
  cpSync(folder, copy, { recursive: true, preserveTimestamps: true })
  const index = openIndex(join(work, 'copy.db'))
  await syncAll(index, copy)
  const unchanged: number[] = []
  for (let round = 0; round < 20; round++) unchanged.push(await timeOfAsync(() => syncAll(index, copy)))
  const part = (quantile(unchanged, 0.5) / cold) * 100
  print('again', `nothing changed: ${quantile(unchanged, 0.5).toFixed(1)} ms, ${part.toFixed(1)} % of cold`)
  await benchAppend(index, copy)
  index.close()
}

async function benchAppend(index: IndexStore, folder: string): Promise<void> {
  const files = [...filesBelow(folder)].sort((a, b) => statSync(b).size - statSync(a).size)
  const [largest = '', middle = ''] = [files[0], files[files.length >> 1]]
  for (const [name, file] of [
    ['the largest', largest],
    ['a middling', middle],
  ] as const) {
    const times: number[] = []
    for (let round = 0; round < 20; round++) {
      const word = `appended${name.length}x${round}`
      appendFileSync(file, `${JSON.stringify(promptOf(word))}\n`)
      const statements = index.statements()
      times.push(
        await timeOfAsync(async () => {
          await syncAll(index, folder)
          if (search(index, openRangeReader(), { text: `"${word}"` }).total !== 1)
            throw new Error(`${word} was not found`)
        }),
      )
      if (round === 19) print('again', `statements for one row: ${index.statements() - statements}`)
    }
    const [half, most] = [quantile(times, 0.5).toFixed(1), quantile(times, 1).toFixed(1)]
    print(
      'again',
      `one row appended to ${name} file (${megabytes(statSync(file).size)}), found after ${half} ms, at most ${most} ms`,
    )
  }
}

function promptOf(text: string): unknown {
  const time = new Date().toISOString()
  return {
    type: 'user',
    uuid: crypto.randomUUID(),
    parentUuid: null,
    timestamp: time,
    message: { role: 'user', content: text },
  }
}

async function syncAll(index: IndexStore, folder: string): Promise<void> {
  for (const found of discover([folder])) await syncRoot(index, found)
}

async function timeOfAsync(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function filesBelow(folder: string): readonly string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return paths.filter(path => path.endsWith('.jsonl')).map(path => join(folder, path))
}

function benchSearch(folder: string): void {
  run([COMMAND, 'sync', '--root', folder, '--index', INDEX])
  printSearchTimes(INDEX)
  const usage = leastTimeOf(() => run([COMMAND, 'usage', '--root', folder, '--index', INDEX]))
  print('usage', `warm, whole process: ${usage.toFixed(0)} ms`)
}

/** I12: processor time and memory of commands that are asked twice while nothing changes. */
function benchAnswers(folder: string, index: string): void {
  for (const command of ['stats', 'doctor', 'tree', 'census']) {
    const args = [COMMAND, command, '--json', '--root', folder, '--index', index]
    const first = processorTime(args)
    const again = Math.min(...Array.from({ length: 5 }, () => processorTime(args)))
    const memory = (peakMemory(args) / 1024).toFixed(0)
    print(
      'answers',
      `${command}: first ${first.toFixed(2)} s of processor time, then ${again.toFixed(2)} s and ${memory} MB`,
    )
  }
}

const ARCHIVE = 1_000_000_000

function benchArchive(folder: string): void {
  const large = growTo(folder, ARCHIVE)
  const index = join(work, 'large.db')
  const size = filesBelow(large).reduce((sum, file) => sum + statSync(file).size, 0)
  const cold = timeOf(() => run([COMMAND, 'sync', '--root', large, '--index', index]))
  print('archive', `${megabytes(size)} indexed in ${seconds(cold)}, index ${megabytes(statSync(index).size)}`)
  printSearchTimes(index)
  const ours = leastTimeOf(() =>
    run([COMMAND, 'search', 'homebrew', 'upgrade', '--root', large, '--index', index]),
  )
  const scan = leastTimeOf(() => spawnSync('rg', ['-F', '-c', 'homebrew', large]))
  const has = spawnSync('rg', ['--version']).status === 0
  const beside = has ? `ripgrep ${scan.toFixed(0)} ms: ${(ours / scan).toFixed(2)} times` : 'no ripgrep here'
  print('archive', `dagline search ${ours.toFixed(0)} ms, ${beside}`)
  const usage = leastTimeOf(() => run([COMMAND, 'usage', '--root', large, '--index', index]))
  print('archive', `dagline usage ${usage.toFixed(0)} ms`)
  benchAnswers(large, index)
}

/** Copies of a corpus under other ids, so that nothing in them is a copy of anything. */
function growTo(folder: string, bytes: number): string {
  const large = join(work, 'large')
  let size = 0
  for (let copy = 0; size < bytes; copy++) {
    for (const file of filesBelow(folder)) {
      if (size >= bytes) break
      const text = renamed(readFileSync(file, 'utf8'), copy)
      const target = join(large, `copy-${copy}`, renamed(file.slice(folder.length), copy))
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, text)
      size += text.length
    }
  }
  return large
}

const corpus = corpusFolder(process.argv[2])
if (corpus === null) print('index', 'not run, no corpus given and none beside the repository')
else {
  const cold = benchCold(corpus)
  await benchAgain(corpus, cold)
  benchSearch(corpus)
  benchAnswers(corpus, INDEX)
  benchArchive(corpus)
}
