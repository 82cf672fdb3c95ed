/** The hub over HTTP: who reads what by which route, what is noted, shared and deleted. */
import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Home, SearchPage } from '@dagline/core/protocol'
import { expandShape } from '@dagline/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startLogin } from '../src/access/tokens.js'
import { connectSync } from '../src/db/sync-connection.js'
import { asPerson } from '../src/index/as-person.js'
import type { Scope } from '../src/model/index.js'
import { verifyRaw } from '../src/raw/stream.js'
import { type HubWorld, NAMES, type Name, startWorld } from './hub-world.js'
import { hasPostgres } from './postgres.js'

const ANN = 'private: u1 a1 u2 a2\nforben: u11 a11\nforall: u21 a21\ndeleted: u31 a31'
const EVE = 'foreign: u41 a41'

/** Sessions of ann, and an entry of each. */
const SESSIONS = { private: 'u1', forben: 'u11', forall: 'u21' } as const
type Session = keyof typeof SESSIONS

/** Who sees which of them. */
const SEEN: Readonly<Record<Name, readonly Session[]>> = {
  ann: ['private', 'forben', 'forall'],
  ben: ['forben', 'forall'],
  ruth: ['forall'],
  otto: [],
  ada: ['forall'],
  eve: [],
}

const CROSS_SITE = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }

/** What a login of the page may never do. */
const OF_DEVICES = [
  { kind: 'delete', session: 'private' },
  { kind: 'token', device: 'x', scopes: ['read'], days: 1 },
  { kind: 'devices' },
  { kind: 'persons' },
  { kind: 'person', name: 'ben', role: 'admin' },
  { kind: 'policy', project: 'github.com/acme/shop', everyone: true },
  { kind: 'hold', session: 'private', reason: 'x' },
  { kind: 'audit' },
]

describe.runIf(hasPostgres('a hub over HTTP'))('a hub', () => {
  let world: HubWorld
  /** The uuids of entries, by the session. */
  const uuids = new Map<string, string>()

  beforeAll(async () => {
    world = await startWorld()
    await world.push('ann', ANN)
    await world.push('eve', EVE)
    await world.judge('ann')
    await world.judge('eve')
    for (const [who, name] of [
      ['ann', 'private'],
      ['ann', 'forben'],
      ['ann', 'forall'],
      ['ann', 'deleted'],
      ['eve', 'foreign'],
    ] as const) {
      const page = await world.value<SearchPage>(who, `/api/search?q=${name}&session=${name}`)
      const sheet = await world.value<{ uuids?: readonly string[] }>(who, `/api/sessions/${name}`)
      const [uuid = ''] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(JSON.stringify([sheet, page])) ?? []
      uuids.set(name, uuid)
    }
    await world.act('ann', { kind: 'share', session: 'forben', persons: ['ben'] })
    await world.act('ann', { kind: 'share', session: 'forall', everyone: true })
    await world.act('ann', { kind: 'delete', session: 'deleted' })
    await world.judge('ann')
  }, 120_000)
  afterAll(() => world.close())

  const ROUTES_OF = (session: string, uuid: string): readonly string[] => [
    `/api/sessions/${session}`,
    `/api/sessions/${session}?known=x`,
    `/api/sessions/${session}/contents?from=0&to=2`,
    `/api/sessions/${session}/labels`,
    `/api/sessions/${session}/contexts`,
    `/api/sessions/${session}/findings`,
    `/api/export/${session}.html`,
    `/api/compare?session=${session}`,
    `/api/nodes/${uuid}`,
    `/api/nodes/${uuid}/why`,
    `/api/nodes/${uuid}/raw`,
    `/api/nodes/${uuid}/text`,
    `/api/nodes/${uuid}/context`,
    `/api/commits?session=${session}&rev=HEAD`,
    // HU40: bytes, too.
    `/api/hub/files/${session}`,
    `/api/hub/bytes?session=${session}&path=${encodeURIComponent(`-shop@laptop/${session}.jsonl`)}`,
  ]

  it('[HU38] gives the page of a person what that person may see', async () => {
    for (const who of NAMES.filter(name => name !== 'eve')) {
      const home = await world.value<Home>(who, '/api/home?idle=1')
      const shown = home.items.flatMap(item => (item.kind === 'session' ? item.card.session : []))
      expect(shown.toSorted(), who).toEqual(SEEN[who].toSorted())
    }
    const sheet = await world.value<{ session: { id: string; archivedOnly: boolean } }>(
      'ben',
      '/api/sessions/forben',
    )
    expect(sheet.session).toMatchObject({ id: 'forben', archivedOnly: false })
    expect(await (await world.ask('ben', `/api/nodes/${uuids.get('forben')}/raw`)).text()).toContain('"uuid"')
  })

  it('[HU38] no route tells anything of a session to whom it is not shown', async () => {
    for (const who of NAMES) {
      for (const session of ['private', 'forben', 'forall', 'deleted', 'foreign']) {
        const seen: readonly string[] = who === 'eve' ? ['foreign'] : SEEN[who]
        if (seen.includes(session)) continue
        for (const path of ROUTES_OF(session, uuids.get(session) ?? '')) {
          const answer = await world.ask(who, path)
          const text = await answer.text()
          // The same as for a session that never was.
          const nothing = path.replaceAll(session, 'nosuch').replaceAll(uuids.get(session) ?? '?', 'ffffffff')
          const other = await world.ask(who, nothing)
          expect(
            [
              answer.status,
              text.replaceAll(session, 'nosuch').replaceAll(uuids.get(session) ?? '?', 'ffffffff'),
            ],
            `${who} ${path}`,
          ).toEqual([other.status, await other.text()])
          expect(answer.status, `${who} ${path}`).toBeGreaterThanOrEqual(400)
        }
      }
    }
  }, 120_000)

  it('[HU38] lists, sums and searches hold nothing of a session that is not shown', async () => {
    const routes = [
      '/api/home?idle=1',
      '/api/usage?by=session',
      '/api/usage?by=branch',
      '/api/agents',
      '/api/health',
      '/api/now',
    ]
    for (const who of NAMES)
      for (const path of [
        ...routes,
        '/api/search?q=prompt',
        '/api/search?q=',
        '/api/search?regex=.',
        '/api/hub/sessions',
        '/api/hub/me',
      ]) {
        const answer = await world.ask(who, path)
        const text = await answer.text()
        expect(answer.status, `${who} ${path}: ${text}`).toBeLessThan(500)
        const seen: readonly string[] = who === 'eve' ? ['foreign'] : SEEN[who]
        for (const session of ['private', 'forben', 'deleted', 'foreign'].filter(
          each => !seen.includes(each),
        ))
          expect(text, `${who} ${path}`).not.toContain(session)
      }
  })

  it('[HU35] a read of somebody else is noted before it is answered, and one of the own is not', async () => {
    const count = async (): Promise<number> =>
      (await world.database.query('SELECT 1 FROM access_audit')).length
    const before = await count()
    await world.value('ann', '/api/sessions/forben')
    expect(await count()).toBe(before)
    await world.value('ben', '/api/sessions/forben')
    await world.ask('ben', `/api/nodes/${uuids.get('forben')}/raw`)
    await world.value('ben', '/api/hub/files/forben')
    await world.value('ben', '/api/search?q=u11')
    // What is not shown is not read.
    await world.ask('ben', '/api/sessions/private')
    const { body } = await world.act('ada', { kind: 'audit', limit: 4 })
    const rows = (body as { value: { rows: readonly object[] } }).value.rows
    expect(rows).toMatchObject([
      { person: 'ben', owner: 'ann', session: 'forben', action: 'search' },
      { person: 'ben', owner: 'ann', session: 'forben', action: 'fetch' },
      { person: 'ben', owner: 'ann', session: 'forben', action: 'read' },
      { person: 'ben', owner: 'ann', session: 'forben', action: 'read' },
    ])
    expect(await count()).toBe(before + 4)
  })

  it('[HU41] only those who may change something, and for nobody else', async () => {
    const refused = async (who: Name, operation: object, status: number): Promise<void> =>
      expect((await world.act(who, operation)).status, `${who} ${JSON.stringify(operation)}`).toBe(status)
    const admins = [
      { kind: 'audit' },
      { kind: 'persons' },
      { kind: 'holds' },
      { kind: 'person', name: 'ben', role: 'admin' },
      { kind: 'disable', name: 'ann' },
      { kind: 'policy', project: 'github.com/acme/shop', everyone: true },
      { kind: 'hold', session: 'private', reason: 'x' },
      { kind: 'unhold', id: 1 },
      { kind: 'token', device: 'x', scopes: ['read'], days: 1, person: 'ann' },
    ]
    for (const who of ['ben', 'ruth', 'otto'] as const)
      for (const operation of admins) await refused(who, operation, 403)
    for (const who of ['ben', 'ruth', 'otto', 'eve', 'ada'] as const) {
      await refused(who, { kind: 'share', session: 'private', everyone: true }, 404)
      await refused(who, { kind: 'unshare', session: 'forben' }, 404)
    }
    for (const who of ['ben', 'eve'] as const) await refused(who, { kind: 'delete', session: 'private' }, 404)
    await refused('eve', { kind: 'disable', name: 'ann' }, 404)
    await refused('ben', { kind: 'token', device: 'x', scopes: ['admin'], days: 1 }, 403)
    await refused('ben', { kind: 'nonsense' }, 400)
    await refused('ann', { kind: 'share', session: "private' OR '1'='1", everyone: true }, 404)
  })

  it('[HU34] what is hidden is shown to nobody from then on, before a judge has worked', async () => {
    const path = `/api/nodes/${uuids.get('forben')}/raw`
    for (const each of ['/api/sessions/forben', path])
      expect((await world.ask('ben', each)).status, each).toBe(200)
    await world.act('ann', { kind: 'unshare', session: 'forben' })
    for (const each of ['/api/sessions/forben', path, '/api/hub/files/forben'])
      expect((await world.ask('ben', each)).status, each).toBe(404)
    for (const each of ['/api/home?idle=1', '/api/agents', '/api/hub/sessions', '/api/usage?by=session'])
      expect(await (await world.ask('ben', each)).text(), each).not.toContain('forben')
    await world.act('ann', { kind: 'share', session: 'forben', persons: ['ben'] })
    await world.judge('ann')
    expect((await world.ask('ben', '/api/sessions/forben')).status).toBe(200)
  })

  it('[HU32] functions with the rights of the owner look at our tables first', async () => {
    const rows = await world.database.query(
      "SELECT proname FROM pg_proc WHERE prosecdef AND NOT 'search_path=pg_catalog, public, pg_temp' = ANY (coalesce(proconfig, '{}'))",
    )
    expect(rows).toEqual([])
  })

  it('[HU41] a project is named by its whole name, whatever others are called', async () => {
    const values = [world.people.ann.tenant, 'evil.example/github.com/acme/shop']
    await world.database.query('INSERT INTO raw_project (tenant, person, name) VALUES ($1, 0, $2)', values)
    const policy = { kind: 'policy', project: 'github.com/acme/shop', days: 36_500 }
    expect((await world.act('ada', policy)).status).toBe(200)
    expect((await world.act('ada', { ...policy, project: 'acme/shop' })).status).toBe(409)
    await world.database.query('DELETE FROM raw_project WHERE tenant = $1 AND name = $2', values)
  })

  it('[HU41] a token is good for its scopes only, also by a login with it', async () => {
    const of = async (scope: 'push' | 'read', path: string, init: RequestInit = {}): Promise<Response> => {
      const authorization = `Bearer ${await world.token(world.people.ann, [scope])}`
      return await world.ask(null, path, { method: 'POST', ...init, headers: { authorization } })
    }
    const version = JSON.stringify({ version: 1 })
    for (const [path, body] of [
      ['/api/hub/push/versions', '{}'],
      ['/api/hub/push/bytes', version],
    ] as const) {
      expect((await of('push', path, { body })).status, path).toBe(403)
      expect((await world.ask('ann', path, { method: 'POST', body })).status, path).toBe(200)
    }
    for (const kind of ['share', 'delete']) {
      const body = JSON.stringify({ kind, session: 'private', everyone: true })
      expect((await of('read', '/api/hub/do', { body })).status, kind).toBe(403)
    }
    expect((await world.ask('ben', '/api/sessions/private')).status).toBe(404)
    const token = await world.token(world.people.ann, ['push'])
    const login = await world.ask(null, '/login', {
      method: 'POST',
      headers: { origin: world.url },
      body: new URLSearchParams({ token }),
    })
    expect([login.status, login.headers.get('set-cookie')]).toEqual([401, null])
    const device = Number(token.split('_')[1])
    const secret = await startLogin(world.database, world.people.ann, { device, hours: 1 })
    const headers = { cookie: `dagline-hub=${secret}` }
    expect((await world.ask(null, '/api/sessions/private', { headers })).status).toBe(403)
  })

  it('[HU39] another site changes nothing with the cookie of a browser, and reads nothing with it', async () => {
    const login = await world.ask(null, '/login', {
      method: 'POST',
      headers: { origin: world.url },
      body: new URLSearchParams({ token: world.tokens.ann }),
    })
    expect(login.status).toBe(303)
    const cookie = login.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/HttpOnly/)
    expect(cookie).toMatch(/SameSite=Lax/)
    const headers = { cookie: cookie.split(';')[0] ?? '' }
    expect((await world.ask(null, '/api/sessions/private', { headers })).status).toBe(200)
    const foreign = { ...headers, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }
    expect((await world.ask(null, '/api/sessions/private', { headers: foreign })).status).toBe(403)
    const operation = JSON.stringify({ kind: 'share', session: 'private', everyone: true })
    for (const more of [{}, { origin: 'http://evil.example' }, { origin: 'null' }, CROSS_SITE]) {
      const init = { method: 'POST', headers: { ...headers, ...more }, body: operation }
      expect((await world.ask(null, '/api/hub/do', init)).status).toBe(403)
    }
    expect((await world.ask('ben', '/api/sessions/private')).status).toBe(404)
    expect((await world.ask(null, '/logout', { method: 'POST', headers })).status).toBe(403)
    const out = { ...headers, origin: world.url }
    expect((await world.ask(null, '/logout', { method: 'POST', headers: out })).status).toBe(303)
    expect((await world.ask(null, '/api/sessions/private', { headers })).status).toBe(401)
  })

  it('[HU62] the page shares and hides sessions of its person, and changes nothing else', async () => {
    const cookieOf = async (who: Name, scopes: readonly Scope[]): Promise<string> => {
      const device = Number((await world.token(world.people[who], scopes)).split('_')[1])
      return `dagline-hub=${await startLogin(world.database, world.people[who], { device, hours: 1 })}`
    }
    const doing = async (cookie: string, operation: object): Promise<number> => {
      const init = { method: 'POST', headers: { cookie, origin: world.url }, body: JSON.stringify(operation) }
      return (await world.ask(null, '/api/hub/do', init)).status
    }
    const sees = async (who: Name): Promise<number> => (await world.ask(who, '/api/sessions/private')).status
    const share = { kind: 'share', session: 'private', persons: ['ben'] }
    const [ann, ben] = [await cookieOf('ann', ['push', 'read']), await cookieOf('ben', ['push', 'read'])]
    expect([await doing(await cookieOf('ann', ['read']), share), await sees('ben')]).toEqual([403, 404])
    expect([await doing(ben, share), await sees('ben')]).toEqual([404, 404])
    // Seen at once by both, without a judge in between.
    expect([await doing(ann, share), await sees('ben'), await sees('ann')]).toEqual([200, 200, 200])
    expect(await world.value('ann', '/api/hub/sessions/private')).toMatchObject({
      isOwn: true,
      owner: { name: 'ann' },
      machine: 'laptop',
      readers: { by: 'owner', everyone: false, persons: ['ben'] },
    })
    expect(await world.value('ben', '/api/hub/sessions/private')).toMatchObject({
      isOwn: false,
      owner: { name: 'ann' },
      readers: null,
      mayShare: false,
    })
    const hide = { kind: 'unshare', session: 'private' }
    // A login that is only for reading hides, too.
    expect([await doing(await cookieOf('ann', ['read']), hide), await sees('ben')]).toEqual([200, 404])
    expect(await sees('ann')).toBe(200)
    const ada = await cookieOf('ada', ['push', 'read', 'admin'])
    for (const operation of OF_DEVICES) {
      expect(await doing(ann, operation), JSON.stringify(operation)).toBe(403)
      expect(await doing(ada, operation), JSON.stringify(operation)).toBe(403)
    }
  })

  it('[HU63] a session is exported as at home, without its secrets, and that is noted', async () => {
    const token = `ghp_${'aZ3kQ9xW1bT7mN5cR2vL8pY4dH6fJ0gS1uEo'}`
    await world.push('ann', `export: u81${JSON.stringify(`use ${token} please`)} a81`)
    await world.judge('ann')
    await world.act('ann', { kind: 'share', session: 'export', persons: ['ben'] })
    expect(await world.value('ben', '/api/sessions/export/findings')).toMatchObject({
      secrets: [{ kind: 'github-token', count: 1 }],
    })
    expect((await world.ask('ben', '/api/export/export.html')).status).toBe(409)
    const page = await world.ask('ben', '/api/export/export.html?secrets=redact')
    expect([page.status, page.headers.get('content-disposition')]).toEqual([
      200,
      'attachment; filename="export.html"',
    ])
    expect(page.headers.get('x-dagline-redacted')).toMatch(/1 /)
    expect(await page.text()).not.toContain(token)
    const { body } = await world.act('ada', { kind: 'audit', session: 'export', limit: 2 })
    expect(body).toMatchObject({
      value: { rows: [{ person: 'ben', owner: 'ann', action: 'export' }, { action: 'export' }] },
    })
    for (const path of ['/api/sessions/export/findings', '/api/export/export.html?secrets=redact'])
      expect((await world.ask('ruth', path)).status, path).toBe(404)
    const copies = (): readonly string[] =>
      readdirSync(tmpdir()).filter(name => name.startsWith('dagline-hub-copy-'))
    // Other tests may be at it.
    await expect.poll(copies).toEqual([])
    await world.act('ann', { kind: 'delete', session: 'export' })
  })

  it('[HU46] auditors see sums of all persons, and no words of them', async () => {
    const usage = await world.value<{ totals: object }>('otto', '/api/hub/figures?by=project')
    expect(usage.totals).toBeDefined()
    expect(JSON.stringify(usage)).not.toMatch(/private|forben|foreign/)
    expect((await world.ask('otto', '/api/hub/figures?by=session')).status).toBe(400)
    for (const who of ['ann', 'ruth'] as const)
      expect((await world.ask(who, '/api/hub/figures')).status).toBe(403)
  })

  it('[HU32] straight SQL as a reader shows of every table what its person may see', async () => {
    const connection = connectSync(world.databaseUrl)
    const tables = connection
      .query(
        "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace",
      )
      .map(({ relname }) => String(relname))
    for (const who of NAMES) {
      const { tenant, person } = world.people[who]
      const reader = asPerson(connection, { tenant, person })
      const seen: readonly string[] = who === 'eve' ? ['foreign'] : SEEN[who]
      for (const table of tables) {
        let rows = ''
        try {
          rows = JSON.stringify(reader.query(`SELECT t::text AS row FROM ${table} t`))
        } catch (error) {
          expect(String(error)).toMatch(/permission denied|is not allowed to do this/)
        }
        for (const session of ['private', 'forben', 'forall', 'deleted', 'foreign'].filter(
          each => !seen.includes(each),
        ))
          expect(rows, `${who} ${table}`).not.toContain(session)
      }
    }
    connection.close()
  })

  it('[HU36] a hold is on what is named: a session by the beginning of its id, a person or a project', {
    timeout: 120_000,
  }, async () => {
    await world.push('ann', 'lasting: u61 a61')
    const hold = async (fields: object): Promise<{ status: number; body: unknown }> =>
      await world.act('ada', { kind: 'hold', reason: 'a lawsuit', ...fields })
    const removal = { kind: 'delete', session: 'lasting' }
    expect(await hold({ session: 'lastly' })).toMatchObject({
      status: 404,
      body: { error: { message: 'No session on the hub begins with lastly.' } },
    })
    const known = { session: null, owner: null, ownerName: null, project: null, projectName: null }
    for (const [fields, listed] of [
      [{ session: 'lasti' }, { ...known, session: 'lasting' }],
      [{ person: 'ann' }, { ...known, owner: expect.any(Number), ownerName: 'ann' }],
      [
        { project: 'acme/shop' },
        { ...known, project: expect.any(Number), projectName: 'github.com/acme/shop' },
      ],
    ] as const) {
      const { body } = await hold(fields)
      const { id } = (body as { value: { id: number } }).value
      const list = await world.act('ada', { kind: 'holds' })
      expect(list.body).toMatchObject({ value: { holds: [{ id, reason: 'a lawsuit', ...listed }] } })
      expect((await world.act('ann', removal)).status).toBe(409)
      await world.act('ada', { kind: 'unhold', id })
    }
    expect((await world.act('ann', removal)).status).toBe(200)
    // The record is asked for by the beginning of an id, too, also of a session that is gone.
    const { body: audit } = await world.act('ada', { kind: 'audit', session: 'lasti' })
    const { rows } = (audit as { value: { rows: readonly { action: string }[] } }).value
    expect(rows.map(({ action }) => action)).toEqual(['delete', 'hold'])
  })

  it('[HU42] what was deleted is in no table and in no file of the database, and the rest is whole', {
    timeout: 120_000,
  }, async () => {
    const { database, people } = world
    const [{ directory = '' } = {}] = await database.query(
      "SELECT setting AS directory FROM pg_settings WHERE name = 'data_directory'",
    )
    await world.push('ann', 'marked: u51 a51')
    const uuid = /"uuid":"([^"]+)"/.exec(expandShape('marked: u51 a51').files[0]?.text ?? '')?.[1] ?? ''
    await world.judge('ann')
    expect(await tablesWith(database, 'marked')).not.toEqual([])
    const filesWith = async (): Promise<readonly string[]> => {
      await database.query('VACUUM FULL')
      await database.query('CHECKPOINT')
      const base = join(String(directory), 'base')
      const files = readdirSync(base, { recursive: true, encoding: 'utf8' }).map(path => join(base, path))
      return files.filter(path => bytesOf(path)?.includes(uuid))
    }
    expect(await filesWith()).not.toEqual([])
    expect((await world.act('ada', { kind: 'hold', session: 'marked', reason: 'a lawsuit' })).status).toBe(
      200,
    )
    expect((await world.act('ann', { kind: 'delete', session: 'marked' })).status).toBe(409)
    const { body } = await world.act('ada', { kind: 'holds' })
    const [hold] = (body as { value: { holds: readonly { id: number }[] } }).value.holds
    await world.act('ada', { kind: 'unhold', id: hold?.id ?? 0 })
    expect((await world.act('ann', { kind: 'delete', session: 'marked' })).status).toBe(200)
    expect((await world.ask('ann', '/api/sessions/marked')).status).toBe(404)
    await world.judge('ann')
    // Its id stays where it says that it was deleted; nothing of what it held does.
    expect(await tablesWith(database, 'marked')).toEqual(['access_audit', 'raw_gone'])
    expect(await tablesWith(database, uuid)).toEqual([])
    expect((await verifyRaw(database, people.ann)).problems).toEqual([])
    // The database keeps rows for as long as one of its own processes may still read them.
    await expect.poll(filesWith).toEqual([])
    await world.push('ann', 'marked: u51 a51')
    expect(await tablesWith(database, uuid)).toEqual([])
  })

  it('[HU40] bytes of a shown session are those that were pushed, and no others', async () => {
    const path = '-shop@laptop/forben.jsonl'
    const bytes = async (session: string, file: string): Promise<Response> =>
      await world.ask('ben', `/api/hub/bytes?session=${session}&path=${encodeURIComponent(file)}`)
    expect(await (await bytes('forben', path)).text()).toBe(
      expandShape(ANN).files.find(file => file.path === 'forben.jsonl')?.text,
    )
    for (const other of [
      '-shop@laptop/private.jsonl',
      '../2/-shop@laptop/foreign.jsonl',
      '/etc/passwd',
      `${path}/../private.jsonl`,
    ])
      expect((await bytes('forben', other)).status, other).toBe(404)
  })

  it('[HU45] is limited to one person where the page asks for it', async () => {
    const { persons } = await world.value<{ persons: readonly { id: number; name: string }[] }>(
      'ben',
      '/api/hub/me',
    )
    expect(persons.map(({ name }) => name)).toEqual(['ann'])
    const own = await world.value<Home>('ben', `/api/home?hubPerson=${world.people.ben.person}`)
    expect(own.items).toEqual([])
    const others = await world.value<Home>('ben', `/api/home?hubPerson=${world.people.ann.person}`)
    expect(others.items.length).toBe(2)
  })

  it('[HU44] what changes is told to those who see it, and to nobody else', { timeout: 60_000 }, async () => {
    const heard = { ann: '', ben: '' }
    const stop = new AbortController()
    for (const who of ['ann', 'ben'] as const) {
      const stream = (await world.ask(who, '/api/events', { signal: stop.signal })).body
      void (async () => {
        for await (const part of stream ?? []) heard[who] += Buffer.from(part).toString()
      })().catch(() => {})
    }
    await expect.poll(() => [heard.ann, heard.ben].every(text => text.includes('"done"'))).toBe(true)
    await world.push('ann', 'private: u1 a1 u2 a2 u3 a3')
    await world.judge('ann')
    await expect.poll(() => heard.ann).toContain('"sessions":["private"]')
    expect(heard.ben).not.toContain('private')
    await world.push('ann', 'forben: u11 a11 u12')
    await world.judge('ann')
    await expect.poll(() => heard.ben).toContain('"sessions":["forben"]')
    stop.abort()
  })

  it('[HU47] is limited to the machines of a name where that is asked for', { timeout: 60_000 }, async () => {
    await world.push('eve', `ondesk: u61 a61\nboth: u71 a71 u72 a72`, 'shop', 'My Desk')
    // The same session went on elsewhere: one graph, which is listed once.
    await world.push('eve', 'both: u71 a71 u72 a72 u73 a73', 'shop', 'laptop')
    await world.judge('eve')
    const { machines } = await world.value<{ machines: readonly string[] }>('eve', '/api/hub/me')
    expect(machines).toEqual(['laptop', 'My Desk'])
    const seen = async (machine: string): Promise<unknown> => {
      const filter = `hubMachine=${encodeURIComponent(machine)}`
      const home = await world.value<Home>('eve', `/api/home?idle=1&${filter}`)
      const listed = home.items.flatMap(item => (item.kind === 'session' ? item.card.session : []))
      const page = await world.value<SearchPage>('eve', `/api/search?q=prompt&${filter}`)
      const found = new Set(page.hits.map(({ session }) => session))
      const { totals } = await world.value<{ totals: { messages: number } }>('eve', `/api/usage?${filter}`)
      return { listed: listed.toSorted(), found: [...found].toSorted(), messages: totals.messages }
    }
    const [desk, laptop] = [await seen('My Desk'), await seen('laptop')]
    expect(desk).toEqual({ listed: ['ondesk'], found: ['ondesk'], messages: 1 })
    expect(laptop).toEqual({ listed: ['both', 'foreign'], found: ['both', 'foreign'], messages: 4 })
    expect(await seen('nosuch')).toEqual({ listed: [], found: [], messages: 0 })
    const all = ['both', 'foreign', 'ondesk']
    expect(await seen('')).toEqual({ listed: all, found: all, messages: 5 })
    const opened = async (session: string): Promise<number> =>
      (await world.ask('eve', `/api/sessions/${session}?hubMachine=laptop`)).status
    expect([await opened('both'), await opened('ondesk')]).toEqual([200, 404])
  })

  // The last one: the address of the tests is not answered for a minute.
  it('[HU39] nobody gets anything without a token, with a wrong one, or with one in the address', async () => {
    const good = world.tokens.ann
    const headers = [
      'Bearer',
      'Bearer x',
      `Bearer ${good}x`,
      `Basic ${btoa(`ann:${good}`)}`,
      `Bearer ${good.replace(/_\d+_/, '_0_')}`,
    ]
    for (const path of [
      '/api/home',
      '/api/hub/me',
      '/api/hub/figures',
      '/api/events',
      '/api/sessions/private',
      '/api/hub/push/welcome',
    ])
      for (const authorization of [undefined, ...headers.slice(0, 2)]) {
        const init = {
          method: path.includes('push') ? 'POST' : 'GET',
          headers: authorization === undefined ? {} : { authorization },
        }
        const answer = await world.ask(null, `${path}?token=${good}`, init)
        expect([401, 404, 429], `${path} ${authorization}`).toContain(answer.status)
        expect(await answer.text()).not.toContain('private')
      }
    expect((await world.ask(null, '/s/private')).status).toBe(302)
    for (let times = 0; times < 25; times++)
      await world.ask(null, '/api/home', { headers: { authorization: 'Bearer x' } })
    expect((await world.ask(null, '/api/home', { headers: { authorization: 'Bearer x' } })).status).toBe(429)
  })
})

/** What is in a file; null for a folder, and where the database has just removed it. */
function bytesOf(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch {
    return null
  }
}

/** Tables with a row that has a text somewhere. */
async function tablesWith(database: HubWorld['database'], text: string): Promise<readonly string[]> {
  const tables = await database.query(
    "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace ORDER BY 1",
  )
  const found: string[] = []
  for (const { relname } of tables) {
    const rows = await database.query(`SELECT 1 FROM ${relname} t WHERE strpos(t::text, $1) > 0 LIMIT 1`, [
      text,
    ])
    if (rows.length > 0) found.push(String(relname))
  }
  return found
}
