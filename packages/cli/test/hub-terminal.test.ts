/** HU48 to HU53: commands that ask a hub, on a real PostgreSQL, with a real server and what a real push sent. */
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { judgeOnce } from '@dagline/hub'
import { corruptedSessions, sessionTexts, type TestHome, withHome } from '@dagline/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HubWorld, type Name, startWorld } from '../../hub/test/hub-world.js'
import { hasPostgres } from '../../hub/test/postgres.js'
import { runHere } from './in-process.js'
import { ownFolders, type Ran, RECORDED, SAMPLES } from './run.js'

const MACHINE = (hostname().split('.')[0] || 'machine').slice(0, 100)

describe.runIf(hasPostgres('a hub from the terminal'))('a hub from the terminal', () => {
  let world: HubWorld
  /** What ends the homes. */
  const ends: (() => void)[] = []
  const homes = new Map<Name, TestHome>()

  /** A home that stays until the end. */
  async function openHome(who: Name): Promise<TestHome> {
    return await new Promise<TestHome>((resolve, reject) => {
      withHome([], async home => {
        resolve(home)
        await new Promise<void>(end => ends.push(end))
      }).catch(reject)
    }).then(home => {
      homes.set(who, home)
      return home
    })
  }

  function homeOf(who: Name): TestHome {
    const home = homes.get(who)
    if (home === undefined) throw new RangeError(who)
    return home
  }

  function run(
    who: Name,
    words: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<Ran> {
    const home = homeOf(who)
    const own = { ...ownFolders(home), XDG_CONFIG_HOME: join(home.config, 'config'), HOME: home.dir }
    const hub = { DAGLINE_HUB: world.url, DAGLINE_HUB_TOKEN: world.tokens[who] }
    return runHere(words, {
      env: { ...own, ...hub, CLAUDE_CONFIG_DIR: home.config, ...env },
      isTerminal: false,
    })
  }

  async function facts(who: Name, ...words: string[]) {
    const { stdout, stderr, code } = await run(who, [...words, '--json'])
    expect(code, `${words.join(' ')}: ${stderr}`).toBe(0)
    return JSON.parse(stdout)
  }

  async function message(who: Name, words: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const { stderr, code } = await run(who, words, env)
    expect(code, words.join(' ')).toBe(1)
    return stderr.trim()
  }

  async function pushed(who: Name): Promise<void> {
    const { stderr, code } = await run(who, ['hub', 'push'])
    expect(code, stderr).toBe(0)
    await judgeOnce({ database: world.databaseUrl, onFailure: error => expect.fail(error.message) })
  }

  async function audit(session: string) {
    const { body } = await world.act('ada', { kind: 'audit', session })
    const { value } = body as { value: { rows: readonly { action: string; person: string }[] } }
    return value.rows.map(({ action, person }) => `${person} ${action}`)
  }

  beforeAll(async () => {
    world = await startWorld({ page: join(import.meta.dirname, 'nothing') })
    for (const who of ['ann', 'ben', 'ruth', 'otto', 'ada', 'eve'] as const) await openHome(who)
    for (const root of [SAMPLES, RECORDED])
      cpSync(root, homeOf('ann').projects, { recursive: true, filter: path => !path.includes('s12-fork') })
    await run('ann', ['config', 'set', 'push', '*'])
    await run('ann', ['config', 'set', 'push-plain', '*'])
    await pushed('ann')
  }, 300_000)

  afterAll(async () => {
    for (const end of ends) end()
    await world.close()
  })

  /** Folders name their machine on a hub, and files lie elsewhere. */
  function plain(text: string): string {
    return text.replaceAll(`@${MACHINE}`, '')
  }

  const LISTS: readonly (readonly string[])[] = [
    ['ls'],
    ['ls', '--all'],
    ['ls', '--sort', 'size', '-n', '3'],
    ['ls', '--file', 'invoice.ts'],
    ['ls', '--project', 'notes-api'],
    ['ls', '--since', '2026-01-01', '--until', '2030'],
    ['agents'],
    ['agents', 'latest'],
    ['branches', '--project', 'shop'],
    ['files'],
    ['files', '--sort', 'changes'],
    ['prompts'],
    ['prompts', '-n', '3'],
    ['usage'],
    ['usage', '--by', 'session'],
    ['usage', '--by', 'project'],
    ['usage', '--by', 'agent'],
    ['usage', 'weekly'],
    ['usage', 'blocks'],
    ['usage', '--branch', 'abandoned'],
    ['usage', '--project', 'shop', '--by', 'model'],
    ['search', 'total'],
    ['search', 'total', '-l'],
    ['search', 'the', '-C', '2', '-n', '5'],
    ['search', '--regex', 'tot[a-z]+', '--sort', 'time'],
    ['search', '--errors'],
    ['search', 'total', '--project', 'shop', '--role', 'human'],
  ]

  it.each(LISTS.map(words => [words.join(' '), words] as const))(
    '[HU48] %s answers as at home, field by field',
    async (_, words) => {
      const here = await facts('ann', ...words, '--everywhere')
      const there = withoutPersons(await facts('ann', ...words, '--hub'))
      expect(JSON.parse(plain(JSON.stringify(there)))).toEqual(here)
    },
    120_000,
  )

  it('[HU49] a day is one of whoever asks, and so are dates', async () => {
    const zone = { TZ: 'Pacific/Kiritimati' }
    for (const words of [
      ['usage', '--by', 'day'],
      ['ls', '--since', '2026-01-15'],
      ['prompts', '--until', '2026-02'],
    ]) {
      const here = await run('ann', [...words, '--everywhere', '--json'], zone)
      const there = await run('ann', [...words, '--hub', '--json'], zone)
      expect(withoutPersons(JSON.parse(plain(there.stdout)))).toEqual(JSON.parse(here.stdout))
    }
  }, 120_000)

  it('[HU54] stats of all, of a project and of a zone are those of home', async () => {
    for (const [words, env] of [
      [['stats'], {}],
      [['stats'], { TZ: 'Pacific/Kiritimati' }],
      [['stats', '--project', 'notes-api'], {}],
      [['stats', 'shop'], {}],
    ] as const) {
      const here = await run('ann', [...words, '--everywhere', '--json'], env)
      const there = await run('ann', [...words, '--hub', '--json'], env)
      expect(there.code, there.stderr).toBe(0)
      expect(rounded(JSON.parse(plain(there.stdout))), words.join(' ')).toEqual(
        rounded(JSON.parse(here.stdout)),
      )
    }
  }, 120_000)

  const SHOP = '019c5be1-3495-42e4-a993-ff363aeed7bd'

  /** A branch of the session that was abandoned, and an entry of it. */
  const BRANCH = `${SHOP}@07e8e1e4-cc4`
  const ENTRY = 'cf76f1da-6ac7-44a4-afba-f40c6a02ab54'

  it('[HU50] graph commands run on fetched files, and answer as at home', async () => {
    const start = ENTRY.slice(0, 8)
    for (const words of [
      ['log', SHOP],
      ['log', SHOP.slice(0, 8), '--graph'],
      ['log', BRANCH],
      ['log', 'latest'],
      ['show', start],
      ['explain', `${SHOP.slice(0, 8)}:${start}`],
      ['timeline', SHOP],
      ['branches', SHOP],
      ['context', start],
      ['context', SHOP],
      ['diff', BRANCH],
      ['diff', SHOP, BRANCH],
      ['tree', SHOP],
      ['stats', SHOP],
      ['graph', SHOP],
      ['lessons', SHOP],
      ['usage', '--session', SHOP, '--by', 'branch'],
      ['search', 'total', '--session', start],
    ]) {
      const here = await run('ann', [...words, '--everywhere', '--json'])
      const there = await run('ann', [...words, '--hub', '--json'])
      const name = words.join(' ')
      expect(there.stderr.replaceAll('--hub', ''), name).toBe(here.stderr)
      expect(there.code, name).toBe(here.code)
      expect(sameText(there.stdout), name).toEqual(sameText(here.stdout))
    }
  }, 300_000)

  /** Without folders: those of a hub are named by their machine, and fetched files lie in the cache. */
  function sameText(text: string): string {
    return plain(text).replaceAll(/[^\s"]*\/projects(?=[/"])/g, 'ROOT')
  }

  it('[HU51] fetched files are private, proved, and cost their new bytes only', async () => {
    const { stdout } = await run('ann', ['log', SHOP, '--hub'])
    const cache = join(homeOf('ann').config, 'cache', 'dagline', 'hub')
    const files = filesBelow(cache)
    const transcript = files.find(path => path.endsWith(`${SHOP}.jsonl`)) ?? ''
    const original = filesBelow(homeOf('ann').projects).find(path => path.endsWith(`${SHOP}.jsonl`)) ?? ''
    expect(readFileSync(transcript)).toEqual(readFileSync(original))
    expect(files.some(path => path.endsWith('.meta.json'))).toBe(true)
    for (const path of [cache, transcript]) expect(statSync(path).mode & 0o077, path).toBe(0)
    // What was changed in the cache is fetched again.
    writeFileSync(transcript, 'not this')
    expect((await run('ann', ['log', SHOP, '--hub'])).stdout).toBe(stdout)
    expect(readFileSync(transcript)).toEqual(readFileSync(original))
    // What is new comes alone, and is there at the next command.
    const last = readFileSync(original, 'utf8').trimEnd().split('\n').at(-1) ?? ''
    const row = { ...JSON.parse(last), uuid: crypto.randomUUID(), type: 'user', parentUuid: null }
    const message = { role: 'user', content: 'one more thing' }
    appendFileSync(original, `${JSON.stringify({ ...row, message })}\n`)
    await pushed('ann')
    const asked = await requestsOf(async () => {
      expect((await run('ann', ['prompts', SHOP, '--hub'])).stdout).toContain('one more thing')
      await run('ann', ['log', SHOP, '--hub'])
    })
    const bytes = asked.filter(url => url.pathname === '/api/hub/bytes')
    expect(bytes.map(url => Number(url.searchParams.get('from')))).toEqual([
      statSync(original).size - `${JSON.stringify({ ...row, message })}\n`.length,
    ])
    expect(readFileSync(transcript)).toEqual(readFileSync(original))
  }, 120_000)

  it('[HU51] bytes that are not those of the hub are refused', async () => {
    const other = '7d1c90aa-52f3-4e0b-9a41-0c3f6be2d815'
    const fresh = { XDG_CACHE_HOME: join(homeOf('ann').config, 'other-cache') }
    const refused = await changingBytes(() => message('ann', ['log', other, '--hub'], fresh))
    expect(refused).toMatch(/arrived damaged, or changed meanwhile[\s\S]+Run the command again/)
    expect((await run('ann', ['log', other, '--hub'], fresh)).code).toBe(0)
  }, 120_000)

  it('[HU52] a session of a colleague becomes one of this machine', async () => {
    expect(await message('ben', ['checkout', SHOP, '--hub'])).toMatch(
      /No session begins with 019c5be1\S+ Run `dagline ls --hub`/,
    )
    await run('ann', ['hub', 'share', SHOP, 'ben'])
    await judgeOnce({ database: world.databaseUrl, onFailure: error => expect.fail(error.message) })
    const before = (await audit(SHOP)).length
    const { session, resume, file } = await facts('ben', 'checkout', SHOP, '--hub')
    expect(await audit(SHOP)).toContain('ben fetch')
    expect((await audit(SHOP)).length).toBeGreaterThan(before)
    const path = join(homeOf('ben').projects, file)
    expect(existsSync(path)).toBe(true)
    expect(resume).toBe(`cd ${process.cwd()} && claude --resume ${session}`)
    expect(file).toBe(`${process.cwd().replace(/[^A-Za-z0-9]/g, '-')}/${session}.jsonl`)
    // Its entries are of this folder: lists name the project by it, and a push its remote.
    expect(readFileSync(path, 'utf8')).not.toContain('"cwd":"/home/dev/shop"')
    expect(readFileSync(path, 'utf8')).toContain(`"cwd":"${process.cwd()}"`)
    // From then on it is one like any other.
    expect((await run('ben', ['log', session, '--everywhere'])).code).toBe(0)
    expect((await run('ben', ['undo'])).code).toBe(0)
    expect(existsSync(path)).toBe(false)
    await run('ann', ['hub', 'unshare', SHOP])
    await judgeOnce({ database: world.databaseUrl, onFailure: error => expect.fail(error.message) })
    expect(await message('ben', ['log', SHOP, '--hub'])).toMatch(/No session begins with/)
    // The copy goes, too.
    expect(filesBelow(join(homeOf('ben').config, 'cache')).filter(name => name.includes(SHOP))).toEqual([])
  }, 120_000)

  it('[HU53][HU55] each role gets what it may see, with names, and reads are noted', async () => {
    await run('ann', ['hub', 'share', SHOP, 'everyone'])
    await judgeOnce({ database: world.databaseUrl, onFailure: error => expect.fail(error.message) })
    for (const who of ['ben', 'ruth', 'ada'] as const) {
      const { sessions } = await facts(who, 'ls', '--hub')
      expect(
        sessions.map(({ session }: { session: string }) => session),
        who,
      ).toEqual([SHOP])
      expect(sessions[0].person, who).toBe('ann')
      const { hits } = await facts(who, 'search', 'total', '--hub')
      expect(new Set(hits.map(({ session }: { session: string }) => session)), who).toEqual(new Set([SHOP]))
      expect(await audit(SHOP), who).toContain(`${who} search`)
      await facts(who, 'prompts', '--hub')
      await facts(who, 'log', SHOP, '--hub')
      expect(await audit(SHOP), who).toContain(`${who} fetch`)
    }
    for (const who of ['eve'] as const) {
      const { stdout, stderr } = await run(who, ['ls', '--hub'])
      expect(stdout).toBe('')
      expect(stderr).toMatch(/The hub shows you no session\. Push your own/)
      for (const words of [
        ['log', SHOP],
        ['agents', SHOP],
        ['search', 'total', '--session', SHOP],
      ])
        expect(await message(who, [...words, '--hub']), words[0]).toMatch(/No session begins with 019c5be1/)
    }
  }, 120_000)

  it('[HU53] sessions of a person or of a machine', async () => {
    const all = await facts('ben', 'ls', '--hub')
    expect(await facts('ben', 'ls', '--hub', '--person', 'ann')).toEqual(all)
    expect(await facts('ben', 'ls', '--hub', '--machine', MACHINE, '--person', 'ann')).toEqual(all)
    expect(await facts('ben', 'log', SHOP, '--hub', '--person', 'ann')).toMatchObject({ session: SHOP })
    expect(await message('ben', ['ls', '--hub', '--person', 'bob'])).toMatch(
      /no sessions of bob\. Give one of ann\.$/,
    )
    expect(await message('ben', ['ls', '--hub', '--machine', 'x'])).toMatch(
      /no sessions of a machine called x\. Give/,
    )
    expect(await message('ben', ['ls', '--person', 'ann'])).toMatch(/--person chooses sessions of a hub/)
  }, 120_000)

  it('[HU53] a hub that is cut off, a proxy before it and a full disk are sentences', async () => {
    const fresh = { XDG_CACHE_HOME: join(homeOf('ben').config, 'fresh-cache') }
    const other = (answer: () => Response) =>
      answering(answer, () => message('ben', ['log', SHOP, '--hub'], fresh))
    const cut = () => new ReadableStream({ pull: stream => stream.error(new TypeError('terminated')) })
    expect(await other(() => new Response(cut()))).toMatch(/does not answer \(TypeError\)/)
    expect(await other(() => new Response('<html>', { status: 502 }))).toMatch(/not ready \(status 502\)/)
    expect(await other(() => new Response('<html>'))).toMatch(/does not answer like a hub of this version/)
    const file = join(homeOf('ben').config, 'a-file')
    writeFileSync(file, '')
    expect(await message('ben', ['log', SHOP, '--hub'], { XDG_CACHE_HOME: file })).toMatch(
      /could not be written: ENOTDIR\. Make room, or set XDG_CACHE_HOME/,
    )
  }, 120_000)

  it('[HU81] names that a colleague gave mean sessions, and are shown', async () => {
    await run('ann', ['name', SHOP, 'totals'])
    await run('ann', ['tag', SHOP, 'billing'])
    const { stdout } = await run('ann', ['hub', 'push'])
    expect(stdout).toContain('Pushed the names, tags and notes of 1 thing.')
    expect(await facts('ben', 'log', 'totals', '--hub')).toMatchObject({ session: SHOP })
    expect((await facts('ben', 'ls', '--hub')).sessions).toMatchObject([
      { name: 'totals', tags: ['billing'] },
    ])
    expect((await run('ben', ['ls', '--hub'])).stdout).toContain('totals')
    expect(await message('eve', ['log', 'totals', '--hub'])).toMatch(/No session begins with totals/)
    await run('ann', ['name', SHOP, '--remove'])
    await run('ann', ['tag', SHOP, '--remove'])
    await run('ann', ['hub', 'push'])
    expect(await message('ben', ['log', 'totals', '--hub'])).toMatch(/No session begins with totals/)
  }, 120_000)

  it('[HU50] names and tags of the user mean sessions of a hub, too', async () => {
    await run('ben', ['name', SHOP, 'rounding', '--hub'])
    expect(await facts('ben', 'log', 'rounding', '--hub')).toMatchObject({ session: SHOP })
    const { sessions } = await facts('ben', 'ls', 'rounding', '--hub')
    expect(sessions).toMatchObject([{ session: SHOP, name: 'rounding' }])
    expect(await facts('ben', 'agents', 'rounding', '--hub')).toEqual(
      await facts('ben', 'agents', SHOP, '--hub'),
    )
    await run('ben', ['name', 'rounding', '--remove', '--hub'])
  }, 120_000)

  it('[HU50] a session that went on at another machine is one, and its reads are those of all its files', async () => {
    await world.push('ada', 'moved: u1 a1', 'shop', 'laptop')
    await world.push('ada', 'moved: u1 a1 u2 a2\nforked: u1 a1 u3 a3', 'shop', 'desktop')
    await world.push('ben', 'moved: u7 a7', 'shop', 'laptop')
    await judgeOnce({ database: world.databaseUrl, onFailure: error => expect.fail(error.message) })
    for (const session of ['moved', 'forked'])
      await world.act('ada', { kind: 'share', session, everyone: true })
    await judgeOnce({ database: world.databaseUrl, onFailure: error => expect.fail(error.message) })
    // The first line has the title.
    const textsOf = async (who: Name, ...words: string[]) => {
      const { stdout } = await run(who, ['log', 'moved', '--hub', ...words])
      return stdout.slice(stdout.indexOf('\n')).match(/\b[ua]\d\b/g)
    }
    expect(await textsOf('ada')).toEqual(['u1', 'a1', 'u2', 'a2'])
    expect(await textsOf('ruth')).toEqual(['u1', 'a1', 'u2', 'a2'])
    expect(await audit('forked')).toContain('ruth fetch')
    // Of two sessions of one id the own one is meant, unless a person is named.
    expect(await textsOf('ben')).toEqual(['u7', 'a7'])
    expect(await textsOf('ben', '--person', 'ada')).toEqual(['u1', 'a1', 'u2', 'a2'])
  }, 120_000)

  it('[HU56] doctor of all, of a project and of a session is that of home without what the disk shows', async () => {
    // One problem each, in sessions that stand alone.
    const texts = [...corruptedSessions(sessionTexts(RECORDED), { count: 60 })]
    const alone = [...new Map(texts.map(each => [each.session, each])).values()]
    const isRecorded = (session: string): boolean =>
      filesBelow(homeOf('ann').projects).some(path => path.includes(session))
    for (const { seed, session, text } of alone.filter(each => !isRecorded(each.session))) {
      const folder = join(homeOf('ann').projects, `-home-dev-broken-${seed}`)
      mkdirSync(folder)
      // A last row without its newline would wait (HU15).
      writeFileSync(join(folder, `${session}.jsonl`), text.replace(/\n?$/, '\n'))
    }
    await pushed('ann')
    const { sessions: ill } = await facts('ann', 'doctor', '--hub')
    expect(ill.length).toBeGreaterThan(1)
    for (const words of [
      ['doctor'],
      ['doctor', '--all'],
      ['doctor', '--all', '--only', 'secret', '--only', 'unanswered-call'],
      ['doctor', 'shop', '--all'],
      ['doctor', SHOP],
      ['doctor', ill[0].session],
    ]) {
      const here = await facts('ann', ...words, '--everywhere')
      // Colleagues have shared sessions, too.
      const there = await facts('ann', ...words, '--hub', '--person', 'ann')
      expect(asTold(JSON.parse(plain(JSON.stringify(there)))), words.join(' ')).toEqual(asTold(here))
    }
  }, 240_000)

  it('[HU56] a session of a colleague that is not loaded whole becomes one that is', async () => {
    const { sessions } = await facts('ann', 'doctor', '--hub')
    const chosen = sessions.find(({ faults }: Told['sessions'][number]) =>
      faults.some(({ effect, fix }) => effect === 'loss' && fix?.startsWith('dagline checkout') === true),
    )
    const { session, reach } = chosen
    await run('ann', ['hub', 'share', session, 'ben'])
    await judgeOnce({ database: world.databaseUrl, onFailure: error => expect.fail(error.message) })
    const { stdout } = await run('ben', ['doctor', session, '--hub'])
    expect(stdout).toContain(`→ dagline checkout ${session.slice(0, 8)} --hub`)
    expect(await audit(session)).toContain('ben fetch')
    const list = (await run('ben', ['doctor', '--hub'])).stdout
    expect(list).toContain('dagline checkout SESSION --hub')
    expect(list).not.toMatch(/dagline (?:repair|restore)/)
    const made = await facts('ben', 'checkout', session.slice(0, 8), '--hub')
    const own = await facts('ben', 'doctor', made.session, '--everywhere')
    expect(own.sessions[0].reach).toMatchObject({ now: reach.possible, possible: reach.possible })
    // Nobody else is shown it, also not in sums.
    expect((await facts('eve', 'doctor', '--hub')).totals.sessions).toBe(0)
    await run('ben', ['undo'])
    await run('ann', ['hub', 'unshare', session])
    await judgeOnce({ database: world.databaseUrl, onFailure: error => expect.fail(error.message) })
    const after = await facts('ben', 'doctor', '--hub', '--all')
    expect(JSON.stringify(after)).not.toContain(session)
  }, 120_000)

  it('[HU53] what is missing is said, with the next step', async () => {
    const ask = (env: Record<string, string>, ...words: string[]) => message('ben', words, env)
    expect(await ask({ DAGLINE_HUB_TOKEN: '' }, 'ls', '--hub')).toMatch(
      /no token for .+dagline hub connect http/,
    )
    expect(await ask({ DAGLINE_HUB_TOKEN: 'dglhub_0123456789' }, 'ls', '--hub')).toMatch(
      /rejected this token.+dagline hub connect/,
    )
    expect(await ask({}, 'ls', '--hub', 'http://127.0.0.1:1')).toMatch(
      /does not answer \([\w ]+\).+[Ww]ithout --hub/,
    )
    expect(await ask({ DAGLINE_HUB: '' }, 'ls', '--hub')).toMatch(/No hub is set.+dagline hub connect URL/)
    expect(await ask({}, 'ls', '--hub', 'postgres:///x')).toMatch(/Commands need a hub, not a database/)
    const pushOnly = await world.token(world.people.ben, ['push'])
    expect(await ask({ DAGLINE_HUB_TOKEN: pushOnly }, 'ls', '--hub')).toMatch(/cannot read.+scope "read"/)
    expect(await ask({}, 'now', '--hub')).toMatch(/now is about this machine.+without --hub/)
    expect(await ask({}, 'repair', SHOP, '--hub')).toMatch(/dagline checkout SESSION --hub/)
    expect(await ask({}, 'serve', '--hub')).toMatch(/page of its own/)
    expect(await ask({}, 'ls', '--hub', '--root', '.')).toMatch(/Give one of them/)
    expect(await ask({}, 'ls', '--hub', '--index', 'x')).toMatch(/Give one of them/)
    expect(await ask({}, 'doctor', '--ci', 'x', '--hub')).toMatch(/does not work on a hub/)
    expect(await ask({}, 'graph', '--hub')).toMatch(/Give a SESSION/)
    expect(await ask({}, 'ls', '--hub', '--since', 'soon')).toMatch(/soon is not a valid date/)
    expect(await ask({}, 'ls', '--hub', '--project', 'nothing')).toMatch(/No project matches nothing/)
  }, 120_000)
})

/** A list at home does not say whose a session is. */
function withoutPersons(facts: unknown): unknown {
  return JSON.parse(JSON.stringify(facts), (key, value) => (key === 'person' ? undefined : value))
}

/** What `doctor --json` prints, as far as tests look at it. */
interface Told {
  readonly sessions: readonly {
    readonly session: string
    readonly faults: readonly { readonly id: string; readonly effect: string; readonly fix: string | null }[]
  }[]
  readonly kinds: readonly { readonly id: string }[]
}

/** Without what only a disk shows, and without commands: they are other ones on a hub. */
function asTold(told: Told): unknown {
  const isTold = ({ id }: { readonly id: string }): boolean =>
    !['wrong-folder', 'missing-folder', 'missing-output', 'swept-soon'].includes(id)
  const sessions = told.sessions.map(each => ({
    ...each,
    faults: each.faults.filter(isTold).map(({ fix: _, ...fault }) => fault),
  }))
  // Names of folders have another order with their machine: it tells where all else is equal.
  sessions.sort((a, b) => (a.session < b.session ? -1 : 1))
  return { ...told, sessions, kinds: told.kinds.filter(isTold) }
}

/** Money to a millionth of a cent: in which order it is added up does not matter. */
function rounded(facts: unknown): unknown {
  return JSON.parse(JSON.stringify(facts), (key, value) =>
    key === 'costUSD' && typeof value === 'number' ? Number(value.toFixed(8)) : value,
  )
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap(entry =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  )
}

/** The addresses that are asked for while something is done. */
async function requestsOf(work: () => Promise<void>): Promise<readonly URL[]> {
  const asked: URL[] = []
  const send = globalThis.fetch
  globalThis.fetch = (...words) => {
    asked.push(new URL(String(words[0])))
    return send(...words)
  }
  try {
    await work()
    return asked
  } finally {
    globalThis.fetch = send
  }
}

/** Does something while something else answers than the hub. */
async function answering<T>(answer: () => Response, work: () => Promise<T>): Promise<T> {
  const send = globalThis.fetch
  globalThis.fetch = async () => answer()
  try {
    return await work()
  } finally {
    globalThis.fetch = send
  }
}

/** Does something while each part of a file arrives with another first byte. */
async function changingBytes<T>(work: () => Promise<T>): Promise<T> {
  const send = globalThis.fetch
  globalThis.fetch = async (...words) => {
    const answer = await send(...words)
    if (!String(words[0]).includes('/api/hub/bytes')) return answer
    const bytes = new Uint8Array(await answer.arrayBuffer())
    bytes[0] = (bytes[0] ?? 0) ^ 1
    return new Response(bytes, answer)
  }
  try {
    return await work()
  } finally {
    globalThis.fetch = send
  }
}
