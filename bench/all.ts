/**
 * Every figure that docs/PERFORMANCE.md gives limits for, in one run: `npm run bench -- [CORPUS] [LARGE]`.
 *
 * Without folders the corpus beside the repository is unpacked, and ten copies of it are the large one. The benchmarks
 * run one after the other; each can be run alone by its own script of package.json. Nothing is asserted.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { COMMAND, corpusFolder, print, run, temporaryFolder } from './measure.ts'

const ENLARGE = '../shared/corpus/enlarge.mjs'
const COPIES = 10

function largeFolder(corpus: string, given: string | undefined): string | null {
  if (given !== undefined || !existsSync(ENLARGE)) return given ?? null
  const folder = join(temporaryFolder(), 'large')
  run([ENLARGE, corpus, folder, String(COPIES)])
  return folder
}

/** Runs a benchmark by its script, which builds what it needs. Its lines are printed as they come. */
function bench(name: string, folders: readonly string[]): void {
  print('bench', name)
  execFileSync('npm', ['run', '--silent', `bench:${name}`, '--', ...folders], { stdio: 'inherit' })
}

function benchSearch(folder: string): void {
  const index = join(temporaryFolder(), 'index.db')
  run([COMMAND, 'sync', '--root', folder, '--index', index])
  bench('search', [index])
  bench('mcp', [folder, index])
}

const [, , given, second] = process.argv
const corpus = corpusFolder(given)
const large = corpus === null ? null : largeFolder(corpus, second)
const folders = [corpus, large].flatMap(folder => folder ?? [])
for (const name of ['graph', 'usage', 'answers']) bench(name, folders)
for (const folder of folders) bench('first', [folder])
for (const folder of folders) benchSearch(folder)
