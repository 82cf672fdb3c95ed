/** Logging in at a real provider of OpenID Connect on this machine. */
import { createServer, type RequestListener } from 'node:http'
import { Provider } from 'oidc-provider'
import { describe, expect, it, onTestFinished } from 'vitest'
import { personOfIdentity, setPerson } from '../src/access/people.js'
import { startWorld } from './hub-world.js'
import { hasPostgres } from './postgres.js'

/** A browser that keeps cookies of each origin and follows no redirect by itself. */
function browser() {
  const jars = new Map<string, Map<string, string>>()
  return async (url: string, init: RequestInit = {}): Promise<Response> => {
    const { origin } = new URL(url)
    const jar = jars.get(origin) ?? new Map<string, string>()
    jars.set(origin, jar)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { redirect: 'manual', ...init, headers: { cookie, ...init.headers } })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    return answer
  }
}

/** A provider at which everybody has the address that is typed as the login. */
async function startProvider(redirect: () => string): Promise<{ issuer: string; start: () => void }> {
  let handle: RequestListener | null = null
  const server = createServer((request, response) => handle?.(request, response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  const address = server.address()
  const issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const start = (): void => {
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: 'hub',
          client_secret: 'a secret of the hub of thirty-two signs',
          redirect_uris: [redirect()],
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'] },
      conformIdTokenClaims: false,
      pkce: { required: () => true },
      findAccount: (_: unknown, id: string) => ({
        accountId: id,
        claims: () => ({ sub: id, email: id, email_verified: !id.startsWith('unverified') }),
      }),
    })
    handle = provider.callback()
  }
  return { issuer, start }
}

describe.runIf(hasPostgres('logins at a provider'))('logins', () => {
  it('[HU43] let in whoever the provider knows by the address of one person, and nobody else', {
    timeout: 60_000,
  }, async () => {
    let url = ''
    const provider = await startProvider(() => `${url}/login/callback`)
    const world = await startWorld({
      oidc: { issuer: provider.issuer, client: 'hub', secret: 'a secret of the hub of thirty-two signs' },
    })
    onTestFinished(() => world.close())
    url = world.url
    provider.start()
    const { tenant } = world.people.ann
    await setPerson(world.database, { tenant, name: 'ann@example.com', role: 'member' })
    await setPerson(world.database, { tenant, name: 'unverified@example.com', role: 'member' })

    const logIn = async (login: string): Promise<{ answer: Response; ask: ReturnType<typeof browser> }> => {
      const ask = browser()
      let at = `${url}/login/provider`
      let init: RequestInit = {}
      for (let step = 0; step < 20; step++) {
        const answer = await ask(at, init)
        init = {}
        const next = answer.headers.get('location')
        if (at.startsWith(`${url}/login/callback`)) return { answer, ask }
        if (next !== null) at = new URL(next, at).href
        else {
          // The provider shows a form for the login, then one for the consent.
          const page = await answer.text()
          const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? ''
          at = new URL(/action="([^"]+)"/.exec(page)?.[1] ?? '', at).href
          init = { method: 'POST', body: new URLSearchParams({ prompt, login, password: 'x' }) }
        }
      }
      throw new Error(`no end at ${at}`)
    }
    const { answer, ask } = await logIn('ann@example.com')
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/'])
    const me = await (await ask(`${url}/api/hub/me`)).json()
    expect(me.value).toMatchObject({ name: 'ann@example.com', role: 'member', scopes: ['read'] })
    // Once known, it is the provider's own name that counts.
    expect(
      await personOfIdentity(world.database, { subject: 'elsewhere 1', email: 'ann@example.com' }),
    ).toBeNull()
    expect((await logIn('ann@example.com')).answer.status).toBe(302)
    for (const stranger of ['nobody@example.com', 'unverified@example.com'])
      expect((await logIn(stranger)).answer.status, stranger).toBe(403)
    // An answer to a question that this browser has not asked.
    for (const query of ['', '?code=x&state=y', '?error=access_denied'])
      expect((await browser()(`${url}/login/callback${query}`)).status).toBe(403)
  })
})
