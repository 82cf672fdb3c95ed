/** `/api/sessions/...`: a session as a sheet, and what its rows say. */
import { rowContents } from '@dagline/app'
import type { Hono } from 'hono'
import * as z from 'zod'
import type { ServerContext } from '../context.js'
import { givenLabel } from '../labels.js'
import { Refused } from '../refused.js'
import { asked, reply } from '../reply.js'

const SheetQuery = z.object({ known: z.string().max(200).optional() })

const ContentsQuery = z.object({
  from: z.coerce.number().int().min(0),
  to: z.coerce.number().int().min(0),
})

/** Rows that are given at once. */
const MOST_ROWS = 1000

/** Adds sessions. */
export function sessionRoutes(app: Hono, context: ServerContext): void {
  app.get('/api/sessions/:id', c => {
    const { known } = asked(c, SheetQuery)
    const session = context.graphOf(c.req.param('id'))
    if (known !== undefined) return reply(c, context.sheets.since(session, known))
    return c.body(context.sheets.replyOf(session), 200, { 'Content-Type': 'application/json' })
  })
  app.get('/api/sessions/:id/labels', c => {
    const { fact } = context.graphOf(c.req.param('id'))
    const labels = [...context.labels().values()].filter(({ session }) => session === fact.session)
    return reply(c, labels.map(givenLabel))
  })
  app.get('/api/sessions/:id/contents', c => {
    const { from, to } = asked(c, ContentsQuery)
    if (to - from > MOST_ROWS)
      throw new Refused(400, 'too-many', `At most ${MOST_ROWS} rows are given at once: ask for fewer.`)
    const session = context.graphOf(c.req.param('id'))
    const sheet = context.sheets.of(session)
    const messages = context.messagesOf(session)
    const { reading } = context
    return reply(c, rowContents(session, sheet, { from, to }, { reading, messages, images: 'href' }))
  })
}
