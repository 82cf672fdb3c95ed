/** The routes, behind the guard, and what becomes of whatever fails. */
import { StoreFailure } from '@dagline/store'
import { type Context, Hono } from 'hono'
import type { AddRoutes, ServerContext } from './context.js'
import { type Door, guard, withHeaders } from './guard.js'
import { Refused } from './refused.js'
import { refuse } from './reply.js'
import { agentsRoutes } from './routes/agents.js'
import { compareRoutes } from './routes/compare.js'
import { eventRoutes } from './routes/events.js'
import { exportRoutes } from './routes/export.js'
import { healthRoutes } from './routes/health.js'
import { homeRoutes } from './routes/home.js'
import { nodeRoutes } from './routes/nodes.js'
import { searchRoutes } from './routes/search.js'
import { sessionRoutes } from './routes/sessions.js'
import { usageRoutes } from './routes/usage.js'
import { pageFiles } from './static.js'

const ROUTES: readonly AddRoutes[] = [
  homeRoutes,
  sessionRoutes,
  nodeRoutes,
  searchRoutes,
  usageRoutes,
  agentsRoutes,
  healthRoutes,
  compareRoutes,
  exportRoutes,
  eventRoutes,
  pageFiles,
]

/** Everything that is answered. `report` hears of faults of our own, `onAsked` of every question that is let in. */
export function createApp(
  context: ServerContext,
  door: Door,
  report: (error: Error) => void,
  onAsked: () => void = () => {},
): Hono {
  const app = new Hono()
  app.use(withHeaders)
  app.use(guard(door))
  app.use(async (_, next) => {
    onAsked()
    await next()
  })
  for (const add of ROUTES) add(app, context)
  app.onError((error, c) => answerFailure(c, error, report))
  return app
}

function answerFailure(c: Context, error: Error, report: (error: Error) => void): Response {
  const refused = refusedFor(error)
  if (refused === null) report(error)
  const { status, code, message } =
    refused ?? new Refused(500, 'internal', 'Something went wrong here: the terminal says what.')
  const isForPage = !c.req.path.startsWith('/api/')
  return isForPage ? c.text(`${message}\n`, status) : refuse(c, status, code, message)
}

function refusedFor(error: Error): Refused | null {
  if (error instanceof Refused) return error
  return error instanceof StoreFailure ? new Refused(503, error.kind, error.message) : null
}
