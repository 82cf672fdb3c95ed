/**
 * HU3: a connection to PostgreSQL that waits: the interfaces of the index and of byte sources are synchronous. A thread
 * speaks to the server; whoever asks sleeps until the answer is there. What is written is sent without waiting, in order.
 */
import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
  workerData,
} from 'node:worker_threads'
import pg from 'pg'
import { databaseFailure, databaseSettings } from './connect.js'

/** A value that is read. */
type ReadCell = string | number | boolean | null | Uint8Array

/** A value of a statement. */
export type Cell = ReadCell | readonly (string | number | null)[]

/** A row by the names of its columns; `bigint` and counts are numbers. */
export type PgRow = Readonly<Record<string, ReadCell | undefined>>

export interface SyncConnection {
  readonly url: string
  /** Runs a statement and waits for its rows. Throws `StoreError`, also for what was sent before. */
  readonly query: (text: string, values?: readonly Cell[]) => readonly PgRow[]
  /** Sends a statement. Where it fails, the next `query` throws. */
  readonly send: (text: string, values?: readonly Cell[]) => void
  /** Sends rows for `COPY ... FROM STDIN`, in its text format. */
  readonly copy: (text: string, rows: string) => void
  /** Ends a transaction without keeping anything; nothing happens where there is none. What failed in it is forgotten. */
  readonly rollback: () => void
  /** Statements so far. */
  readonly statements: () => number
  readonly close: () => void
}

/** What is asked of the thread. */
interface Request {
  readonly id: number
  readonly kind: 'query' | 'send' | 'copy' | 'close'
  readonly text: string
  readonly values: readonly Cell[]
  readonly rows: string
}

/** Answers are rows as lists: names are sent once. */
interface Answer {
  readonly id: number
  readonly names: readonly string[]
  readonly rows: readonly (readonly ReadCell[])[]
  readonly error: Failure | null
}

interface Failure {
  readonly message: string
  readonly code: string
}

/** Marks the data of our thread: the module is part of a bundle that may run in threads of others. */
const THREAD = 'dagline-sync-connection'

interface ThreadData {
  readonly name: typeof THREAD
  readonly url: string
  readonly port: MessagePort
  /** The number of the last request that is answered, to sleep on. */
  readonly done: Int32Array
}

/** Characters that may be on their way: more of them wait for the server. */
const MOST_SENT = 4 * 1024 * 1024

/** Connects. Throws `StoreError` where the database cannot be reached. */
export function connectSync(url: string): SyncConnection {
  const settings = databaseSettings(url)
  const { port1: port, port2 } = new MessageChannel()
  const done = new Int32Array(new SharedArrayBuffer(4))
  const data: ThreadData = { name: THREAD, url, port: port2, done }
  const thread = new Worker(new URL(import.meta.url), {
    workerData: data,
    transferList: [port2],
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
  })
  thread.unref()
  let last = 0
  let sent = 0
  let failure: Failure | null = null
  let isClosed = false
  const post = (kind: Request['kind'], text: string, values: readonly Cell[] = [], rows = ''): void => {
    if (isClosed) throw new RangeError('The connection is closed.')
    last++
    port.postMessage({ id: last, kind, text, values, rows } satisfies Request)
  }
  /** Sleeps until the last request is answered, and takes all answers. */
  const wait = (): Answer | null => {
    sent = 0
    for (;;) {
      const seen = Atomics.load(done, 0)
      if (seen === last) break
      Atomics.wait(done, 0, seen)
    }
    let answer: Answer | null = null
    for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
      answer = next.message
      failure ??= answer?.error ?? null
    }
    if (failure === null) return answer
    const { message, code } = failure
    failure = null
    throw databaseFailure(Object.assign(new Error(message), { code }), settings)
  }
  const send = (kind: 'send' | 'copy', text: string, values: readonly Cell[], rows: string): void => {
    post(kind, text, values, rows)
    sent += text.length + rows.length + values.reduce((sum: number, value) => sum + sizeOf(value), 0)
    if (sent > MOST_SENT) wait()
  }
  const connection: SyncConnection = {
    url,
    query: (text, values = []) => {
      post('query', text, values)
      const answer = wait()
      return answer === null ? [] : rowsOf(answer)
    },
    send: (text, values = []) => send('send', text, values, ''),
    copy: (text, rows) => send('copy', text, [], rows),
    rollback: () => {
      post('query', 'ROLLBACK')
      try {
        wait()
      } catch {
        // What failed is rolled back; a connection that is gone says so at the next statement.
      }
    },
    statements: () => last,
    close: () => {
      if (isClosed) return
      post('close', '')
      isClosed = true
    },
  }
  try {
    connection.query('SELECT 1')
  } catch (error) {
    connection.close()
    throw error
  }
  return connection
}

function sizeOf(value: Cell): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length
  return Array.isArray(value) ? value.length * 16 : 8
}

function rowsOf({ names, rows }: Answer): readonly PgRow[] {
  return rows.map(cells => {
    const row: Record<string, ReadCell> = {}
    for (const [at, name] of names.entries()) row[name] = cells[at] ?? null
    return row
  })
}

/** The types of the index: whole numbers stay below 2^53, and times are milliseconds. */
const NUMBERS: ReadonlySet<number> = new Set([20, 21, 23, 700, 701, 1700])

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    NUMBERS.has(oid) ? Number : pg.types.getTypeParser(oid, format),
}

/** Runs in the thread: does what is asked, one after the other. */
function serve({ url, port, done }: ThreadData): void {
  const client = new pg.Client({ ...databaseSettings(url), application_name: 'dagline', types })
  client.on('error', () => {})
  const connected = client.connect()
  // Each request says that it failed.
  connected.catch(() => {})
  const run = async ({ id, kind, text, values, rows }: Request): Promise<void> => {
    let answer: Answer = { id, names: [], rows: [], error: null }
    try {
      await connected
      if (kind === 'copy') await copyInto(client, text, rows)
      else {
        const result = await client.query({ text, values: [...values], rowMode: 'array' })
        answer = { ...answer, names: (result.fields ?? []).map(({ name }) => name), rows: result.rows ?? [] }
      }
    } catch (error) {
      answer = { ...answer, error: failureFrom(error) }
    }
    // Nobody waits for an answer that says nothing.
    if (kind === 'query' || answer.error !== null) port.postMessage(answer)
    Atomics.store(done, 0, id)
    Atomics.notify(done, 0)
  }
  let before: Promise<void> = Promise.resolve()
  port.on('message', (request: Request) => {
    before = before.then(() => (request.kind === 'close' ? close() : run(request)))
  })
  const close = async (): Promise<void> => {
    await client.end().catch(() => {})
    port.close()
  }
}

function failureFrom(error: unknown): Failure {
  if (!(error instanceof Error)) return { message: String(error), code: '' }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // Where every address of a host refuses, the error itself says nothing.
  const [first] = error instanceof AggregateError ? error.errors : []
  return { message: error.message || String(first instanceof Error ? first.message : code), code }
}

/** Sends rows as the driver sends a query; it has no function for that. */
function copyInto(client: pg.Client, text: string, rows: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: Error | null = null
    const statement = {
      submit: (connection: pg.Connection) => connection.query(text),
      handleCopyInResponse: (connection: CopyConnection) => {
        connection.sendCopyFromChunk(Buffer.from(rows))
        connection.endCopyFrom()
      },
      handleCommandComplete: () => {},
      handleError: (error: Error) => {
        failure = error
        reject(error)
      },
      handleReadyForQuery: () => {
        if (failure === null) resolve()
      },
    }
    client.query(statement)
  })
}

/** What the types of the driver leave out. */
interface CopyConnection {
  readonly sendCopyFromChunk: (chunk: Uint8Array) => void
  readonly endCopyFrom: () => void
}

function isThreadData(data: unknown): data is ThreadData {
  return typeof data === 'object' && data !== null && 'name' in data && data.name === THREAD
}

if (isThreadData(workerData)) serve(workerData)
