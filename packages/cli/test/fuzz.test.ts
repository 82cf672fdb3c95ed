/** P1, P9: mutants of transcripts through every reading command: all end, none fails inside, and every row is counted. */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Mutant, mutantBySeed, sessionTexts, type TestHome, withHome } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { allCommands, runHere, type World } from './in-process.js'
import { ends } from './measured.js'
import { json, ownFolders, type Ran, REPOSITORY } from './run.js'

const FIRST = Number(process.env['DAGLINE_SEED'] ?? 1) || 1
/** Mutants; with `DAGLINE_RUNS` so many, and each through every command. */
const COUNT = Number(process.env['DAGLINE_RUNS'] ?? 500)
const isLong = process.env['DAGLINE_RUNS'] !== undefined
/** Characters of sessions from which mutants are made, unless the run is long. */
const SMALL = 15_000
/** How many are read from one root; fewer where every command of a session has to find it there. */
const IN_ROOT = isLong ? 50 : 250

/** Commands that read a whole root. */
const OF_ROOT: readonly (readonly string[])[] = [
  ['sync'],
  ['ls', '--all'],
  ['agents'],
  ['branches'],
  ['files'],
  ['prompts'],
  ['now'],
  ['lessons'],
  ['waste'],
  ['now', '--json'],
  ['lessons', '--json'],
  ['waste', '--json'],
  ['prompts', '--json'],
  ['sql', 'SELECT count(*) AS entries FROM nodes'],
  ['sql', 'SELECT * FROM messages'],
  ['blame', '/home/dev/lab/s13c_rewind_files/proj/w.txt'],
  ['commits', 'HEAD', '--repo', REPOSITORY],
  ['tree'],
  ['usage'],
  ['stats'],
  ['census'],
  ['doctor', '--all'],
  ['search', 'the'],
  ['search', '--regex', 'a.b'],
  ['archive'],
  ['hub', 'push', '--dry-run'],
  [],
]

/** Commands that read one session, by its transcript. */
const OF_SESSION: readonly ((path: string, first: string) => readonly string[])[] = [
  path => ['log', path, '--all'],
  path => ['log', path, '--graph'],
  path => ['log', path, '--live', '--json'],
  path => ['log', path, '--tree', '--tokens'],
  path => ['agents', path, '--json'],
  path => ['files', path],
  path => ['prompts', path],
  path => ['lessons', path],
  path => ['waste', path],
  path => ['timeline', path, '--json'],
  (_, first) => ['statusline', '--measure', first.slice(0, first.indexOf(':'))],
  (_, first) => ['context', first],
  (_, first) => ['fork', first, '--dry-run'],
  (_, first) => ['split', first.slice(0, first.indexOf(':')), '--at', first, '--dry-run'],
  path => ['graph', path, '--summary'],
  path => ['branches', path, '--all'],
  path => ['timeline', path],
  path => ['context', path, '--json'],
  path => ['doctor', path, '--json'],
  path => ['tail', path, '--once'],
  path => ['stats', path, '--json'],
  path => ['usage', path],
  path => ['diff', path, '--compaction'],
  path => ['export', path, '--format', 'md', '--out', '-'],
  path => ['export', path, '--format', 'json', '--out', '-'],
  path => ['export', path, '--format', 'jsonl', '--out', '-', '--redact'],
  path => ['export', path, '--format', 'html', '--out', '-'],
  path => ['export', path, '--format', 'otel', '--out', '-'],
  path => ['repair', path, '--dry-run'],
  path => ['trim', path, '--outputs', '10', '--dry-run'],
  (_, first) => ['show', first],
  (_, first) => ['show', first, '--json'],
  (_, first) => ['explain', first],
  (_, first) => ['checkout', first, '--dry-run'],
]

/** Seconds of processor time and megabytes that a command may take; a busy machine changes neither. */
const MOST = { seconds: 10, megabytes: 600 }

/** Runs a command in this process, within the limits. */
async function runWithin(words: readonly string[], place: Place): Promise<Ran> {
  const before = { time: process.cpuUsage(), memory: process.memoryUsage.rss() }
  const ran = await runHere(words, place)
  const { user, system } = process.cpuUsage(before.time)
  const used = {
    seconds: (user + system) / 1e6,
    megabytes: (process.memoryUsage.rss() - before.memory) / 2 ** 20,
  }
  expect({ words, isWithin: used.seconds < MOST.seconds && used.megabytes < MOST.megabytes, used }).toEqual({
    words,
    isWithin: true,
    used,
  })
  return ran
}

interface Place extends World {
  readonly home: TestHome
  readonly mutants: readonly Mutant[]
}

const BATCHES = Array.from({ length: Math.ceil(COUNT / IN_ROOT) }, (_, nth) => FIRST + nth * IN_ROOT)

/** Commands that write, answer from what they wrote, read nothing, or run until they are stopped. */
const OTHERS = 'open serve mcp config completion pick undo history restore mv name tag note'.split(' ')

describe('mutants of transcripts', { timeout: 60 * 60_000 }, () => {
  it('[P9] no reading command is left out', async () => {
    const names = (await allCommands()).map(command => command.name())
    const tried = [...OF_ROOT, ...OF_SESSION.map(words => words('', ''))].flatMap(([name]) => name ?? [])
    expect(names.filter(name => !tried.includes(name) && !OTHERS.includes(name))).toEqual([])
  })

  it('[E9] a repair after which the conversation has only inserted rows is a repair', async () => {
    const all = sessionTexts(join(REPOSITORY, 'fixtures', 'recordings'))
    const mutant = mutantBySeed(
      all.filter(({ text }) => text.length < SMALL),
      1094,
    )
    await withHome([], async home => {
      const place = writeMutants(home, [mutant])
      for (const more of ['--dry-run', '--yes']) {
        const words = ['repair', pathOf(home, mutant), more]
        expectSound(words, await runHere(words, place), mutant)
      }
    })
  })

  it('[E9] [P9] a repair of thousands of records on one row reads the row once', async () => {
    const session = '00000000-0000-4000-8000-000000000000'
    const rows = Array.from({ length: JOINED }, (_, nth) => joinedRow(session, nth))
    const mutant = { seed: 0, kinds: [], session, bytes: Buffer.from(rows.join('')) }
    await withHome([], async home => {
      const place = writeMutants(home, [mutant])
      const words = ['repair', pathOf(home, mutant), '--dry-run']
      const ran = await runWithin(words, place)
      expectSound(words, ran, mutant)
      expect(ran.stdout).toContain('4,000 of 4,000 entries')
    })
  })

  it('[X1] thousands of subagent calls in one message are counted in time linear in them', async () => {
    const session = '00000000-0000-4000-8000-000000000000'
    const ids = Array.from({ length: CALLS }, (_, nth) => `toolu_${nth}`)
    const calls = ids.map(id => ({ type: 'tool_use', id, name: 'Task', input: { prompt: id } }))
    const results = ids.map(id => ({ type: 'tool_result', tool_use_id: id, content: 'done' }))
    const rows = [
      entryRow(session, 0, { role: 'user', content: 'go' }),
      entryRow(session, 1, { role: 'assistant', id: 'm1', model: 'm', content: calls }),
      entryRow(session, 2, { role: 'user', content: results }),
    ]
    const mutant = { seed: 0, kinds: [], session, bytes: Buffer.from(`${rows.join('\n')}\n`) }
    await withHome([], async home => {
      const place = writeMutants(home, [mutant])
      for (const words of [['stats', pathOf(home, mutant)], ['sync']])
        expectSound(words, await runWithin(words, place), mutant)
    })
  })

  it.each(BATCHES)('[P1] [P9] every reading command ends and counts every row, from seed %i', async from => {
    const sources = sessionTexts(join(REPOSITORY, 'fixtures', 'recordings')).filter(
      ({ text }) => isLong || text.length < SMALL,
    )
    const count = Math.min(IN_ROOT, FIRST + COUNT - from)
    const mutants = Array.from({ length: count }, (_, nth) => mutantBySeed(sources, from + nth))
    await withHome([], async home => {
      const place = writeMutants(home, mutants)
      for (const words of OF_ROOT) {
        const ran = await runWithin(words, place)
        expectSound(words, ran)
        if (isLong) ends(words, place.env, ran.code)
      }
      const { files, totals } = json(ends(['graph', '--json'], place.env))
      expectCounted(place, files, totals)
      for (const mutant of mutants) await expectReadable(place, mutant)
    })
  })
})

const JOINED = 4000
const CALLS = 2000

/** An entry behind the one before it. */
function entryRow(session: string, nth: number, message: Readonly<Record<string, unknown>>): string {
  const uuidOf = (at: number): string => `0000000${at}-0000-4000-8000-000000000002`
  const parentUuid = nth === 0 ? null : uuidOf(nth - 1)
  const entry = { type: message['role'], uuid: uuidOf(nth), parentUuid, sessionId: session, message }
  return JSON.stringify({ ...entry, timestamp: `2026-01-01T00:00:0${nth}.000Z` })
}

function joinedRow(session: string, nth: number): string {
  const uuid = `${nth.toString(16).padStart(8, '0')}-0000-4000-8000-000000000001`
  const entry = {
    type: 'user',
    uuid,
    parentUuid: null,
    sessionId: session,
    timestamp: '2026-01-01T00:00:00.000Z',
  }
  return JSON.stringify({ ...entry, message: { role: 'user', content: `prompt ${nth}` } })
}

function writeMutants(home: TestHome, mutants: readonly Mutant[]): Place {
  for (const [at, mutant] of mutants.entries()) {
    const agents = join(pathOf(home, mutant).replace(/\.jsonl$/, ''), 'subagents')
    mkdirSync(agents, { recursive: true })
    writeFileSync(pathOf(home, mutant), mutant.bytes)
    // Nobody has written to it for long.
    utimesSync(pathOf(home, mutant), 0, 0)
    if (mutant.seed % EVERY_AGENT > 0) continue
    writeFileSync(join(agents, 'agent-a1.jsonl'), mutants[at - 1]?.bytes ?? '')
    writeFileSync(join(agents, 'agent-a1.meta.json'), METAS[mutant.seed % METAS.length] ?? '')
  }
  const env = { HOME: home.dir, CLAUDE_CONFIG_DIR: home.config, ...ownFolders(home) }
  return { home, mutants, env, isTerminal: false }
}

/** Each so many mutants have a subagent, which is another mutant, with a sidecar that is one of these. */
const EVERY_AGENT = 4
const METAS = [
  '',
  '{',
  'null',
  '[]',
  '{"agentType":5,"toolUseId":[]}',
  '{"agentType":{"__proto__":1},"description":"\u0000"}',
  `{"agentType":"${'x'.repeat(5000)}"}`,
]

function projectOf({ seed }: Mutant): string {
  return `-seed-${seed}`
}

function pathOf({ projects }: TestHome, mutant: Mutant): string {
  return join(projects, projectOf(mutant), `${mutant.session}.jsonl`)
}

/** Neither a stack nor an internal error; an error of the user is a sentence. */
function expectSound(words: readonly string[], { stdout, stderr, code }: Ran, mutant?: Mutant): void {
  const where = { words, seed: mutant?.seed, kinds: mutant?.kinds }
  expect({ ...where, code, stderr: /internal error|^\s+at /m.test(stderr) ? stderr : '' }).toEqual({
    ...where,
    code: code === 0 ? 0 : 1,
    stderr: '',
  })
  if (words.includes('--json') && code === 0) expect(() => JSON.parse(stdout), words.join(' ')).not.toThrow()
}

interface FileCounts {
  readonly path: string
  readonly rows: number
  readonly joined: number
  readonly entries: number
  readonly blank: number
  readonly damaged: number
  readonly continuation: number
}

/** Rows are the lines of the file, and each is counted once. */
function expectCounted({ mutants }: Place, files: readonly FileCounts[], totals: FileCounts): void {
  for (const { path, rows, joined, entries, blank, damaged, continuation } of [...files, totals])
    expect([path, rows + joined]).toEqual([path, entries + blank + damaged + continuation])
  const counted = new Map(files.map(({ path, rows }) => [path, rows]))
  for (const mutant of mutants) {
    const rows = counted.get(`${projectOf(mutant)}/${mutant.session}.jsonl`)
    expect([mutant.seed, rows]).toEqual([mutant.seed, linesIn(mutant.bytes)])
  }
}

/** Lines end with a newline; what stands behind the last one is a line, too. */
function linesIn(bytes: Uint8Array): number {
  const newlines = bytes.reduce((sum, byte) => sum + (byte === 10 ? 1 : 0), 0)
  return newlines + (bytes.length > 0 && bytes.at(-1) !== 10 ? 1 : 0)
}

/** One command for each mutant, in turns; in a long run all of them. */
async function expectReadable(place: Place, mutant: Mutant): Promise<void> {
  const path = pathOf(place.home, mutant)
  const text = Buffer.from(mutant.bytes).toString('utf8')
  const uuid = /"uuid":"([0-9a-f-]{36})"/.exec(text)?.[1] ?? 'none'
  const commands = isLong ? OF_SESSION : OF_SESSION.filter((_, at) => at === mutant.seed % OF_SESSION.length)
  for (const wordsFor of commands) {
    const words = wordsFor(path, `${mutant.session}:${uuid}`)
    expectSound(words, await runWithin(words, place), mutant)
  }
}
