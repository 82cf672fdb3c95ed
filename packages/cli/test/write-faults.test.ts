/**
 * An edit's end is the truth: every operation of every command that writes fails once, or is the moment of a kill. By the
 * seed some of them are chosen; `DAGLINE_RUNS=100000` tries all of them.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { discover } from '@dagline/store'
import type { TestHome } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { filesBelow, hashesBelow, inHome, named } from './faulty-home.js'
import { runHere } from './in-process.js'
import { BUNDLE, cleanEnv, ownFolders, type Ran, REPOSITORY } from './run.js'
import { FAULTS, type FaultKind, injectWriteFault } from './write-faults.js'

type Words = readonly string[]

/** A command, and what comes before it. */
interface Case {
  readonly words: Words
  readonly before?: readonly Words[]
  /** A file that is removed before it. */
  readonly without?: string
  /** It changes or moves what was there; `undo` gives it back. */
  readonly isInPlace?: true
}

const REPAIR: Words = ['repair', 's2', '--yes', '--in-place']
const MOVE: Words = ['mv', '/home/dev/proj', '/srv/proj', '--yes', '--deep']
const SPLIT: Words = ['split', 's1', '--at', 'LIVE']
const FORGET: Words = ['archive', 'forget', 's1', '--yes']

const CASES: readonly Case[] = [
  { words: ['repair', 's2', '--yes'] },
  { words: REPAIR, isInPlace: true },
  { words: ['checkout', 'REF'] },
  { words: ['checkout', 's1', '--out', 'OUT/projects'] },
  { words: ['fork', 'LIVE'] },
  { words: ['pick', 'REF', '--onto', 's1'] },
  { words: ['trim', 's1', '--outputs', '10', '--progress'] },
  { words: SPLIT },
  { words: MOVE, isInPlace: true },
  { words: ['undo'], before: [REPAIR], isInPlace: true },
  { words: ['undo'], before: [SPLIT], isInPlace: true },
  { words: ['undo'], before: [MOVE], isInPlace: true },
  { words: ['name', 's1', 'mine'], before: [['tag', 's2', 'kept']] },
  { words: ['tag', 's1', 'money'], before: [['tag', 's2', 'kept']] },
  { words: ['note', 's1', 'a text'], before: [['tag', 's2', 'kept']] },
  { words: ['archive'] },
  { words: FORGET, before: [['archive']] },
  { words: ['restore', 's1'], before: [['archive']], without: 's1.jsonl' },
  { words: ['restore', 's1', '--out', 'OUT/back'], before: [['archive']] },
  ...['html', 'md', 'json', 'jsonl', 'parquet'].map(format => ({
    words: ['export', 's1', '--format', format, '--out', 'OUT/made'],
  })),
  { words: ['sync'] },
  { words: ['ls'], before: [['sync'], ['repair', 's2', '--yes']] },
]

const withNames = (home: TestHome, words: Words): Words =>
  words.some(word => /REF|LIVE/.test(word)) ? named(home, words) : words

const SEED = process.env['DAGLINE_SEED'] ?? '1'
/** How many faults of each command. */
const MOST = Number(process.env['DAGLINE_RUNS'] ?? 50)

async function run(home: TestHome, words: Words): Promise<Ran> {
  const out = join(home.dir, 'out')
  const env = cleanEnv({ CLAUDE_CONFIG_DIR: home.config, ...ownFolders(home) })
  return await runHere(
    words.map(word => word.replace('OUT', out)),
    { env, isTerminal: false },
  )
}

interface Fault {
  readonly at: number
  readonly kind: FaultKind
  /** Files that can never be written. */
  readonly never?: RegExp
}

const copy = (from: string, to: string): void =>
  cpSync(from, to, { recursive: true, preserveTimestamps: true })

interface Faulty extends Ran {
  readonly operations: readonly string[]
  readonly isKilled: boolean
}

/** Runs with a fault. After a kill the home is what it was at that moment. */
async function runFaulty(home: TestHome, words: Words, { at, kind, never }: Fault): Promise<Faulty> {
  const snapshot = `${home.dir}-killed`
  rmSync(snapshot, { recursive: true, force: true })
  const kill = (): void => copy(home.dir, snapshot)
  const lasting = never === undefined ? {} : { never }
  const injected = injectWriteFault({ below: home.dir, at, kind, kill, ...lasting })
  try {
    const ran = await run(home, words)
    return { ...ran, operations: injected.operations(), isKilled: injected.isKilled() }
  } finally {
    injected.restore()
    if (injected.isKilled()) {
      rmSync(home.dir, { recursive: true, force: true })
      renameSync(snapshot, home.dir)
      endProcess(home)
    }
  }
}

/** Names that have the number of the killed process, which is this one, get that of one that has ended. */
function endProcess(home: TestHome): void {
  for (const path of readdirSync(home.dir, { recursive: true, encoding: 'utf8' }))
    if (path.endsWith('.part') && path.includes(String(process.pid)))
      renameSync(join(home.dir, path), join(home.dir, path.replace(String(process.pid), '999999999')))
}

/** Faults by the seed, each at most once. */
function choose(count: number, name: string): readonly Fault[] {
  const all = Array.from({ length: count }, (_, at) => FAULTS.map(kind => ({ at: at + 1, kind }))).flat()
  const rank = ({ at, kind }: Fault): string =>
    createHash('sha256').update(`${SEED} ${name} ${at} ${kind}`).digest('hex')
  return all
    .map(fault => ({ fault, rank: rank(fault) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, MOST)
    .map(({ fault }) => fault)
}

/** What discovery lists: sizes by path, in the root and in what was exported. */
function listed(home: TestHome): ReadonlyMap<string, number> {
  const out = join(home.dir, 'out')
  const found = discover([home.projects, join(out, 'projects'), join(out, 'back')].filter(isThere))
  const files = found.flatMap(({ root, projects }) =>
    projects.flatMap(({ files: each }) => each.map(({ path }) => join(root, path))),
  )
  const made = filesBelow(out).filter(path => !/(?:^|\/)\.[^/]*(?:\/|$)/.test(path.slice(out.length + 1)))
  return new Map([...files, ...made].map(path => [path, statSync(path).size]))
}

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined

/** What a command does where nothing fails. */
interface Reference {
  /** Hashes of the root before the first command, before this one, and after it. */
  readonly first: string
  readonly before: string
  readonly after: string
  /** Sizes of the files that are listed before and after it. */
  readonly sizes: ReadonlySet<number>
  readonly operations: number
}

const stateOf = (home: TestHome): string => JSON.stringify(hashesBelow(home.projects))

/** What is wrong after a fault. */
async function wrongAfter(
  home: TestHome,
  each: Case,
  known: Reference,
  ran: Faulty,
): Promise<readonly string[]> {
  const wrong: string[] = []
  const { code, stderr, isKilled } = ran
  const state = stateOf(home)
  if (!isKilled && ((code !== 0 && code !== 1) || stderr.includes('internal error')))
    wrong.push(`exit ${code}: ${stderr}`)
  for (const [path, size] of listed(home))
    if (!known.sizes.has(size)) wrong.push(`${path} is listed with ${size} bytes`)
  const isChanged = state !== known.before
  if (!isKilled && code === 1 && isChanged && each.isInPlace && !SAYS_HOW.test(stderr))
    wrong.push(`it does not say what to do: ${stderr}`)
  if (each.words === FORGET) wrong.push(...(await wrongArchive(home)))
  if (each.isInPlace) wrong.push(...(await unlikeFirst(home, each, known)))
  else if (!isWithin(known.before, state)) wrong.push('an original has changed')
  return wrong
}

/** The archive is whole, has all of the session or nothing, and the next run removes the last traces. */
async function wrongArchive(home: TestHome): Promise<readonly string[]> {
  const verified = await run(home, ['archive', 'verify'])
  const forgotten = await forgottenIn(home)
  const kept = await run(home, ['archive', '--json'])
  const { files, added, holds, forgotten: left } = JSON.parse(kept.stdout)
  const archive = readFileSync(join(ownFolders(home)['XDG_DATA_HOME'] ?? '', 'dagline', 'archive.db'))
  return [
    ...(verified.code === 0 ? [] : [`verify: ${verified.stdout}${verified.stderr}`]),
    ...(kept.code === 0 && added === 0 && holds.files + left === files
      ? []
      : [`not all or nothing: ${kept.stdout}`]),
    ...(forgotten > 0 === left > 0 ? [] : ['half of it is forgotten']),
    ...(left > 0 && archive.includes('s1.jsonl') ? ['traces are left'] : []),
  ]
}

async function forgottenIn(home: TestHome): Promise<number> {
  const { stdout } = await run(home, ['archive', 'stats', '--json'])
  return JSON.parse(stdout).forgotten.length
}

const SAYS_HOW = /dagline undo|run the same command again|try again/

/** After an edit in place, whole or not, `undo` gives back what was there. */
async function unlikeFirst(home: TestHome, { words }: Case, known: Reference): Promise<readonly string[]> {
  if (stateOf(home) === known.first) return []
  const undone = await run(home, ['undo'])
  if (stateOf(home) === known.first) return []
  return [`undo after ${words[0]} does not give back what was there: ${undone.stderr}`]
}

/** Whether all files of one state are in another. */
function isWithin(one: string, other: string): boolean {
  const [before, after]: Record<string, string>[] = [JSON.parse(one), JSON.parse(other)]
  return Object.entries(before ?? {}).every(([path, hash]) => after?.[path] === hash)
}

/** What is left where no command reads it, after the next one has run. */
function leftovers(home: TestHome): readonly string[] {
  return readdirSync(home.dir, { recursive: true, encoding: 'utf8' }).filter(path =>
    /\.dagline-(?:\d+|mv|undo)$|\.part$/.test(path),
  )
}

/** The index is that of the files, and the next commands leave nothing of the one that was cut off. */
async function wrongLater(home: TestHome, words: Words): Promise<readonly string[]> {
  const list = await run(home, ['ls', '--json'])
  const fresh = await run(home, ['ls', '--json', '--index', join(home.dir, 'fresh.db')])
  await run(home, ['history'])
  if (['name', 'tag', 'note', 'restore', 'export', 'undo', 'mv'].includes(words[0] ?? ''))
    await run(home, words)
  return [
    ...(list.stdout === fresh.stdout && list.code === 0
      ? []
      : [`ls is not that of a new index: ${list.stderr} ${list.stdout} ${fresh.stdout}`]),
    ...leftovers(home).map(path => `${path} is left`),
  ]
}

describe('an operation that fails, or the end of the process', { timeout: 600_000 }, () => {
  let tried = 0

  it.each(CASES)(
    '[E18] loses nothing, and nothing half-written is listed: $words.0 $words.1 $words.2 $words.3',
    async each => {
      await inHome(async home => {
        const kept = `${home.dir}-base`
        const words = withNames(home, each.words)
        const first = stateOf(home)
        mkdirSync(join(home.dir, 'out'))
        for (const before of each.before ?? []) await run(home, withNames(home, before))
        if (each.without !== undefined) rmSync(join(home.projects, '-home-dev-proj', each.without))
        copy(home.dir, kept)
        const putBack = (): void => {
          rmSync(home.dir, { recursive: true, force: true })
          copy(kept, home.dir)
        }
        try {
          const [before, sizes] = [stateOf(home), [...listed(home).values()]]
          const well = await runFaulty(home, words, { at: 0, kind: 'EIO' })
          expect([well.code, well.stderr]).toEqual([0, expect.not.stringContaining('internal error')])
          const known: Reference = {
            first,
            before,
            after: stateOf(home),
            sizes: new Set([...sizes, ...listed(home).values()]),
            operations: well.operations.length,
          }
          const wrong: string[] = []
          for (const [nth, fault] of choose(known.operations, words.join(' ')).entries()) {
            tried++
            putBack()
            const ran = await runFaulty(home, words, fault)
            const found = await wrongAfter(home, each, known, ran)
            const later = nth % 14 === 0 ? await wrongLater(home, words) : []
            const name = `${fault.kind} at ${fault.at} (${ran.operations[fault.at - 1]})`
            wrong.push(...[...found, ...later].map(what => `${name}: ${what}`))
          }
          expect(wrong).toEqual([])
        } finally {
          for (const end of ['-base', '-killed']) rmSync(home.dir + end, { recursive: true, force: true })
        }
      })
    },
  )

  it('[E18] [I15] a new index whose checksums cannot be written once is made again', async () => {
    await inHome(async home => {
      const { operations } = await runFaulty(home, ['sync'], { at: 0, kind: 'EIO' })
      // Of the file system, and behind the statements: what is written beside the index.
      const last = operations.findLastIndex(name => name.startsWith('sqlite')) + 1
      const files = operations.flatMap((_, at) => (at >= last - 1 ? [at + 1] : []))
      expect(files.length).toBeGreaterThan(1)
      for (const at of files)
        for (const kind of ['EIO', 'ENOSPC'] as const) {
          rmSync(ownFolders(home)['XDG_CACHE_HOME'] ?? '', { recursive: true })
          const { code, stderr } = await runFaulty(home, ['sync'], { at, kind })
          expect([at, kind, code, stderr]).toEqual([at, kind, 0, expect.not.stringContaining('error')])
          expect(await wrongLater(home, ['sync'])).toEqual([])
        }
    })
  })

  it('[E18] [I15] where its checksums can never be written, one sentence says so', async () => {
    await inHome(async home => {
      const fault = { at: 0, kind: 'ENOSPC', never: /-sums-\d+$/ } as const
      const synced = await runFaulty(home, ['sync'], fault)
      expect([synced.code, synced.stderr]).toEqual([1, expect.stringMatching(/cannot be kept.+free space/)])
      expect(synced.stderr).not.toMatch(/internal error|^\s+at /m)
      const listed = await runFaulty(home, ['ls', '--json'], fault)
      expect([listed.code, listed.stderr]).toEqual([0, expect.stringContaining('The transcripts are read')])
      expect(await wrongLater(home, ['sync'])).toEqual([])
    })
  })

  it('[E18] is tried a thousand times', () => {
    expect(tried).toBeGreaterThanOrEqual(Math.min(MOST * 20, 1000))
  })

  it('[E18] [I6] a real kill -9 at some of them leaves nothing else', async () => {
    const wrong: string[] = []
    for (const each of KILLED) wrong.push(...(await inHome(home => killed(home, each))))
    expect(wrong).toEqual([])
  })
})

const KILLED: readonly Case[] = CASES.filter(({ words: [name = ''] }) =>
  ['repair', 'fork', 'mv', 'archive', 'sync'].includes(name),
)

/** How often each of them is killed. */
const KILLS = Math.min(40, Math.ceil(MOST / 20))
const LOADER = join(REPOSITORY, 'scripts', 'lib', 'source-loader.ts')

/** Runs the bundle in a process that kills itself, again and again, and says what was wrong after it. */
async function killed(home: TestHome, each: Case): Promise<readonly string[]> {
  const words = withNames(home, each.words)
  const before = stateOf(home)
  const wrong: string[] = []
  for (let nth = 0; nth < KILLS; nth++) {
    for (const first of each.before ?? []) await run(home, first)
    const at =
      (Number.parseInt(createHash('sha256').update(`${SEED} ${words} ${nth}`).digest('hex').slice(0, 6), 16) %
        30) +
      1
    const { signal } = spawnSync(
      process.execPath,
      ['--import', LOADER, '--import', join(import.meta.dirname, 'kill-at.ts'), BUNDLE, ...words],
      {
        env: cleanEnv({
          CLAUDE_CONFIG_DIR: home.config,
          ...ownFolders(home),
          DAGLINE_KILL_AT: String(at),
          DAGLINE_KILL_BELOW: home.dir,
        }),
      },
    )
    if (signal !== 'SIGKILL') continue
    if (each.words === FORGET) wrong.push(...(await wrongArchive(home)))
    if (each.isInPlace) await run(home, ['undo'])
    const later = await wrongLater(home, [])
    const isSame = each.isInPlace ? stateOf(home) === before : isWithin(before, stateOf(home))
    wrong.push(...later, ...(isSame ? [] : ['an original has changed']).map(what => `kill at ${at}: ${what}`))
  }
  return wrong
}
