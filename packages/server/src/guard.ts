/**
 * Who may send requests. Any page in the user's browser can reach local ports, and a host name that resolves to
 * 127.0.0.1 circumvents the same-origin policy. Therefore host, origin and a secret token are checked on every request.
 */
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { HttpError } from './reply.js'

/** A new secret. */
export function makeToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What requests are checked against. The port is known only once the server listens. */
export interface Access {
  readonly token: string
  /** Each opens the page once in place of the token: other users can see the arguments of processes. */
  readonly codes: Set<string>
  readonly port: () => number
}

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The policy of a page that loads nothing but has a style of its own, given by its hash. */
export function policyWithStyle(style: string): string {
  const own = `'sha256-${hash('sha256', style, 'base64')}'`
  return POLICY.replaceAll("'self'", "'none'").replace("style-src 'none'", `style-src ${own}`)
}

/** Adds the headers that restrict what a browser may do with a response. */
export const withHeaders: MiddlewareHandler = async (c, next) => {
  await next()
  const { headers } = c.res
  if (!headers.has('Content-Security-Policy')) headers.set('Content-Security-Policy', POLICY)
  headers.set('X-Content-Type-Options', 'nosniff')
  headers.set('Referrer-Policy', 'no-referrer')
  headers.set('Cross-Origin-Resource-Policy', 'same-origin')
  headers.set('Cross-Origin-Opener-Policy', 'same-origin')
  headers.set('X-Frame-Options', 'DENY')
  const isData = c.req.path.startsWith('/api/') || c.req.path === MCP_PATH
  headers.set('Cache-Control', isData ? 'no-store' : 'no-cache')
}

/** B6: where programs ask by the Model Context Protocol. */
export const MCP_PATH = '/mcp'

/** Accepts only requests with the token: from the page that was opened with it, or from programs that know it. */
export function guard(access: Access): MiddlewareHandler {
  return async (c, next) => {
    checkHost(c, access.port())
    checkOrigin(c)
    checkMethod(c)
    if (isChange(c)) checkChange(c, access)
    if (c.req.path === MCP_PATH) {
      if (!hasBearer(c, access)) throw noBearer()
      return await next()
    }
    const given = c.req.path.startsWith('/api/') ? undefined : c.req.query('token')
    if (given === undefined && !hasToken(c, access)) throw noToken()
    const redirect = given === undefined ? null : acceptToken(c, access, given)
    if (given === undefined && isNavigation(c)) rememberBrowser(c, access)
    return redirect ?? (await next())
  }
}

function checkHost(c: Context, port: number): void {
  const host = c.req.header('host') ?? ''
  const names = ['127.0.0.1', 'localhost']
  // Browsers omit the default port.
  const allowed = names.flatMap(name => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]))
  if (allowed.includes(host.toLowerCase())) return
  throw new HttpError(421, 'wrong-host', `This server answers only as 127.0.0.1:${port}. Open that address.`)
}

function checkOrigin(c: Context): void {
  const origin = c.req.header('origin')
  const site = c.req.header('sec-fetch-site')
  const isSame = origin === undefined || origin === `http://${c.req.header('host') ?? ''}`
  const isOwn = site === undefined || site === 'same-origin'
  // Typed addresses, bookmarks and links from other programs come from no site.
  const isOpened = site === 'none' && (c.req.header('sec-fetch-mode') ?? 'navigate') === 'navigate'
  if (isSame && (isOwn || isOpened)) return
  throw new HttpError(
    403,
    'wrong-origin',
    'The request came from another site: only the page of this server may send requests.',
  )
}

/** Whether a browser asks for a page of a tab, and not a script, a frame or a program. */
export function isNavigation(c: Context): boolean {
  const destination = c.req.header('sec-fetch-dest') ?? 'document'
  return c.req.header('sec-fetch-mode') === 'navigate' && destination === 'document'
}

function checkMethod(c: Context): void {
  // Questions of a program are sent by POST; what else is answered there is for the protocol to say.
  if (c.req.method === 'GET' || c.req.method === 'HEAD' || c.req.path === MCP_PATH) return
  if (isChange(c)) return
  c.header('Allow', 'GET, HEAD')
  throw new HttpError(405, 'wrong-method', 'Only GET requests are answered.')
}

/** V26: where actions are previewed and carried out. */
export const ACTIONS_PATH = '/api/actions'

function isChange(c: Context): boolean {
  return c.req.method === 'POST' && (c.req.path === ACTIONS_PATH || c.req.path.startsWith(`${ACTIONS_PATH}/`))
}

/**
 * V26: a browser names the origin of every POST, and forms of other sites cannot send JSON. A program that knows the token
 * need not name an origin.
 */
function checkChange(c: Context, access: Access): void {
  if (c.req.header('origin') === undefined && !hasBearer(c, access))
    throw new HttpError(403, 'wrong-origin', 'The request does not say which page it comes from.')
  const type = c.req.header('content-type') ?? ''
  if (!/^application\/json(?:;|$)/i.test(type))
    throw new HttpError(415, 'wrong-type', 'Actions are sent as application/json.')
}

/**
 * The printed address has the token in its query. A browser gets it as a cookie and is redirected to the address
 * without it. Other clients keep no cookies and get the page at once.
 */
function acceptToken(c: Context, access: Access, given: string): Response | null {
  if (!access.codes.delete(given) && !isSame(given, access.token)) throw noToken()
  rememberBrowser(c, access)
  if (c.req.header('sec-fetch-mode') !== 'navigate') return null
  const url = new URL(c.req.url)
  url.searchParams.delete('token')
  // With the host, because a path that begins with two slashes would otherwise name another host.
  return c.redirect(`http://${c.req.header('host') ?? ''}${url.pathname}${url.search}`, 302)
}

/** Seconds after its last visit that a browser may open the page without the token in the address: 30 days. */
const REMEMBERED = 30 * 24 * 60 * 60

/** V2: bookmarks and links work in this browser after a restart of either, as long as the token stays. */
function rememberBrowser(c: Context, { token, port }: Access): void {
  const options = { httpOnly: true, sameSite: 'Strict', path: '/', maxAge: REMEMBERED } as const
  setCookie(c, cookieName(port()), cookieOf(token, port()), options)
}

/** Cookies are shared by all ports of a host, so each server has a name of its own. */
function cookieName(port: number): string {
  return `dagline-${port}`
}

/** Browsers send cookies to the servers of all ports: the value is valid at one port only, and does not reveal the token. */
function cookieOf(token: string, port: number): string {
  return createHmac('sha256', token).update(`dagline cookie ${port}`).digest('base64url')
}

function hasBearer(c: Context, { token }: Access): boolean {
  const bearer = /^Bearer (.+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
  return bearer !== undefined && isSame(bearer, token)
}

function hasToken(c: Context, access: Access): boolean {
  if (hasBearer(c, access)) return true
  const cookie = getCookie(c, cookieName(access.port()))
  return cookie !== undefined && isSame(cookie, cookieOf(access.token, access.port()))
}

/** Takes the same time wherever the two differ, so that the time reveals nothing. */
function isSame(given: string, token: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', token, 'buffer'))
}

function noToken(): HttpError {
  const sentence =
    'This browser has no valid token for dagline. Run "dagline open", or open the address that dagline printed.'
  return new HttpError(401, 'no-token', sentence)
}

function noBearer(): HttpError {
  const sentence =
    'The request has no valid token. Send the header "Authorization: Bearer TOKEN" with the token that "dagline serve --json" prints.'
  return new HttpError(401, 'no-token', sentence)
}
