/**
 * Rule Q4 in the lab: `examples/queue.ts` type-checks against the SDK's own types and runs with it, and the real CLI
 * resumes what the session writer has written. `node lab/queue.ts [--sdk FOLDER]`; without a folder that has
 * `node_modules/@anthropic-ai/claude-agent-sdk` the SDK is installed into a temporary one (it brings a CLI).
 */
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import type * as Example from '../examples/queue.ts'
import type * as Core from '../packages/core/src/index.ts'
import { startApi } from './harness/api.ts'
import { environment, firstRunState } from './harness/sandbox.ts'

const REPOSITORY = join(import.meta.dirname, '..')
const SDK = join('node_modules', '@anthropic-ai', 'claude-agent-sdk')

let failures = 0
const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'dagline-lab-')))
/** The folder whose `node_modules` hold the SDK. */
function sdkFolder(): string {
  const at = process.argv.indexOf('--sdk')
  const given = at < 0 ? undefined : process.argv[at + 1]
  if (given !== undefined) return given
  const folder = join(scratch, 'sdk')
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const words = ['install', '--no-audit', '--no-fund', '@anthropic-ai/claude-agent-sdk']
  const { status, stderr } = spawnSync('npm', words, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`the SDK cannot be installed: ${stderr}`)
  return folder
}

const PROGRAM = `
import { query, type SDKUserMessage } from '@anthropic-ai/claude-agent-sdk'
import { createMessageQueue, type StreamedMessage } from '@dagline/core'
import { type Query, send } from 'dagline-examples/queue.ts'

const asQuery: Query = query
const asMessage = (message: StreamedMessage<string>): SDKUserMessage => message
// @ts-expect-error: the SDK takes no numbers
const notAsMessage = (message: StreamedMessage<number>): SDKUserMessage => message
await send(query, createMessageQueue({ newId: () => crypto.randomUUID() }), 'session')
export { asMessage, asQuery, notAsMessage }
`

const OPTIONS = {
  types: ['node'],
  typeRoots: [join(REPOSITORY, 'node_modules', '@types')],
  composite: false,
  isolatedDeclarations: false,
  declaration: false,
  declarationMap: false,
  sourceMap: false,
  noEmit: true,
  allowImportingTsExtensions: true,
  preserveSymlinks: true,
}

/** The example against the types that the SDK publishes. */
function checkTypes(sdk: string): void {
  const folder = join(scratch, 'types')
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@dagline'), { recursive: true })
  mkdirSync(join(modules, '@anthropic-ai'))
  symlinkSync(join(REPOSITORY, 'packages', 'core'), join(modules, '@dagline', 'core'))
  symlinkSync(join(REPOSITORY, 'examples'), join(modules, 'dagline-examples'))
  for (const name of readdirSync(join(sdk, 'node_modules'))) {
    if (name !== '@anthropic-ai') symlinkIn(join(sdk, 'node_modules', name), join(modules, name))
  }
  for (const name of readdirSync(join(sdk, 'node_modules', '@anthropic-ai')))
    symlinkSync(join(sdk, 'node_modules', '@anthropic-ai', name), join(modules, '@anthropic-ai', name))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'program.ts'), PROGRAM)
  const config = {
    extends: join(REPOSITORY, 'tsconfig.base.json'),
    compilerOptions: OPTIONS,
    files: ['program.ts'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const tsc = join(REPOSITORY, 'node_modules', 'typescript', 'bin', 'tsc')
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
  check(status === 0, `the example type-checks against the SDK${status === 0 ? '' : `: ${stdout}`}`)
}

function symlinkIn(from: string, to: string): void {
  try {
    symlinkSync(from, to)
  } catch {
    // A name that is there already, such as @dagline.
  }
}

/** A module as it is in the sources, built anew. */
async function bundle<T>(entry: string, name: string): Promise<T> {
  const outfile = join(scratch, name)
  await build({
    entryPoints: [join(REPOSITORY, entry)],
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@dagline/source'],
    outfile,
    logLevel: 'error',
  })
  return await import(pathToFileURL(outfile).href)
}

/** Three messages at once through the real SDK, then one onto the first answer: a chain and one fork. */
async function sendThroughSdk(sdk: string, core: typeof Core): Promise<void> {
  const { query } = await import(pathToFileURL(join(sdk, SDK, 'sdk.mjs')).href)
  const api = await startApi()
  const home = join(scratch, 'home')
  const cwd = join(scratch, 'work')
  mkdirSync(join(home, '.claude'), { recursive: true })
  mkdirSync(cwd)
  writeFileSync(join(home, '.claude.json'), JSON.stringify(firstRunState(cwd)))
  const queue = core.createMessageQueue({ newId: randomUUID })
  const session = randomUUID()
  const queued = ['one', 'two', 'three'].map(text => queue.push(text).id)
  const answers: string[] = []
  for await (const { parent, messages } of core.streamRuns(queue)) {
    const place = parent === null ? { sessionId: session } : { resume: session, resumeSessionAt: parent }
    let leaf = parent ?? ''
    for await (const said of query({
      prompt: messages,
      options: { cwd, env: environment(scratch, home, api), ...place },
    })) {
      if (said.type === 'assistant') leaf = said.uuid
      if (said.type !== 'result') continue
      answers.push(leaf)
      if (answers.length === 3) queued.push(queue.push('four', { entry: answers[0] ?? null }).id)
      if (answers.length === 4) queue.close()
      queue.answered(leaf)
    }
  }
  await api.close()
  const folder = join(home, '.claude', 'projects', cwd.replace(/[^A-Za-z0-9]/g, '-'))
  const graph = graphOf(core, readFileSync(join(folder, `${session}.jsonl`), 'utf8'), session)
  check(
    queued.every(id => graph.index(id) >= 0),
    'the SDK writes every message under the uuid that the queue gave it',
  )
  const forks = graph.forks().filter(({ kind }) => kind === 'rewind')
  check(forks.length === 1, 'the SDK writes one chain, and one fork where it was asked for')
  const live = graph.live(`${session}.jsonl`).map(node => graph.id(node))
  const expected = [queued[0], answers[0], queued[3], answers[3]]
  check(expected.every((id, at) => live[at] === id) && live.length === 4, 'and the fork is what is live')
}

function graphOf(core: typeof Core, text: string, session: string): Core.Graph {
  const builder = core.startGraph()
  const facts = {
    path: core.fileId(`${session}.jsonl`),
    kind: 'session',
    session: core.sessionId(session),
    agent: null,
    run: null,
    meta: null,
  } as const
  let offset = 0
  for (const [at, row] of text.split('\n').slice(0, -1).entries()) {
    const length = Buffer.byteLength(row)
    builder.addRow(facts, core.parseRow({ row: at + 1, offset, length, text: row, whole: true }))
    offset += length + 1
  }
  return builder.build()
}

/** A session that only the writer has written, resumed by the real CLI. */
async function resumeWritten(sdk: string, core: typeof Core): Promise<void> {
  const { resume } = await import('./harness/resume.ts')
  const { markSession } = await import('./harness/marks.ts')
  const { written } = await bundle<typeof Example>('examples/queue.ts', 'queue.mjs')
  const session = randomUUID()
  let time = Date.UTC(2026, 9, 1)
  const now = (): number => {
    time += 1000
    return time
  }
  const text = await written({ newId: randomUUID, now }, session, '/home/dev/proj')
  const graph = graphOf(core, text, session)
  const promised = graph.live(`${session}.jsonl`).map(node => graph.id(node))
  const marked = markSession(text)
  const resumed = await resume(cliOf(sdk), { session, folder: null, ...marked })
  const carried = resumed.groups.flat()
  check(
    resumed.error === null && resumed.refused.length === 0,
    `the CLI resumes what was written ${resumed.error ?? ''}`,
  )
  check(JSON.stringify(carried) === JSON.stringify(promised), 'and carries what the queue promised')
}

function cliOf(sdk: string): string {
  const folder = join(sdk, 'node_modules', '@anthropic-ai')
  const name = readdirSync(folder).find(each => each.startsWith('claude-agent-sdk-'))
  return join(folder, name ?? '', 'claude')
}

function check(isRight: boolean, what: string): void {
  if (!isRight) failures++
  console.log(`${isRight ? 'ok  ' : 'FAIL'} ${what.trim()}`)
}

try {
  const sdk = sdkFolder()
  checkTypes(sdk)
  const core: typeof Core = await bundle('packages/core/src/index.ts', 'core.mjs')
  await sendThroughSdk(sdk, core)
  await resumeWritten(sdk, core)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
process.exitCode = failures === 0 ? 0 : 1
