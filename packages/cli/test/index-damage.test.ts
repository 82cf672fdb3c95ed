/** I15: whatever happens to the index, answers are those of a new one, or the command says that it made a new one. */
import {
  copyFileSync,
  existsSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { INDEX_VERSION } from '@dagline/store'
import { createRng, type Rng, type TestHome } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { inHome, type Outcome, runAgain } from './faulty-home.js'

const NO_FAULT = { at: 0, kind: 'EIO' } as const
const SEED = Number(process.env['DAGLINE_SEED'] ?? 1)

type Damage = readonly [name: string, damage: (path: string, rng: Rng) => void]

function flip(path: string, count: number, rng: Rng): void {
  const bytes = readFileSync(path)
  for (let done = 0; done < count; done++) {
    const at = rng.int(bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << rng.int(8))
  }
  writeFileSync(path, bytes)
}

function fill(path: string, page: number, byte: number): void {
  const bytes = readFileSync(path)
  bytes.fill(byte, page * PAGE, Math.min(bytes.length, (page + 1) * PAGE))
  writeFileSync(path, bytes)
}

function inDatabase(path: string, sql: string): void {
  const db = new DatabaseSync(path)
  db.exec(sql)
  db.close()
}

const PAGE = 16_384
const TABLES = ['root', 'file', 'chunk', 'node', 'message', 'text', 'words', 'verdict', 'line', 'session']

const times = (count: number, make: (nth: number) => Damage): readonly Damage[] =>
  Array.from({ length: count }, (_, nth) => make(nth))

/** As many as in the trial that found them. */
const DAMAGES: readonly Damage[] = [
  ...times(10, nth => [`one bit (${nth})`, (path, rng) => flip(path, 1, rng)]),
  ...times(10, nth => [`50 bits (${nth})`, (path, rng) => flip(path, 50, rng)]),
  ...times(12, nth => [`page ${nth} of zeros`, path => fill(path, nth, 0)]),
  ...times(4, nth => [`page ${nth} of something`, path => fill(path, nth, 0x61 + nth)]),
  ...[0, 1, 10, 99, 100, 512, PAGE, PAGE + 1, 5 * PAGE].map(
    (size): Damage => [`cut to ${size} bytes`, path => truncateSync(path, size)],
  ),
  ...TABLES.map((table): Damage => [`without ${table}`, path => inDatabase(path, `DROP TABLE ${table}`)]),
  [
    'a value that no version knows',
    path => inDatabase(path, "UPDATE line SET branch_status = 'odd', status = 'odd'"),
  ],
  ['figures that are not JSON', path => inDatabase(path, 'UPDATE session SET figures = substr(figures, 2)')],
  ['other figures', path => inDatabase(path, 'UPDATE text SET time = 0; DELETE FROM message')],
  ['longer than it was', path => writeFileSync(path, Buffer.alloc(PAGE), { flag: 'a' })],
  ['something in its log', path => writeFileSync(`${path}-wal`, Buffer.alloc(5 * PAGE, 7))],
  ['bits of its header', path => patchHeader(path)],
  ['a text', path => writeFileSync(path, 'not a database '.repeat(5000))],
  ['a database of another program', path => replaceBy(path, 'CREATE TABLE precious (thing TEXT)')],
  ['a newer index', path => inDatabase(path, 'PRAGMA user_version = 999')],
  ['no checksums', path => rmSync(`${path}-sums`)],
  ['damaged checksums', (path, rng) => flip(`${path}-sums`, 3, rng)],
  [
    'a copy without checksums, damaged',
    (path, rng) => {
      copyFileSync(path, `${path}.copy`)
      for (const end of ['', '-wal', '-shm', '-sums']) rmSync(path + end, { force: true })
      copyFileSync(`${path}.copy`, path)
      flip(path, 50, rng)
    },
  ],
]

function patchHeader(path: string): void {
  const bytes = readFileSync(path)
  for (let at = 24; at < 72; at += 4) bytes[at] = (bytes[at] ?? 0) ^ 2
  writeFileSync(path, bytes)
}

function replaceBy(path: string, sql: string): void {
  rmSync(path)
  inDatabase(path, sql)
}

const SEARCH = ['search', 'u1', '--json']
const QUERIES: readonly (readonly string[])[] = [
  ['ls', '--json'],
  SEARCH,
  ['usage', '--json'],
  ['stats', '--json'],
  ['sync'],
]
/** Those, and others that answer from the index. */
const MORE_QUERIES: readonly (readonly string[])[] = [
  ...QUERIES,
  ['doctor', '--all', '--json'],
  ['branches', '--json'],
  ['agents', '--json'],
  ['files', '--json'],
  ['prompts', '--json'],
  ['census', '--json'],
  ['waste', '--json'],
  ['tree', '--json'],
]

/** What happens to a file of the index: to the database, its log or its checksums. */
const ENDS = ['', '', '', '', '-wal', '-shm', '-sums'] as const
const CHANGES: readonly ((path: string, rng: Rng) => void)[] = [
  (path, rng) => flip(path, 1 + rng.int(4), rng),
  (path, rng) => flip(path, 20 + rng.int(200), rng),
  (path, rng) => fill(path, rng.int(Math.ceil(readFileSync(path).length / PAGE)), rng.int(256)),
  (path, rng) => truncateSync(path, rng.int(readFileSync(path).length)),
  path => rmSync(path),
  (path, rng) => writeFileSync(path, Buffer.alloc(1 + rng.int(3 * PAGE), rng.int(256)), { flag: 'a' }),
  (path, rng) => swapPages(path, rng),
]

/** Two pages take the place of each other, each of them whole. */
function swapPages(path: string, rng: Rng): void {
  const bytes = readFileSync(path)
  const [one, other] = [0, 0].map(() => rng.int(Math.max(1, Math.floor(bytes.length / PAGE))) * PAGE)
  const [a, b] = [one, other].map(at => Buffer.from(bytes.subarray(at, (at ?? 0) + PAGE)))
  b?.copy(bytes, one)
  a?.copy(bytes, other)
  writeFileSync(path, bytes)
}

/** A damage by a seed: one to three changes of any of the files, some of which the last process may not have left. */
function damageBySeed(path: string, seed: number, foreignLog: Buffer): string {
  const rng = createRng(seed)
  const done = Array.from({ length: 1 + rng.int(3) }, () => {
    const end = rng.pick(ENDS)
    const change = rng.int(CHANGES.length)
    // The log of another index; otherwise something that was never one.
    if (end !== '' && end !== '-sums')
      writeFileSync(path + end, rng.int(2) === 0 ? foreignLog : Buffer.alloc(PAGE, seed))
    if (existsSync(path + end) && readFileSync(path + end).length > 0) CHANGES[change]?.(path + end, rng)
    return `${change} of ${end || 'the database'}`
  })
  return `damage ${seed} (${done.join(', ')})`
}

const indexIn = (home: TestHome): string => join(home.config, 'cache', 'dagline', `index-${INDEX_VERSION}.db`)

/** Queries are tried in turn, all of them on each damage with `DAGLINE_RUNS=1000`. */
const MOST_QUERIES = Number(process.env['DAGLINE_RUNS'] ?? 2)
/** Damages by chance. */
const RANDOM = 300

function chosen(nth: number): readonly (readonly string[])[] {
  return QUERIES.map((_, at) => QUERIES[(at + nth) % QUERIES.length] ?? []).slice(0, MOST_QUERIES)
}

/** A log with changes of an index, which a process that was killed would leave. */
function logOf(path: string): Buffer {
  const db = new DatabaseSync(path)
  try {
    db.exec(
      'PRAGMA wal_autocheckpoint = 0; UPDATE text SET time = time + 1; UPDATE session SET last = last + 1',
    )
    return readFileSync(`${path}-wal`)
  } finally {
    db.close()
  }
}

/** What is wrong with an answer. `sync` answers by what is listed after it. */
async function wrongIn(
  home: TestHome,
  words: readonly string[],
  expected: string,
): Promise<readonly string[]> {
  const ran = await runAgain(home, words, NO_FAULT)
  const { code, stderr } = ran
  const { stdout } = words[0] === 'sync' ? await runAgain(home, ['ls', '--json'], NO_FAULT) : ran
  return [
    ...(code === 0 && !stderr.includes('internal error') ? [] : [`${words[0]}: exit ${code}, ${stderr}`]),
    ...(stdout === expected ? [] : [`${words[0]}: another answer, ${stderr}`]),
  ]
}

async function answersOf(home: TestHome): Promise<ReadonlyMap<readonly string[], string>> {
  const answers = new Map<readonly string[], string>()
  for (const words of MORE_QUERIES) {
    const asked = words[0] === 'sync' ? ['ls', '--json'] : words
    answers.set(words, (await runAgain(home, asked, NO_FAULT)).stdout)
  }
  return answers
}

describe('a damaged index', { timeout: 600_000 }, () => {
  it('[I15] never answers: answers are those of a new one', async () => {
    await inHome(async home => {
      const answers = await answersOf(home)
      expect(JSON.parse(answers.get(SEARCH) ?? '').total).toBeGreaterThan(0)
      expect(DAMAGES.length).toBeGreaterThanOrEqual(66)
      const wrong: string[] = []
      for (const [nth, [name, damage]] of DAMAGES.entries())
        for (const words of chosen(nth)) {
          damage(indexIn(home), createRng(SEED * 1000 + nth))
          const found = await wrongIn(home, words, answers.get(words) ?? '')
          wrong.push(...found.map(each => `${name}: ${each}`))
          if (words[0] === 'stats' || words[0] === 'usage') await runAgain(home, ['sync'], NO_FAULT)
        }
      expect(wrong).toEqual([])
    })
  })

  it('[I15] by chance never answers, either', async () => {
    await inHome(async home => {
      const answers = await answersOf(home)
      const other = join(home.dir, 'other.db')
      await runAgain(home, ['ls', '--index', other], NO_FAULT)
      const foreignLog = logOf(other)
      const wrong: string[] = []
      for (let nth = 0; nth < RANDOM; nth++)
        for (const [at, words] of MORE_QUERIES.entries()) {
          if (at !== nth % MORE_QUERIES.length && MOST_QUERIES < MORE_QUERIES.length) continue
          await runAgain(home, ['sync'], NO_FAULT)
          const name = damageBySeed(indexIn(home), SEED * 1_000_000 + nth, foreignLog)
          const found = await wrongIn(home, words, answers.get(words) ?? '')
          wrong.push(...found.map(each => `${name}: ${each}`))
        }
      expect(wrong).toEqual([])
    })
  })

  it('[I15] is set aside, one of them, and one line says so', async () => {
    await inHome(async home => {
      await runAgain(home, ['sync'], NO_FAULT)
      const path = indexIn(home)
      for (const seed of [1, 2]) {
        flip(path, 50, createRng(seed))
        const damaged = readFileSync(path)
        const { stderr } = await runAgain(home, ['ls'], NO_FAULT)
        expect(stderr).toBe(
          `The index was damaged. It is made again; the damaged file is now ${path}.damaged.\n`,
        )
        expect(readFileSync(`${path}.damaged`).equals(damaged)).toBe(true)
        expect((await runAgain(home, ['ls'], NO_FAULT)).stderr).toBe('')
      }
    })
  })

  it('[I15] that --index names is made again, too; a file of another program never', async () => {
    await inHome(async home => {
      const path = join(home.dir, 'named.db')
      const list = (): Promise<Outcome> => runAgain(home, ['ls', '--json', '--index', path], NO_FAULT)
      const { stdout } = await list()
      for (const damage of [
        () => flip(path, 50, createRng(SEED)),
        () => fill(path, 0, 0),
        () => truncateSync(path, 3 * PAGE),
        () => inDatabase(path, 'DROP TABLE session'),
      ]) {
        damage()
        const again = await list()
        expect([again.stdout, again.stderr]).toEqual([stdout, expect.stringContaining('was damaged')])
      }
      for (const replace of [
        () => replaceBy(path, 'CREATE TABLE precious (thing TEXT)'),
        () => inDatabase(path, 'PRAGMA user_version = 999'),
        () => writeFileSync(path, 'a letter to a friend '.repeat(300)),
      ]) {
        for (const end of ['', '-wal', '-shm', '-sums']) rmSync(path + end, { force: true })
        await list()
        rmSync(`${path}-sums`)
        replace()
        const before = readFileSync(path)
        const found = await runAgain(home, ['search', 'u1', '--index', path], NO_FAULT)
        expect([found.code, found.stderr.includes('internal error')]).toEqual([1, false])
        expect(readFileSync(path).equals(before)).toBe(true)
      }
    })
  })

  it('[I15] is not what a process leaves that was killed, or a file that was touched or copied', async () => {
    await inHome(async home => {
      const path = join(home.dir, 'named.db')
      const list = (at: string): Promise<Outcome> => runAgain(home, ['ls', '--index', at], NO_FAULT)
      await list(path)
      utimesSync(path, 1, 1)
      expect((await list(path)).stderr).toBe('')
      for (const end of ['', '-sums']) copyFileSync(path + end, join(home.dir, `other.db${end}`))
      expect((await list(join(home.dir, 'other.db'))).stderr).toBe('')
    })
  })
})
