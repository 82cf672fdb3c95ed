/** The server: on the loopback address only, behind a token. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { LiveHistory } from '@dagline/app'
import { getRequestListener } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { type Access, guard, isNavigation, MCP_PATH, makeToken, withHeaders } from './guard.js'
import { replyNotice } from './notice.js'
import { HttpError, httpErrorOf, replyError } from './reply.js'
import { ROUTES } from './routes.js'
import { pageFiles } from './static.js'

interface ServerOptions {
  /** What is served. The server starts and closes it. */
  readonly history: LiveHistory
  /** The folder with the built page. */
  readonly page: string
  /** B6: answers clients of the Model Context Protocol; nobody does unless given. The server closes it. */
  readonly mcp?: McpHandler
  /** V26: the page may change nothing. */
  readonly isReadOnly?: boolean
  /** A free one unless given. */
  readonly port?: number
  /** V2: a new one unless given. */
  readonly token?: string
  /** The theme that the page begins with; that of the system unless given. */
  readonly theme?: string
  /** Receives errors that are bugs. */
  readonly report?: (error: Error) => void
}

/** What answers clients of the Model Context Protocol. */
interface McpHandler {
  readonly fetch: (request: Request) => Promise<Response>
  readonly close: () => Promise<void>
}

/** A server that listens. */
export interface RunningServer {
  readonly port: number
  readonly token: string
  /** The address to open, with the token. */
  readonly url: string
  /** The same for another address of the page, such as `/s/SESSION?at=UUID`. */
  readonly urlOf: (path: string) => string
  /** The same with a code that is valid once, for the arguments of a process. */
  readonly onceUrlOf: (path: string) => string
  readonly close: () => Promise<void>
}

const ADDRESS = '127.0.0.1'

/** Starts to listen, then updates the index in the background. Throws what `listen` throws. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { history, page, theme = 'system', mcp = null, isReadOnly = false, report = () => {} } = options
  const { token = makeToken() } = options
  const codes = new Set<string>()
  let port = options.port ?? 0
  const app = createApp({ history, page, theme, mcp, isReadOnly, report }, { token, codes, port: () => port })
  const server = createServer(getRequestListener(app.fetch, { hostname: ADDRESS }))
  port = await listen(server, port)
  history.start()
  const urlOf = (path: string, secret: string = token): string =>
    `http://${ADDRESS}:${port}${path}${path.includes('?') ? '&' : '?'}token=${secret}`
  const onceUrlOf = (path: string): string => {
    const code = makeToken()
    codes.add(code)
    return urlOf(path, code)
  }
  return {
    port,
    token,
    url: urlOf('/'),
    urlOf,
    onceUrlOf,
    close: async () => {
      await closed(server)
      await mcp?.close()
      history.close()
    },
  }
}

/** What is served. */
interface Served
  extends Required<Pick<ServerOptions, 'history' | 'page' | 'theme' | 'isReadOnly' | 'report'>> {
  readonly mcp: McpHandler | null
}

/** The routes, behind the guard, and how errors are answered. */
function createApp({ history, page, theme, mcp, isReadOnly, report }: Served, access: Access): Hono {
  const app = new Hono()
  app.use(withHeaders)
  app.use(guard(access))
  app.use(async (_, next) => {
    history.noteActivity()
    await next()
  })
  for (const add of ROUTES) add(app, history, { isReadOnly })
  if (mcp !== null) app.all(MCP_PATH, c => mcp.fetch(c.req.raw))
  pageFiles(app, page, { theme })
  app.onError((error, c) => answerError(c, error, report))
  return app
}

function answerError(c: Context, error: Error, report: (error: Error) => void): Response {
  const known = httpErrorOf(error)
  if (known === null) report(error)
  const answer = known ?? new HttpError(500, 'internal', 'Internal error: the terminal shows the details.')
  if (c.req.path.startsWith('/api/')) return replyError(c, answer)
  return isNavigation(c) ? replyNotice(c, answer) : c.text(`${answer.message}\n`, answer.status)
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host: ADDRESS }, () => {
      server.off('error', reject)
      resolve(portOf(server.address()))
    })
  })
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Closes all connections, because streams of events would stay open for ever. */
function closed(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
