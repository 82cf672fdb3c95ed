/** `/api/events`: what happens, as it happens. */
import type { ServerEvent } from '@dagline/core'
import type { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { ServerContext } from '../context.js'

/** Something is said at least this often, in milliseconds: otherwise nobody notices that the other end is gone. */
const BEAT = 25_000

/** Adds the stream of events. It begins with how far the index is. */
export function eventRoutes(app: Hono, { events }: ServerContext): void {
  app.get('/api/events', c =>
    streamSSE(c, async stream => {
      const say = (event: ServerEvent): void => void stream.writeSSE({ data: JSON.stringify(event) })
      const unlisten = events.listen(say)
      const beat = setInterval(() => void stream.write(': \n\n'), BEAT)
      say({ kind: 'sync', status: events.status() })
      await new Promise<void>(resolve => stream.onAbort(resolve))
      clearInterval(beat)
      unlisten()
    }),
  )
}
