/** A stand-in for the Messages API on the loopback address: keeps what is asked, answers everything with one line. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Json, objectOf, objectsIn, textIn } from '@dagline/testkit'

/** A message of a request. */
export interface SentMessage {
  readonly role: string
  readonly content: unknown
}

/** One request for an answer. */
export interface Asked {
  readonly messages: readonly SentMessage[]
  /** Requests for titles, topics and the like come without tools. */
  readonly hasTools: boolean
  /** The names of the tools. */
  readonly tools: readonly string[]
}

/** What a request is answered with in place of the one line: a call of a tool. */
interface Call {
  readonly name: string
  readonly input: Json
}

export interface Api {
  readonly url: string
  readonly asked: readonly Asked[]
  /** Resolves with the first request of a kind, once it has come. */
  readonly next: (isMeant: (asked: Asked) => boolean) => Promise<Asked>
  readonly close: () => Promise<void>
}

/** Starts it on a free port. Nothing leaves the machine. `callFor` gives the calls that some requests are answered with. */
export async function startApi(callFor: (asked: Asked) => Call | null = () => null): Promise<Api> {
  const asked: Asked[] = []
  const listeners: ((asked: Asked) => void)[] = []
  const receive = (each: Asked): number => {
    for (const listener of listeners) listener(each)
    return asked.push(each)
  }
  const next: Api['next'] = isMeant =>
    new Promise(resolve => {
      listeners.push(each => {
        if (isMeant(each)) resolve(each)
      })
    })
  const server = createServer((request, response) => {
    void answer(request, response, { receive, callFor })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise<void>(resolve => server.close(() => resolve()))
  }
  return { url: `http://127.0.0.1:${port}`, asked, next, close }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  {
    receive,
    callFor,
  }: {
    readonly receive: (asked: Asked) => number
    readonly callFor: (asked: Asked) => Call | null
  },
): Promise<void> {
  const body = objectOf(await bodyOf(request))
  const path = (request.url ?? '').split('?')[0]
  if (path === '/v1/messages/count_tokens') return sendJson(response, { input_tokens: 1000 })
  if (path !== '/v1/messages' || body === null) return sendJson(response, {})
  const tools = objectsIn(body, 'tools').map(({ name }) => String(name))
  const asked = {
    messages: objectsIn(body, 'messages').map(({ role, content }) => ({ role: String(role), content })),
    hasTools: tools.length > 0,
    tools,
  }
  const count = receive(asked)
  const call = callFor(asked)
  const message = call === null ? replyTo(body, count) : callIn(replyTo(body, count), call)
  if (body['stream'] === true) sendStream(response, message)
  else sendJson(response, message)
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return null
  }
}

const REPLY = 'The lab answers.'

function replyTo(body: Json, number: number): Json {
  return {
    id: `msg_lab_${number}`,
    type: 'message',
    role: 'assistant',
    model: textIn(body, 'model') ?? 'claude-lab',
    content: [{ type: 'text', text: REPLY }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: 1000,
      output_tokens: 5,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    },
  }
}

function callIn(message: Json, { name, input }: Call): Json {
  const content = [{ type: 'tool_use', id: `toolu_lab_${String(message['id'])}`, name, input }]
  return { ...message, content, stop_reason: 'tool_use' }
}

function sendJson(response: ServerResponse, value: Json): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}

/** The same answer as the events of a stream. */
function sendStream(response: ServerResponse, message: Json): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (type: string, fields: Json): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`)
  }
  send('message_start', { message: { ...message, content: [], stop_reason: null } })
  const [block = {}] = objectsIn(message, 'content')
  const isText = block['type'] === 'text'
  send('content_block_start', {
    index: 0,
    content_block: isText ? { ...block, text: '' } : { ...block, input: {} },
  })
  send('content_block_delta', {
    index: 0,
    delta: isText
      ? { type: 'text_delta', text: block['text'] }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block['input']) },
  })
  send('content_block_stop', { index: 0 })
  send('message_delta', {
    delta: { stop_reason: message['stop_reason'], stop_sequence: null },
    usage: { output_tokens: 5 },
  })
  send('message_stop', {})
  response.end()
}
