/** The server: on the loopback address only, with a new secret for each start. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { createApp } from './app.js'
import { makeToken } from './guard.js'
import { watchLabels } from './labels.js'
import { openContext, type Served } from './open.js'
import { createSyncing, type Sync } from './syncing.js'
import { createWarming } from './warming.js'
import { watchFolders } from './watch.js'

export interface ServerOptions extends Served {
  /** A free one unless given. */
  readonly port?: number
  readonly sync: Sync
  /** Hears of faults of our own. */
  readonly report?: (error: Error) => void
}

/** A server that listens. */
export interface RunningServer {
  readonly port: number
  readonly token: string
  /** What to open: the address with the token. */
  readonly url: string
  /** The same for another place of the page, such as `/s/SESSION`. */
  readonly urlOf: (path: string) => string
  readonly close: () => Promise<void>
}

const ADDRESS = '127.0.0.1'

/** Starts to listen, and brings the index up to date behind that. Throws what listening throws. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const opened = openContext(options)
  const token = makeToken()
  let port = options.port ?? 0
  const warming = createWarming(opened.context)
  const report = options.report ?? (() => {})
  const app = createApp(opened.context, { token, port: () => port }, report, warming.postpone)
  const server = createServer(getRequestListener(app.fetch, { hostname: ADDRESS }))
  port = await listen(server, port)
  const syncing = createSyncing(opened, options.sync)
  const watching = watchFolders(options.roots, syncing.look)
  const unwatch = watchLabels(options.labels ?? null, () =>
    opened.context.events.tell({ kind: 'changed', sessions: [] }),
  )
  syncing.look()
  const urlOf = (path: string): string => `http://${ADDRESS}:${port}${path}?token=${token}`
  return {
    port,
    token,
    url: urlOf('/'),
    urlOf,
    close: async () => {
      watching.stop()
      unwatch()
      warming.stop()
      syncing.stop()
      await closed(server)
      opened.close()
    },
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host: ADDRESS }, () => {
      server.off('error', reject)
      resolve(portOf(server.address()))
    })
  })
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Streams of events would stay open for ever: they are cut. */
function closed(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
