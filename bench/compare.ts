/**
 * Two checkouts side by side, in turns within one run: the processor time of whole commands, children included.
 *
 *   npm run bench:compare -- OTHER [CORPUS]
 *
 * OTHER is another checkout of this repository with its command built. Each line shows the median of the other, the
 * median of this one, and the ratio. Processor time is used because it suffers less from other load than the clock.
 */
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { COMMAND, corpusFolder, print, processorTime, quantile, temporaryFolder } from './measure.ts'

const ROUNDS = 5
const LOG_BYTES = 20 * 1024 * 1024

/** One command to compare; `prepare` runs before each turn and is not measured. */
interface Task {
  readonly name: string
  readonly args: readonly string[]
  readonly rounds?: number
  readonly prepare?: () => void
}

/** The transcript whose size is nearest to the wanted one. */
function transcriptOfSize(corpus: string, bytes: number): string {
  const paths = globSync('**/*.jsonl', { cwd: corpus }).map(path => join(corpus, path))
  const distance = (path: string): number => Math.abs(statSync(path).size - bytes)
  const [nearest] = paths.toSorted((a, b) => distance(a) - distance(b))
  if (nearest === undefined) throw new Error(`${corpus} has no transcripts.`)
  return nearest
}

/** A project with one session that lost a row in its middle, so that a resume loads less than it could. */
function brokenSession(work: string, corpus: string): string {
  const source = transcriptOfSize(corpus, LOG_BYTES)
  const rows = readFileSync(source, 'utf8').split('\n')
  rows.splice(Math.floor(rows.length / 2), 1)
  const project = join(work, 'broken', 'project')
  mkdirSync(project, { recursive: true })
  writeFileSync(join(work, 'broken.jsonl'), rows.join('\n'))
  return join(project, basename(source))
}

function tasks(work: string, corpus: string): readonly Task[] {
  const index = join(work, 'index')
  const warm = ['--root', corpus, '--index', join(index, 'warm')]
  const broken = brokenSession(work, corpus)
  const root = join(work, 'broken')
  return [
    { name: 'dagline --version', args: ['--version'], rounds: 15 },
    {
      name: 'cold sync',
      args: ['sync', '--root', corpus, '--index', join(index, 'cold')],
      prepare: () => clear(join(index, 'cold')),
    },
    { name: 'ls, warm index', args: ['ls', ...warm] },
    { name: 'search, warm index', args: ['search', 'error', ...warm], rounds: 11 },
    { name: 'usage, warm index', args: ['usage', ...warm] },
    { name: 'log of a 20 MB session', args: ['log', transcriptOfSize(corpus, LOG_BYTES)] },
    { name: 'graph --summary', args: ['graph', corpus, '--summary'] },
    {
      name: 'repair of a 20 MB session',
      args: ['repair', broken, '--root', root, '--yes', '--accept-loss'],
      prepare: () => {
        clear(join(root, 'project'))
        mkdirSync(join(root, 'project'), { recursive: true })
        copyFileSync(join(work, 'broken.jsonl'), broken)
      },
    },
  ]
}

function clear(path: string): void {
  rmSync(path, { recursive: true, force: true })
}

/** Processor seconds of a command of a checkout, in a home of its own. */
function timeIn(checkout: string, args: readonly string[], home: string): number {
  return processorTime([join(checkout, COMMAND), ...args], {
    HOME: home,
    XDG_DATA_HOME: join(home, 'data'),
    XDG_CACHE_HOME: join(home, 'cache'),
  })
}

function compare(task: Task, checkouts: readonly string[], work: string): void {
  const homes = checkouts.map((_, number) => join(work, `home-${number}`))
  const times: number[][] = checkouts.map(() => [])
  // The first turn warms caches and indexes.
  for (let round = 0; round <= (task.rounds ?? ROUNDS); round++)
    for (const [number, checkout] of checkouts.entries()) {
      task.prepare?.()
      const args = task.args.map(arg => arg.replace(/\/(warm|cold)$/, `/$1-${number}`))
      if (task.name === 'cold sync') clear(args.at(-1) ?? '')
      const time = timeIn(checkout, args, homes[number] ?? work)
      if (round > 0) times[number]?.push(time)
    }
  const [other = 0, ours = 0] = times.map(each => quantile(each, 0.5))
  print(task.name, `${other.toFixed(2)} s, ${ours.toFixed(2)} s: ${(ours / other).toFixed(2)} times`)
}

const [other, given] = process.argv.slice(2)
const corpus = corpusFolder(given)
if (other === undefined || corpus === null) throw new Error('Usage: npm run bench:compare -- OTHER [CORPUS]')
const work = temporaryFolder()
for (const task of tasks(work, corpus)) compare(task, [resolve(other), resolve('.')], work)
