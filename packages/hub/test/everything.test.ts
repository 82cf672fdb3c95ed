/**
 * HU64: nobody sees what they may not: every route, operation and table of a hub as everybody, on sessions of every kind. Routes come
 * from the tables of the server: a new one fails here until it says who may use it.
 */
import type { HubQuestion } from '@dagline/app'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeToken, revokeDevice, startLogin } from '../src/access/tokens.js'
import { connectSync } from '../src/db/sync-connection.js'
import { asPerson } from '../src/index/as-person.js'
import type { Scope } from '../src/model/index.js'
import { PUSH_ROUTES } from '../src/push/answer.js'
import { rootOf } from '../src/raw/paths.js'
import { ANSWERS } from '../src/serve/answers.js'
import { createReading, readingRoutes } from '../src/serve/reading.js'
import { openSources } from '../src/serve/sources.js'
import { type HubWorld, NAMES, type Name, startWorld } from './hub-world.js'
import { hasPostgres } from './postgres.js'

/** A session of each kind, with a word that it alone has. */
const SESSIONS = {
  zqhush: { owner: 'ann', word: 'quince' },
  zqben: { owner: 'ann', word: 'medlar' },
  zqall: { owner: 'ann', word: 'damson' },
  zqgone: { owner: 'ann', word: 'sloe' },
  zqalien: { owner: 'eve', word: 'loquat' },
} as const
type Session = keyof typeof SESSIONS

const ALL = Object.keys(SESSIONS) as readonly Session[]

/** Who sees which of them. */
const SEEN: Readonly<Record<Name, readonly Session[]>> = {
  ann: ['zqhush', 'zqben', 'zqall'],
  ben: ['zqben', 'zqall'],
  ruth: ['zqall'],
  otto: [],
  ada: ['zqall'],
  eve: ['zqalien'],
}

/** Somebody who asks, with headers; `name` is null for whoever must not be let in. */
interface Asker {
  readonly title: string
  readonly name: Name | null
  readonly headers: Readonly<Record<string, string>>
  readonly scopes: readonly Scope[]
  readonly isPage: boolean
}

describe.runIf(hasPostgres('everything as everybody'))('everything as everybody', () => {
  let world: HubWorld
  let askers: readonly Asker[]
  const uuids = new Map<Session, string>()
  const versions = new Map<Session, number>()
  let device = 0
  let address = 0

  beforeAll(async () => {
    // Behind a proxy each request can come from an address of its own: else nobody with a wrong token is looked at after some.
    world = await startWorld({ address: 'http://hub.test' })
    for (const owner of ['ann', 'eve'] as const) {
      const own = ALL.filter(session => SESSIONS[session].owner === owner)
      const shape = own.map(session => shapeOf(session, SESSIONS[session].word, ALL.indexOf(session)))
      await world.push(owner, shape.join('\n'))
      await world.label(owner, new Map(own.map(session => [session, `${SESSIONS[session].word} again`])))
      await world.judge(owner)
    }
    const rows = await world.database.query(
      `SELECT file.session, max(version.id) AS version FROM raw_file file
       JOIN raw_version version ON version.tenant = file.tenant AND version.file = file.id GROUP BY 1`,
    )
    for (const { session, version } of rows) versions.set(String(session) as Session, Number(version))
    for (const session of ALL) {
      const page = await world.value<{ hits: readonly { node: string }[] }>(
        SESSIONS[session].owner,
        `/api/search?q=${SESSIONS[session].word}`,
      )
      uuids.set(session, page.hits[0]?.node ?? '')
    }
    await world.act('ann', { kind: 'share', session: 'zqben', persons: ['ben'] })
    await world.act('ann', { kind: 'share', session: 'zqall', everyone: true })
    await world.act('ann', { kind: 'delete', session: 'zqgone' })
    await world.judge('ann')
    device = Number(world.tokens.ann.split('_')[1])
    askers = await makeAskers()
  }, 240_000)
  afterAll(() => world.close())

  async function makeAskers(): Promise<readonly Asker[]> {
    const { database, people, tokens } = world
    const bearer = (token: string): Asker['headers'] => ({ authorization: `Bearer ${token}` })
    const cookie = (secret: string): Asker['headers'] => ({
      cookie: `dagline-hub=${secret}`,
      origin: `http://127.0.0.1:${world.hub.port}`,
    })
    const all: readonly Scope[] = ['push', 'read', 'admin']
    const persons = NAMES.map(name => ({
      ...{ title: name, name, headers: bearer(tokens[name]), isPage: false },
      scopes: ROLE_SCOPES[name],
    }))
    const pages = await Promise.all(
      NAMES.map(async name => {
        const secret = await startLogin(database, people[name], { device: null, hours: 1 })
        const scopes: readonly Scope[] = ['read']
        return { title: `the page of ${name}`, name, headers: cookie(secret), scopes, isPage: true }
      }),
    )
    const narrow = await Promise.all(
      (['push', 'read'] as const).map(async scope => {
        const headers = bearer(await world.token(people.ann, [scope]))
        return { title: `ann for ${scope}`, name: 'ann' as const, headers, scopes: [scope], isPage: false }
      }),
    )
    const nobody = (title: string, headers: Asker['headers']): Asker => ({
      ...{ title, name: null, headers, scopes: [], isPage: false },
    })
    const expired = await makeToken(database, people.ann, { name: 'old', scopes: all, days: 0 })
    const revoked = await makeToken(database, people.ann, { name: 'lost', scopes: all, days: 1 })
    await revokeDevice(database, people.ann, Number(revoked.split('_')[1]))
    const [prefix, id] = tokens.ann.split('_')
    const ended = await startLogin(database, people.ann, { device: null, hours: 0 })
    const ofRevoked = await startLogin(database, people.ann, {
      device: Number(revoked.split('_')[1]),
      hours: 1,
    })
    return [
      ...persons,
      ...pages,
      ...narrow,
      nobody('nobody', {}),
      nobody('an expired token', bearer(expired)),
      nobody('a revoked token', bearer(revoked)),
      nobody('a forged token', bearer(`${prefix}_${id}_${'A'.repeat(43)}`)),
      nobody(
        'the number of ann with the secret of eve',
        bearer(`${prefix}_${id}_${tokens.eve.split('_')[2]}`),
      ),
      nobody('a token as a password', { authorization: `Basic ${btoa(`ann:${tokens.ann}`)}` }),
      nobody('a forged cookie', cookie('x'.repeat(43))),
      nobody('a login that ended', cookie(ended)),
      nobody('a login with a revoked token', cookie(ofRevoked)),
    ]
  }

  function ask(asker: Asker, path: string, init: RequestInit = {}): Promise<Response> {
    const from = `10.${(++address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}`
    const headers = { accept: 'text/html', ...asker.headers, 'x-forwarded-for': from }
    return fetch(`http://127.0.0.1:${world.hub.port}${path}`, {
      redirect: 'manual',
      ...init,
      headers,
    })
  }

  async function answerOf(asker: Asker, path: string): Promise<readonly [number, string]> {
    const answer = await ask(asker, path)
    return [answer.status, await answer.text()]
  }

  /** What a text must not hold for somebody: ids are in what was asked, and so are left out of it first. */
  function expectNothingOf(asker: Asker, text: string, what: string): void {
    const seen = asker.name === null ? [] : SEEN[asker.name]
    for (const session of ALL.filter(each => !seen.includes(each)))
      for (const mark of [SESSIONS[session].word, session, uuids.get(session) ?? session])
        expect(text.includes(mark), `${asker.title}: ${what} tells ${mark}`).toBe(false)
  }

  /** The addresses of a route of readers for a session. */
  type Addresses = (session: string, uuid: string, word: string) => readonly string[]

  const file = (session: string): string => encodeURIComponent(`-shop@laptop/${session}.jsonl`)
  const list =
    (path: string): Addresses =>
    () => [path, `${path}?hubPerson=1`, `${path}?hubMachine=laptop`]

  /** `of`: of one session, so that it is answered as if there was none. `lists`: of all. `home`: needs the machine. */
  const READING: Readonly<
    Record<string, { readonly kind: 'of' | 'lists' | 'home'; readonly at: Addresses }>
  > = {
    'GET /api/home': {
      kind: 'lists',
      at: () => ['/api/home?idle=1', '/api/home?idle=1&hubPerson=1', '/api/home?q=e&flat=1'],
    },
    'GET /api/usage': {
      kind: 'lists',
      at: () => ['project', 'model', 'agent', 'session', 'branch'].map(by => `/api/usage?by=${by}`),
    },
    'GET /api/waste': { kind: 'home', at: list('/api/waste') },
    'GET /api/agents': { kind: 'lists', at: list('/api/agents') },
    'GET /api/health': { kind: 'lists', at: list('/api/health') },
    'GET /api/now': { kind: 'lists', at: list('/api/now') },
    'GET /api/sessions/:id': {
      kind: 'of',
      at: id => [`/api/sessions/${id}`, `/api/sessions/${id}?known=x`, `/api/sessions/${id.slice(0, 5)}`],
    },
    'GET /api/sessions/:id/labels': { kind: 'of', at: id => [`/api/sessions/${id}/labels`] },
    'GET /api/sessions/:id/contents': { kind: 'of', at: id => [`/api/sessions/${id}/contents?from=0&to=2`] },
    'GET /api/sessions/:id/contexts': { kind: 'of', at: id => [`/api/sessions/${id}/contexts`] },
    'GET /api/sessions/:id/findings': { kind: 'of', at: id => [`/api/sessions/${id}/findings`] },
    'GET /api/nodes/:uuid': {
      kind: 'of',
      at: (_, uuid) => [`/api/nodes/${uuid}`, `/api/nodes/${uuid.slice(0, 35)}`],
    },
    'GET /api/nodes/:uuid/why': {
      kind: 'of',
      at: (id, uuid) => [`/api/nodes/${uuid}/why`, `/api/nodes/${uuid}/why?session=${id}`],
    },
    'GET /api/nodes/:uuid/raw': { kind: 'of', at: (_, uuid) => [`/api/nodes/${uuid}/raw`] },
    'GET /api/nodes/:uuid/text': { kind: 'of', at: (_, uuid) => [`/api/nodes/${uuid}/text`] },
    'GET /api/nodes/:uuid/image': { kind: 'of', at: (_, uuid) => [`/api/nodes/${uuid}/image`] },
    'GET /api/nodes/:uuid/context': {
      kind: 'of',
      at: (id, uuid) => [`/api/nodes/${uuid}/context`, `/api/nodes/${uuid}/context?session=${id}`],
    },
    'GET /api/search': {
      kind: 'lists',
      at: (id, _, word) =>
        [
          '/api/search?q=prompt',
          '/api/search?regex=.',
          `/api/search?q=&session=${id}`,
          '/api/search?q=&role=human',
        ].concat(
          // What was searched for may stand in the answer: only its hits count.
          word === '' ? [] : [`/api/search?q=${word.slice(0, 3)}*`, `/api/search?regex=${word.slice(1, 4)}`],
        ),
    },
    'GET /api/compare': {
      kind: 'of',
      at: (id, uuid) => [`/api/compare?session=${id}`, `/api/compare?a=${uuid}&b=${id}`],
    },
    'GET /api/blame': { kind: 'home', at: list('/api/blame?file=a') },
    'GET /api/commits': { kind: 'home', at: id => [`/api/commits?session=${id}&rev=HEAD`] },
    'GET /api/export/:file{.+[.]html}': {
      kind: 'of',
      at: id => [`/api/export/${id}.html`, `/api/export/${id}.html?secrets=allow`],
    },
    'GET /api/actions': { kind: 'lists', at: list('/api/actions') },
    'GET /api/hub/sessions': { kind: 'lists', at: list('/api/hub/sessions') },
    'GET /api/hub/ask': { kind: 'lists', at: () => QUESTIONS.map(question => askPath(question)) },
    'GET /api/hub/ask of one session': {
      kind: 'of',
      at: session => [
        askPath({ kind: 'sessions', words: [session], filter: {} }),
        askPath({ kind: 'usage', words: [session], options: NO_OPTIONS }),
      ],
    },
    'GET /api/hub/files/:session': { kind: 'of', at: id => [`/api/hub/files/${id}`] },
    'GET /api/hub/bytes': { kind: 'of', at: id => [`/api/hub/bytes?session=${id}&path=${file(id)}`] },
  }

  /** Routes of readers that a hub answers otherwise, or never: they change something, or stay open. */
  const ELSEWHERE = ['GET /api/events', 'POST /api/actions', 'POST /api/actions/run']

  /** Routes of the server itself. */
  const SERVED: Readonly<Record<string, string>> = {
    'ALL /*': 'headers, and the pages for those who are logged in',
    'GET /login': 'public',
    'POST /login': 'public',
    'GET /login/provider': 'public',
    'GET /login/callback': 'public',
    'POST /logout': 'public',
    'ALL /api/hub/push/*': 'pushes',
    'POST /api/hub/do': 'operations',
    'GET /api/hub/me': 'own',
    'GET /api/hub/sessions/:id': 'own',
    'GET /api/hub/figures': 'figures',
    'GET /api/sessions/:id/findings': 'readers',
    'GET /api/export/:file': 'readers',
    'GET /api/events': 'events',
    'GET /api/*': 'readers',
    'GET /:name{[\\w-]+\\.\\w+}': 'public',
    'GET /*': 'pages',
  }

  it('[HU64] each route of the server, of readers, of pushes and of operations says who may use it', () => {
    const routes = [...readingRoutes(Object.assign({}, { events: {} }) as never, {} as never)]
    const known = Object.keys(READING).map(route => route.replace(' of one session', ''))
    expect([...new Set(routes)].toSorted()).toEqual([...new Set([...known, ...ELSEWHERE])].toSorted())
    expect([...world.hub.routes].toSorted()).toEqual(Object.keys(SERVED).toSorted())
    expect([...PUSH_ROUTES].toSorted()).toEqual(Object.keys(PUSHES).toSorted())
    expect(Object.keys(ANSWERS).toSorted()).toEqual(Object.keys(OPERATIONS).toSorted())
  })

  it('[HU64] no route of readers tells anybody of a session that is not shown', {
    timeout: 600_000,
  }, async () => {
    for (const asker of askers) {
      /** What is answered where there is no such session. */
      const nothing = new Map<string, readonly [number, string]>()
      const isLetIn = asker.name !== null && asker.scopes.includes('read')
      for (const [route, { kind, at }] of Object.entries(READING)) {
        const seen = asker.name === null ? [] : SEEN[asker.name]
        for (const session of kind === 'of' && isLetIn ? ALL : (['zqhush'] as const)) {
          const uuid = uuids.get(session) ?? ''
          for (const path of at(session, uuid, SESSIONS[session].word)) {
            const what = `${asker.title}: ${path}`
            const answer = await ask(asker, path)
            const text = await answer.text()
            if (asker.name === null) expect([401, 403], what).toContain(answer.status)
            else if (!asker.scopes.includes('read')) expect(answer.status, what).toBe(403)
            else if (kind === 'lists') expect(answer.status, what).toBe(200)
            else if (kind === 'home') expect(answer.status, what).toBeGreaterThanOrEqual(400)
            else if (seen.includes(session)) expect([200, 404, 409], what).toContain(answer.status)
            else {
              // The same as for a session that never was.
              const blank = (said: string): string =>
                said
                  .replaceAll(uuid, NO_UUID)
                  .replaceAll(uuid.slice(0, 35), NO_UUID.slice(0, 35))
                  .replaceAll(session, 'nosuch')
                  .replaceAll(session.slice(0, 5), 'nosuc')
              const other = nothing.get(blank(path)) ?? (await answerOf(asker, blank(path)))
              nothing.set(blank(path), other)
              expect([answer.status, blank(text)], what).toEqual(other)
              expect(answer.status, what).toBeGreaterThanOrEqual(400)
              continue
            }
            expectNothingOf(asker, text.replaceAll(path, ''), `${route} ${path}`)
          }
        }
      }
    }
  })

  it('[HU64] who may see a session is shown it by each route: the test above is not empty', async () => {
    const [ben] = askers.filter(({ title }) => title === 'ben')
    if (ben === undefined) throw new RangeError('ben')
    const uuid = uuids.get('zqben') ?? ''
    for (const path of [
      '/api/nodes/UUID/raw',
      '/api/nodes/UUID/text',
      '/api/sessions/ID',
      '/api/sessions/ID/contents?from=0&to=2',
      `/api/hub/bytes?session=ID&path=${file('ID')}`,
    ]) {
      const answer = await ask(ben, path.replaceAll('UUID', uuid).replaceAll('ID', 'zqben'))
      expect([answer.status, (await answer.text()).includes('medlar')], path).toEqual([200, true])
    }
  })

  it('[HU64] figures, events, pages and what a hub says of itself are for those who may have them', async () => {
    for (const asker of askers) {
      const isReading = asker.name !== null && asker.scopes.includes('read')
      const refused = asker.name === null ? [401] : [403]
      const status = async (path: string): Promise<number> => {
        const answer = await ask(asker, path)
        const text = path === '/api/events' ? '' : await answer.text()
        await answer.body?.cancel().catch(() => {})
        expectNothingOf(asker, text.replaceAll(path, ''), path)
        return answer.status
      }
      const mayFigure = isReading && (asker.name === 'otto' || asker.name === 'ada' || asker.name === 'eve')
      expect(mayFigure ? [200] : asker.name === null ? [401] : [403], asker.title).toContain(
        await status('/api/hub/figures'),
      )
      expect(await status('/api/hub/me'), asker.title).toBe(asker.name === null ? 401 : 200)
      expect(isReading ? [200] : refused, asker.title).toContain(await status('/api/events'))
      expect(await status('/s/zqhush'), asker.title).toBe(asker.name === null ? 302 : 200)
      for (const session of ALL) {
        const isSeen = isReading && asker.name !== null && SEEN[asker.name].includes(session)
        const answer = await ask(asker, `/api/hub/sessions/${session}`)
        expect(isSeen ? [200] : isReading ? [404] : refused, `${asker.title} ${session}`).toContain(
          answer.status,
        )
        if (!isSeen) expectNothingOf(asker, (await answer.text()).replaceAll(session, ''), session)
      }
    }
  })

  /** Bodies of pushes, of the person that asks or of somebody else. */
  const PUSHES: Readonly<Record<string, (session: Session) => unknown>> = {
    welcome: () => ({ uuid: crypto.randomUUID(), name: 'other', platform: 'linux' }),
    files: () => ({ machine: 1 }),
    missing: () => ({ hashes: Buffer.alloc(32).toString('base64') }),
    versions: session => ({ session, all: true }),
    bytes: session => ({ version: versions.get(session) }),
    commit: () => ({ machine: 1, files: [] }),
    pieces: () => 'nonsense',
    labels: () => ({ machine: 999, labels: [] }),
  }

  it('[HU64] what others pushed is neither given nor changed by the routes of pushes', {
    timeout: 240_000,
  }, async () => {
    for (const asker of askers)
      for (const [name, bodyOf] of Object.entries(PUSHES))
        for (const session of ALL) {
          const what = `${asker.title}: push/${name} ${session}`
          const init = { method: 'POST', body: JSON.stringify(bodyOf(session)) }
          const answer = await ask(asker, `/api/hub/push/${name}`, init).catch(() => null)
          const text = (await answer?.text().catch(() => '')) ?? ''
          const mayPush = asker.scopes.includes('push')
          const mayRead = asker.scopes.includes('read') || !['versions', 'bytes'].includes(name)
          if (asker.name === null) expect(answer?.status, what).toBe(401)
          else if (!mayPush || !mayRead) expect(answer?.status, what).toBe(403)
          // What is shared can be read, and is nobody's own: it is not given by these routes.
          const own = ALL.filter(each => asker.name !== null && SESSIONS[each].owner === asker.name)
          if (!own.includes(session) || asker.name === null || !mayPush || !mayRead)
            for (const each of ALL.filter(other => !own.includes(other)))
              expect(text, what).not.toContain(SESSIONS[each].word)
          for (const each of ALL.filter(other => !own.includes(other)))
            expect(text.replaceAll(session, ''), what).not.toContain(each)
        }
  })

  /** Each operation with who may do it; the others are refused, and change nothing. */
  const OPERATIONS: Readonly<
    Record<string, { readonly fields: object; readonly may: (asker: Asker) => boolean }>
  > = {
    share: { fields: { session: 'zqhush', everyone: true }, may: isOwnerWhoShares },
    unshare: { fields: { session: 'zqben' }, may: asker => asker.name === 'ann' },
    delete: {
      fields: { session: 'zqhush' },
      may: asker =>
        (asker.name === 'ann' && !asker.isPage && asker.scopes.some(isMore)) || isAdminOf(asker, 'ada'),
    },
    policy: {
      fields: { project: 'github.com/acme/shop', everyone: true },
      may: asker => isAdminOf(asker, 'ada') || isAdminOf(asker, 'eve'),
    },
    hold: { fields: { session: 'zqhush', reason: 'x' }, may: isAdmin },
    unhold: { fields: { id: 1 }, may: () => false },
    holds: { fields: {}, may: isAdmin },
    person: { fields: { name: 'zed', role: 'admin' }, may: isAdmin },
    disable: { fields: { name: 'ann' }, may: asker => isAdminOf(asker, 'ada') },
    persons: { fields: {}, may: isAdmin },
    token: { fields: { device: 'x', scopes: ['admin'], days: 1 }, may: isAdmin },
    revoke: {
      fields: { device: 0 },
      may: asker => !asker.isPage && (asker.name === 'ann' || isAdminOf(asker, 'ada')),
    },
    devices: { fields: {}, may: asker => asker.name !== null && !asker.isPage },
    audit: { fields: {}, may: isAdmin },
  }

  it('[HU64] no operation is done for whom it is not, and nothing changes', {
    timeout: 240_000,
  }, async () => {
    const state = async (): Promise<string> => {
      const tables = [
        'access_person',
        'access_share',
        'access_policy',
        'access_hold',
        'raw_gone',
        'raw_file',
        'raw_label',
        'index_file',
      ]
      const rows = await Promise.all(
        tables.map(table => world.database.query(`SELECT t::text AS row FROM ${table} t ORDER BY 1`)),
      )
      const devices = await world.database.query('SELECT id, revoked, scopes FROM access_device ORDER BY id')
      return JSON.stringify([rows, devices])
    }
    const before = await state()
    for (const asker of askers)
      for (const [kind, { fields, may }] of Object.entries(OPERATIONS)) {
        if (may(asker)) continue
        const body = JSON.stringify({ kind, ...fields, ...(kind === 'revoke' ? { device } : {}) })
        const answer = await ask(asker, '/api/hub/do', { method: 'POST', body })
        const text = await answer.text()
        const what = `${asker.title}: ${kind} ${text}`
        expect(asker.name === null ? [401, 403] : [403, 404], what).toContain(answer.status)
        expectNothingOf(asker, text.replaceAll('zqhush', '').replaceAll('zqben', ''), kind)
      }
    expect(await state()).toBe(before)
  })

  it('[HU64] whoever may ask for lists of a team gets those of the own team', async () => {
    for (const asker of askers)
      for (const kind of ['devices', 'persons', 'holds', 'audit'] as const) {
        if (OPERATIONS[kind]?.may(asker) !== true) continue
        const answer = await ask(asker, '/api/hub/do', { method: 'POST', body: JSON.stringify({ kind }) })
        const text = await answer.text()
        expect(answer.status, `${asker.title}: ${kind}`).toBe(200)
        if (asker.name === 'eve') expect(text).not.toMatch(/"(?:ann|ben|ruth|otto|ada)"|zqhush|zqben/)
        else expect(text).not.toMatch(/"eve"|zqalien/)
        for (const { word } of Object.values(SESSIONS)) expect(text).not.toContain(word)
      }
  })

  it('[HU32] the policies alone hold: with all roots, of all tenants, and no check of the server', {
    timeout: 240_000,
  }, async () => {
    const sources = openSources(world.databaseUrl)
    const roots = NAMES.map(name => rootOf(world.people[name].person))
    const reading = createReading(
      reader => ({ ...sources.open(reader), roots: () => [...new Set(roots)] }),
      error => {
        throw error
      },
    )
    for (const asker of askers.slice(0, NAMES.length)) {
      const { tenant, person } = world.people[asker.name ?? 'ann']
      for (const [, { kind, at }] of Object.entries(READING))
        for (const session of kind === 'of' ? ALL : (['zqhush'] as const))
          for (const path of at(session, uuids.get(session) ?? '', SESSIONS[session].word)) {
            const reader = { tenant, person, owner: null, machine: null, isFigures: false }
            const { body } = await reading.answer({ reader, path })
            const seen = asker.name === null ? [] : SEEN[asker.name]
            for (const each of ALL.filter(other => !seen.includes(other)))
              expect(Buffer.from(body).toString(), `${asker.title}: ${path}`).not.toContain(
                SESSIONS[each].word,
              )
          }
    }
    reading.close()
    sources.close()
  })

  it('[HU32] straight SQL on every table, view and function shows each person only what is shown', {
    timeout: 240_000,
  }, async () => {
    const connection = connectSync(world.databaseUrl)
    const relations = connection
      .query(
        "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND relnamespace = 'public'::regnamespace",
      )
      .map(({ relname }) => String(relname))
    const functions = connection
      .query(
        `SELECT DISTINCT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace
         AND has_function_privilege('dagline_reader', oid, 'EXECUTE') ORDER BY 1`,
      )
      .map(({ proname }) => String(proname))
    // A new function that readers may call has to be looked at here.
    expect(functions).toEqual([
      'dagline_audiences',
      'dagline_person',
      'dagline_stamp',
      'dagline_tenant',
      'index_match',
      'index_terms',
    ])
    for (const name of NAMES) {
      const { tenant, person } = world.people[name]
      const reader = asPerson(connection, { tenant, person })
      const rowsOf = (sql: string): string => {
        try {
          return JSON.stringify(reader.query(sql))
        } catch (error) {
          expect(String(error), sql).toMatch(/permission denied|is not allowed to do this/)
          return ''
        }
      }
      const found = relations.map(relation => rowsOf(`SELECT * FROM ${relation}`))
      for (const { word } of Object.values(SESSIONS))
        found.push(
          rowsOf(
            `SELECT words FROM index_match(to_tsquery('simple', '''1:${word}'' | ''2:${word}'''), '-Infinity', 'Infinity', 'time', 100) m
             JOIN index_text t ON t.id = m`,
          ),
        )
      for (const session of ALL.filter(each => !SEEN[name].includes(each)))
        for (const rows of found) {
          expect(rows, name).not.toContain(SESSIONS[session].word)
          expect(rows, name).not.toContain(`${session}.jsonl`)
        }
    }
    connection.close()
  })

  it('[HU64] filters, names and texts that are SQL, markup or patterns change nothing and find nothing more', {
    timeout: 240_000,
  }, async () => {
    const [ruth] = askers.filter(({ title }) => title === 'ruth')
    if (ruth === undefined) throw new RangeError('ruth')
    const hostile = [
      "' OR '1'='1",
      "'; DROP TABLE access_audit; --",
      '%',
      '_',
      '\\',
      '$1',
      '*',
      '" | "',
      'a & !b:*',
      '(((',
      '<script>alert(1)</script>',
      '\u202e',
      '\u0000',
      '\ud800',
      '../../etc/passwd',
      '{"$ne":null}',
      '-1',
      '1e9',
      'NaN',
      '1 OR 1=1',
    ]
    for (const text of hostile) {
      const given = encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
      for (const path of [
        `/api/home?idle=1&q=${given}`,
        `/api/home?idle=1&project=${given}`,
        `/api/home?idle=1&hubPerson=${given}`,
        `/api/home?idle=1&hubMachine=${given}`,
        `/api/search?q=${given}`,
        `/api/search?q=${given}&project=${given}&session=${given}`,
        `/api/search?q=e&tool=${given}&file=${given}&agent=${given}`,
        `/api/search?regex=${given}`,
        `/api/usage?project=${given}&hubMachine=${given}`,
        `/api/agents?q=${given}&type=${given}`,
        `/api/sessions/${given}`,
        `/api/nodes/${given}`,
        `/api/hub/files/${given}`,
        `/api/hub/sessions/${given}`,
        `/api/hub/bytes?session=${given}&path=${given}`,
        `/api/compare?a=${given}&b=${given}`,
        `/login?to=${given}`,
      ]) {
        const answer = await ask(ruth, path)
        const said = await answer.text()
        expect(answer.status, `${path}: ${said}`).toBeLessThan(500)
        expectNothingOf(ruth, said, path)
        if (answer.headers.get('content-type')?.includes('html') === true)
          expect(said, path).not.toContain('<script>')
      }
      const [ben] = askers.filter(({ title }) => title === 'ben')
      if (ben === undefined) throw new RangeError('ben')
      for (const operation of [
        { kind: 'share', session: text, everyone: true },
        { kind: 'share', session: 'x', persons: [text] },
        { kind: 'unshare', session: text },
        { kind: 'delete', session: text },
        { kind: text },
      ]) {
        const answer = await ask(ben, '/api/hub/do', { method: 'POST', body: JSON.stringify(operation) })
        expect(answer.status, JSON.stringify(operation)).toBeLessThan(500)
        expect(answer.status, JSON.stringify(operation)).toBeGreaterThanOrEqual(400)
      }
    }
    expect(await world.database.query('SELECT 1 FROM access_audit LIMIT 1')).toHaveLength(1)
  })

  it('[HU64] transcripts, machines and projects with hostile names are shown as they are, to those who may see them', {
    timeout: 240_000,
  }, async () => {
    const name = `x'); DROP TABLE raw_file; --<script>`
    await world.push(
      'eve',
      `hostile: u91${JSON.stringify(`'; DELETE FROM index_text; -- <img src=x onerror=alert(1)>`)} a91`,
      'we$1 & (co',
      name,
    )
    await world.judge('eve')
    const [eve] = askers.filter(({ title }) => title === 'eve')
    if (eve === undefined) throw new RangeError('eve')
    const home = await (await ask(eve, '/api/home?idle=1')).text()
    expect(home).toContain('DELETE FROM index_text')
    const me = await (await ask(eve, '/api/hub/me')).json()
    expect(me.value.machines).toContain(name)
    const narrowed = await (await ask(eve, `/api/home?idle=1&hubMachine=${encodeURIComponent(name)}`)).text()
    expect(narrowed).toContain('DELETE FROM index_text')
    expect(narrowed).not.toContain('loquat')
    for (const asker of askers.filter(
      each => each.name !== null && each.name !== 'eve' && each.scopes.includes('read'),
    ))
      expect(await (await ask(asker, '/api/home?idle=1')).text(), asker.title).not.toContain('DELETE FROM')
  })
})

const NO_OPTIONS = { by: null, branch: null, since: null, until: null, project: null, session: null }
const SEARCH = { text: 'prompt', filter: {}, limit: null, sort: null, context: 0 }

/** A question of each kind that names no session. A new kind does not compile until it is here. */
const QUESTIONS: readonly HubQuestion[] = Object.values({
  sessions: { kind: 'sessions', words: [], filter: {} },
  labels: { kind: 'labels' },
  agents: { kind: 'agents', filter: {} },
  branches: { kind: 'branches', filter: {} },
  files: { kind: 'files', filter: {} },
  prompts: { kind: 'prompts', filter: {}, limit: null },
  search: { kind: 'search', ...SEARCH },
  searchSessions: { kind: 'searchSessions', ...SEARCH },
  usage: { kind: 'usage', words: [], options: { ...NO_OPTIONS, by: 'branch' } },
  stats: { kind: 'stats', projects: [], zone: 'UTC', after: 0 },
  health: { kind: 'health', projects: [], after: 0 },
} satisfies { readonly [Kind in HubQuestion['kind']]: HubQuestion & { readonly kind: Kind } })

function askPath(question: HubQuestion): string {
  return `/api/hub/ask?question=${encodeURIComponent(JSON.stringify(question))}`
}

const NO_UUID = 'ffffffff-ffff-4fff-8fff-ffffffffffff'

const ROLE_SCOPES: Readonly<Record<Name, readonly Scope[]>> = {
  ann: ['push', 'read'],
  ben: ['push', 'read'],
  ruth: ['read'],
  otto: ['read'],
  ada: ['push', 'read', 'admin'],
  eve: ['push', 'read', 'admin'],
}

function shapeOf(session: string, word: string, at: number): string {
  const id = 100 * (at + 1)
  return `${session}: u${id}${JSON.stringify(`prompt ${word} ${word}berry`)} a${id}`
}

function isMore(scope: Scope): boolean {
  return scope !== 'read'
}

function isAdmin({ name, scopes }: Asker): boolean {
  return name !== null && scopes.includes('admin')
}

function isAdminOf(asker: Asker, name: Name): boolean {
  return asker.name === name && isAdmin(asker)
}

function isOwnerWhoShares({ name, scopes, isPage }: Asker): boolean {
  return name === 'ann' && (isPage || scopes.some(isMore))
}
