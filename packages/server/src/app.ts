/** The routes, behind the guard, and what becomes of whatever fails. */
import type { LiveHistory } from '@dagline/app'
import { type Context, Hono } from 'hono'
import { type Door, guard, withHeaders } from './guard.js'
import { HttpError, httpErrorOf } from './http-error.js'
import { replyError } from './reply.js'
import { ROUTES } from './routes.js'
import { pageFiles } from './static.js'

/** What is answered, and from what. */
interface AppOptions {
  readonly history: LiveHistory
  /** The folder with the built page. */
  readonly page: string
  readonly door: Door
  /** Receives faults of our own. */
  readonly report: (error: Error) => void
}

/** Everything that is answered. */
export function createApp({ history, page, door, report }: AppOptions): Hono {
  const app = new Hono()
  app.use(withHeaders)
  app.use(guard(door))
  app.use(async (_, next) => {
    history.noteActivity()
    await next()
  })
  for (const add of ROUTES) add(app, history)
  pageFiles(app, page)
  app.onError((error, c) => answerFailure(c, error, report))
  return app
}

function answerFailure(c: Context, error: Error, report: (error: Error) => void): Response {
  const known = httpErrorOf(error)
  if (known === null) report(error)
  const { status, code, message } =
    known ?? new HttpError(500, 'internal', 'Something went wrong here: the terminal says what.')
  const isForPage = !c.req.path.startsWith('/api/')
  return isForPage ? c.text(`${message}\n`, status) : replyError(c, status, code, message)
}
