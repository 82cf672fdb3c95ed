/** The routes, behind the guard, and how errors are answered. */
import type { LiveHistory } from '@dagline/app'
import { type Context, Hono } from 'hono'
import { type Access, guard, withHeaders } from './guard.js'
import { HttpError, httpErrorOf, replyError } from './reply.js'
import { ROUTES } from './routes.js'
import { pageFiles } from './static.js'

interface AppOptions {
  readonly history: LiveHistory
  /** The folder with the built page. */
  readonly page: string
  readonly access: Access
  /** Receives errors that are bugs. */
  readonly report: (error: Error) => void
}

/** The HTTP application. */
export function createApp({ history, page, access, report }: AppOptions): Hono {
  const app = new Hono()
  app.use(withHeaders)
  app.use(guard(access))
  app.use(async (_, next) => {
    history.noteActivity()
    await next()
  })
  for (const add of ROUTES) add(app, history)
  pageFiles(app, page)
  app.onError((error, c) => answerError(c, error, report))
  return app
}

function answerError(c: Context, error: Error, report: (error: Error) => void): Response {
  const known = httpErrorOf(error)
  if (known === null) report(error)
  const answer = known ?? new HttpError(500, 'internal', 'Internal error: the terminal shows the details.')
  return c.req.path.startsWith('/api/') ? replyError(c, answer) : c.text(`${answer.message}\n`, answer.status)
}
