/** `dagline hub serve`: the page and the routes of a hub, and a judge beside them. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { UserError } from '@dagline/app'
import { findHub, isDatabase, serveHub } from '@dagline/hub'
import type { Console } from '../console.js'
import { portFailure } from '../ports.js'
import { reportError } from '../report.js'
import { interruption } from '../terminal.js'
import type { HubOptions } from './hub.js'

/** Where a hub listens unless told otherwise. */
const PORT = 32_455

export async function serve(console: Console, words: readonly string[], options: HubOptions): Promise<void> {
  const database = findHub(options.hub) ?? ''
  if (words.length > 0 || !isDatabase(database))
    throw new UserError('Give the database of a hub: `dagline hub serve --hub postgres://user@host/dagline`.')
  const { tlsCert, tlsKey, oidcIssuer, oidcClient } = options
  if ((tlsCert === null) !== (tlsKey === null)) throw new UserError('Give --tls-cert and --tls-key together.')
  const secret = process.env['DAGLINE_OIDC_SECRET'] ?? ''
  if ((oidcIssuer === null) !== (oidcClient === null) || (oidcIssuer !== null && secret === ''))
    throw new UserError(
      'Give --oidc-issuer and --oidc-client together, and the secret of the client in DAGLINE_OIDC_SECRET.',
    )
  const port = options.port ?? PORT
  const hub = await serveHub({
    database,
    host: options.host ?? '127.0.0.1',
    port,
    tls: tlsCert === null || tlsKey === null ? null : { cert: readPem(tlsCert), key: readPem(tlsKey) },
    address: options.address,
    oidc:
      oidcIssuer === null || oidcClient === null ? null : { issuer: oidcIssuer, client: oidcClient, secret },
    report: reportError,
    note: message => console.note(message),
  }).catch((error: unknown) => {
    throw portFailure(error, port) ?? error
  })
  const ended = once(interruption(), 'abort')
  if (console.options.json) await console.printJson('hub', { action: 'serve', url: hub.url })
  else await console.print([`The hub is at ${console.style.id(hub.url)}`])
  console.note('Press Ctrl-C to stop.')
  await ended
  await hub.close()
}

function readPem(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new UserError(`${path} could not be read: check the path and its permissions.`)
  }
}
