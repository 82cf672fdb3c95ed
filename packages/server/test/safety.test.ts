import { rmSync, symlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { serveFolder, syncHere, temporaryFolder, type World, writeFiles, writeShape } from './world.js'

const NO_TOKEN = 'open the address that dagline printed.'

async function serveOne(options: Parameters<typeof serveFolder>[1] = {}): Promise<World> {
  const root = temporaryFolder()
  writeShape(root, 's1: u1 a1')
  return await serveFolder(root, options)
}

/** What a browser says of an address that was typed or clicked. */
const NAVIGATION = { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' }

describe('requests that are not valid', () => {
  it.each([
    [`/api/search?q=${'a'.repeat(1001)}`, 'q is longer than 1000 characters'],
    ['/api/search?q=a&sort=size', 'sort is not one of rank, time'],
    ['/api/home?count=0', 'count is less than 1'],
    ['/api/home?count=5000', 'count is more than 1000'],
    ['/api/home?from=x', 'from is not a whole number'],
    ['/api/sessions/s1/contents', 'from is not a whole number'],
    ['/api/blame?file=', 'file is empty'],
    ['/api/blame', 'file is missing or of another type'],
  ])('[V29] %s is answered with a sentence', async (path, reason) => {
    const { ask } = await serveOne()
    const { status, body } = await ask(path)
    expect([status, JSON.parse(body).error.message]).toEqual([400, `The request is not valid: ${reason}.`])
  })
})

describe('access', () => {
  it('rejects every request without the token or with a wrong one', async () => {
    const { ask, server } = await serveOne()
    const wrong = server.token.replace(/.$/, end => (end === 'A' ? 'B' : 'A'))
    const name = `dagline-${server.port}`
    for (const path of ['/', '/api/home', '/app.js', '/s/s1', '/api/events', '/api/nothing']) {
      for (const headers of [
        {},
        { authorization: `Bearer ${wrong}` },
        { authorization: `Basic ${server.token}` },
        { authorization: 'Bearer ' },
        { cookie: `${name}=${wrong}` },
        { cookie: `${name}=${server.token}` },
        { cookie: `dagline-${server.port + 1}=${server.token}` },
      ]) {
        const answer = await ask(path, { isStranger: true, headers })
        expect([path, answer.status, answer.body.includes(NO_TOKEN)]).toEqual([path, 401, true])
        expect(answer.body).not.toContain(server.token)
      }
    }
  })

  it('[V2] turns the token of the printed address into a cookie, and redirects to the address without it', async () => {
    const { ask, server } = await serveOne()
    const { pathname, search } = new URL(server.url)
    const first = await ask(pathname + search, { isStranger: true, headers: NAVIGATION })
    expect([first.status, first.headers.location]).toEqual([302, `http://127.0.0.1:${server.port}/`])
    const [cookie = ''] = first.headers['set-cookie'] ?? []
    expect(cookie).toMatch(
      new RegExp(`^dagline-${server.port}=[^;]+; Max-Age=2592000; Path=/; HttpOnly; SameSite=Strict$`),
    )
    expect(cookie).not.toContain(server.token)
    const headers = { cookie: cookie.split(';')[0] ?? '', accept: 'text/html' }
    const page = await ask('/', { isStranger: true, headers: { ...headers, ...NAVIGATION } })
    expect([page.status, page.headers['set-cookie']]).toEqual([200, [cookie]])
    const api = await ask('/api/home', { isStranger: true, headers })
    expect([api.status, api.headers['set-cookie']]).toEqual([200, undefined])
  })

  it('[V2] knows a browser again after a restart with the same token, at the same port only', async () => {
    const first = await serveOne()
    const { pathname, search } = new URL(first.server.url)
    const answer = await first.ask(pathname + search, { isStranger: true, headers: NAVIGATION })
    const [, value = ''] = /=([^;]+)/.exec(answer.headers['set-cookie']?.[0] ?? '') ?? []
    const { token, port } = first.server
    const status = async ({ server, ask }: World): Promise<number> => {
      const headers = { cookie: `dagline-${server.port}=${value}` }
      return (await ask('/api/home', { isStranger: true, headers })).status
    }
    expect(await status(await serveOne({ token }))).toBe(401)
    await first.server.close()
    expect(await status(await serveOne({ token, port }))).toBe(200)
  })

  it('[V3] explains itself to people who followed a link, and shows them nothing yet', async () => {
    const { ask, server } = await serveOne()
    const follow = (path: string, site: string, dest = 'document'): ReturnType<typeof ask> =>
      ask(path, {
        headers: { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': site, 'sec-fetch-dest': dest },
      })
    for (const site of ['cross-site', 'same-site']) {
      const page = await follow('/s/s1?at="><script>1</script>&level=all', site)
      expect([page.status, page.headers['content-type']]).toEqual([403, 'text/html; charset=UTF-8'])
      expect(page.body).toContain(
        `href="http://127.0.0.1:${server.port}/s/s1?at=%22%3E%3Cscript%3E1%3C/script%3E&#38;level=all"`,
      )
      expect(page.body).not.toContain('<script')
      expect(page.headers['content-security-policy']).toMatch(
        /^default-src 'none'; script-src 'none'; style-src 'sha256-/,
      )
      expect(page.headers['set-cookie']).toBeUndefined()
    }
    const other = await follow('//evil.example/', 'cross-site')
    expect(other.body).toContain(`href="http://127.0.0.1:${server.port}//evil.example/"`)
    for (const [path, dest] of [
      ['/s/s1', 'iframe'],
      ['/api/home', 'document'],
      ['/api/export/s1.html', 'document'],
    ] as const)
      expect([path, (await follow(path, 'cross-site', dest)).body]).toEqual([
        path,
        expect.not.stringContaining('<'),
      ])
    const stranger = await ask('/s/s1', { isStranger: true, headers: NAVIGATION })
    expect([stranger.status, stranger.body]).toEqual([401, expect.stringContaining('dagline open')])
  })

  it('returns the page at once to clients without cookies', async () => {
    const { ask, server } = await serveOne()
    const { pathname, search } = new URL(server.url)
    for (const accept of ['*/*', 'text/html']) {
      const page = await ask(pathname + search, { isStranger: true, headers: { accept } })
      expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=UTF-8'])
    }
    const file = await ask(`/nothing.js${search}`, { isStranger: true, headers: { accept: '*/*' } })
    expect(file.status).toBe(404)
  })

  it('keeps deep links, and never redirects to another host', async () => {
    const { ask, server } = await serveOne()
    const to = async (path: string): Promise<string | undefined> =>
      (await ask(path, { isStranger: true, headers: NAVIGATION })).headers.location
    const base = `http://127.0.0.1:${server.port}`
    expect(await to(`/s/s1?token=${server.token}&at=u1`)).toBe(`${base}/s/s1?at=u1`)
    expect(await to(`//evil.example/?token=${server.token}`)).toBe(`${base}//evil.example/`)
    expect((await ask('/?token=wrong', { isStranger: true })).status).toBe(401)
    expect((await ask(`/api/home?token=${server.token}`, { isStranger: true })).status).toBe(401)
  })

  it('opens the page once by the address that a browser gets as an argument', async () => {
    const { server, ask } = await serveOne()
    const { pathname, search } = new URL(server.onceUrlOf('/'))
    expect(search).not.toContain(server.token)
    const open = async (): Promise<number> =>
      (await ask(pathname + search, { isStranger: true, headers: NAVIGATION })).status
    expect([await open(), await open()]).toEqual([302, 401])
  })

  it('creates a new token unless one is given', async () => {
    const [one, two] = [await serveOne(), await serveOne()]
    expect(one.server.token).not.toBe(two.server.token)
    expect(Buffer.from(one.server.token, 'base64url')).toHaveLength(32)
    expect(
      (
        await two.ask('/api/home', {
          isStranger: true,
          headers: { authorization: `Bearer ${one.server.token}` },
        })
      ).status,
    ).toBe(401)
  })

  it('answers only to its own host name, against DNS rebinding', async () => {
    const { ask, server } = await serveOne()
    const status = async (host: string): Promise<number> =>
      (await ask('/api/home', { headers: { host } })).status
    const { port } = server
    expect(await status(`127.0.0.1:${port}`)).toBe(200)
    expect(await status(`localhost:${port}`)).toBe(200)
    for (const host of [
      `evil.example:${port}`,
      'evil.example',
      '127.0.0.1',
      `127.0.0.1:${port + 1}`,
      `127.0.0.1.evil.example:${port}`,
      `localhost.evil.example:${port}`,
      `0.0.0.0:${port}`,
      `[::1]:${port}`,
    ])
      expect([host, await status(host)]).toEqual([host, 421])
    expect(await status(`x@127.0.0.1:${port}`)).toBe(400)
  })

  it('rejects other origins and other sites, even with the token', async () => {
    const { ask, server } = await serveOne()
    const own = `http://127.0.0.1:${server.port}`
    const status = async (headers: Record<string, string>): Promise<number> =>
      (await ask('/api/home', { headers })).status
    expect(await status({ origin: own })).toBe(200)
    expect(await status({ 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' })).toBe(200)
    expect(await status({ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' })).toBe(200)
    for (const headers of [
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { origin: `http://127.0.0.1:${server.port + 1}` },
      { origin: `https://127.0.0.1:${server.port}` },
      { origin: `http://localhost:${server.port}` },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'no-cors' },
      { origin: own, 'sec-fetch-site': 'cross-site' },
    ])
      expect([headers, await status(headers)]).toEqual([headers, 403])
  })

  it('answers only GET and HEAD', async () => {
    const { ask } = await serveOne()
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const answer = await ask('/api/home', { method })
      expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, 'GET, HEAD'])
    }
    const head = await ask('/api/home', { method: 'HEAD' })
    expect([head.status, head.body]).toEqual([200, ''])
  })

  it('listens only on the loopback address', async () => {
    const { server } = await serveOne()
    const others = Object.values(networkInterfaces())
      .flatMap(list => list ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4')
    for (const { address } of others) expect(await canConnect(address, server.port)).toBe(false)
    expect(await canConnect('127.0.0.1', server.port)).toBe(true)
    expect(await canConnect('::1', server.port)).toBe(false)
  })
})

function canConnect(host: string, port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ host, port, timeout: 1000 })
    const end = (value: boolean) => (): void => {
      socket.destroy()
      resolve(value)
    }
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false))
  })
}

describe('headers', () => {
  it('restrict the browser on every response, errors included', async () => {
    const { ask } = await serveOne()
    for (const [path, options] of [
      ['/', { headers: { accept: 'text/html' } }],
      ['/api/home', {}],
      ['/api/nothing', {}],
      ['/api/home', { isStranger: true }],
      ['/api/home', { headers: { host: 'evil.example' } }],
      ['/api/home', { method: 'POST' }],
    ] as const) {
      const { headers } = await ask(path, options)
      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
          "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      )
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['referrer-policy']).toBe('no-referrer')
      expect(headers['cross-origin-resource-policy']).toBe('same-origin')
      expect(headers['access-control-allow-origin']).toBeUndefined()
      expect(headers['cache-control']).toBe(path.startsWith('/api') ? 'no-store' : 'no-cache')
    }
  })
})

describe('files', () => {
  it('serves the files of the page by name, and nothing else', async () => {
    const folder = temporaryFolder()
    writeFiles(folder, {
      'page/app.js': 'the page',
      'page/index.html': '<p>hello',
      'page/notes.txt': 'no type for it',
      'secret.js': 'outside',
      'root/-p/s.jsonl': '',
    })
    const { ask } = await serveFolder(join(folder, 'root'), { page: join(folder, 'page') })
    const app = await ask('/app.js')
    expect([app.status, app.body, app.headers['content-type']]).toEqual([
      200,
      'the page',
      'text/javascript; charset=utf-8',
    ])
    for (const path of [
      '/../secret.js',
      '/..%2fsecret.js',
      '/%2e%2e/secret.js',
      '/%2e%2e%2fsecret.js',
      '/..%5csecret.js',
      '/page/../../secret.js',
      '/./app.js/../../secret.js',
      '//secret.js',
      '/notes.txt',
      '/app.js%00',
      '/%c0%ae%c0%ae/secret.js',
      '/api/../../secret.js',
      '/api/sessions/..%2f..%2fsecret.js',
      '/api/nodes/..%2f..%2fsecret.js/raw',
      '/api/nodes/%2e%2e%2f/raw',
      '/api/sessions/%E0%A4%A',
      '/%',
    ]) {
      const answer = await ask(path)
      expect([path, answer.status]).toEqual([path, 404])
      expect(answer.body).not.toContain('outside')
    }
  })

  it('serves the files of a version that was installed while it runs, and says so when one is gone', async () => {
    const folder = temporaryFolder()
    writeFiles(folder, { 'page/index.html': '<p>hello', 'page/part-OLD.js': 'old', 'root/-p/s.jsonl': '' })
    const { ask } = await serveFolder(join(folder, 'root'), { page: join(folder, 'page') })
    expect((await ask('/part-OLD.js')).body).toBe('old')
    rmSync(join(folder, 'page', 'part-OLD.js'))
    writeFiles(folder, { 'page/part-NEW.js': 'new' })
    const gone = await ask('/part-OLD.js')
    expect([gone.status, gone.body]).toEqual([404, expect.stringContaining('dagline was updated')])
    expect((await ask('/part-NEW.js')).body).toBe('new')
    expect((await ask('/part-ODD.js')).status).toBe(404)
  })

  it('serves the page for its own addresses', async () => {
    const folder = temporaryFolder()
    writeFiles(folder, { 'page/index.html': '<p>hello', 'root/-p/s.jsonl': '' })
    const { ask } = await serveFolder(join(folder, 'root'), { page: join(folder, 'page') })
    const headers = { accept: 'text/html,*/*' }
    for (const path of ['/', '/s/abc', '/search', '/usage', '/agents', '/health', '/compare?a=x'])
      expect([path, (await ask(path, { headers })).body]).toEqual([path, '<p>hello'])
    expect((await ask('/api/nothing', { headers })).status).toBe(404)
    expect((await ask('/nothing.js', { headers: { accept: '*/*' } })).status).toBe(404)
  })

  it('does not find a session of another root, even if the index has it', async () => {
    const [one, two] = [temporaryFolder(), temporaryFolder()]
    writeShape(one, 's1: u1"open words" a1')
    const { uuid } = writeShape(two, 's2: u2"hidden words" a2')
    const world = await serveFolder(one)
    await syncHere(world.index, [two])(() => {})
    const { body } = await world.ask('/api/home')
    expect(body).toContain('"s1"')
    expect(body).not.toContain('"s2"')
    expect((await world.ask('/api/sessions/s2')).status).toBe(404)
    for (const end of ['', '/raw', '/why', '/text'])
      expect((await world.ask(`/api/nodes/${uuid('u2')}${end}`)).status).toBe(404)
    expect((await world.ask('/api/search?q=words')).body).toContain('open ')
    expect((await world.ask('/api/search?q=words')).body).not.toContain('hidden')
    expect((await world.ask(`/api/search?q=words&session=s2`)).body).not.toContain('hidden')
  })

  it('reads no result outside of the root, whatever path a transcript names', async () => {
    const folder = temporaryFolder()
    const root = join(folder, 'root')
    writeFiles(folder, { 'secret.txt': 'keys of the house' })
    const spilled = (path: string): string =>
      `r1[t1]+{"message":{"content":[{"type":"tool_result","tool_use_id":"toolu_t1","content":` +
      `"<persisted-output>\\nOutput too large. Full output saved to: ${path}\\n\\nPreview"}]}}`
    const named = [join(folder, 'secret.txt'), '../../../secret.txt', '..', 'linked.txt', 'real.txt']
    const shapes = named.map(
      (path, at) =>
        `s${at}: u${at} a${at}[t${at}] ${spilled(path).replaceAll('t1', `t${at}`).replace('r1', `r${at}`)}`,
    )
    writeShape(root, shapes.join('\n'))
    for (const [at] of named.entries())
      writeFiles(root, { [`-home-dev-proj/s${at}/tool-results/real.txt`]: 'the whole result' })
    symlinkSync(join(folder, 'secret.txt'), join(root, '-home-dev-proj/s3/tool-results/linked.txt'))
    const { ask } = await serveFolder(root)
    const bodies = await Promise.all(
      named.map(async (_, at) => (await ask(`/api/sessions/s${at}/contents?from=0&to=9`)).body),
    )
    for (const body of bodies) expect(body).not.toContain('keys of the house')
    expect(bodies[4]).toContain('the whole result')
  })
})
