/**
 * Messages of a queue through the real Agent SDK and CLI. The SDK is in the `node_modules` of a folder, which
 * `DAGLINE_LAB_SDK` names or npm fills in the cache folder.
 */
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createMessageQueue, type MessageQueue, type StreamedMessage, streamRuns } from '@dagline/core/queue'
import { type Api, startApi } from './api.ts'
import { makeSandbox, type Sandbox } from './sandbox.ts'

const PACKAGE = '@anthropic-ai/claude-agent-sdk'

let found: string | null | undefined

/** The folder, or null where npm cannot bring it. */
export function sdkOf(): string | null {
  found ??= lookUp()
  return found
}

function lookUp(): string | null {
  const given = process.env['DAGLINE_LAB_SDK'] ?? ''
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
  const folder = given === '' ? join(cache, 'dagline', 'lab', 'sdk') : resolve(given)
  if (hasSdk(folder) || (given === '' && install(folder))) return folder
  console.error('The Agent SDK is not available: npm could not bring it. Nothing was sent through it.')
  return null
}

function hasSdk(folder: string): boolean {
  return existsSync(programOf(folder))
}

function programOf(folder: string): string {
  return join(folder, 'node_modules', PACKAGE, 'sdk.mjs')
}

function install(folder: string): boolean {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const words = ['install', '--no-audit', '--no-fund', '--omit=optional', PACKAGE]
  return spawnSync('npm', words, { cwd: folder }).status === 0 && hasSdk(folder)
}

/** What the CLI has written. */
export interface Sent {
  readonly session: string
  readonly text: string
  /** What the queue says is live: messages and the last parts of their answers. */
  readonly chain: readonly string[]
}

/** Queues three messages at once, and with `forks` a fourth onto the first answer. */
export async function sendThroughSdk(cli: string, forks: boolean): Promise<Sent> {
  const api = await startApi()
  const sandbox = makeSandbox(cli, api)
  try {
    const session = randomUUID()
    const queue = createMessageQueue({ newId: randomUUID })
    const queued = ['one', 'two', 'three'].map(text => queue.push(text).id)
    const answers = await send({ cli, api, sandbox, session, queue, queued, forks })
    const text = readFileSync(join(sandbox.transcripts, `${session}.jsonl`), 'utf8')
    const turns = forks ? [0, 3] : [0, 1, 2]
    return { session, text, chain: turns.flatMap(turn => [queued[turn] ?? '', answers[turn] ?? '']) }
  } finally {
    await api.close()
    sandbox.remove()
  }
}

interface Sending {
  readonly cli: string
  readonly api: Api
  readonly sandbox: Sandbox
  readonly session: string
  readonly queue: MessageQueue<string>
  readonly queued: string[]
  readonly forks: boolean
}

/** Sends everything; the uuid of each answer's last part. */
async function send(sending: Sending): Promise<readonly string[]> {
  const { cli, sandbox, session, queue, queued, forks } = sending
  const query = await queryOfSdk()
  const answers: string[] = []
  for await (const { parent, messages } of streamRuns(queue)) {
    const place = parent === null ? { sessionId: session } : { resume: session, resumeSessionAt: parent }
    const options = {
      cwd: sandbox.work,
      env: sandbox.environment,
      pathToClaudeCodeExecutable: cli,
      ...place,
    }
    let leaf = parent ?? ''
    for await (const message of query({ prompt: messages, options })) {
      if (message.type === 'assistant') leaf = message.uuid ?? leaf
      if (message.type !== 'result') continue
      answers.push(leaf)
      if (forks && answers.length === 3) queued.push(queue.push('four', { entry: answers[0] ?? null }).id)
      if (answers.length === (forks ? 4 : 3)) queue.close()
      queue.answered(leaf)
    }
  }
  return answers
}

type Query = (ask: {
  readonly prompt: AsyncIterable<StreamedMessage<string>>
  readonly options: object
}) => AsyncIterable<{ readonly type: string; readonly uuid?: string }>

async function queryOfSdk(): Promise<Query> {
  const { query } = await import(sdkModule())
  return query
}

/** The address of the SDK, to be imported. */
export function sdkModule(): string {
  return pathToFileURL(programOf(sdkOf() ?? '')).href
}
