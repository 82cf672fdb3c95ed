/** `/api/export/...`: a session as one file, as a download. */
import { join } from 'node:path'
import type { Context, Hono } from 'hono'
import * as z from 'zod'
import type { ServerContext } from '../context.js'
import { Refused } from '../refused.js'
import { asked } from '../reply.js'

const ExportQuery = z.object({ secrets: z.enum(['refuse', 'redact', 'allow']).default('refuse') })

/** Adds the download. */
export function exportRoutes(app: Hono, context: ServerContext): void {
  app.get('/api/export/:file{.+[.]html}', async c => {
    const { secrets } = asked(c, ExportQuery)
    const { fact, root } = context.graphOf(c.req.param('file').replace(/\.html$/, ''))
    if (fact.file === null || fact.archivedOnly) throw onlyArchived(fact.session)
    const order = { session: fact.session, path: join(root, fact.file), secrets }
    const made = await (context.exportHtml ?? notHere())(order)
    if ('page' in made) return download(c, fact.session, made.page)
    if (made.isForSecrets) throw new Refused(409, 'secrets', made.refusal)
    throw new Refused(404, 'no-export', made.refusal)
  })
}

/** The page in it is made from a transcript: it is for the disk, and never shown as a page of this server. */
function download(c: Context, session: string, page: Uint8Array<ArrayBuffer>): Response {
  const name = `${session.replace(/[^\w.-]/g, '_')}.html`
  return c.body(page, 200, {
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': `attachment; filename="${name}"`,
  })
}

function onlyArchived(session: string): Refused {
  const sentence = `Its transcript is only in the archive: dagline restore ${session} brings it back.`
  return new Refused(404, 'archived-only', sentence)
}

function notHere(): never {
  throw new Refused(404, 'no-export', 'This server makes no files: use `dagline export`.')
}
