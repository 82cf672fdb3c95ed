/**
 * HU38: the server of a hub. It holds no state: any number of them run side by side. The main thread authenticates,
 * takes pushes and records reads; threads answer readers.
 */
import { createServer as createPlain, type Server } from 'node:http'
import { createServer as createTls } from 'node:https'
import { availableParallelism } from 'node:os'
import { UserError } from '@dagline/app'
import { jsonIn, lazily } from '@dagline/core/model'
import { isLoopback } from '@dagline/core/platform'
import type { HubSession } from '@dagline/core/protocol'
import { HttpError, httpErrorOf, pageFiles, replyError, withHeaders } from '@dagline/server'
import { StoreError } from '@dagline/store'
import { getRequestListener } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { audienceOf } from '../access/audiences.js'
import { noteAudit } from '../access/audit.js'
import { personOfIdentity } from '../access/people.js'
import { endLogin, startLogin } from '../access/tokens.js'
import { openHubDatabase } from '../db/database.js'
import { migrateHub } from '../db/schema.js'
import type { Caller } from '../model/index.js'
import { answerPush, givesTranscripts } from '../push/answer.js'
import { openRawStore } from '../raw/store.js'
import {
  type Authentication,
  checkChange,
  createAuthentication,
  LOGIN_HOURS,
  requireScope,
} from './authentication.js'
import { createDownloads } from './downloads.js'
import { createFeed, type Feed } from './feed.js'
import { ownAddress, replyLoginPage } from './login-page.js'
import { CALLBACK, createOidc, type Oidc, type OidcOptions } from './oidc.js'
import { type Hub, HubRefusal, isOfPage, perform } from './operations.js'
import { type ReaderThreads, startReaders } from './threads.js'
import { aboutSession, whoAmI } from './whoami.js'
import type { ForeignRead, ReadAnswer, Reader } from './wire.js'

export interface HubServerOptions {
  /** The URL of the database. */
  readonly database: string
  readonly host: string
  /** A free one where it is 0. */
  readonly port: number
  /** The certificate and its key as PEM; null for plain HTTP, which is possible on this machine only. */
  readonly tls: { readonly cert: string; readonly key: string } | null
  /** The address that browsers use, where a proxy stands before the hub. */
  readonly address?: string | null
  /** Where people log in; with tokens only unless given. */
  readonly oidc?: Omit<OidcOptions, 'hub'> | null
  /** The folder with the built page. */
  readonly page: string
  /** Threads that answer readers; one for each core unless given. */
  readonly readers?: number
  /** Receives errors that are bugs. */
  readonly report: (error: Error) => void
}

export interface RunningHub {
  readonly url: string
  /** The port that it listens on. */
  readonly port: number
  /** HU64: all routes, as `GET /api/hub/me`; those of readers are in `readingRoutes`. */
  readonly routes: readonly string[]
  readonly close: () => Promise<void>
}

/** Milliseconds that a connection may be idle, so that a client can work between two requests without losing it. */
const IDLE = 60_000

/** Brings the tables to this version, and listens. Throws `UserError` for plain HTTP that other machines could reach. */
export async function startHub(options: HubServerOptions): Promise<RunningHub> {
  const { host, tls, report } = options
  if (tls === null && !isLoopback(host))
    throw new UserError(
      `Plain HTTP on ${host} would send transcripts unencrypted. Give --tls-cert and --tls-key, or listen on 127.0.0.1 behind a proxy with TLS.`,
    )
  const database = openHubDatabase(options.database)
  try {
    await migrateHub(database)
  } catch (error) {
    await database.close()
    throw error
  }
  const readers = startReaders(options.database, options.readers ?? availableParallelism(), report)
  const feed = await createFeed(database, readers, report)
  let url = options.address ?? ''
  const isSecure = tls !== null || url.startsWith('https:')
  const queries = database
  const authentication = createAuthentication({ queries, isSecure, addressOf: addressOf(url !== '') })
  const hub: Hub = { database, drop: readers.drop, move: readers.move }
  // The address is known once the server listens.
  const oidc = lazily(() => (options.oidc == null ? null : createOidc({ ...options.oidc, hub: url })))
  const app = createApp({
    hub,
    readers,
    feed,
    authentication,
    oidc,
    page: options.page,
    url: () => url,
    report,
  })
  const listener = getRequestListener(app.fetch, { hostname: host })
  const server = tls === null ? createPlain(listener) : createTls(tls, listener)
  server.keepAliveTimeout = IDLE
  const closeAll = async (): Promise<void> => {
    await feed.close()
    await readers.close()
    await database.close()
  }
  const port = await listen(server, host, options.port).catch(async (error: unknown) => {
    await closeAll()
    throw error
  })
  if (url === '')
    url = `${tls === null ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`
  return {
    url,
    port,
    routes: [...new Set(app.routes.map(({ method, path }) => `${method} ${path}`))],
    close: async () => {
      await new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
      await closeAll()
    },
  }
}

/** Where a request comes from; behind a proxy what that says last. */
function addressOf(isBehindProxy: boolean): (c: Context) => string {
  return c => {
    const forwarded = isBehindProxy ? c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined
    const incoming: unknown = c.env?.incoming?.socket?.remoteAddress
    return forwarded ?? (typeof incoming === 'string' ? incoming : '')
  }
}

interface Served {
  readonly hub: Hub
  readonly readers: ReaderThreads
  readonly feed: Feed
  readonly authentication: Authentication
  readonly oidc: () => Oidc | null
  readonly page: string
  /** The address that people use. */
  readonly url: () => string
  readonly report: (error: Error) => void
}

function createApp(served: Served): Hono {
  const app = new Hono()
  app.use(withHeaders)
  logins(app, served)
  changes(app, served)
  readings(app, served)
  pages(app, served)
  app.onError((error, c) => answerError(c, error, served.report))
  return app
}

function answerError(c: Context, error: Error, report: Served['report']): Response {
  const answer = errorOf(error)
  if (answer.status === 500) report(error)
  return replyError(c, answer)
}

function errorOf(error: Error): HttpError {
  if (error instanceof HubRefusal) return new HttpError(error.status, 'refused', error.message)
  if (error instanceof StoreError)
    return new HttpError(503, 'unavailable', 'The database of the hub does not answer: try again later.')
  return httpErrorOf(error) ?? new HttpError(500, 'internal', 'Internal error: the log of the hub shows it.')
}

/** The most bytes of a login, with the address to go to. */
const MOST_LOGIN = 16 * 1024

const WRONG_TOKEN =
  'This token is not valid: it may have expired or been revoked. Ask an administrator of the hub for a new one.'
const NOT_FOR_READING =
  'This token can only push. Use one with the scope "read": "dagline hub tokens add DEVICE read" makes it.'
const NO_PERSON = 'No person of this hub has your email address. Ask an administrator of the hub to add you.'

function loginStatus({ status }: HttpError): 401 | 403 | 429 | 503 {
  return status === 403 || status === 429 || status === 503 ? status : 401
}

function logins(app: Hono, { hub, authentication, oidc }: Served): void {
  const { database } = hub
  const hasProvider = (): boolean => oidc() !== null
  const page = (c: Context, to: string, error: HttpError | null): Response => {
    const shown = { hasProvider: hasProvider(), to }
    return replyLoginPage(
      c,
      error === null ? shown : { ...shown, problem: error.message, status: loginStatus(error) },
    )
  }
  const orPage = async (c: Context, to: string, work: () => Promise<Response>): Promise<Response> => {
    try {
      return await work()
    } catch (error) {
      const known = error instanceof Error ? httpErrorOf(error) : null
      if (known === null || known.code === 'wrong-origin') throw error
      return page(c, to, known)
    }
  }
  app.get('/login', c => page(c, ownAddress(c.req.query('to')), null))
  app.post('/login', async c => {
    checkChange(c)
    const body = new URLSearchParams(await limitedText(c, MOST_LOGIN))
    const to = ownAddress(body.get('to') ?? undefined)
    return await orPage(c, to, async () => {
      const caller = await authentication.callerOfGiven(c, body.get('token')?.trim() ?? '')
      if (caller === null) throw new HttpError(401, 'login', WRONG_TOKEN)
      if (!caller.scopes.has('read')) throw new HttpError(401, 'login', NOT_FOR_READING)
      const login = { device: caller.device, hours: LOGIN_HOURS }
      authentication.keepLogin(c, await startLogin(database, caller, login))
      return c.redirect(to, 303)
    })
  })
  const providerOf = (): Oidc => {
    const provider = oidc()
    if (provider === null) throw new HttpError(404, 'no-such-thing', 'This hub has no login provider.')
    return provider
  }
  app.get('/login/provider', async c => {
    const to = ownAddress(c.req.query('to'))
    const provider = providerOf()
    return await orPage(c, to, () => provider.begin(c, to))
  })
  app.get(CALLBACK, async c => {
    const provider = providerOf()
    return await orPage(c, '/', async () => {
      const { to, ...identity } = await provider.end(c)
      const person = await personOfIdentity(database, identity)
      if (person === null) throw new HttpError(403, 'login', NO_PERSON)
      authentication.keepLogin(c, await startLogin(database, person, { device: null, hours: LOGIN_HOURS }))
      return c.redirect(ownAddress(to), 302)
    })
  })
  app.post('/logout', async c => {
    checkChange(c)
    const secret = authentication.takeLogin(c)
    if (secret !== null) await endLogin(database, secret)
    return c.redirect('/login', 303)
  })
}

/** The most bytes of an operation. */
const MOST_OPERATION = 64 * 1024

function changes(app: Hono, { hub, authentication }: Served): void {
  const { database } = hub
  app.all('/api/hub/push/*', async c => {
    const caller = await authentication.callerOf(c)
    requireScope(caller, 'push')
    // What the person's other machines pushed is not for a token that only sends.
    if (givesTranscripts(c.req.path)) requireScope(caller, 'read')
    const { tenant, person } = caller
    return await answerPush(openRawStore(database, { tenant, person }, audienceOf), c.req.raw)
  })
  app.post('/api/hub/do', async c => {
    checkChange(c)
    const caller = await authentication.callerOf(c)
    const asked = jsonIn(await limitedText(c, MOST_OPERATION))
    if (caller.device === null && !isOfPage(asked))
      throw new HttpError(403, 'scope', 'The page cannot do this: run the command in a terminal.')
    return c.json({ ok: true, value: await perform(hub, caller, asked) })
  })
}

async function limitedText(c: Context, most: number): Promise<string> {
  const tooLarge = new HttpError(413, 'too-large', 'The request is too large.')
  if (Number(c.req.header('content-length') ?? 0) > most) throw tooLarge
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of c.req.raw.body ?? []) {
    size += part.length
    if (size > most) throw tooLarge
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** The most characters of an address. */
const LONGEST_ADDRESS = 16_384

function readings(app: Hono, { hub, readers, feed, authentication, url, report }: Served): void {
  const callerOf = async (c: Context): Promise<Caller> => {
    const caller = await authentication.callerOf(c)
    requireScope(caller, 'read')
    return caller
  }
  app.get('/api/hub/me', async c => {
    const caller = await authentication.callerOf(c)
    return c.json({ ok: true, value: await whoAmI(hub.database, caller) })
  })
  app.get('/api/hub/sessions/:id', async c => {
    const caller = await callerOf(c)
    const about = await aboutSession(hub.database, caller, c.req.param('id'))
    if (about === null) throw new HttpError(404, 'no-session', 'No session that you may see has this id.')
    return c.json({ ok: true, value: { ...about, hub: url() } satisfies HubSession })
  })
  app.get('/api/hub/figures', async c => {
    const caller = await callerOf(c)
    if (caller.role !== 'auditor' && caller.role !== 'admin')
      throw new HttpError(403, 'scope', 'Only auditors and admins can see the usage of all persons.')
    const reader = { ...readerOf(c, caller), isFigures: true }
    const query = new URL(c.req.url).search
    return answered(await readers.ask({ reader, path: `/api/usage${query}` }))
  })
  app.get('/api/events', async c => {
    const caller = await callerOf(c)
    const isLetIn = async (): Promise<boolean> =>
      (await authentication.findCaller(c))?.person === caller.person
    return streamSSE(c, stream => feed.follow(readerOf(c, caller), stream, isLetIn))
  })
  // HU63: before the routes of readers, which have no files on a disk.
  const downloads = createDownloads(readers)
  const onDownload = async (c: Context): Promise<Response> => {
    const caller = await callerOf(c)
    const note = (reads: readonly ForeignRead[]): Promise<void> => noteReads(hub, caller, reads)
    const onError = (error: Error): Response => answerError(c, error, report)
    return await downloads(c.req.raw, { reader: readerOf(c, caller), note, onError })
  }
  app.get('/api/sessions/:id/findings', onDownload)
  app.get('/api/export/:file', onDownload)
  app.get('/api/*', async c => {
    const caller = await callerOf(c)
    const url = new URL(c.req.url)
    if (url.pathname.length + url.search.length > LONGEST_ADDRESS)
      throw new HttpError(413, 'too-large', 'The address is too long.')
    const answer = await readers.ask({ reader: readerOf(c, caller), path: url.pathname + url.search })
    await noteReads(hub, caller, answer.reads)
    return answered(answer)
  })
}

/** HU45, HU47: the filters of the page; without them all that the caller may see. */
function readerOf(c: Context, { tenant, person }: Caller): Reader {
  const owner = Number(c.req.query('hubPerson') || Number.NaN)
  const machine = c.req.query('hubMachine') || null
  return { tenant, person, owner: Number.isInteger(owner) ? owner : null, machine, isFigures: false }
}

function answered({ status, headers, body }: ReadAnswer): Response {
  return new Response(Buffer.from(body), { status, headers: headers.map(([name, value]) => [name, value]) })
}

/** HU35: before the answer is sent. */
async function noteReads({ database }: Hub, caller: Caller, reads: readonly ForeignRead[]): Promise<void> {
  const notes = reads.map(({ how, owner, session }) => ({ action: how, owner, session }))
  await noteAudit(database, caller, notes)
}

function pages(app: Hono, { authentication, page }: Served): void {
  app.use(async (c, next) => {
    const isPage =
      c.req.method === 'GET' && !/^\/(?:api|login)\b/.test(c.req.path) && !/\.\w+$/.test(c.req.path)
    if (isPage && (await authentication.findCaller(c)) === null) {
      const { pathname, search } = new URL(c.req.url)
      const to = ownAddress(pathname + search)
      return c.redirect(to === '/' ? '/login' : `/login?to=${encodeURIComponent(to)}`, 302)
    }
    return await next()
  })
  pageFiles(app, page, { theme: 'system', isHub: true })
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host }, () => {
      server.off('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
}
