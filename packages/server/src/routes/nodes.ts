/** `/api/nodes/...`: one entry by its uuid. */
import { readSpilled } from '@dagline/app'
import {
  type Block,
  type Graph,
  type ImageContent,
  type Json,
  type NodePlace,
  readBlocks,
  readResults,
  type Why,
} from '@dagline/core'
import type { Context, Hono } from 'hono'
import * as z from 'zod'
import type { OpenSession, ServerContext } from '../context.js'
import { Refused } from '../refused.js'
import { asked, reply } from '../reply.js'

/** `block` is the number of a block of the row, or the id of a call whose result stands there. */
const BlockQuery = z.object({
  block: z.string().max(200).default('0'),
  /** A field of a call's input. */
  field: z.string().max(200).optional(),
  /** Which picture of a result. */
  image: z.coerce.number().int().min(0).default(0),
})

/** Adds nodes. */
export function nodeRoutes(app: Hono, context: ServerContext): void {
  const find = (c: Context): Found => context.nodeOf(c.req.param('uuid') ?? '')
  app.get('/api/nodes/:uuid', c => reply(c, placeOf(find(c))))
  app.get('/api/nodes/:uuid/why', c => reply(c, whyOf(find(c), c.req.query('session') ?? null)))
  app.get('/api/nodes/:uuid/raw', c => {
    const { session, node } = find(c)
    return plain(c, context.reading.raw(session, node) ?? gone())
  })
  app.get('/api/nodes/:uuid/text', c => plain(c, textOf(context, find(c), asked(c, BlockQuery))))
  app.get('/api/nodes/:uuid/image', c => imageReply(c, imageOf(context, find(c), asked(c, BlockQuery))))
}

interface Found {
  readonly session: OpenSession
  readonly node: number
}

function plain(c: Context, text: string): Response {
  return c.body(text, 200, { 'Content-Type': 'text/plain; charset=utf-8' })
}

function gone(): never {
  throw new Refused(404, 'gone', 'This row is no longer in its file.')
}

function missing(): never {
  throw new Refused(404, 'no-block', 'The row has no such part.')
}

function placeOf({ session, node }: Found): NodePlace {
  return { node: session.graph.id(node), session: session.fact.session }
}

function whyOf({ session: { graph }, node: found }: Found, session: string | null): Why {
  const node = session === null ? found : seenIn(graph, found, session)
  const { id, file, row } = graph.node(node)
  return {
    node: id,
    file,
    row,
    line: graph.lineOf(node)?.id ?? null,
    live: graph.live(file).some(live => graph.id(live) === id),
    because: graph.explain(node),
  }
}

/** The node as a session has it, which may be a copy: there it may be live though the branch it is from was left. */
function seenIn(graph: Graph, node: number, session: string): number {
  const nodeOf = (sighting: number): number => graph.originalOf(graph.index(graph.id(sighting)))
  const files = graph.files().filter(({ facts }) => facts.kind === 'session' && facts.session === session)
  for (const { nodes } of files) {
    const own = nodes.find(each => nodeOf(each) === nodeOf(node))
    if (own !== undefined) return own
  }
  return node
}

type Asked = z.infer<typeof BlockQuery>

/** A text that was cut, whole. */
function textOf({ reading }: ServerContext, found: Found, { block, field }: Asked): string {
  const record = reading.record(found.session, found.node) ?? gone()
  const result = readResults(record, Number.POSITIVE_INFINITY).get(block)
  const part = readBlocks(record, Number.POSITIVE_INFINITY)[Number(block)]
  const shown = result ?? (part?.kind === 'result' ? part : null)
  if (shown !== null) {
    const spilled =
      shown.spilled === null ? null : readSpilled(found.session, reading, found.node, shown.spilled)
    return spilled ?? shown.text.text
  }
  return wordsOf(part ?? missing(), field)
}

function wordsOf(block: Block, field: string | undefined): string {
  switch (block.kind) {
    case 'call': {
      const value = field === undefined ? block.input : block.input[field]
      return typeof value === 'string' ? value : JSON.stringify(value ?? missing(), null, 2)
    }
    case 'command':
      return block.output?.text ?? missing()
    case 'image':
    case 'result':
      return missing()
    default:
      return block.text.text
  }
}

function imageOf({ reading }: ServerContext, found: Found, { block, image }: Asked): ImageContent {
  const record: Json = reading.record(found.session, found.node) ?? gone()
  const part = readBlocks(record, 0)[Number(block)]
  if (part?.kind === 'image') return part.image
  const result = readResults(record, 0).get(block) ?? (part?.kind === 'result' ? part : null)
  return result?.images[image] ?? missing()
}

/** Only kinds that hold no code come here (`readBlocks`), and the browser is told not to guess another. */
function imageReply(c: Context, image: ImageContent): Response {
  if (!('data' in image)) return missing()
  return c.body(Uint8Array.from(Buffer.from(image.data, 'base64')), 200, { 'Content-Type': image.media })
}
