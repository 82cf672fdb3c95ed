/** Runs lines of examples, as a user would type them: on the samples, in a home and a folder of their own. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestHome, withHome } from '@dagline/testkit'
import { afterEach, beforeEach, vi } from 'vitest'
import { createProgram } from '../src/program.js'
import { runHere, type World } from './in-process.js'
import { BUNDLE, ownFolders, type Ran, SAMPLES } from './run.js'

/** Some hours after the last entry of the samples, so that `today` and `7d` have sessions. */
const NOW = new Date('2026-11-13T15:00:00Z')

/** They do not end by themselves, or need a hub, another program or a bucket: only whether the words are accepted is tested. */
const ENDLESS =
  /^dagline(?:$| (?:open|serve|mcp|tail|hub (?!push --dry-run))\b| \w+ .*--(?:watch|hub)\b| .*\bs3:)|^claude /

/** They ask on a terminal unless they are told not to. */
const ASKS = /^dagline (?:mv|repair)(?!.*--(?:yes|dry-run))/

/** What a user has done before the examples of a command. */
export const BEFORE: Readonly<Record<string, readonly string[]>> = {
  diff: ['dagline name 019c5be1@07e8e1e4 decimal-attempt', 'dagline name 4ca2e108 tax-rewrite'],
  undo: Array.from({ length: 4 }, () => 'dagline fork 019c5be1'),
  history: ['dagline fork 019c5be1'],
  restore: ['dagline archive'],
}

/** They print nothing where they succeed, or only on stderr. */
const SILENT =
  /^dagline (?:now$|doctor .*--only|sql .*--out|export(?! .*--out -)|(?:name|tag|note) .|statusline --measure|config (?:un)?set)/

/** Where the files are that sessions have changed, for commands that compare the two. */
export const IN_REPOSITORY: ReadonlySet<string> = new Set(['blame', 'commits', 'note'])

/** Commands that change what others would read. */
export const ALONE: ReadonlySet<string> = new Set([
  ...IN_REPOSITORY,
  ...'checkout fork pick trim split repair undo history mv name tag note diff config archive restore'.split(
    ' ',
  ),
])

/** Tests of this file run some hours after the last entry of the samples. */
export function atTheirTime(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
}

/** Whether a line does not end by itself, or is for another program. */
export function isEndless(line: string): boolean {
  return ENDLESS.test(line)
}

/** The lines that fail, or print nothing where they should, with what they print. */
export async function failuresOf(lines: readonly string[], run: Run): Promise<unknown[]> {
  const failed = []
  for (const line of lines.filter(each => !ENDLESS.test(each))) {
    const { stdout, stderr, code } = await run(line)
    if (code !== 0 || (stdout === '' && !SILENT.test(line))) failed.push({ line, stdout, stderr, code })
    for (const path of globSync('*.html')) rmSync(path)
  }
  return failed
}

/** The words after the name of the command; `claude mcp add` has it as its last. */
export function wordsAfter(line: string): readonly string[] {
  const [words = []] = pipelineOf(line.replace(/^claude .*? -- /, ''))
  return words.slice(1)
}

/** Whether the command line takes the words, without running them. */
export async function parse(words: readonly string[]): Promise<string> {
  const program = await createProgram()
  for (const command of [program, ...program.commands]) command.action(() => {})
  try {
    await program.parseAsync(words, { from: 'user' })
    return 'accepted'
  } catch (error) {
    return String(error)
  }
}

export type Run = (line: string) => Promise<Ran>

export async function inHome(isRepository: boolean, use: (run: Run) => Promise<void>): Promise<void> {
  await withHome([], async home => {
    const work = join(home.dir, 'shop')
    mkdirSync(work)
    cpSync(SAMPLES, home.projects, { recursive: true, preserveTimestamps: true })
    setUpFolder(home, work)
    if (isRepository) setUpRepository(home, work)
    const before = process.cwd()
    process.chdir(work)
    try {
      await use(line => runLine(line, home))
    } finally {
      process.chdir(before)
    }
  })
}

/** The files that examples name. */
function setUpFolder(home: TestHome, work: string): void {
  const session = globSync(join(home.projects, '*', '019c5be1*.jsonl'))[0] ?? ''
  cpSync(session, join(work, 'session.jsonl'))
  mkdirSync(join(work, 'transcripts'))
  cpSync(session, join(work, 'transcripts', 'session.jsonl'))
  writeFileSync(join(work, 'query.sql'), 'SELECT count(*) FROM sessions')
  writeFileSync(join(work, 'status.json'), JSON.stringify({ transcript_path: session, cwd: work }))
  mkdirSync(join(home.dir, '.config', 'fish', 'completions'), { recursive: true })
  mkdirSync(join(home.dir, 'backup', 'projects'), { recursive: true })
}

/** What the samples edit. */
const OLD_LINE = '  return items.map(price).map(round).reduce(add, 0)'
const NEW_LINE = '  return round(items.map(price).reduce(add, 0))'

/** The working directory as the repository of the samples' shop, with a branch of two commits. */
function setUpRepository(home: TestHome, work: string): void {
  for (const path of globSync(join(home.projects, '-home-dev-shop', '**', '*.jsonl')))
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('/home/dev/shop', work))
  const git = (...words: string[]): Buffer =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...words], { cwd: work })
  git('init', '--quiet', '--initial-branch', 'main')
  mkdirSync(join(work, 'src'))
  for (const [at, text] of [OLD_LINE, NEW_LINE, `${NEW_LINE}\n`].entries()) {
    if (at === 1) git('checkout', '--quiet', '-b', 'totals')
    writeFileSync(
      join(work, 'src', 'total.ts'),
      `\n\nexport function total(items: readonly Item[]): number {\n${text}\n}\n`,
    )
    git('add', 'src')
    git('commit', '--quiet', '-m', `Change ${at}`)
  }
}

/** A line of a shell: what begins with the command and reads no other runs here, the rest in bash. */
async function runLine(line: string, home: TestHome): Promise<Ran> {
  const env = { HOME: home.dir, CLAUDE_CONFIG_DIR: home.config, ...ownFolders(home) }
  if (!/^dagline\b[^<]*$/.test(line)) return runInBash(line, env)
  const world: World = { env, isTerminal: false }
  const [words = [], next = []] = pipelineOf(line)
  const given = words.slice(1).map(word => word.replace(/^~/, home.dir))
  const ran = await runHere([...given, ...(ASKS.test(line) ? ['--yes'] : [])], world)
  return next[0] === 'jq' && ran.code === 0 && HAS_JQ ? runJq(next.slice(1), ran.stdout) : ran
}

function runInBash(line: string, env: Readonly<Record<string, string>>): Ran {
  const { PATH = '' } = process.env
  const shell = `dagline() { "${process.execPath}" "${BUNDLE}" "$@"; }; ${line} && echo done`
  const options = { env: { ...env, PATH }, encoding: 'utf8' } as const
  const { stdout, stderr, status } = spawnSync('bash', ['-c', shell], options)
  return { stdout, stderr, code: status }
}

const HAS_JQ = spawnSync('jq', ['--version']).status === 0
if (!HAS_JQ) console.log('jq is not installed: what examples pass to it was not run.')

/** The filter of an example must fit what the command prints; it may select nothing. */
function runJq(words: readonly string[], input: string): Ran {
  const { stdout, stderr, status } = spawnSync('jq', words, { input, encoding: 'utf8' })
  const isMissing = stdout.trim() === 'null'
  return {
    stdout: `selected: ${stdout}`,
    stderr: isMissing ? 'There is no such field.' : stderr,
    code: isMissing ? 1 : status,
  }
}

/** The commands of a pipeline up to a redirection, each as words without their quotes. */
function pipelineOf(line: string): string[][] {
  const commands: string[][] = [[]]
  for (const [word] of line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)) {
    if (word === '>') break
    const plain = word.replace(/'([^']*)'|"([^"]*)"/g, (_, single = '', double = '') => single + double)
    if (word === '|') commands.push([])
    else commands.at(-1)?.push(plain)
  }
  return commands
}
