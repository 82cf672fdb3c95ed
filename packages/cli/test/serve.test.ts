/** The viewer as people start it: a process that prints an address, answers there, and ends with Ctrl-C. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { cardsIn, type Home, type Sheet } from '@dagline/core/protocol'
import { expandShape, inProject, type TestHome, tokenUuid, until, withHome } from '@dagline/testkit'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { DEFAULT_PORT } from '../src/command.js'
import { BUNDLE, cleanEnv, dagline, ownFolders, RECORDED, SAMPLES } from './run.js'

interface Viewer {
  readonly url: string
  readonly port: number
  readonly token: string
  readonly child: ChildProcess
  /** What it wrote to stderr by now. */
  readonly notes: () => string
  readonly value: <T>(path: string) => Promise<T>
  /** Interrupts it, and gives its exit code. */
  readonly end: (signal?: NodeJS.Signals) => Promise<number | null>
}

/** Starts the viewer and waits until it says where it is. */
async function start(words: readonly string[], env: Readonly<Record<string, string>>): Promise<Viewer> {
  const child = spawn(process.execPath, [BUNDLE, ...words, '--json'], {
    env: cleanEnv(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let notes = ''
  child.stderr.setEncoding('utf8').on('data', piece => {
    notes += piece
  })
  const said = await firstLine(child, () => notes)
  const { url, port, token } = JSON.parse(said)
  return {
    url,
    port,
    token,
    child,
    notes: () => notes,
    value: async path => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      const reply = JSON.parse(await answer.text())
      if (reply.ok !== true) throw new Error(JSON.stringify(reply))
      return reply.value
    },
    end: async (signal = 'SIGINT') => {
      // The worker that reads has its stderr, too: when that is closed, nobody writes any more.
      const ended = once(child, 'close')
      child.kill(signal)
      const [code] = await ended
      return code
    },
  }
}

async function firstLine(child: ChildProcess, notes: () => string): Promise<string> {
  let text = ''
  child.stdout?.setEncoding('utf8')
  for await (const piece of child.stdout ?? []) {
    text += piece
    if (text.includes('\n')) return text.slice(0, text.indexOf('\n'))
  }
  throw new Error(`it ended: ${notes()}`)
}

/** The tasks of the workers that a process has started. */
function tasksOf(pid: number): readonly string[] {
  return workersOf(pid)
    .map(({ task }) => task)
    .sort()
}

function workersOf(pid: number): readonly { readonly pid: number; readonly task: string }[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? []
  return children.flatMap(child => {
    const words = wordsOf(child)
    return words.length === 0 ? [] : [{ pid: Number(child), task: words.at(-1) ?? '' }]
  })
}

/** What a process was started with; nothing where it has ended. */
function wordsOf(child: string): readonly string[] {
  try {
    return readFileSync(`/proc/${child}/cmdline`, 'utf8').split('\0').slice(0, -1)
  } catch {
    return []
  }
}

/** Listens on a port until the test ends. Viewers of other tests may have it for a while, another program for longer. */
async function takePort(wanted: number): Promise<number> {
  const taken = createServer()
  onTestFinished(() => void taken.close())
  for (let tries = 0; tries < 100 && !taken.listening; tries++) {
    taken.listen(wanted, '127.0.0.1')
    await once(taken, 'listening').catch(() => wait(100))
  }
  const address = taken.address()
  return typeof address === 'object' && address !== null ? address.port : wanted
}

async function onHome<T>(
  shape: string,
  use: (home: TestHome, env: Record<string, string>) => Promise<T>,
): Promise<T> {
  const { files, metas } = expandShape(shape)
  return await withHome(inProject([...files, ...metas]), home =>
    use(home, { CLAUDE_CONFIG_DIR: home.config, ...ownFolders(home) }),
  )
}

interface HealthReply {
  readonly troubled: number | null
  readonly isExamining: boolean
  readonly reach: object
  readonly kinds: readonly KindWords[]
}

interface KindWords {
  readonly id: string
  readonly title: string
  readonly meaning: string
  readonly cost: string
}

function kindWords({ id, title, meaning, cost }: KindWords): string {
  return [id, title, meaning, cost].join(' | ')
}

describe('serve', () => {
  it('[B6] answers the tools of mcp over HTTP to clients with the token, and to no others', async () => {
    await onHome('s1: u1 a1', async (_, env) => {
      const { port, token, end } = await start(['serve', '--no-open'], env)
      const address = new URL(`http://127.0.0.1:${port}/mcp`)
      const connect = async (headers: Readonly<Record<string, string>>): Promise<Client> => {
        const client = new Client({ name: 'test', version: '1' })
        await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }))
        return client
      }
      const client = await connect({ authorization: `Bearer ${token}` })
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain('before_compaction')
      const both = [1, 2].map(() => client.callTool({ name: 'list_sessions', arguments: {} }))
      for (const { content } of await Promise.all(both))
        expect(content).toMatchObject([{ text: expect.stringMatching(/^1 session, .*- s1 /s) }])
      await client.close()
      for (const headers of [
        {},
        { authorization: 'Bearer wrong' },
        { authorization: `Bearer ${token}`, origin: 'http://evil.example' },
        { authorization: `Bearer ${token}`, 'sec-fetch-site': 'cross-site' },
      ])
        await expect(connect(headers)).rejects.toThrow()
      const inAddress = await fetch(`${address}?token=${token}`, { method: 'POST', body: '{}' })
      expect(inAddress.status).toBe(401)
      expect(await end()).toBe(0)
    })
  })

  it('shows the sessions, follows them as they grow, and ends with Ctrl-C', async () => {
    await onHome('s1: u1 a1', async (home, env) => {
      const { value, url, port, end } = await start(['serve', '--no-open'], env)
      expect(url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${port}/\\?token=[0-9a-f]{64}$`))
      const ask = (): Promise<Home> => value<Home>('/api/home')
      const first = await until(ask, ({ sync }) => sync.state === 'done')
      expect(first.isSample).toBe(false)
      expect(cardsIn(first)).toMatchObject([{ session: 's1', turns: 1 }])
      const path = join(home.projects, '-home-dev-proj/s1.jsonl')
      const grown = expandShape('s1: u1 a1 u2 a2').files[0]?.text ?? ''
      appendFileSync(path, grown.slice(readFileSync(path, 'utf8').length))
      await until(ask, home => cardsIn(home)[0]?.turns === 2)
      expect(await end()).toBe(0)
      await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow()
    })
  })

  it('[D1] its health page has the problems of the doctor, in the same words', async () => {
    await onHome('s1: u1 a1 / s1: ?9 > u2@+1h a2 / s2: u3 a3[t1:Bash]', async (_, env) => {
      const { value, end } = await start(['serve', '--no-open'], env)
      await until(
        () => value<Home>('/api/home'),
        ({ sync }) => sync.state === 'done',
      )
      const page = await until(
        () => value<HealthReply>('/api/health'),
        ({ troubled, isExamining }) => troubled !== null && !isExamining,
      )
      const doctor = JSON.parse(dagline(['doctor', '--all', '--json'], env).stdout)
      expect(page.kinds.map(kindWords).sort()).toEqual(doctor.kinds.map(kindWords).sort())
      expect(page.kinds.length).toBeGreaterThan(0)
      expect([page.troubled, page.reach]).toEqual([doctor.totals.ill, doctor.totals.reach])
      expect(await end()).toBe(0)
    })
  })

  it('also exits on SIGTERM, while reading', async () => {
    await onHome('s1: u1 a1', async (_, env) => {
      const { end } = await start(['serve', '--no-open'], env)
      expect(await end('SIGTERM')).toBe(0)
    })
  })

  it.each(['SIGINT', 'SIGTERM'] as const)(
    '[V7] exits on %s although a worker has not answered yet',
    async signal => {
      await onHome('s1: u1 a1', async (_, env) => {
        const { child, value } = await start(['serve', '--no-open'], env)
        await until(
          () => value<Home>('/api/home'),
          ({ sync }) => sync.state === 'done',
        )
        const asked = value('/api/waste').catch(() => null)
        const worker = await until(
          () => Promise.resolve(workersOf(child.pid ?? 0).find(({ task }) => task === 'waste')?.pid ?? 0),
          pid => pid > 0,
        )
        // It never answers.
        process.kill(worker, 'SIGSTOP')
        try {
          const ended = once(child, 'exit')
          child.kill(signal)
          expect(await ended).toEqual([0, null])
          await asked
        } finally {
          process.kill(worker, 'SIGKILL')
        }
      })
    },
  )

  it('[V25] shows the samples until there are sessions', async () => {
    await onHome('', async (own, env) => {
      const { value, end } = await start(['serve', '--no-open'], env)
      const home = await until(
        () => value<Home>('/api/home'),
        ({ sync }) => sync.state === 'done',
      )
      expect([home.isSample, home.sessions]).toEqual([true, 7])
      expect(new Set(cardsIn(home).map(({ project }) => project))).toEqual(new Set(readdirSync(SAMPLES)))
      expect(home.looked).toEqual([join(env['CLAUDE_CONFIG_DIR'] ?? '', 'projects')])
      for (const { path, text } of inProject(expandShape('s1: u1"My own" a1').files)) {
        mkdirSync(dirname(join(own.projects, path)), { recursive: true })
        writeFileSync(join(own.projects, path), text)
      }
      const next = await until(
        () => value<Home>('/api/home'),
        ({ sync, isSample, sessions }) => sync.state === 'done' && !isSample && sessions > 0,
      )
      expect(cardsIn(next).map(({ title }) => title)).toEqual(['My own'])
      expect(await end()).toBe(0)
    })
  })

  it('shows only what is below a path, and does not change the default index', async () => {
    await onHome('s1: u1 a1\ns2: u2 a2', async (home, env) => {
      dagline(['sync'], env)
      const path = join(home.projects, '-home-dev-proj/s2.jsonl')
      const { value, end } = await start(['serve', path, '--no-open'], env)
      const shown = await until(
        () => value<Home>('/api/home'),
        ({ sync }) => sync.state === 'done',
      )
      expect(cardsIn(shown).map(({ session }) => session)).toEqual(['s2'])
      expect(await end()).toBe(0)
      expect(JSON.parse(dagline(['ls', '--json'], env).stdout).sessions).toHaveLength(2)
    })
  })

  it('[V7] exports a session as one file, asks about likely secrets first, and searches, in other processes', async () => {
    const secret = `ghp_${'a8Kx92mQzL4pR7tVbN3cW6yD1eF5gH0jS2uT'}`
    await onHome(`s1: u1"Mend it" a1\ns2: u2"The token is ${secret}" a2`, async (_, env) => {
      const { url, port, value, child, end } = await start(['serve', '--no-open'], env)
      await until(
        () => value<Home>('/api/home'),
        ({ sync }) => sync.state === 'done',
      )
      const headers = { authorization: `Bearer ${new URL(url).searchParams.get('token')}` }
      const ask = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${port}${path}`, { headers })
      const plain = await ask('/api/export/s1.html')
      expect([plain.status, plain.headers.get('content-disposition')]).toEqual([
        200,
        'attachment; filename="s1.html"',
      ])
      expect(await plain.text()).toMatch(/^<!doctype html>[\s\S]*<title>Mend it<\/title>/)
      const refused = await ask('/api/export/s2.html')
      expect([refused.status, await refused.json()]).toMatchObject([
        409,
        {
          ok: false,
          error: { code: 'secrets', message: expect.stringMatching(/^There is 1 likely secret/) },
        },
      ])
      expect((await ask('/api/export/s2.html?secrets=allow')).status).toBe(200)
      expect(await value('/api/sessions/s2/findings')).toMatchObject({
        secrets: [{ kind: 'github-token', count: 1 }],
        emails: 0,
      })
      expect(await value('/api/search?q=token')).toMatchObject({ total: 1 })
      expect(await value(`/api/search?regex=${encodeURIComponent('(m+)+end|nothing')}`)).toMatchObject({
        total: 1,
      })
      const none = await ask('/api/search?regex=(')
      expect([none.status, await none.text()]).toEqual([400, expect.stringContaining('not a valid pattern')])
      // A worker that has done its task may take a while to end.
      if (process.platform === 'linux')
        await expect.poll(() => tasksOf(child.pid ?? 0)).toEqual(['search', 'search', 'sync'])
      const redacted = await ask('/api/export/s2.html?secrets=redact')
      expect(redacted.headers.get('x-dagline-redacted')).toMatch(
        /^Replaced: .*github-token.*Unknown kinds may remain/,
      )
      expect(await redacted.text()).toMatch(
        /<title>The token is \[redacted:github-token-[0-9a-f]{8}\]<\/title>/,
      )
      expect((await ask('/api/export/zz.html')).status).toBe(404)
      expect(await end()).toBe(0)
    })
  })

  it('[I15] says that the index was damaged where a search finds it, and searches the new one', async () => {
    await onHome('s1: u1"Mend it" a1', async (home, env) => {
      const index = join(home.dir, 'index.db')
      const { value, notes, end } = await start(['serve', '--no-open', '--index', index], env)
      await until(
        () => value<Home>('/api/home'),
        ({ sync }) => sync.state === 'done',
      )
      expect(await value('/api/search?q=mend')).toMatchObject({ total: 1 })
      const bytes = readFileSync(index)
      writeFileSync(index, bytes.fill(0, bytes.length / 2))
      const ask = (): Promise<unknown> =>
        value('/api/search?q=mend').catch((error: Error) => {
          expect(error.message).toContain('The index is not ready yet')
          return null
        })
      expect(await until(ask, found => found !== null)).toMatchObject({ total: 1 })
      expect(notes().match(/The index was damaged\..*/g)).toEqual([
        `The index was damaged. It is made again; the damaged file is now ${index}.damaged.`,
      ])
      expect(await end()).toBe(0)
    })
  })

  it('[V7] sessions are opened by other processes, which follow the files, and begin again where one ended', async () => {
    await onHome('s1: u1"Mend it" a1', async (home, env) => {
      const { child, value, end } = await start(['serve', '--no-open'], env)
      await until(
        () => value<Home>('/api/home'),
        ({ sync }) => sync.state === 'done',
      )
      const sheet = (): Promise<Sheet> => value<Sheet>('/api/sessions/s1')
      expect((await sheet()).rows.node).toHaveLength(2)
      expect(await value('/api/sessions/s1/contexts')).toMatchObject({ band: { answers: 1 } })
      await expect(value('/api/sessions/zz')).rejects.toThrow('No session begins with zz')
      const { files } = expandShape('s1: u1"Mend it" a1 u2 a2')
      for (const { path, text } of inProject(files)) writeFileSync(join(home.projects, path), text)
      await until(sheet, ({ rows }) => rows.node.length === 4)
      if (process.platform === 'linux') {
        const readers = (): readonly number[] =>
          workersOf(child.pid ?? 0).flatMap(({ pid, task }) => (task === 'sessions' ? pid : []))
        await expect.poll(readers).toHaveLength(2)
        for (const pid of readers()) process.kill(pid, 'SIGKILL')
        await expect.poll(readers).toHaveLength(0)
      }
      expect((await sheet()).rows.node).toHaveLength(4)
      expect(await end()).toBe(0)
    })
  })

  it('works when no file can be written', async () => {
    await onHome('s1: u1 a1', async (home, env) => {
      writeFileSync(join(home.dir, 'file'), '')
      const { value, end } = await start(['serve', '--no-open'], {
        ...env,
        XDG_CACHE_HOME: join(home.dir, 'file'),
      })
      const shown = await until(
        () => value<Home>('/api/home'),
        ({ sync }) => sync.state === 'done',
      )
      expect(shown.sessions).toBe(1)
      expect(await end()).toBe(0)
    })
  })

  it('[V1] takes a free port where its own is in use, and says so; the token stays', async () => {
    await takePort(DEFAULT_PORT)
    await onHome('s1: u1 a1', async (_, env) => {
      const tokens = []
      for (const word of ['--no-open', '--no-open', '--new-token']) {
        const { url, port, notes, value, end } = await start(['serve', '--no-open', word], env)
        tokens.push(new URL(url).searchParams.get('token'))
        await until(
          async () => notes(),
          text => text.includes(`Port ${DEFAULT_PORT} is in use. Links to port ${port}`),
        )
        await until(
          () => value<Home>('/api/home'),
          ({ sync }) => sync.state === 'done',
        )
        expect(await end()).toBe(0)
      }
      expect(tokens[1]).toBe(tokens[0])
      expect(tokens[2]).not.toBe(tokens[0])
    })
  })

  it('listens on a given port, and says so when it is in use', async () => {
    const port = await takePort(0)
    const refused = dagline(['serve', '--no-open', '--port', String(port), '--root', RECORDED])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`Port ${port} is in use`) })
    const odd = dagline(['serve', '--port', '70000', '--root', RECORDED])
    expect(odd).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--port 70000 is not valid'),
    })
  })
})

describe('open', () => {
  it('leads to a session, an entry or a branch', async () => {
    await onHome('abc1: u1 a1 u2 a2 / abc1: a1 > u3 a3', async (home, env) => {
      const path = async (...words: string[]): Promise<string> => {
        const { url, end } = await start(['open', ...words, '--no-open'], env)
        expect(await end()).toBe(0)
        return url.replace(/^http:..127.0.0.1:\d+/, '').replace(/[?&]token=[\w-]+/, '')
      }
      expect(await path()).toBe('/')
      expect(await path('abc')).toBe('/s/abc1')
      expect(await path('latest')).toBe('/s/abc1')
      expect(await path(join(home.projects, '-home-dev-proj/abc1.jsonl'))).toBe('/s/abc1')
      expect(await path(tokenUuid('u2'))).toBe(`/s/abc1?at=${tokenUuid('u2')}`)
      expect(await path(`abc1:${tokenUuid('a3')}`)).toBe(`/s/abc1?at=${tokenUuid('a3')}`)
      const none = dagline(['open', 'zzz'], env)
      expect(none).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('No session, branch, subagent or entry is called zzz'),
      })
    })
  })

  it.skipIf(process.platform !== 'linux')('opens the browser, unless told not to', async () => {
    await onHome('s1: u1 a1', async (home, env) => {
      const log = join(home.dir, 'opened')
      mkdirSync(join(home.dir, 'bin'))
      writeFileSync(join(home.dir, 'bin', 'xdg-open'), `#!/bin/sh\necho "$1" > ${log}\n`)
      chmodSync(join(home.dir, 'bin', 'xdg-open'), 0o755)
      const PATH = [join(home.dir, 'bin'), process.env['PATH'] ?? ''].join(delimiter)
      const quiet = await start(['open', '--no-open'], { ...env, PATH, DISPLAY: ':9' })
      await quiet.end()
      expect(existsSync(log)).toBe(false)
      const { url, end } = await start(['open'], { ...env, PATH, DISPLAY: ':9' })
      await until(async () => existsSync(log) && readFileSync(log, 'utf8') !== '', Boolean)
      // Other users see what a browser is started with: the address is the same, the secret is not.
      const [given, printed] = [new URL(readFileSync(log, 'utf8').trim()), new URL(url)]
      expect([given.origin, given.pathname]).toEqual([printed.origin, printed.pathname])
      expect(given.searchParams.get('token')).not.toBe(printed.searchParams.get('token'))
      expect((await fetch(given)).status).toBe(200)
      await end()
    })
  })
})

const hasTerminal = spawnSync('script', ['--version']).status === 0

describe('dagline on a terminal', () => {
  it.skipIf(!hasTerminal)('prints the overview and the address, and ends with Ctrl-C', async () => {
    await onHome('s1: u1"Mend the fence" a1', async (_, env) => {
      const child = spawn('script', ['-qec', `exec ${process.execPath} ${BUNDLE}`, '/dev/null'], {
        env: cleanEnv({ ...env, TERM: 'dumb' }),
        stdio: ['pipe', 'pipe', 'ignore'],
      })
      onTestFinished(() => void child.kill('SIGKILL'))
      let text = ''
      child.stdout.setEncoding('utf8').on('data', piece => {
        text += piece
      })
      await until(
        async () => text,
        said => said.includes('Press Ctrl-C to stop'),
      )
      expect(text).toMatch(/Mend the fence[\s\S]*The viewer is at http:\/\/127\.0\.0\.1:\d+\/\?token=/)
      const ended = once(child, 'exit')
      child.stdin.write('\u0003')
      expect((await ended)[0]).toBe(0)
    })
  })

  it('--no-open prints the overview and ends', () => {
    const { stdout, code } = dagline(['--no-open', '--root', RECORDED])
    expect([code, stdout.includes('8 sessions in 6 projects'), stdout.includes('The viewer')]).toEqual([
      0,
      true,
      false,
    ])
  })
})
