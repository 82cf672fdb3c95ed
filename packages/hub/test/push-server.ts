/** A server of the tests that takes pushes, and can be told to fail. */
import { createServer, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { answerPush } from '../src/push/answer.js'
import type { RawStore } from '../src/raw/model.js'

export interface PushServer {
  readonly url: string
  /** The routes that were asked for, in order. */
  readonly asked: readonly string[]
  /** What becomes of the next requests: the answer is lost, or comes with a status; all others are answered. */
  readonly next: ('lost' | 'cut' | number)[]
}

/** Starts a server for one person. */
export async function servePushes(store: RawStore, token: string | null = null): Promise<PushServer> {
  const asked: string[] = []
  const next: PushServer['next'] = []
  const server = createServer(async (request, response) => {
    const name = request.url?.split('/').at(-1) ?? ''
    asked.push(name)
    const fate = next.shift()
    if (fate === 'cut') return void request.destroy()
    if (typeof fate === 'number') return send(response, Response.json({}, { status: fate }))
    if (token !== null && request.headers.authorization !== `Bearer ${token}`)
      return send(response, Response.json({}, { status: 401 }))
    const body = new Uint8Array(await buffer(request))
    const answer = await answerPush(store, new Request(`http://hub${request.url}`, { method: 'POST', body }))
    if (fate === 'lost') response.destroy()
    else send(response, answer)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  return { url: `http://127.0.0.1:${port}`, asked, next }
}

async function send(response: ServerResponse, answer: Response): Promise<void> {
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
}
