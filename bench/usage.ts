/**
 * Usage, as ratios of processor time within one run, all processes together:
 *
 *   cold      the first `dagline usage`, without an index, against ccusage and against the floor
 *   warm      with an index that is up to date, on the corpus and on a large root
 *
 * `npm run bench:usage -- [CORPUS] [LARGE]`: folders of transcripts; `../shared/corpus/enlarge.mjs` makes a large one. The
 * variable CCUSAGE names the script of ccusage, else the one on PATH is taken. Nothing is asserted.
 */
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import {
  COMMAND,
  corpusFolder,
  FLOOR,
  peakMemory,
  print,
  printLimited,
  processorTime,
  quantile,
  syncedIndex,
  temporaryFolder,
} from './measure.ts'

const ROUNDS = 7
const work = temporaryFolder()
const HOME = { HOME: work, XDG_DATA_HOME: join(work, 'data'), XDG_CACHE_HOME: join(work, 'cache') }

/** The script of ccusage; null where there is none. */
function findCcusage(): string | null {
  const { CCUSAGE, PATH = '' } = process.env
  const paths = [
    ...(CCUSAGE === undefined ? [] : [CCUSAGE]),
    ...PATH.split(delimiter).map(folder => join(folder, 'ccusage')),
  ]
  return paths.find(path => existsSync(path)) ?? null
}

/** ccusage reads the folder `projects` of a configuration folder. */
function configFor(corpus: string): string {
  const config = join(work, 'config')
  mkdirSync(config, { recursive: true })
  symlinkSync(resolve(corpus), join(config, 'projects'))
  return config
}

function benchCold(corpus: string): void {
  const ccusage = findCcusage()
  const env = { ...HOME, CLAUDE_CONFIG_DIR: configFor(corpus) }
  const usage = [COMMAND, 'usage', '--root', corpus, '--index', join(work, 'none.db')]
  const others = new Map<string, readonly string[]>([
    ['the floor', [FLOOR, corpus]],
    ...(ccusage === null ? [] : [['ccusage', [ccusage, '--offline']] as const]),
  ])
  const times = new Map<string, number[]>([...others.keys(), 'usage'].map(name => [name, []]))
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, args] of [...others, ['usage', usage] as const])
      times.get(name)?.push(processorTime(args, env))
  const median = (name: string): number => quantile(times.get(name) ?? [], 0.5)
  for (const name of others.keys()) {
    const ratio = median('usage') / median(name)
    const text = `${name} ${median(name).toFixed(2)} s, usage ${median('usage').toFixed(2)} s`
    if (name === 'ccusage') printLimited('usage, cold', text, { value: ratio, limit: 1.5, unit: 'times' })
    else print('usage, cold', `${text}: ${ratio.toFixed(2)} times`)
  }
  if (ccusage === null)
    print('usage, cold', 'ccusage was not measured: it is not on PATH, and CCUSAGE does not name it')
  print('usage, cold', `peak memory ${(peakMemory(usage) / 1024).toFixed(0)} MB`)
}

function benchWarm(what: string, corpus: string): void {
  const args = ['--root', corpus, '--index', syncedIndex(corpus)]
  const usage = [COMMAND, 'usage', ...args]
  const times = Array.from({ length: ROUNDS * 2 }, () => processorTime(usage, HOME))
  const starts = Array.from({ length: ROUNDS }, () => processorTime([COMMAND, '--version'], HOME))
  const [half, least, start] = [quantile(times, 0.5), Math.min(...times), quantile(starts, 0.5)]
  const text = `processor time, at least ${ms(least)}; the start of the command alone ${ms(start)}`
  printLimited(what, text, { value: half * 1000, limit: 150, unit: 'ms' })
  print(what, `peak memory ${(peakMemory(usage) / 1024).toFixed(0)} MB`)
}

function ms(seconds: number): string {
  return `${(seconds * 1000).toFixed(0)} ms`
}

const [given, large] = process.argv.slice(2)
const corpus = corpusFolder(given)
if (corpus === null) print('usage', 'not run, no corpus given and none beside the repository')
else {
  benchCold(corpus)
  benchWarm('usage, warm', corpus)
  if (large === undefined) print('usage, warm on a large root', 'not measured, no second folder given')
  else benchWarm('usage, warm on a large root', large)
}
