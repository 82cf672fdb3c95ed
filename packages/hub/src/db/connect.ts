/** HU1: the connection to PostgreSQL, and its errors in words for the person who runs the hub. */
import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { isLoopback } from '@dagline/core/platform'
import { StoreError } from '@dagline/store'
import pg from 'pg'

/** The settings in the URL of a database, as the driver takes them. */
interface DatabaseSettings {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  readonly password?: string
  readonly ssl: false | TlsSettings
}

interface TlsSettings {
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
  readonly rejectUnauthorized: true
  /** `verify-ca`: the name in the certificate does not matter. */
  readonly checkServerIdentity?: () => undefined
}

/**
 * Reads `postgres://user:password@host:port/database?sslmode=...`. A folder as the host is that of a Unix socket:
 * `postgres:///database?host=/run/postgresql`. Throws `RangeError` where it is not such a URL, or would send transcripts unencrypted
 * to another machine.
 */
export function databaseSettings(url: string): DatabaseSettings {
  const parsed = parseUrl(url)
  const option = (name: string): string | undefined => parsed.searchParams.get(name) ?? undefined
  const host =
    option('host') ?? (decodeURIComponent(parsed.hostname) || process.env['PGHOST'] || DEFAULT_SOCKET)
  const user =
    option('user') ?? (decodeURIComponent(parsed.username) || process.env['PGUSER'] || userInfo().username)
  const password = option('password') ?? (decodeURIComponent(parsed.password) || process.env['PGPASSWORD'])
  return {
    host,
    port: Number(option('port') ?? (parsed.port || process.env['PGPORT'] || 5432)),
    database: decodeURIComponent(parsed.pathname.slice(1)) || user,
    user,
    ...(password === undefined ? {} : { password }),
    ssl: tlsSettings(host, option),
  }
}

const DEFAULT_SOCKET = '/var/run/postgresql'

function parseUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed !== null && /^postgres(?:ql)?:$/.test(parsed.protocol)) return parsed
  throw new RangeError('The database is not a URL of PostgreSQL. Name it as postgres://user@host/database.')
}

const PLAIN: ReadonlySet<string> = new Set(['disable', 'allow', 'prefer'])
const VERIFIED: ReadonlySet<string> = new Set(['require', 'verify-ca', 'verify-full'])

function tlsSettings(host: string, option: (name: string) => string | undefined): false | TlsSettings {
  const mode = option('sslmode') ?? (isLocal(host) ? 'disable' : 'verify-full')
  if (!PLAIN.has(mode) && !VERIFIED.has(mode))
    throw new RangeError(
      `sslmode=${mode} is not known. Use verify-full, verify-ca or, on this machine, disable.`,
    )
  if (PLAIN.has(mode) && !isLocal(host))
    throw new RangeError(
      `sslmode=${mode} would send transcripts to ${host} unencrypted. Use sslmode=verify-full, with sslrootcert=FILE for a certificate authority of your own.`,
    )
  if (PLAIN.has(mode)) return false
  const file = (name: string): string | undefined => {
    const path = option(name)
    return path === undefined ? undefined : readFileSync(path, 'utf8')
  }
  const [ca, cert, key] = [file('sslrootcert'), file('sslcert'), file('sslkey')]
  return {
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(mode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
  }
}

/** A folder as the host is that of a Unix socket. */
function isLocal(host: string): boolean {
  return host.startsWith('/') || isLoopback(host)
}

/** Where a database is, without the password. */
function databaseName({ host, port, database }: DatabaseSettings): string {
  return host.startsWith('/') ? `${database} at ${host}` : `${database} at ${host}:${port}`
}

/** Opens a pool of connections. Nothing is sent before the first query. */
export function openPool(url: string, max = 10): pg.Pool {
  const pool = new pg.Pool({ ...databaseSettings(url), max, application_name: 'dagline' })
  // The server closes idle connections when it stops: the next query says so.
  pool.on('error', () => {})
  return pool
}

/** Does work in one transaction. */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let failure: Error | undefined
  try {
    await client.query('BEGIN')
    const value = await work(client)
    await client.query('COMMIT')
    return value
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error))
    await client.query('ROLLBACK').catch(() => {})
    throw error
  } finally {
    // A connection that broke is not used again.
    client.release(failure !== undefined && isUnreachable(codeOf(failure)) ? failure : undefined)
  }
}

/**
 * An error of the driver in words for the person who runs the hub: a `StoreError` with what to do for one of the connection, of the
 * disk, of rights and of other writers. Any other error is a bug and is returned unchanged.
 */
export function databaseFailure(error: unknown, settings: DatabaseSettings): unknown {
  if (!(error instanceof Error) || error instanceof StoreError) return error
  const code = codeOf(error)
  const name = databaseName(settings)
  if (code === '28P01' || code === '28000')
    return new StoreError(
      'unreachable',
      `${name} rejected the login of ${settings.user}: check the user and the password.`,
      error,
    )
  if (code === '3D000')
    return new StoreError(
      'unreachable',
      `${name} does not exist: make it with \`createdb ${settings.database}\`.`,
      error,
    )
  // HU72: the transaction is undone, and whoever sent it sends it again.
  if (code === '53100')
    return new StoreError(
      'full',
      `The disk of ${name} is full: make room, then try again. Nothing was lost.`,
      error,
    )
  if (code === '53300')
    return new StoreError('busy', `${name} has no free connection: try again later.`, error)
  if (BUSY.has(code)) return new StoreError('busy', `Another dagline is writing ${name}: try again.`, error)
  if (code === '42501' || code === '25006')
    return new StoreError(
      'read-only',
      `${settings.user} is not allowed to do this in ${name}: check its privileges. (${error.message})`,
      error,
    )
  if (isUnreachable(code) || isBroken(error))
    return new StoreError(
      'unreachable',
      `${name} does not answer (${code || error.message}): check that PostgreSQL runs there.`,
      error,
    )
  return error
}

const BUSY: ReadonlySet<string> = new Set(['40001', '40P01', '55P03'])

/** The code of an error: five characters of PostgreSQL, or the name of one of the system; empty where it has none. */
function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** Codes of the system and of TLS have letters only; class 08 and 57P are about the connection. */
function isUnreachable(code: string): boolean {
  return /^(?:08|57P0)/.test(code) || /^(?:E[A-Z]{3,}|ERR_|CERT_|DEPTH_|SELF_|UNABLE_)/.test(code)
}

/** The driver has no code for these. */
function isBroken({ message }: Error): boolean {
  return /^Connection terminated|^timeout|does not support SSL|^Client has encountered a connection error/i.test(
    message,
  )
}
