/**
 * HU39: who sends a request. Programs send the token of their device, the page a cookie that scripts cannot read. Forged,
 * expired and revoked tokens, and none at all, get the same answer. Tokens never stand in addresses.
 */
import { HttpError } from '@dagline/server'
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { callerOfLogin, callerOfToken } from '../access/tokens.js'
import type { Queries } from '../db/database.js'
import type { Caller, Scope } from '../model/index.js'
import { createWrongTokens } from './limits.js'

/** Hours that a browser stays logged in. */
export const LOGIN_HOURS = 12

export interface Authentication {
  /** The caller of a request. Throws `HttpError` where it is not authenticated. */
  readonly callerOf: (c: Context) => Promise<Caller>
  /** The same, without an error. */
  readonly findCaller: (c: Context) => Promise<Caller | null>
  /** Who has a token, for a login with it. */
  readonly callerOfGiven: (c: Context, token: string) => Promise<Caller | null>
  readonly keepLogin: (c: Context, secret: string) => void
  /** The login of the browser; null where it has none. Its cookie is removed. */
  readonly takeLogin: (c: Context) => string | null
}

interface AuthenticationOptions {
  readonly queries: Queries
  /** Browsers send cookies over TLS only. */
  readonly isSecure: boolean
  readonly addressOf: (c: Context) => string
}

/** Checks tokens and cookies. */
export function createAuthentication({
  queries,
  isSecure,
  addressOf,
}: AuthenticationOptions): Authentication {
  const wrong = createWrongTokens()
  const name = isSecure ? '__Host-dagline-hub' : 'dagline-hub'
  // Lax: a link to a session that somebody sent opens it. Changing requests check their origin.
  const cookie = { httpOnly: true, secure: isSecure, sameSite: 'Lax', path: '/' } as const
  const checked = async (c: Context, check: () => Promise<Caller | null>): Promise<Caller | null> => {
    const address = addressOf(c)
    if (wrong.isLimited(address)) throw tooMany()
    const caller = await check()
    if (caller === null) wrong.note(address)
    return caller
  }
  const findCaller = async (c: Context): Promise<Caller | null> => {
    const token = /^Bearer (\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
    if (token !== undefined) return await checked(c, () => callerOfToken(queries, token))
    const secret = getCookie(c, name)
    if (secret === undefined) return null
    checkSite(c)
    return await callerOfLogin(queries, secret)
  }
  return {
    findCaller,
    callerOf: async c => {
      const caller = await findCaller(c)
      if (caller === null) throw nobody()
      return caller
    },
    callerOfGiven: async (c, token) => await checked(c, () => callerOfToken(queries, token)),
    keepLogin: (c, secret) => setCookie(c, name, secret, { ...cookie, maxAge: LOGIN_HOURS * 60 * 60 }),
    takeLogin: c => {
      const secret = getCookie(c, name) ?? null
      deleteCookie(c, name, { path: '/', secure: isSecure })
      return secret
    },
  }
}

/** A request with the cookie must come from the hub's own page, or open a page. */
function checkSite(c: Context): void {
  const site = c.req.header('sec-fetch-site')
  const isOwn = site === undefined || site === 'same-origin'
  const isOpened = c.req.header('sec-fetch-mode') === 'navigate' && c.req.method === 'GET'
  if (!isOwn && !isOpened) throw wrongOrigin()
}

/** A browser names the origin of each request that changes something; forms of other sites cannot send JSON. */
export function checkChange(c: Context): void {
  if (c.req.header('authorization') !== undefined) return
  // The page is told to send no referrer: a form of it then names the origin "null".
  if (c.req.header('sec-fetch-site') === 'same-origin') return
  const origin = c.req.header('origin')
  const host = c.req.header('host') ?? ''
  const isOwn = origin !== undefined && (origin === `http://${host}` || origin === `https://${host}`)
  if (!isOwn) throw wrongOrigin()
}

/** Throws `HttpError` where a token lacks a scope. */
export function requireScope({ scopes }: Caller, scope: Scope): void {
  if (scopes.has(scope)) return
  throw new HttpError(403, 'scope', `This needs a token with the scope "${scope}".`)
}

function nobody(): HttpError {
  const message = 'This token is not valid. An administrator makes one with `dagline hub tokens add`.'
  return new HttpError(401, 'no-token', message)
}

function tooMany(): HttpError {
  return new HttpError(
    429,
    'too-many',
    'Too many wrong tokens came from this address: try again in a minute.',
  )
}

function wrongOrigin(): HttpError {
  return new HttpError(403, 'wrong-origin', 'The request came from another site.')
}
