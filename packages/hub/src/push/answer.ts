/** HU20: the routes of a hub that take pushes, for any server. The caller is authenticated before. */
import { StoreError } from '@dagline/store'
import type { RawStore } from '../raw/model.js'
import { BadPush } from '../raw/pieces.js'
import { decodePack, LARGEST_BODY, PUSH_PATH, type Question, READ, REQUESTS, toWire } from './protocol.js'

/** Answers a request to one of the routes below `PUSH_PATH`. Never throws for what a client may send. */
export async function answerPush(store: RawStore, request: Request): Promise<Response> {
  const name = new URL(request.url).pathname.slice(PUSH_PATH.length + 1)
  try {
    if (request.method !== 'POST') return failure(405, 'method', 'Send pushes with POST.')
    const body = await readBody(request)
    if (body === null) return failure(413, 'too-large', `Send at most ${LARGEST_BODY} bytes at once.`)
    if (name === 'pieces') return await takePack(store, body)
    if (name === 'bytes') return await bytesOf(store, JSON.parse(body.toString('utf8')))
    const answer = isQuestion(name) ? ANSWERERS[name](store, JSON.parse(body.toString('utf8'))) : null
    if (answer === null) return failure(404, 'route', 'This hub is older than the client: update it.')
    return new Response(toWire(await answer), { headers: { 'content-type': 'application/json' } })
  } catch (error) {
    return failureOf(error)
  }
}

/** HU39: whether a route gives back what was pushed. */
export function givesTranscripts(path: string): boolean {
  return path === `${PUSH_PATH}/versions` || path === `${PUSH_PATH}/bytes`
}

const ANSWERERS: Readonly<Record<Question, (store: RawStore, value: unknown) => Promise<unknown>>> = {
  welcome: (store, value) => store.welcome(REQUESTS.welcome.parse(value)),
  files: async (store, value) => ({ files: await store.files(REQUESTS.files.parse(value).machine) }),
  missing: async (store, value) => ({ missing: await store.missing(REQUESTS.missing.parse(value).hashes) }),
  versions: async (store, value) => ({ versions: await store.versions(REQUESTS.versions.parse(value)) }),
  commit: (store, value) => {
    const { machine, files, hasMore } = REQUESTS.commit.parse(value)
    return store.commit(machine, files, { hasMore })
  },
  labels: async (store, value) => {
    const { machine, labels } = REQUESTS.labels.parse(value)
    return { kept: await store.keepLabels(machine, labels) }
  },
}

/** HU64: the routes below `PUSH_PATH`. */
export const PUSH_ROUTES: readonly string[] = ['pieces', 'bytes', ...Object.keys(ANSWERERS)]

/**
 * The bytes of a version. One that is not there is an error before the answer; what fails on the way cuts the answer, which the client
 * notices by its length.
 */
async function bytesOf(store: RawStore, value: unknown): Promise<Response> {
  const parts = store.read(READ.parse(value).version)[Symbol.asyncIterator]()
  const first = await parts.next()
  const all = async function* (): AsyncGenerator<Uint8Array> {
    for (let part = first; part.done !== true; part = await parts.next()) yield part.value
  }
  return new Response(ReadableStream.from(all()), { headers: { 'content-type': 'application/octet-stream' } })
}

function isQuestion(name: string): name is Question {
  return Object.hasOwn(ANSWERERS, name)
}

async function takePack(store: RawStore, body: Buffer): Promise<Response> {
  const pack = decodePack(body)
  if (pack === null) return failure(400, 'invalid', 'This is not a pack of pieces.')
  await store.put(pack)
  return new Response('{}', { headers: { 'content-type': 'application/json' } })
}

/** The body; null where it is too large. It is read up to the limit only. */
async function readBody(request: Request): Promise<Buffer | null> {
  if (Number(request.headers.get('content-length') ?? 0) > LARGEST_BODY) return null
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of request.body ?? []) {
    size += part.length
    if (size > LARGEST_BODY) return null
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function failure(status: number, code: string, message: string): Response {
  return Response.json({ error: { code, message } }, { status })
}

const STATUS: Readonly<Record<StoreError['kind'], number>> = {
  full: 507,
  busy: 503,
  'read-only': 503,
  damaged: 500,
  unreachable: 503,
}

function failureOf(error: unknown): Response {
  if (error instanceof StoreError) return failure(STATUS[error.kind], error.kind, error.message)
  if (error instanceof BadPush) return failure(400, 'invalid', error.message)
  if (error instanceof SyntaxError || isZodError(error))
    return failure(
      400,
      'invalid',
      'The hub does not support this request: update dagline on this machine or on the hub.',
    )
  throw error
}

function isZodError(error: unknown): boolean {
  return error instanceof Error && error.name === 'ZodError'
}
