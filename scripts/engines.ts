// Finds engines that read a lake: Spark and ClickHouse, which come with packages of Python. Gets them where they are not there,
// within a limit of time. Prints which there are, or a sentence that says what is not run; the exit code is 0 in either case.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canInstall, installPackage } from './lib/apt.ts'
import { testCache } from './lib/cache.ts'

/** An engine that runs in Python. */
export type PythonEngine = 'spark' | 'clickhouse'

/** The package of each engine, without what it needs for data frames only. */
const PACKAGES: Readonly<Record<PythonEngine, readonly string[]>> = {
  spark: ['pyspark==4.3.0', 'py4j==0.10.9.9'],
  clickhouse: ['chdb==4.4.0', 'chdb-core==26.9.0'],
}
const NAMES: Readonly<Record<PythonEngine, string>> = { spark: 'Spark', clickhouse: 'ClickHouse' }

/** The oldest Java that this Spark runs on. */
const OLDEST_JAVA = 17
/** Milliseconds for all downloads: they have 600 MB, and take a minute on a usual line. */
const LIMIT = 240_000

/** What to do where an engine is not there. */
export function noEngine(engine: PythonEngine): string {
  return (
    `No ${NAMES[engine]} here: the tests of a lake in it are NOT RUN. ` +
    `\`node scripts/engines.ts\` gets it within ${LIMIT / 60_000} minutes where Python has venv` +
    `${engine === 'spark' ? ` and Java is ${OLDEST_JAVA} or newer` : ''}; ` +
    `or set DAGLINE_PYTHON to a Python that has ${PACKAGES[engine][0]}.`
  )
}

/** The Python that has an engine: that of the variable DAGLINE_PYTHON, else our own one; null where there is none. */
export function findEngine(engine: PythonEngine): string | null {
  const given = process.env['DAGLINE_PYTHON']
  if (given !== undefined) return given === '' ? null : given
  const isThere = existsSync(markOf(engine)) && (engine !== 'spark' || hasJava())
  return isThere ? python() : null
}

function home(): string {
  return testCache('python')
}

function python(): string {
  return join(home(), 'bin', 'python')
}

/** Is written when an engine is installed: an installation may have been cut off. */
function markOf(engine: PythonEngine): string {
  return join(home(), PACKAGES[engine].join('+'))
}

function hasJava(): boolean {
  const { JAVA_HOME = '' } = process.env
  const program = JAVA_HOME === '' ? 'java' : join(JAVA_HOME, 'bin', 'java')
  const { stderr } = spawnSync(program, ['-version'], { encoding: 'utf8' })
  return Number(/version "(\d+)/.exec(stderr ?? '')?.[1] ?? 0) >= OLDEST_JAVA
}

/** The engines that are there after an attempt to get those that are not. */
function getEngines(): readonly PythonEngine[] {
  const all: readonly PythonEngine[] = ['spark', 'clickhouse']
  const end = Date.now() + LIMIT
  if (process.env['DAGLINE_PYTHON'] === undefined && process.platform !== 'win32')
    for (const engine of all) if (findEngine(engine) === null) getEngine(engine, end)
  return all.filter(engine => findEngine(engine) !== null)
}

/** Installs an engine, unless that takes too long. */
function getEngine(engine: PythonEngine, end: number): void {
  if (engine === 'spark' && !hasJava() && !(canInstall() && installPackage('default-jre-headless'))) return
  if (existsSync(markOf(engine)) || !hasPython(end)) return
  console.log(`Installing ${NAMES[engine]} for the tests of a lake…`)
  const words = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--disable-pip-version-check']
  if (run(python(), [...words, ...PACKAGES[engine]], end)) writeFileSync(markOf(engine), '')
}

/** Whether our own Python is there, after an attempt to make it. */
function hasPython(end: number): boolean {
  mkdirSync(home(), { recursive: true })
  const make = (): boolean => run('python3', ['-m', 'venv', home()], end)
  const isMade = run(python(), ['-m', 'pip', '--version'], end) || make()
  return isMade || (canInstall() && installPackage('python3-venv') && make())
}

function run(program: string, words: readonly string[], end: number): boolean {
  const timeout = end - Date.now()
  if (timeout <= 0) return false
  return spawnSync(program, words, { stdio: 'ignore', timeout, killSignal: 'SIGKILL' }).status === 0
}

if (import.meta.main) {
  const there = getEngines()
  for (const engine of ['spark', 'clickhouse'] as const)
    console.log(there.includes(engine) ? `${NAMES[engine]} in ${findEngine(engine)}` : noEngine(engine))
}
