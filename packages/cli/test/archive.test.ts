import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { until } from '@dagline/testkit'
import { describe, expect, it, onTestFinished } from 'vitest'
import { BUNDLE, cleanEnv, dagline, json, type Ran, RECORDED } from './run.js'

const DAY = 86_400_000
/** Ends a test that hangs, in milliseconds. Large files take long on a busy machine. */
const LONG = 180_000

interface World {
  readonly folder: string
  readonly projects: string
  readonly archive: string
  readonly env: Readonly<Record<string, string>>
  readonly run: (...words: string[]) => Ran
}

/** A configuration folder with the recorded projects, and a data folder of its own. */
function world(): World {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'dagline-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const projects = join(folder, 'claude', 'projects')
  cpSync(RECORDED, projects, { recursive: true })
  const env = { CLAUDE_CONFIG_DIR: join(folder, 'claude'), XDG_DATA_HOME: join(folder, 'data') }
  const archive = join(folder, 'data', 'dagline', 'archive.db')
  return { folder, projects, archive, env, run: (...words) => dagline(words, env) }
}

const transcript = '-home-dev-lab-s13-rewind-proj/a2a9607f-5536-4fe0-bc51-987050a2a441.jsonl'
const session = 'a2a9607f-5536-4fe0-bc51-987050a2a441'

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(path => statSync(join(folder, path)).isFile())
    .sort()
}

/** What is not the same in two folders. */
function differences(a: string, b: string): string[] {
  const paths = new Set([...filesBelow(a), ...filesBelow(b)])
  const content = (folder: string, path: string): Buffer | null =>
    existsSync(join(folder, path)) ? readFileSync(join(folder, path)) : null
  return [...paths].filter(path => {
    const [left, right] = [content(a, path), content(b, path)]
    return left === null || right === null || !left.equals(right)
  })
}

/** Gives back every session and compares: the archive is right. */
function expectWhole({ folder, projects, run }: World): void {
  expect(run('archive', 'verify')).toMatchObject({ code: 0, stderr: '' })
  const to = join(folder, `out${Math.random()}`)
  const ids = new Set(
    filesBelow(projects).flatMap(path => /([\w-]+)\.jsonl$/.exec(path)?.[1]?.replace(/^agent-.*/, '') ?? []),
  )
  for (const id of ids) if (id !== '') expect(run('restore', id, '--out', to).code).toBe(0)
  expect(differences(projects, to)).toEqual([])
}

describe('archive', () => {
  it('[K1] archives everything, reports it, and restores it', () => {
    const here = world()
    const first = here.run('archive')
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(first.stdout).toMatch(/^18 files: 18 new; \d+ kB stored\.\nThe archive holds 8 sessions: /)
    expect(statSync(here.archive).mode & 0o077).toBe(0)
    expectWhole(here)
    expect(here.run('archive').stdout).toMatch(/^18 files: /)
  })

  it('[K1] accepts paths and another archive, and prints JSON', () => {
    const here = world()
    const other = join(here.folder, 'other.db')
    const kept = json(
      here.run('archive', join(here.projects, dirname(transcript)), '--archive', other, '--json'),
    )
    expect(kept).toMatchObject({
      dagline: 1,
      archive: other,
      files: 1,
      added: 1,
      diagnostics: [],
      sweptSoon: [],
    })
    expect(kept.holds).toMatchObject({ files: 1, sessions: 1, blocks: 1 })
    expect(existsSync(here.archive)).toBe(false)
    expect(json(here.run('archive', 'verify', '--archive', other, '--json'))).toMatchObject({
      files: 1,
      faults: [],
      damagedBlocks: [],
    })
  })

  it('[K5] writes nothing below the projects root', () => {
    const here = world()
    here.run('archive')
    here.run('archive', 'verify')
    here.run('archive', 'stats')
    expect(differences(RECORDED, here.projects)).toEqual([])
  })

  it('[K9] warns of sessions that are deleted soon, and lists them with dates', () => {
    const here = world()
    const old = (Date.now() - 26 * DAY) / 1000
    utimesSync(join(here.projects, transcript), old, old)
    expect(here.run('archive', 'stats').stderr).toContain('There is no archive at')
    expect(here.run('archive').stderr).toBe(
      'Claude Code will delete 1 session within 7 days (cleanupPeriodDays). It is safe in the archive. Run `dagline archive stats` to list them.\n',
    )
    const due = new Date(Date.now() + 4 * DAY).toISOString().slice(0, 10)
    const stats = here.run('archive', 'stats').stdout
    expect(stats).toContain('Claude Code deletes these at its next start after the date:')
    expect(stats).toMatch(new RegExp(`a2a9607f {2}${due} .* safe `))
    expect(json(here.run('archive', 'stats', '--json')).sweptSoon).toMatchObject([{ session, kept: true }])
    writeFileSync(join(here.folder, 'claude', 'settings.json'), '{"cleanupPeriodDays":365}')
    expect(here.run('archive').stderr).toBe('')
  })

  it('[K10] says which sessions are no longer on disk', () => {
    const here = world()
    here.run('archive')
    rmSync(join(here.projects, transcript))
    expect(here.run('archive', 'stats').stdout).toContain('only here 1 session that is no longer on disk')
    const { archivedOnly, saved, bytes, disk } = json(here.run('archive', 'stats', '--json'))
    expect(archivedOnly).toMatchObject([{ session, root: here.projects, file: transcript }])
    expect(saved).toBe(bytes - disk)
  })

  /** Changes a bit in the middle of the file, which is a page of a block. */
  function damage(path: string, byte: number): void {
    const bytes = readFileSync(path)
    const place = (bytes.length >> 13) * 4096 + byte
    bytes[place] = (bytes[place] ?? 0) ^ 0x40
    writeFileSync(path, bytes)
  }

  it('[K7] verify finds a changed bit and exits with 1; the next run repairs what is still on disk', {
    timeout: LONG,
  }, () => {
    const here = world()
    fill(here, 1)
    here.run('archive')
    damage(here.archive, 100)
    const found = here.run('archive', 'verify')
    expect(found.code).toBe(1)
    expect(found.stdout).toMatch(/^block \d is damaged$/m)
    expect(found.stderr).toContain('Run `dagline archive` while the originals are there')
    here.run('archive')
    expectWhole(here)
  })

  it('[K7] when database pages are damaged, all other blocks can still be read', { timeout: LONG }, () => {
    const here = world()
    fill(here, 6)
    here.run('archive')
    // The first bytes of a page tell which page is next.
    damage(here.archive, 0)
    const found = here.run('archive', 'verify')
    expect(found.code).toBe(1)
    expect(found.stdout).toMatch(/^block \d is damaged$/m)
    expect(found.stderr).toContain('move it away and run `dagline archive` for a new one')
    const { faults } = json(here.run('archive', 'verify', '--json'))
    expect(faults.length).toBeGreaterThan(0)
    const lost = new Set(faults.map((fault: { place: string }) => fault.place))
    const whole = [0, 1, 2, 3, 4, 5].filter(
      file => !lost.has(join(here.projects, 'big', `big-${file}.jsonl`)),
    )
    expect(whole.length).toBeGreaterThan(0)
    for (const file of whole) {
      expect(here.run('restore', `big-${file}`, '--out', join(here.folder, 'to')).code).toBe(0)
    }
  })
})

describe('restore', () => {
  it('[K8] restores a deleted session by a prefix of its id, and notes that it will be deleted again', () => {
    const here = world()
    const path = join(here.projects, transcript)
    utimesSync(path, 1e9, 1e9)
    here.run('archive')
    const before = readFileSync(path)
    rmSync(path)
    const ran = here.run('restore', 'a2a9')
    expect(ran.code).toBe(0)
    expect(ran.stdout).toBe(`written  ${path}  49.2 kB\n`)
    expect(ran.stderr).toContain('Use --touch to set their times to now')
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(statSync(path).mtimeMs).toBe(1e12)
    expect(here.run('restore', 'a2a9')).toMatchObject({ code: 0, stdout: `present  ${path}  49.2 kB\n` })
  })

  it('[K8] does not change a file that differs, and fails', () => {
    const here = world()
    here.run('archive')
    const path = join(here.projects, transcript)
    writeFileSync(path, 'mine')
    const ran = here.run('restore', session)
    expect(ran.code).toBe(1)
    expect(ran.stderr).toBe(
      `dagline: ${path} on disk differs from the archive and was not changed. Use --out to restore into another folder.\n`,
    )
    expect(readFileSync(path, 'utf8')).toBe('mine')
  })

  it('[K3] restores earlier versions with --versions', () => {
    const here = world()
    const path = join(here.projects, transcript)
    const before = readFileSync(path)
    here.run('archive')
    writeFileSync(path, 'another\n')
    here.run('archive')
    expect(here.run('restore', session, '--versions').stderr).toContain('give a folder with --out')
    const to = join(here.folder, 'to')
    expect(json(here.run('restore', session, '--versions', '--out', to, '--json')).files).toHaveLength(2)
    expect(readFileSync(join(to, transcript.replace('.jsonl', '.v1.jsonl'))).equals(before)).toBe(true)
    expect(readFileSync(join(to, transcript), 'utf8')).toBe('another\n')
  })

  it('[K8] rejects a word that names no session or several, in one sentence', () => {
    const here = world()
    expect(here.run('restore', 'a2a9').stderr).toMatch(
      /^dagline: There is no archive at .*archive\.db\. Run /,
    )
    here.run('archive')
    expect(here.run('restore', 'zzz')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no session that begins with zzz'),
    })
    expect(here.run('restore', '').stderr).toContain('names no session')
    cpSync(join(here.projects, transcript), join(here.projects, 'p', 'a2a95555.jsonl'))
    here.run('archive')
    expect(here.run('restore', 'a2a9').stderr).toContain('2 sessions begin with a2a9')
  })
})

/** Rows that hardly pack, so that a keeping takes its time. */
function fill({ projects }: World, files: number): void {
  mkdirSync(join(projects, 'big'), { recursive: true })
  let seed = 1
  const next = (): string => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed.toString(36)
  }
  for (let file = 0; file < files; file++) {
    const rows = Array.from(
      { length: 2000 },
      (_, n) =>
        `{"type":"user","uuid":"${file}-${n}","text":"${Array.from({ length: 120 }, next).join(' ')}"}\n`,
    )
    writeFileSync(join(projects, 'big', `big-${file}.jsonl`), rows.join(''))
  }
}

function start({ env }: World, ...words: string[]): ChildProcess {
  return spawn(process.execPath, [BUNDLE, ...words], {
    env: cleanEnv(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

describe('failures of disk and process', () => {
  it('[K6] after a kill at any moment the archive is readable, and the next run completes it', async () => {
    const here = world()
    fill(here, 12)
    for (const [round, delay] of [90, 160, 240, 330, 430, 540, 700, 900].entries()) {
      const child = start(here, 'archive')
      const closed = once(child, 'close')
      await setTimeout(delay)
      child.kill('SIGKILL')
      await closed
      if (round % 3 === 2) appendFileSync(join(here.projects, 'big/big-0.jsonl'), `{"round":${round}}\n`)
      if (!existsSync(here.archive)) continue
      const { code, stderr } = here.run('archive', 'verify')
      expect([code, stderr.replace(/There is no(?:thing in the)? archive.*/, 'none')]).toEqual(
        code === 0 ? [0, ''] : [1, 'dagline: none\n'],
      )
    }
    expect(here.run('archive').code).toBe(0)
    expectWhole(here)
  }, 180_000)

  it('[K6] a full disk is reported in one sentence, and the next run with free space completes the archive', () => {
    const here = world()
    fill(here, 4)
    const small = join(here.folder, 'small')
    mkdirSync(small)
    if (!mountSmall(small)) {
      process.stderr.write('not run: archive on a full disk (no right to mount one)\n')
      return
    }
    const archive = join(small, 'archive.db')
    const ran = here.run('archive', '--archive', archive)
    expect(ran.code).toBe(1)
    expect(ran.stderr).toMatch(/^dagline: The disk of .*archive\.db is full: make room, then try again\./)
    execFileSync('mount', ['-o', 'remount,size=64m', small])
    expect(here.run('archive', '--archive', archive).code).toBe(0)
    expect(here.run('archive', 'verify', '--archive', archive).code).toBe(0)
  })

  it('[K6] a read-only folder is reported in one sentence, and its archive can still be read', () => {
    const here = world()
    here.run('archive')
    const closed = join(here.folder, 'closed')
    cpSync(here.archive, join(closed, 'archive.db'))
    chmodSync(join(closed, 'archive.db'), 0o444)
    chmodSync(closed, 0o555)
    chmodSync(here.folder, 0o755)
    onTestFinished(() => chmodSync(closed, 0o755))
    appendFileSync(join(here.projects, transcript), '{}\n')
    const archive = join(closed, 'archive.db')
    const kept = asNobody(here, 'archive', '--archive', archive)
    if (kept === null) {
      process.stderr.write('not run: archive in a read-only folder (no other user can run node here)\n')
      return
    }
    expect(kept.code).toBe(1)
    expect(kept.stderr).toMatch(/^dagline: .*archive\.db cannot be (?:written|opened): check /)
    const made = asNobody(here, 'archive', '--archive', join(closed, 'new', 'archive.db'))
    expect(made?.stderr).toMatch(
      /^dagline: The archive .* cannot be made: check that its folder can be written/,
    )
    expect(asNobody(here, 'archive', 'verify', '--archive', archive)).toMatchObject({ code: 0, stderr: '' })
  })

  it('[K6] an unreadable file is reported with exit code 1, and the others are archived', () => {
    const here = world()
    rmSync(join(here.projects, transcript))
    mkdirSync(join(here.projects, 'p'))
    execFileSync('mkfifo', [join(here.projects, 'p', 'pipe.jsonl')])
    const ran = here.run('archive')
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain('p/pipe.jsonl: It is neither a file nor a folder.')
    expect(ran.stderr).toContain('Not everything is in the archive: 1 file could not be read.')
    expect(ran.stdout).toContain('17 files: 17 new')
  })
})

function mountSmall(folder: string): boolean {
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder])
  if (status === 0) onTestFinished(() => void spawnSync('umount', [folder]))
  return status === 0
}

/** Runs without the rights of root, to whom no folder is closed; null where that cannot be had. */
function asNobody({ env }: World, ...words: string[]): Ran | null {
  const isRoot = process.getuid?.() === 0
  const user = isRoot ? { uid: 65_534, gid: 65_534 } : {}
  const options = { env: cleanEnv(env), encoding: 'utf8', ...user } as const
  const { stdout, stderr, status, error } = spawnSync(process.execPath, [BUNDLE, ...words], options)
  if (error !== undefined || /EACCES|MODULE_NOT_FOUND/.test(stderr)) return null
  return { stdout, stderr, code: status }
}

describe('archive --watch', () => {
  it('[K13] archives what is written while it runs, and exits cleanly on a signal', {
    timeout: 90_000,
  }, async () => {
    const here = world()
    const child = start(here, 'archive', '--watch', '--every', '0.1', '--json')
    onTestFinished(() => void child.kill('SIGKILL'))
    let printed = ''
    child.stdout?.on('data', chunk => {
      printed += chunk
    })
    await until(() => printed.includes('\n'))
    appendFileSync(join(here.projects, transcript), '{"type":"user"}\n')
    await until(() => printed.split('\n').length > 2)
    const rounds = printed
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(rounds[0]).toMatchObject({ files: 18, added: 18 })
    expect(rounds[1]).toMatchObject({ grown: 1 })
    const closed = once(child, 'close')
    child.kill('SIGINT')
    expect(await closed).toEqual([0, null])
    expectWhole(here)
  })

  it('[K13] fails at once on an error that will not pass', () => {
    const here = world()
    expect(here.run('archive', '--watch', '--every', 'never').stderr).toContain(
      'is not valid. Give a number of seconds',
    )
    writeFileSync(join(here.folder, 'text.db'), 'no database '.repeat(100))
    const ran = here.run('archive', '--watch', '--archive', join(here.folder, 'text.db'))
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('is damaged or not a database') })
    expect(ran.stderr).toContain(`The archive is ${join(here.folder, 'text.db')}.`)
  })
})
