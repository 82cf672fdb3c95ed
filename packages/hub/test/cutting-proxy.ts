/** A proxy on loopback that cuts connections in the middle. */
import { createServer, connect as open, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface CuttingProxy {
  readonly port: number
  /** Connections that were cut so far. */
  readonly cuts: () => number
}

interface Cutting {
  /** The port that the next connection leads to. */
  readonly target: () => number
  /** The bytes after which it is cut, of both directions together; null where it is not. */
  readonly limit: () => number | null
}

/** Starts a proxy that ends with the test. */
export async function startCuttingProxy({ target, limit }: Cutting): Promise<CuttingProxy> {
  const sockets = new Set<Socket>()
  let cuts = 0
  const server = createServer(client => {
    const hub = open(target(), '127.0.0.1')
    let left = limit() ?? Number.POSITIVE_INFINITY
    const pass = (from: Socket, to: Socket): void => {
      sockets.add(from)
      from.on('close', () => sockets.delete(from))
      from.on('error', () => to.destroy())
      from.on('end', () => to.end())
      from.on('data', part => {
        to.write(part.subarray(0, Math.max(0, left)))
        left -= part.length
        if (left >= 0) return
        if (!from.destroyed) cuts++
        from.destroy()
        to.destroySoon()
      })
    }
    pass(client, hub)
    pass(hub, client)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const address = server.address()
  return { port: typeof address === 'object' ? (address?.port ?? 0) : 0, cuts: () => cuts }
}

/** A port that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise<void>(resolve => server.close(() => resolve()))
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}
