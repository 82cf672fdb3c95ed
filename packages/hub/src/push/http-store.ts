/** HU20: the raw bytes of a person on a hub, over HTTP. */
import { setTimeout as wait } from 'node:timers/promises'
import { StoreError } from '@dagline/store'
import type { z } from 'zod'
import type { RawStore } from '../raw/model.js'
import {
  ANSWERS,
  type Answer,
  encodePack,
  MOST_HASHES,
  PUSH_PATH,
  type Question,
  toWire,
} from './protocol.js'
import { unreachableHub } from './unreachable.js'

/** How a hub is reached. */
interface HttpHub {
  readonly url: string
  readonly token: string | null
  readonly signal?: AbortSignal
}

/** Tries before a hub that does not answer is given up, and milliseconds before the second one; then twice as long. */
const TRIES = 4
const PAUSE = 250
/** A pack takes less than that over the slowest line that is worth a push. */
const LONGEST = 120_000

/** Opens the store of the person whose token it is. Throws `StoreError`; a cut connection is tried again. */
export function openHttpStore(hub: HttpHub): RawStore {
  const ask = async <N extends Question>(name: N, value: unknown): Promise<Answer[N]> => {
    const answer = await send(hub, name, Buffer.from(toWire(value)))
    const reader: z.ZodType<Answer[N]> = ANSWERS[name]
    const { data } = reader.safeParse(answer)
    if (data === undefined) throw notHub(hub)
    return data
  }
  return {
    welcome: machine => ask('welcome', machine),
    files: async machine => (await ask('files', { machine })).files,
    missing: async hashes => {
      const missing: boolean[] = []
      for (let at = 0; at < hashes.length; at += MOST_HASHES)
        missing.push(...(await ask('missing', { hashes: hashes.slice(at, at + MOST_HASHES) })).missing)
      return missing
    },
    put: async pack => void (await send(hub, 'pieces', encodePack(pack))),
    commit: (machine, files, { hasMore = false } = {}) => ask('commit', { machine, files, hasMore }),
    keepLabels: async (machine, labels) => (await ask('labels', { machine, labels })).kept,
    versions: async filter => (await ask('versions', filter)).versions,
    read: version => readBytes(hub, version),
  }
}

/** Throws where the connection is cut: whoever reads knows how many bytes there are. */
async function* readBytes(hub: HttpHub, version: number): AsyncGenerator<Uint8Array> {
  try {
    const response = await request(hub, 'bytes', Buffer.from(toWire({ version })))
    if (!response.ok) throw refusal(hub, response.status, await response.text())
    yield* response.body ?? []
  } catch (error) {
    throw unreachable(hub, error)
  }
}

/** Everything that is sent may be sent twice: a request whose answer was lost is repeated. */
async function send(hub: HttpHub, name: string, body: Buffer): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    const answer = await sendOnce(hub, name, body)
    if (!(answer instanceof StoreError)) return answer
    if (attempt === TRIES || (answer.kind !== 'unreachable' && answer.kind !== 'busy')) throw answer
    await wait(PAUSE * 2 ** (attempt - 1), undefined, hub.signal === undefined ? {} : { signal: hub.signal })
  }
}

async function sendOnce(hub: HttpHub, name: string, body: Buffer): Promise<unknown> {
  try {
    const response = await request(hub, name, body)
    const text = await response.text()
    return response.ok ? parse(hub, text) : refusal(hub, response.status, text)
  } catch (error) {
    if (hub.signal?.aborted === true || error instanceof StoreError) throw error
    return unreachable(hub, error)
  }
}

function request({ url, token, signal }: HttpHub, name: string, body: Buffer): Promise<Response> {
  const timeout = AbortSignal.timeout(LONGEST)
  return fetch(new URL(`${PUSH_PATH}/${name}`, url), {
    method: 'POST',
    body: new Uint8Array(body),
    headers: {
      'content-type': name === 'pieces' ? 'application/octet-stream' : 'application/json',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    redirect: 'error',
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  })
}

function unreachable({ url }: HttpHub, error: unknown): StoreError {
  if (error instanceof StoreError) return error
  return new StoreError('unreachable', unreachableHub(url, error), error)
}

function parse(hub: HttpHub, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw notHub(hub)
  }
}

function notHub({ url }: HttpHub): StoreError {
  return new StoreError(
    'damaged',
    `${url} does not answer like a hub of this version. Check the address, or update dagline.`,
  )
}

/** What a status means; a `StoreError` that is returned may be tried again. */
function refusal(hub: HttpHub, status: number, text: string): StoreError {
  const { url, token } = hub
  if (status === 401)
    return new StoreError(
      'read-only',
      token === null
        ? `The hub ${url} requires a token. Ask its administrator for one, and store it with \`dagline hub connect ${url}\`.`
        : `The hub ${url} rejected this token: it may have expired or been revoked. Store a new one with \`dagline hub connect ${url}\`.`,
    )
  const said = messageIn(text)
  if (status === 403)
    return new StoreError(
      'read-only',
      said ?? `The token for ${url} may not push. Ask its administrator for one that may.`,
    )
  if (status === 507)
    return new StoreError('full', said ?? `The disk of the hub ${url} is full. Nothing was lost.`)
  if (status === 503 || status === 502 || status === 504 || status === 429)
    return new StoreError('unreachable', said ?? `The hub ${url} is not ready (${status}). Try again later.`)
  return new StoreError('damaged', said ?? `The hub ${url} answered with status ${status}. See its log.`)
}

function messageIn(text: string): string | null {
  try {
    const message: unknown = JSON.parse(text)?.error?.message
    return typeof message === 'string' ? message : null
  } catch {
    return null
  }
}
