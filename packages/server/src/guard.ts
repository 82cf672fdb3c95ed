/**
 * Who may ask. Any page in the user's browser can send requests to local ports, and a name that resolves to 127.0.0.1
 * gets around the rule of the same origin: so the name, the origin and a secret are checked on every request.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { HttpError } from './http-error.js'

/** A secret for one start of the server. */
export function makeToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What a request is held against. The port is known only once the server listens. */
export interface Door {
  readonly token: string
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

/** Says on every answer what a browser may do with it. */
export const withHeaders: MiddlewareHandler = async (c, next) => {
  await next()
  const { headers } = c.res
  headers.set('Content-Security-Policy', POLICY)
  headers.set('X-Content-Type-Options', 'nosniff')
  headers.set('Referrer-Policy', 'no-referrer')
  headers.set('Cross-Origin-Resource-Policy', 'same-origin')
  headers.set('Cross-Origin-Opener-Policy', 'same-origin')
  headers.set('X-Frame-Options', 'DENY')
  headers.set('Cache-Control', c.req.path.startsWith('/api/') ? 'no-store' : 'no-cache')
}

/** Lets nobody in but the page that was opened with the token, and those who know it. */
export function guard(door: Door): MiddlewareHandler {
  return async (c, next) => {
    checkHost(c, door.port())
    checkOrigin(c)
    checkMethod(c)
    const given = c.req.path.startsWith('/api/') ? undefined : c.req.query('token')
    if (given === undefined && !isKnown(c, door)) throw noToken()
    const redirect = given === undefined ? null : welcome(c, door, given)
    return redirect ?? (await next())
  }
}

function checkHost(c: Context, port: number): void {
  const host = c.req.header('host') ?? ''
  const names = ['127.0.0.1', 'localhost']
  // Browsers leave the usual port out.
  const allowed = names.flatMap(name => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]))
  if (allowed.includes(host.toLowerCase())) return
  throw new HttpError(
    421,
    'wrong-host',
    `This server answers as 127.0.0.1:${port} only, not under other names.`,
  )
}

function checkOrigin(c: Context): void {
  const origin = c.req.header('origin')
  const site = c.req.header('sec-fetch-site')
  const isSame = origin === undefined || origin === `http://${c.req.header('host') ?? ''}`
  const isOwn = site === undefined || site === 'same-origin'
  // What people type, click outside of the browser, or have in their bookmarks comes from no site.
  const isOpened = site === 'none' && (c.req.header('sec-fetch-mode') ?? 'navigate') === 'navigate'
  if (isSame && (isOwn || isOpened)) return
  throw new HttpError(
    403,
    'wrong-origin',
    'Only the page of this server may ask it; the request came from elsewhere.',
  )
}

function checkMethod(c: Context): void {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return
  c.header('Allow', 'GET, HEAD')
  throw new HttpError(405, 'wrong-method', 'Nothing can be changed here: only GET is answered.')
}

/**
 * The address that was printed: a browser keeps the token in a cookie, and is sent to the address without it. Other
 * clients keep no cookies between requests and get the page at once.
 */
function welcome(c: Context, door: Door, given: string): Response | null {
  if (!isSame(given, door.token)) throw noToken()
  setCookie(c, cookieName(door.port()), door.token, { httpOnly: true, sameSite: 'Strict', path: '/' })
  if (c.req.header('sec-fetch-mode') !== 'navigate') return null
  const url = new URL(c.req.url)
  url.searchParams.delete('token')
  // With the host, so that a path that begins with two slashes stays a path.
  return c.redirect(`http://${c.req.header('host') ?? ''}${url.pathname}${url.search}`, 302)
}

/** Cookies do not know ports: two servers at once must not share one. */
function cookieName(port: number): string {
  return `dagline-${port}`
}

function isKnown(c: Context, door: Door): boolean {
  const bearer = /^Bearer (.+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
  const cookie = getCookie(c, cookieName(door.port()))
  return [bearer, cookie].some(given => given !== undefined && isSame(given, door.token))
}

/** Takes the same time wherever the two differ. */
function isSame(given: string, token: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', token, 'buffer'))
}

function noToken(): HttpError {
  const sentence = 'Open the address that dagline printed: this one has no valid token.'
  return new HttpError(401, 'no-token', sentence)
}
