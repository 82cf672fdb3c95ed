/** HU48: what a command asks a hub over HTTP, with the token of its device. Each failure is a sentence that says what to do. */
import { type HubAnswer, type HubAnswers, type HubQuestions, UserError } from '@dagline/app'
import { jsonIn, lazily } from '@dagline/core/model'
import * as z from 'zod'
import { hubAddress, isDatabase } from '../push/client.js'
import { requireHubToken } from '../push/machine.js'
import { unreachableHub } from '../push/unreachable.js'

/** Which hub, and whose sessions of it. */
export interface RemoteOptions {
  /** The hub; the one of the settings where it is null. */
  readonly url: string | null
  /** HU45, HU47: names; null for all. */
  readonly person: string | null
  readonly machine: string | null
}

/** A file of a file group, as the hub has it now. */
export interface RemoteFile {
  readonly path: string
  readonly bytes: number
  readonly mtime: number
  readonly rows: boolean
  readonly chain: string
  readonly sha256: string | null
  readonly placeholders: number
}

/** The files that the graph of a session is made of. */
export interface RemoteGroup {
  readonly session: string
  readonly root: string
  readonly files: readonly RemoteFile[]
}

export interface RemoteHub {
  readonly url: string
  readonly ask: <Kind extends keyof HubQuestions>(
    kind: Kind,
    question: HubQuestions[Kind],
  ) => Promise<HubAnswer<HubAnswers[Kind]>>
  /** HU55: the names of the persons of whom something is shown, by their numbers. */
  readonly persons: () => Promise<ReadonlyMap<number, string>>
  /** What a word names. Throws `UserError` with the code `no-session` where the person sees nothing of that name. */
  readonly group: (word: string) => Promise<RemoteGroup>
  /** A part of a file, from a byte on; empty at its end. */
  readonly bytes: (group: RemoteGroup, path: string, from: number) => Promise<Uint8Array>
}

const GROUP: z.ZodType<RemoteGroup> = z.object({
  session: z.string(),
  root: z.string(),
  files: z.array(
    z.object({
      ...{ path: z.string(), bytes: z.number(), mtime: z.number(), rows: z.boolean(), chain: z.string() },
      ...{ sha256: z.string().nullable(), placeholders: z.number() },
    }),
  ),
})

const ME = z.object({
  persons: z.array(z.object({ id: z.number(), name: z.string() })),
  machines: z.array(z.string()),
})

/** A hub that answers. Nothing is asked yet. Throws `UserError` where it cannot be asked: no address, or no token. */
export function openRemote(options: RemoteOptions): RemoteHub {
  const url = hubAddress(options.url)
  if (isDatabase(url))
    throw new UserError(
      'Commands need a hub, not a database. Give the address of the hub that serves it: --hub https://....',
    )
  const token = requireHubToken(url)
  const get = (path: string, query: Query = {}): Promise<Response> => request({ url, token }, path, query)
  const me = lazily(async () => read(url, ME, await replyOf(url, await get('/api/hub/me'))))
  const filters = lazily(() => filtersOf(options, me))
  const valueAt = async (path: string, query: Query = {}): Promise<unknown> =>
    replyOf(url, await get(path, { ...query, ...(await filters()) }))
  return {
    url,
    ask: async (kind, question) => {
      const value = await valueAt('/api/hub/ask', { question: JSON.stringify({ kind, ...question }) })
      if (!isAnswer<HubAnswers[typeof kind]>(value)) throw notHub(url)
      return value
    },
    persons: async () => new Map((await me()).persons.map(({ id, name }) => [id, name])),
    group: async word => read(url, GROUP, await valueAt(`/api/hub/files/${encodeURIComponent(word)}`)),
    bytes: async ({ session, root }, path, from) => {
      const answer = await get('/api/hub/bytes', { session, root, path, from: String(from) })
      return new Uint8Array(await whole(url, answer.arrayBuffer()))
    },
  }
}

type Me = z.infer<typeof ME>

type Query = Readonly<Record<string, string>>

/** What the routes are limited to. Throws `UserError` for a name that none of the shown sessions has. */
async function filtersOf({ person, machine }: RemoteOptions, me: () => Promise<Me>): Promise<Query> {
  if (person === null && machine === null) return {}
  const { persons, machines } = await me()
  const names = persons.map(({ name }) => name)
  const found = persons.find(({ name }) => name === person)
  if (person !== null && found === undefined) throw notShown('', person, names)
  if (machine !== null && !machines.includes(machine)) throw notShown('a machine called ', machine, machines)
  return {
    ...(found === undefined ? {} : { hubPerson: String(found.id) }),
    ...(machine === null ? {} : { hubMachine: machine }),
  }
}

function notShown(what: string, name: string, names: readonly string[]): UserError {
  const known = names.length === 0 ? 'It shows you no sessions yet' : `Give one of ${names.join(', ')}`
  return new UserError(`The hub shows you no sessions of ${what}${name}. ${known}.`)
}

function read<T>(url: string, schema: z.ZodType<T>, value: unknown): T {
  const { data } = schema.safeParse(value)
  if (data === undefined) throw notHub(url)
  return data
}

/** The same functions made the values as on this machine, so only the frame is checked; an older hub lacks the route. */
function isAnswer<Value>(value: unknown): value is HubAnswer<Value> {
  return typeof value === 'object' && value !== null && 'value' in value && 'notes' in value
}

async function replyOf(url: string, answer: Response): Promise<unknown> {
  const reply = jsonIn(await whole(url, answer.text()))
  if (typeof reply === 'object' && reply !== null && 'value' in reply) return reply.value
  throw notHub(url)
}

/** A body; a connection that is cut meanwhile is a hub that does not answer. */
async function whole<T>(url: string, body: Promise<T>): Promise<T> {
  try {
    return await body
  } catch (error) {
    throw unreachable(url, error)
  }
}

/** A question may take a while on a large hub. */
const LONGEST = 600_000

async function request(
  { url, token }: { readonly url: string; readonly token: string },
  path: string,
  query: Query,
): Promise<Response> {
  const address = new URL(path, url)
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
  let answer: Response
  try {
    answer = await fetch(address, {
      headers: { authorization: `Bearer ${token}` },
      redirect: 'error',
      signal: AbortSignal.timeout(LONGEST),
    })
  } catch (error) {
    throw unreachable(url, error)
  }
  if (answer.ok) return answer
  throw refusal(url, answer.status, await answer.text().catch(() => ''))
}

function unreachable(url: string, error: unknown): UserError {
  return new UserError(
    `${unreachableHub(url, error)} Without --hub the command answers from this machine.`,
    'unavailable',
  )
}

function refusal(url: string, status: number, text: string): UserError {
  const { code, message } = errorIn(text)
  if (status === 401)
    return new UserError(
      `The hub ${url} rejected this token: it may have expired or been revoked. Ask an admin of the hub for a new one, and store it with \`dagline hub connect ${url}\`.`,
      'unavailable',
    )
  if (status === 403 && code === 'scope')
    return new UserError(
      `The token for ${url} cannot read. Ask an admin of the hub for one with the scope "read", and store it with \`dagline hub connect ${url}\`.`,
      'unavailable',
    )
  if (code === 'no-session' || code === 'no-entry')
    return new UserError(`${message} Run \`dagline ls --hub\` to list what the hub shows you.`, code)
  if (code === 'ambiguous') return new UserError(message, code)
  if (message === '' && status >= 500)
    return new UserError(`The hub ${url} is not ready (status ${status}). Try again later.`, 'unavailable')
  if (message !== '' && code !== 'no-such-thing')
    return new UserError(message, status >= 500 ? 'unavailable' : 'invalid')
  return notHub(url)
}

const ERROR = z.object({ error: z.object({ code: z.string(), message: z.string() }) })

/** The code and the sentence of an error; empty where it has none. */
function errorIn(text: string): { readonly code: string; readonly message: string } {
  return ERROR.safeParse(jsonIn(text)).data?.error ?? { code: '', message: '' }
}

function notHub(url: string): UserError {
  return new UserError(
    `${url} does not answer like a hub of this version. Check the address, or update dagline on both sides.`,
    'unavailable',
  )
}
