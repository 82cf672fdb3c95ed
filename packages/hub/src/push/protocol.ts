/**
 * HU20: how a client and a hub speak over HTTP. Everything is `POST` with JSON, but packs: these are a length of four bytes,
 * JSON of that length, the hashes of the pieces, and the compressed bytes. Hashes in JSON are base64.
 */
import type { Label } from '@dagline/store'
import { z } from 'zod'
import type {
  Committed,
  HubFile,
  MachineName,
  NewVersion,
  StoredVersion,
  VersionFilter,
  Welcome,
} from '../raw/model.js'
import { HASH_BYTES, type NamedPack, PACK_BYTES } from '../raw/pack.js'

/** Where the routes are. */
export const PUSH_PATH = '/api/hub/push'

/** The largest body of a request. */
export const LARGEST_BODY: number = 24 * 1024 * 1024

/** Files of one commit, and hashes of one question: a body stays far below the limit. */
const MOST_FILES = 500
/** More names, tags and notes than anybody gives. */
export const MOST_LABELS = 10_000
export const MOST_HASHES = 200_000

const bytes = z.base64().transform(text => Buffer.from(text, 'base64'))
const hash = bytes.refine(({ length }) => length === HASH_BYTES)
const hashes = bytes
  .refine(({ length }) => length % HASH_BYTES === 0 && length <= MOST_HASHES * HASH_BYTES)
  .transform(splitHashes)
const count = z.int().min(0)
/** PostgreSQL takes neither; a file system has no such names. */
const text = z
  .string()
  .max(10_000)
  .refine(value => !/\p{Surrogate}/u.test(value) && !value.includes('\u0000'))

const MACHINE = z.object({
  uuid: z.guid(),
  name: text.min(1).max(200),
  platform: text.max(50),
})

const VERSION = z.object({
  place: text.min(1),
  folder: text.min(1),
  path: text.min(1),
  kind: text.min(1),
  session: text.nullable(),
  remote: text.nullable(),
  cwd: text.nullable(),
  mtime: z.number(),
  base: z.object({ number: count, chain: hash }).nullable(),
  isOther: z.boolean(),
  hashes,
  bytes: count,
  chain: hash,
  originalBytes: count,
  originalSha256: hash,
  redacted: z.record(z.string().regex(/^[a-z0-9-]{1,60}$/), count).nullable(),
})

const HUB_VERSION = z.object({
  number: count,
  bytes: count,
  chain: hash,
  originalBytes: count,
  originalSha256: hash,
})

const STORED = z.object({
  ...{ id: count, file: count, path: z.string(), kind: z.string(), session: z.string().nullable() },
  ...{
    machine: z.string(),
    place: z.string(),
    project: z.string(),
    number: count,
    bytes: count,
    mtime: z.number(),
  },
  ...{ originalSha256: z.string(), originalBytes: count, placeholders: count },
})

/** A name, tags and a note of one thing. */
export const LABEL: z.ZodType<Label> = z.object({
  kind: z.enum(['session', 'branch', 'agent', 'entry']),
  id: text.min(1).max(500),
  session: text.min(1).max(200),
  name: text.max(500).nullable(),
  tags: z.array(text.max(500)).max(1000),
  note: text.max(100_000).nullable(),
})

const PACK_HEAD = z.object({
  codec: z.string(),
  bytes: count.max(PACK_BYTES),
  lengths: z.array(z.int().min(1)),
})

/** What a request asks for: read by the hub. */
export const REQUESTS: {
  readonly welcome: z.ZodType<MachineName>
  readonly files: z.ZodType<{ machine: number }>
  readonly missing: z.ZodType<{ hashes: Buffer[] }>
  readonly versions: z.ZodType<VersionFilter>
  readonly commit: z.ZodType<{ machine: number; files: NewVersion[]; hasMore: boolean }>
  readonly labels: z.ZodType<{ machine: number; labels: Label[] }>
} = {
  welcome: MACHINE,
  files: z.object({ machine: count }),
  missing: z.object({ hashes }),
  versions: z.object({ session: text.optional(), all: z.boolean().optional() }),
  commit: z.object({
    machine: count,
    files: z.array(VERSION).max(MOST_FILES),
    hasMore: z.boolean().default(false),
  }),
  labels: z.object({ machine: count, labels: z.array(LABEL).max(MOST_LABELS) }),
}

/** What a hub answers. */
export interface Answer {
  readonly welcome: Welcome
  readonly files: { readonly files: HubFile[] }
  readonly missing: { readonly missing: boolean[] }
  readonly commit: Committed
  readonly labels: { readonly kept: number }
  readonly versions: { readonly versions: StoredVersion[] }
}

/** The answers as a client reads them. */
export const ANSWERS: { readonly [N in Question]: z.ZodType<Answer[N]> } = {
  welcome: z.object({
    hub: z.string(),
    machine: count,
    name: z.string(),
    changes: count,
    gone: z.array(z.string()),
    takesLabels: z.boolean().default(false),
  }),
  files: z.object({ files: z.array(HUB_VERSION.extend({ place: z.string() })) }),
  missing: z.object({ missing: z.array(z.boolean()) }),
  versions: z.object({ versions: z.array(STORED) }),
  commit: z.object({
    changes: count,
    results: z.array(
      z.object({
        outcome: z.enum(['stored', 'same', 'older', 'conflict', 'missing', 'gone']),
        version: HUB_VERSION.nullable(),
      }),
    ),
  }),
  labels: z.object({ kept: count }),
}

/** Asks for the bytes of a version, which are the body of the answer. */
export const READ: z.ZodType<{ version: number }> = z.object({ version: count })

/** What can be asked with JSON. */
export type Question = keyof typeof REQUESTS

/** A value as JSON, with bytes in base64; hashes one after another are one text. */
export function toWire(value: unknown): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, name: string, given: unknown) {
    // `Buffer` has made an object of itself before a replacer sees it.
    const own = this[name]
    if (Buffer.isBuffer(own)) return own.toString('base64')
    if (name === 'hashes' && Array.isArray(own)) return Buffer.concat(own).toString('base64')
    return given
  })
}

function splitHashes(all: Buffer): Buffer[] {
  return Array.from({ length: all.length / HASH_BYTES }, (_, at) =>
    all.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  )
}

/** A pack as the body of a request. */
export function encodePack({ codec, bytes: size, lengths, hashes: names, data }: NamedPack): Buffer {
  const head = Buffer.from(JSON.stringify({ codec, bytes: size, lengths }))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(head.length)
  return Buffer.concat([length, head, ...names, data])
}

/** The pack in a body; null where it is not one. */
export function decodePack(body: Buffer): NamedPack | null {
  if (body.length < 4) return null
  const end = 4 + body.readUInt32LE(0)
  const head = end > body.length ? null : readHead(body.toString('utf8', 4, end))
  if (head === null) return null
  const start = end + head.lengths.length * HASH_BYTES
  if (start > body.length) return null
  return { ...head, hashes: splitHashes(body.subarray(end, start)), data: body.subarray(start) }
}

function readHead(json: string): z.infer<typeof PACK_HEAD> | null {
  try {
    return PACK_HEAD.safeParse(JSON.parse(json)).data ?? null
  } catch {
    return null
  }
}
