/**
 * Y10: the objects of a bucket, by the protocol of S3. Requests are tried again where the server or the network fails for a
 * moment; what a server refuses becomes one sentence.
 */
import { hash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { networkReason } from '../host/network.js'
import { UserError } from '../host/user-error.js'
import type { BucketSettings } from './settings.js'

/** An object with its contents. */
interface BucketObject {
  readonly bytes: Buffer
  /** Names this state of it. */
  readonly etag: string
  /** Milliseconds since it was written, by the clock of the server. */
  readonly age: number
}

/** What an object must be for a write to happen: a state of it, or null for none at all. */
type Expected = string | null

/** A bucket. Names are those below its prefix. Every function throws `UserError` where the server refuses. */
export interface Bucket {
  readonly list: () => Promise<readonly string[]>
  readonly read: (name: string) => Promise<BucketObject | null>
  /** Writes an object where it is as expected. Returns its new state; null where it is not. */
  readonly write: (name: string, text: string, expected: Expected) => Promise<string | null>
  /** Writes a file: readers see all of it or nothing. A large one is sent in parts. */
  readonly upload: (name: string, path: string) => Promise<void>
  readonly remove: (name: string) => Promise<void>
  /** Ends uploads that were never finished: the server keeps their parts otherwise. */
  readonly endUploads: () => Promise<void>
}

/** Bytes of a part. S3 takes no smaller ones, and at most 10,000. */
const PART = 16 * 1024 * 1024

/** How a bucket is reached. */
interface BucketOptions {
  /** Bytes that are sent at once. */
  readonly part?: number
  /** Milliseconds before the second attempt; each further one waits twice as long. */
  readonly patience?: number
}

/** Opens a bucket. Nothing is asked yet. */
export function openBucket(settings: BucketSettings, options: BucketOptions = {}): Bucket {
  const { part = PART, patience = 200 } = options
  const request = requester(settings, patience)
  const keyOf = (name: string): string => settings.prefix + name
  return {
    list: async () => await listAll(request, settings.prefix),
    read: async name => {
      const answer = await request('GET', keyOf(name), { allowed: [404] })
      failIfNoBucket(settings, answer)
      if (answer.status === 404) return null
      return { bytes: answer.bytes, etag: answer.header('etag'), age: ageOf(answer) }
    },
    write: async (name, text, expected) => {
      const headers = expected === null ? { 'if-none-match': '*' } : { 'if-match': expected }
      const body = Buffer.from(text)
      const allowed = [404, 409, 412, 501]
      let answer = await request('PUT', keyOf(name), { body, headers, allowed })
      // A server that knows no conditions: the caller reads again what it has written.
      if (answer.status === 501) answer = await request('PUT', keyOf(name), { body })
      failIfNoBucket(settings, answer)
      if (answer.status < 300) return answer.header('etag')
      // An answer that was lost looks like somebody else's write.
      const now = await request('GET', keyOf(name), { allowed: [404] })
      return now.status < 300 && now.bytes.equals(body) ? now.header('etag') : null
    },
    upload: async (name, path) => {
      const file = await open(path)
      try {
        const { size } = await file.stat()
        if (size > part) await uploadParts(request, keyOf(name), { file, size, part })
        else await request('PUT', keyOf(name), { body: await bytesAt(file, 0, size) })
      } finally {
        await file.close()
      }
    },
    remove: async name => {
      await request('DELETE', keyOf(name), { allowed: [404] })
    },
    endUploads: async () => await endUploads(request, settings.prefix),
  }
}

/** What a server answered. */
interface Answer {
  readonly status: number
  readonly bytes: Buffer
  /** The code of an error, such as `NoSuchBucket`; empty without one. */
  readonly code: string
  readonly header: (name: string) => string
}

interface RequestOptions {
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer>
  /** Statuses of errors that the caller understands. */
  readonly allowed?: readonly number[]
}

type Request = (method: string, key: string, options?: RequestOptions) => Promise<Answer>

const ATTEMPTS = 6
/** For a whole request: a part takes long on a slow line. */
const LONGEST = 300_000

function requester(settings: BucketSettings, patience: number): Request {
  return async (method, key, options = {}) => {
    for (let attempt = 1; ; attempt++) {
      const answer = await send(settings, method, key, options).catch((error: unknown) => {
        if (attempt < ATTEMPTS && isPassing(error)) return null
        throw unreached(settings, error)
      })
      const isDone = answer !== null && (attempt === ATTEMPTS || !isBusy(answer))
      if (isDone && (answer.status < 300 || options.allowed?.includes(answer.status) === true)) return answer
      if (isDone) throw refused(settings, answer)
      await setTimeout(patience * 2 ** (attempt - 1) * (0.5 + Math.random() / 2))
    }
  }
}

async function send(
  { url, region, accessKeyId, secretAccessKey, sessionToken }: BucketSettings,
  method: string,
  key: string,
  { query = {}, headers = {}, body }: RequestOptions,
): Promise<Answer> {
  const search = new URLSearchParams(query).toString().replaceAll('+', '%20')
  const path = key === '' ? '/' : `/${key.split('/').map(encodeURIComponent).join('/')}`
  const signer = new AwsV4Signer({
    ...{ method, url: `${url}${path}${search === '' ? '' : `?${search}`}` },
    headers: { ...headers, 'x-amz-content-sha256': hash('sha256', body ?? '') },
    ...{ service: 's3', region, accessKeyId, secretAccessKey },
    ...(sessionToken === undefined ? {} : { sessionToken }),
    ...(body === undefined ? {} : { body }),
  })
  const signed = await signer.sign()
  const response = await fetch(signed.url, {
    ...{ method, headers: signed.headers, redirect: 'manual' },
    signal: AbortSignal.timeout(LONGEST),
    ...(body === undefined ? {} : { body }),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  // A multipart upload may fail after the server has said that all is well.
  const isLateFailure =
    method === 'POST' && response.ok && /^[^<]*(?:<\?xml[^>]*>\s*)?<Error>/.test(String(bytes))
  const isFailed = isLateFailure || !response.ok
  return {
    status: isLateFailure ? 500 : response.status,
    bytes,
    code: isFailed ? elementsIn(String(bytes), 'Code')[0] || '' : '',
    header: name => response.headers.get(name) ?? '',
  }
}

const PASSING = new Set([
  ...['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN', 'ENETUNREACH'],
  ...['UND_ERR_SOCKET', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'],
])

/** Whether a connection may work at the next attempt. */
function isPassing(error: unknown): boolean {
  const reason = networkReason(error)
  return PASSING.has(reason) || reason === 'TimeoutError'
}

function isBusy({ status, code }: Answer): boolean {
  return status === 429 || (status >= 500 && status !== 501) || code === 'RequestTimeout'
}

function unreached({ url }: BucketSettings, error: unknown): UserError {
  return new UserError(
    `The S3 server ${new URL(url).origin} cannot be reached (${networkReason(error)}). Check --s3-endpoint, AWS_ENDPOINT_URL and the network, and run the export again: it goes on where it ended.`,
    'unavailable',
  )
}

/** What to do about the errors that people meet. */
function adviceFor(settings: BucketSettings, { status, code, header }: Answer): string {
  const region = header('x-amz-bucket-region')
  if (code === 'NoSuchBucket') return `There is no bucket ${settings.bucket}. Create it, or check its name.`
  if (region !== '' && region !== settings.region)
    return `The bucket ${settings.bucket} is in the region ${region}: set AWS_REGION=${region}.`
  if (code === 'RequestTimeTooSkewed') return 'The clock of this machine is wrong. Set it.'
  if (code === 'InvalidAccessKeyId' || code === 'SignatureDoesNotMatch')
    return 'The server does not know the keys. Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.'
  if (code === 'ExpiredToken' || code === 'InvalidToken') return 'The credentials have expired: renew them.'
  if (status === 403 || code === 'AccessDenied')
    return `The keys may not do this. They need s3:ListBucket on ${settings.bucket}, and s3:GetObject, s3:PutObject, s3:DeleteObject, s3:AbortMultipartUpload and s3:ListBucketMultipartUploads there.`
  if (status >= 300 && status < 400) return 'The server sends to another address: check the region.'
  return 'Run the export again: it goes on where it ended.'
}

function refused(settings: BucketSettings, answer: Answer): UserError {
  const what = answer.code === '' ? `status ${answer.status}` : `${answer.code}, status ${answer.status}`
  const origin = new URL(settings.url).origin
  return new UserError(`${origin} refused: ${what}. ${adviceFor(settings, answer)}`, 'unavailable')
}

/** A bucket that is missing must not look like an object that is missing. */
function failIfNoBucket(settings: BucketSettings, answer: Answer): void {
  if (answer.code === 'NoSuchBucket') throw refused(settings, answer)
}

function ageOf({ header }: Answer): number {
  const age = Date.parse(header('date')) - Date.parse(header('last-modified'))
  return Number.isNaN(age) ? 0 : age
}

async function listAll(request: Request, prefix: string): Promise<readonly string[]> {
  const names: string[] = []
  for (let token: string | undefined = ''; token !== undefined; ) {
    const more = token === '' ? {} : { 'continuation-token': token }
    const query = { 'list-type': '2', 'encoding-type': 'url', prefix, ...more }
    const { bytes } = await request('GET', '', { query })
    const text = String(bytes)
    names.push(...keysIn(text).map(key => key.slice(prefix.length)))
    token = elementsIn(text, 'NextContinuationToken')[0]
  }
  return names
}

/** Some servers do not encode keys, whatever they are asked. */
function keysIn(text: string): readonly string[] {
  const keys = elementsIn(text, 'Key')
  if (!/<EncodingType>url</.test(text)) return keys
  return keys.map(key => decodeURIComponent(key.replaceAll('+', ' ')))
}

interface Parts {
  readonly file: FileHandle
  readonly size: number
  readonly part: number
}

const MOST_PARTS = 10_000

async function uploadParts(request: Request, key: string, { file, size, part }: Parts): Promise<void> {
  const begun = await request('POST', key, { query: { uploads: '' } })
  const uploadId = elementsIn(String(begun.bytes), 'UploadId')[0] ?? ''
  const length = Math.max(part, Math.ceil(size / MOST_PARTS))
  try {
    const parts: string[] = []
    for (let at = 0; at < size; at += length) {
      const partNumber = String(parts.length + 1)
      const body = await bytesAt(file, at, Math.min(length, size - at))
      const sent = await request('PUT', key, { query: { partNumber, uploadId }, body })
      const etag = sent.header('etag').replaceAll('"', '&quot;')
      parts.push(`<Part><PartNumber>${partNumber}</PartNumber><ETag>${etag}</ETag></Part>`)
    }
    const whole = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
    await request('POST', key, { query: { uploadId }, body: Buffer.from(whole) })
  } catch (error) {
    await request('DELETE', key, { query: { uploadId }, allowed: [404] }).catch(() => {})
    throw error
  }
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer<ArrayBuffer>> {
  const buffer = Buffer.alloc(length)
  let done = 0
  while (done < length) {
    const { bytesRead } = await file.read(buffer, done, length - done, position + done)
    if (bytesRead === 0)
      throw new RangeError(`a file has ${position + done} bytes instead of ${position + length}`)
    done += bytesRead
  }
  return buffer
}

async function endUploads(request: Request, prefix: string): Promise<void> {
  const query = { uploads: '', 'encoding-type': 'url', prefix }
  // Some servers have no such list: then there is nothing that could be ended.
  const { status, bytes } = await request('GET', '', { query, allowed: [400, 403, 404, 405, 501] })
  if (status >= 300) return
  const ids = elementsIn(String(bytes), 'UploadId')
  for (const [at, key] of keysIn(String(bytes)).entries())
    await request('DELETE', key, { query: { uploadId: ids[at] ?? '' }, allowed: [404] })
}

/** The contents of all elements of a name. Answers of S3 have neither attributes nor the same name within. */
function elementsIn(xml: string, name: string): readonly string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text = '']) =>
    unescaped(text),
  )
}

function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&#x([\da-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll('&amp;', '&')
}
