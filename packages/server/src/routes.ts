/** The routes: each reads the query, asks the history and replies. */
import type { LiveHistory } from '@dagline/app'
import {
  type ActionsAllowed,
  AGENT_RUNS,
  HOME_ROWS,
  parseHomeView,
  SEARCH_SORTS,
  type ServerEvent,
} from '@dagline/core/protocol'
import type { Context, Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import * as z from 'zod'
import { ACTIONS_PATH } from './guard.js'
import { bodyOf, HttpError, queryOf, reply, replyJson } from './reply.js'

/** How the routes are served. */
interface RouteOptions {
  /** V26: nothing may be changed. */
  readonly isReadOnly: boolean
}

type AddRoutes = (app: Hono, history: LiveHistory, options: RouteOptions) => void

/** All routes below `/api`. */
export const ROUTES: readonly AddRoutes[] = [
  pages,
  sessions,
  contexts,
  entries,
  search,
  comparison,
  blame,
  download,
  actions,
  events,
]

/** The most characters of a text in a query. */
const LONGEST = 1000

const shortText = z.string().max(LONGEST).optional()
const isGiven = z
  .enum(['', '1', 'true'])
  .optional()
  .transform(text => text === '1' || text === 'true')

const HomeQuery = z.object({
  from: z.coerce.number().int().min(0).default(0),
  count: z.coerce.number().int().min(1).max(1000).default(HOME_ROWS),
})

const UsageQuery = z.object({
  by: z.enum(['project', 'model', 'agent', 'session', 'branch']).default('project'),
  since: z.string().default(''),
  until: z.string().default(''),
  project: z.string().optional(),
})

const AgentsQuery = z.object({
  project: shortText,
  session: shortText,
  type: shortText,
  state: shortText,
  q: shortText,
  count: z.coerce.number().int().min(1).max(5000).default(AGENT_RUNS),
})

function pages(app: Hono, history: LiveHistory): void {
  app.get('/api/home', c => {
    const view = parseHomeView(name => c.req.query(name)?.slice(0, LONGEST) ?? null)
    return reply(c, history.home({ view, ...queryOf(c, HomeQuery) }))
  })
  app.get('/api/usage', c => reply(c, history.usage(queryOf(c, UsageQuery))))
  app.get('/api/waste', async c => reply(c, await history.waste()))
  app.get('/api/agents', c => reply(c, history.agents(queryOf(c, AgentsQuery))))
  app.get('/api/health', c => reply(c, history.health()))
  app.get('/api/now', async c => reply(c, await history.now()))
}

const SheetQuery = z.object({ known: z.string().max(200).optional() })

const ContentsQuery = z.object({
  from: z.coerce.number().int().min(0),
  to: z.coerce.number().int().min(0),
})

const ContextsQuery = z.object({ agent: shortText })
const ContextQuery = z.object({ session: shortText })

/** The most rows in one reply. */
const MOST_ROWS = 500

function sessions(app: Hono, history: LiveHistory): void {
  app.get('/api/sessions/:id', async c => {
    const { known } = queryOf(c, SheetQuery)
    const id = c.req.param('id')
    return known === undefined
      ? replyJson(c, await history.sessionJson(id))
      : reply(c, await history.sessionSince(id, known))
  })
  app.get('/api/sessions/:id/labels', c => reply(c, history.labels(c.req.param('id'))))
  app.get('/api/sessions/:id/contents', async c => {
    const { from, to } = queryOf(c, ContentsQuery)
    if (to - from > MOST_ROWS)
      throw new HttpError(400, 'too-many', `A request can have at most ${MOST_ROWS} rows.`)
    return reply(c, await history.contents(c.req.param('id'), { from, to }))
  })
}

/** V27: what was before the model. */
function contexts(app: Hono, history: LiveHistory): void {
  app.get('/api/sessions/:id/contexts', async c =>
    reply(c, await history.contexts(c.req.param('id'), queryOf(c, ContextsQuery).agent ?? null)),
  )
  app.get('/api/nodes/:uuid/context', async c =>
    reply(c, await history.context(c.req.param('uuid'), queryOf(c, ContextQuery).session ?? null)),
  )
}

const BlockQuery = z.object({
  block: z.string().max(200).default('0'),
  field: z.string().max(200).optional(),
  image: z.coerce.number().int().min(0).default(0),
})

function entries(app: Hono, history: LiveHistory): void {
  const uuidOf = (c: Context): string => c.req.param('uuid') ?? ''
  app.get('/api/nodes/:uuid', async c => reply(c, await history.entry(uuidOf(c))))
  app.get('/api/nodes/:uuid/why', async c =>
    reply(c, await history.explain(uuidOf(c), c.req.query('session') ?? null)),
  )
  app.get('/api/nodes/:uuid/raw', async c => plain(c, await history.raw(uuidOf(c))))
  app.get('/api/nodes/:uuid/text', async c => plain(c, await history.text(uuidOf(c), queryOf(c, BlockQuery))))
  app.get('/api/nodes/:uuid/image', async c => {
    const image = await history.image(uuidOf(c), queryOf(c, BlockQuery))
    if (!('data' in image)) throw new HttpError(404, 'no-block', 'The row has no such part.')
    // `readBlocks` returns only media types without code, and the browser is told not to guess another.
    return c.body(Uint8Array.from(Buffer.from(image.data, 'base64')), 200, { 'Content-Type': image.media })
  })
}

function plain(c: Context, text: string): Response {
  return c.body(text, 200, { 'Content-Type': 'text/plain; charset=utf-8' })
}

const SearchQuery = z.object({
  q: z.string().max(1000).default(''),
  project: shortText,
  session: shortText,
  since: shortText,
  until: shortText,
  role: shortText,
  tool: shortText,
  file: shortText,
  agent: shortText,
  branch: z.enum(['live', 'abandoned', 'all', '']).optional(),
  beforeCompaction: isGiven,
  seenAt: shortText,
  errors: isGiven,
  regex: shortText,
  sort: z.enum(SEARCH_SORTS).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(30),
  below: z.coerce.number().int().min(0).max(5000).default(0),
})

function search(app: Hono, history: LiveHistory): void {
  app.get('/api/search', async c => reply(c, await history.search(queryOf(c, SearchQuery), c.req.raw.signal)))
}

const BlameQuery = z.object({ file: z.string().min(1).max(4096) })
const CommitQuery = z.object({ session: z.string().min(1).max(200), rev: z.string().min(1).max(100) })

function blame(app: Hono, history: LiveHistory): void {
  app.get('/api/blame', async c => reply(c, await history.blame(queryOf(c, BlameQuery).file)))
  app.get('/api/commits', async c => {
    const { session, rev } = queryOf(c, CommitQuery)
    return reply(c, await history.commits(session, rev))
  })
}

const CompareQuery = z.object({
  a: z.string().min(1).optional(),
  b: z.string().min(1).optional(),
  session: z.string().min(1).optional(),
})

function comparison(app: Hono, history: LiveHistory): void {
  app.get('/api/compare', async c => {
    const { a, b, session } = queryOf(c, CompareQuery)
    if (a !== undefined && b !== undefined) return reply(c, await history.compare(a, b))
    if (session !== undefined) return reply(c, await history.comparable(session))
    throw new HttpError(400, 'invalid', 'Give two branches (a and b), or a session to choose them from.')
  })
}

const PERSONAL = ['paths', 'emails', 'names'] as const

const ExportQuery = z.object({
  secrets: z.enum(['refuse', 'redact', 'allow']).default('refuse'),
  /** Separated by commas; what is not known is left out. */
  also: z
    .string()
    .max(100)
    .default('')
    .transform(text => PERSONAL.filter(what => text.split(',').includes(what))),
  branch: z.enum(['all', 'live']).default('all'),
  depth: z.coerce.number().int().min(0).nullable().default(null),
})

/** The routes that make files of sessions. */
export function download(app: Hono, history: Pick<LiveHistory, 'findings' | 'exportHtml'>): void {
  app.get('/api/sessions/:id/findings', async c => reply(c, await history.findings(c.req.param('id'))))
  app.get('/api/export/:file{.+[.]html}', async c => {
    const id = c.req.param('file').replace(/\.html$/, '')
    const { session, page } = await history.exportHtml(id, queryOf(c, ExportQuery))
    const name = `${session.replace(/[^\w.-]/g, '_')}.html`
    // The file holds text from a transcript: it is a download, never a page of this server.
    return c.body(new Uint8Array(page.bytes), 200, {
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': `attachment; filename="${name}"`,
      // R4: what was replaced, in sentences of plain ASCII.
      ...(page.redacted === null ? {} : { 'X-Dagline-Redacted': page.redacted }),
    })
  })
}

const ref = z.string().min(1).max(LONGEST)
const title = z.string().max(LONGEST).nullable().default(null)

const ActionBody = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['checkout', 'fork']), ref, title }),
  z.object({ kind: z.literal('pick'), refs: z.array(ref).min(1).max(1000), onto: ref, title }),
  z.object({
    kind: z.literal('trim'),
    session: ref,
    outputs: z.number().int().min(0).nullable(),
    images: z.boolean(),
    thinking: z.boolean(),
    progress: z.boolean(),
  }),
  z.object({ kind: z.literal('split'), session: ref, at: ref }),
  z.object({
    kind: z.literal('repair'),
    session: ref,
    isInPlace: z.boolean(),
    acceptsLoss: z.boolean().default(false),
  }),
  z.object({ kind: z.literal('restore'), session: ref }),
  z.object({ kind: z.literal('archive') }),
  z.object({ kind: z.literal('undo'), number: z.number().int().min(1).nullable() }),
  z.object({
    kind: z.literal('label'),
    ref,
    name: z.string().max(LONGEST).nullable(),
    tags: z.array(z.string().max(LONGEST)).max(100),
    note: z
      .string()
      .max(10 * LONGEST)
      .nullable(),
  }),
])

const RunBody = z.object({ code: z.string().max(100) })

/** V26: an action is previewed, and then carried out by the code of its preview. */
function actions(app: Hono, history: LiveHistory, { isReadOnly }: RouteOptions): void {
  const reason = (): string | null => {
    if (isReadOnly) return 'The viewer was started with --read-only: it changes nothing.'
    return history.actions === null ? 'These are samples: nothing is written to them.' : null
  }
  const allowed = (): NonNullable<LiveHistory['actions']> => {
    const why = reason()
    if (history.actions === null || why !== null) throw new HttpError(403, 'read-only', why ?? '')
    return history.actions
  }
  app.get(ACTIONS_PATH, c =>
    reply(c, { isAllowed: reason() === null, why: reason() } satisfies ActionsAllowed),
  )
  app.post(ACTIONS_PATH, async c => reply(c, await allowed().preview(await bodyOf(c, ActionBody))))
  app.post(`${ACTIONS_PATH}/run`, async c => reply(c, await allowed().run((await bodyOf(c, RunBody)).code)))
}

/** Something is sent at least this often, in milliseconds: otherwise a lost connection goes unnoticed. */
const HEARTBEAT = 25_000

/** The stream of events begins with the progress of the index. */
function events(app: Hono, { events }: LiveHistory): void {
  app.get('/api/events', c =>
    streamSSE(c, async stream => {
      const send = (event: ServerEvent): void => void stream.writeSSE({ data: JSON.stringify(event) })
      const unlisten = events.listen(send)
      const heartbeat = setInterval(() => void stream.write(': \n\n'), HEARTBEAT)
      send({ kind: 'sync', status: events.status() })
      await new Promise<void>(resolve => stream.onAbort(resolve))
      clearInterval(heartbeat)
      unlisten()
    }),
  )
}
