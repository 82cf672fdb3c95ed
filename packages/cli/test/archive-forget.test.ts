import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runHere } from './in-process.js'
import { cleanEnv, json, type Ran, RECORDED } from './run.js'

const SESSION = 'a2a9607f-5536-4fe0-bc51-987050a2a441'
const TRANSCRIPT = `-home-dev-lab-s13-rewind-proj/${SESSION}.jsonl`
const DAY = 86_400_000

/** The files below a folder whose bytes have one of some texts, also as the index stores uuids. */
function filesWith(folder: string, texts: readonly string[]): readonly string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(each => each.isFile())
  const needles = texts.flatMap(text => [Buffer.from(text), Buffer.from(text.replaceAll('-', ''), 'hex')])
  const wanted = needles.filter(({ length }) => length > 0)
  return files
    .map(each => join(each.parentPath, each.name))
    .filter(path => wanted.some(text => readFileSync(path).includes(text)))
}

interface World {
  readonly folder: string
  readonly transcript: string
  readonly projects: string
  readonly run: (...words: string[]) => Promise<Ran>
}

/** The recorded projects, archived. */
async function archived(): Promise<World> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'dagline-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const projects = join(folder, 'claude', 'projects')
  cpSync(RECORDED, projects, { recursive: true })
  const env = cleanEnv({
    CLAUDE_CONFIG_DIR: join(folder, 'claude'),
    XDG_DATA_HOME: join(folder, 'data'),
    XDG_CACHE_HOME: join(folder, 'cache'),
  })
  const run: World['run'] = (...words) => runHere(words, { env, isTerminal: false })
  expect(await run('archive')).toMatchObject({ code: 0 })
  return { folder, transcript: join(projects, TRANSCRIPT), projects, run }
}

describe('archive forget', () => {
  it('[K15] shows what goes, deletes it, and neither the archive nor the next list has it', async () => {
    const { run, transcript } = await archived()
    const before = readFileSync(transcript)
    rmSync(transcript)
    expect((await run('ls', '--everywhere')).stdout).toContain('a2a9607f')
    const preview = await run('archive', 'forget', 'a2a9607f', '--dry-run')
    expect(preview).toMatchObject({ code: 0 })
    expect(preview.stdout).toMatch(/1 file in 1 version.*\n.*cannot be undone[\s\S]*in the archive only/)
    const made = json(await run('archive', 'forget', 'a2a9607f', '--yes', '--json'))
    expect(made).toMatchObject({
      made: true,
      sessions: [SESSION],
      files: [{ session: SESSION, file: TRANSCRIPT, bytes: before.length, versions: 1 }],
      archivedOnly: [SESSION],
      traces: null,
    })
    expect(await run('archive', 'verify')).toMatchObject({ code: 0 })
    expect((await run('ls', '--everywhere')).stdout).not.toContain('a2a9607f')
    expect(await run('restore', 'a2a9607f')).toMatchObject({ code: 1 })
    expect((await run('archive', 'forget', 'a2a9607f', '--yes')).stderr).toContain('was forgotten on')
  })

  it('[K18] no file of dagline has its words or ids any more', { timeout: 60_000 }, async () => {
    const { run, transcript, folder } = await archived()
    const mark = 'zebrafinch'
    const uuid = '5b2f8a4e-0c7d-4b8f-9d3a-6e1f2a3b4c5d'
    const row = {
      type: 'user',
      uuid,
      sessionId: SESSION,
      message: { role: 'user', content: `${mark} `.repeat(50) },
    }
    appendFileSync(transcript, `${JSON.stringify(row)}\n`)
    await run('archive')
    rmSync(transcript)
    // The index, kept answers, a copy of the transcript that commands read, and tables for SQL.
    for (const words of [['search', mark], ['stats'], ['doctor'], ['sql', '@cost-by-project']])
      expect(await run(...words, '--everywhere')).toMatchObject({ code: 0 })
    expect((await run('log', SESSION)).stdout).toContain(mark)
    const traces = (): readonly string[] =>
      ['data', 'cache'].flatMap(name => filesWith(join(folder, name), [mark, uuid]))
    expect(traces().length).toBeGreaterThan(2)
    const { stderr } = await run('archive', 'forget', SESSION, '--yes')
    expect(stderr).toContain('The index was deleted with its copies of texts.')
    expect(traces()).toEqual([])
    await run('search', mark, '--everywhere')
    expect(traces()).toEqual([])
    expect(await run('archive', 'verify')).toMatchObject({ code: 0 })
  })

  it('[K15] a forgotten session that goes on is kept again when --again says so', async () => {
    const { run, transcript } = await archived()
    await run('archive', 'forget', SESSION, '--yes')
    appendFileSync(transcript, '{"type":"summary","summary":"more"}\n')
    const next = await run('archive')
    expect(next.stdout).toContain('1 of forgotten sessions')
    expect(json(await run('archive', 'stats', '--json'))).toMatchObject({ forgotten: [{ session: SESSION }] })
    expect(json(await run('archive', '--again', 'a2a9607f', '--json'))).toMatchObject({
      added: 1,
      forgotten: 0,
    })
    expect((await run('archive', '--again', 'a2a9607f')).stderr).toContain('No forgotten session begins with')
  })

  it('[K16] forgets by age, and not what is held', async () => {
    const { run, projects, transcript } = await archived()
    const old = new Date(Date.now() - 400 * DAY)
    for (const path of readdirSync(projects, { recursive: true, encoding: 'utf8' }))
      utimesSync(join(projects, path), old, old)
    await run('archive')
    expect(await run('archive', 'hold', 'a2a9607f')).toMatchObject({ code: 0 })
    const refused = await run('archive', 'forget', 'a2a9607f', '--yes')
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--release') })
    const made = json(await run('archive', 'forget', '--older-than', '365d', '--yes', '--json'))
    expect(made).toMatchObject({ made: true, held: [SESSION] })
    expect(json(await run('archive', 'stats', '--json'))).toMatchObject({
      sessions: 1,
      held: [{ session: SESSION }],
    })
    await run('archive', 'hold', 'a2a9607f', '--release')
    const rest = json(await run('archive', 'forget', '--older-than', '365d', '--yes', '--json'))
    expect(rest).toMatchObject({ sessions: [SESSION], held: [] })
    expect(existsSync(transcript)).toBe(true)
    expect(await run('archive', 'verify')).toMatchObject({ code: 0 })
  })

  it.each([
    [['forget', 'a2a9607f'], '--yes'],
    [['forget'], '--older-than'],
    [['forget', 'a2a9607f', '--older-than', '1d', '--yes'], 'Give one session'],
    [['forget', 'nobody', '--yes'], 'has no session'],
    [['forget', '--older-than', 'soon', '--yes'], 'not a valid date'],
    [['hold'], 'Give one session'],
    [['--dry-run'], 'belongs to'],
    [['verify', '--yes'], 'belongs to'],
    [['stats', '--release'], 'belongs to'],
    [['forget', 'a2a9607f', '--again', 'x'], 'belongs to'],
  ])('[K16] archive %j changes nothing and says what to do', async (words, expected) => {
    const { run } = await archived()
    const { code, stderr } = await run('archive', ...words)
    expect([code, stderr]).toEqual([1, expect.stringContaining(expected)])
    expect(json(await run('archive', 'stats', '--json'))).toMatchObject({ forgotten: [], sessions: 8 })
  })
})
