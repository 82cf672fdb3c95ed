/** HU43: logging in to the page at a provider of OpenID Connect: authorization code with PKCE. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { isLoopback } from '@dagline/core/platform'
import { HttpError } from '@dagline/server'
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import * as oidc from 'openid-client'

/** How the hub is known to a provider. */
export interface OidcOptions {
  readonly issuer: string
  readonly client: string
  readonly secret: string
  /** The address of the hub, as browsers reach it: `https://hub.example.com`. */
  readonly hub: string
}

/** Who somebody is for the provider. */
interface Identity {
  /** The issuer and its name for the person: never given to another one. */
  readonly subject: string
  /** A confirmed address; null where the provider gives none. */
  readonly email: string | null
}

export interface Oidc {
  /** Sends the browser to the provider. */
  readonly begin: (c: Context, to: string) => Promise<Response>
  /** Who came back, and the address to go to. Throws `HttpError` where it is not an answer to a question of this browser. */
  readonly end: (c: Context) => Promise<Identity & { readonly to: string }>
}

export const CALLBACK = '/login/callback'
/** Seconds that a login may take. */
const LONGEST = 10 * 60

/** Asks the provider for its addresses when somebody logs in. A provider off this machine is asked over TLS only. */
export function createOidc({ issuer, client, secret, hub }: OidcOptions): Oidc {
  const isSecure = hub.startsWith('https:')
  const name = isSecure ? '__Host-dagline-login' : 'dagline-login'
  const cookie = { httpOnly: true, secure: isSecure, sameSite: 'Lax', path: '/', maxAge: LONGEST } as const
  const redirect = new URL(CALLBACK, hub).href
  let known: Promise<oidc.Configuration> | null = null
  const configuration = async (): Promise<oidc.Configuration> => {
    known ??= oidc.discovery(new URL(issuer), client, secret, undefined, {
      execute: isLoopback(new URL(issuer).hostname) ? [oidc.allowInsecureRequests] : [],
    })
    try {
      return await known
    } catch (error) {
      known = null
      throw unavailable(error)
    }
  }
  // Servers keep no state: what the answer is compared with is in the browser, signed.
  const sign = (text: string): string =>
    createHmac('sha256', secret).update(`dagline login ${text}`).digest('base64url')
  return {
    begin: async (c, to) => {
      const config = await configuration()
      const verifier = oidc.randomPKCECodeVerifier()
      const [state, nonce] = [randomBytes(24).toString('base64url'), randomBytes(24).toString('base64url')]
      const kept = [verifier, state, nonce, Buffer.from(to).toString('base64url')].join('.')
      setCookie(c, name, `${kept}.${sign(kept)}`, cookie)
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirect,
        scope: 'openid email',
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      })
      return c.redirect(url.href, 302)
    },
    end: async c => {
      const [verifier = '', state = '', nonce = '', to = '', signature = ''] = (
        getCookie(c, name) ?? ''
      ).split('.')
      deleteCookie(c, name, { path: '/', secure: isSecure })
      const expected = sign([verifier, state, nonce, to].join('.'))
      const isOurs =
        signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected))
      if (!isOurs) throw refused()
      const config = await configuration()
      const current = new URL(redirect)
      current.search = new URL(c.req.url).search
      const tokens = await oidc
        .authorizationCodeGrant(config, current, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        })
        .catch(() => {
          throw refused()
        })
      const claims = tokens.claims()
      if (claims === undefined) throw refused()
      const email = claims['email_verified'] === true ? claims['email'] : null
      return {
        subject: `${claims.iss} ${claims.sub}`,
        email: typeof email === 'string' ? email : null,
        to: Buffer.from(to, 'base64url').toString(),
      }
    },
  }
}

function refused(): HttpError {
  return new HttpError(403, 'login', 'The login failed: start again at /login.')
}

function unavailable(error: unknown): HttpError {
  const why = error instanceof Error ? error.message : String(error)
  return new HttpError(503, 'login', `The login provider does not answer (${why}): try again later.`)
}
