/**
 * The session store with the real Agent SDK: a program writes through it, its sessions are listed and read, another host
 * resumes one, and importing changes nothing. The SDK's own store for tests keeps the same contract.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Json, objectOf, objectsIn, parseJson, textIn } from '@dagline/testkit'
import { failuresOf, type TestedStore } from '../../packages/store/test/session-store-contract.ts'
import { type Api, startApi } from '../harness/api.ts'
import type { Cli } from '../harness/cli.ts'
import { builtCommand, runDagline, scratchFolder } from '../harness/dagline.ts'
import { type CliRun, environment, firstRunState, runProgram } from '../harness/sandbox.ts'
import { sdkModule, sdkOf } from '../harness/sdk.ts'
import { isNewest } from '../harness/table.ts'
import { type Check, checksOf, type Finding } from './lab.ts'

/** What both programs begin with: `[sdk, library, kind, folder, cwd, cli]` are arguments. */
const SHARED = `
const [sdk, library, kind, folder, cwd, cli, session] = process.argv.slice(2)
const { query, listSessions, getSessionMessages, importSessionToStore, foldSessionSummary } = await import(sdk)
const { createArchiveStore, createSessionStore } = await import(library)
const newStore = options => kind === 'folder'
  ? createSessionStore(folder, options)
  : createArchiveStore({ archive: folder + '/archive.db', root: folder + '/projects', ...options })
const sessionStore = newStore({ foldSessionSummary })
let projectKey = null
const append = sessionStore.append
sessionStore.append = (key, entries) => {
  projectKey = key.projectKey
  return append(key, entries)
}
const ask = async (prompt, more) => {
  let id = null
  const options = { cwd, sessionStore, pathToClaudeCodeExecutable: cli, permissionMode: 'bypassPermissions', ...more }
  for await (const message of query({ prompt, options })) id = message.session_id ?? id
  return id
}
`

/** The first host: a session with a subagent; then it is imported, twice, from the transcripts of Claude Code. */
const WRITE = `${SHARED}
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
const bytes = () => readdirSync(folder, { recursive: true, withFileTypes: true }).filter(item => item.isFile())
  .map(item => [join(item.parentPath, item.name), readFileSync(join(item.parentPath, item.name), 'utf8')]).sort()
const id = await ask('Remember the word zebra.', {})
// The transcript has more rows than the SDK passes on: requests to the API.
await importSessionToStore(id, sessionStore, { dir: cwd })
const written = JSON.stringify(bytes())
await importSessionToStore(id, sessionStore, { dir: cwd })
await importSessionToStore(id, newStore({}), { dir: cwd })
const listed = await listSessions({ sessionStore, dir: cwd })
const messages = await getSessionMessages(id, { sessionStore, dir: cwd })
console.log(JSON.stringify({
  session: id,
  isSame: JSON.stringify(bytes()) === written,
  listed: listed.map(each => each.sessionId),
  messages: messages.length,
  subkeys: await sessionStore.listSubkeys({ projectKey, sessionId: id }),
}))`

/** The second host: another home, another folder. */
const RESUME = `${SHARED}
console.log(JSON.stringify({ session: await ask('Which word?', { resume: session }) }))`

/** Checks it once, with the newest release: the SDK brings its own. */
export async function checkSessionStore({ version, path: cli }: Cli): Promise<readonly Check[]> {
  const sdk = isNewest({ version }) ? sdkOf() : null
  if (sdk === null) return []
  const findings = [...(await checkContract()), ...(await checkHosts(cli, 'folder'))]
  return [
    ...checksOf({ version, name: 'the session store' }, findings),
    ...checksOf({ version, name: 'the session store in the archive' }, await checkHosts(cli, 'archive')),
  ]
}

async function checkContract(): Promise<readonly Finding[]> {
  const { InMemorySessionStore } = await import(sdkModule())
  const failed = await failuresOf((): TestedStore => new InMemorySessionStore(), { withAdvice: false })
  return [
    ["the SDK's own store keeps the contract that ours is held to", failed.length === 0, failed.join('; ')],
  ]
}

/** Where sessions are stored. */
type Kind = 'folder' | 'archive'

async function checkHosts(cli: string, kind: Kind): Promise<readonly Finding[]> {
  const root = scratchFolder()
  const api = await startApi(callOf)
  try {
    const cwd = join(root, 'work')
    const [first, second] = ['one', 'two'].map(name => ({
      ...{ root, api, cli, kind, cwd, home: join(root, name), folder: join(root, `store-${name}`) },
    })) as [Host, Host]
    const written = await runOn(first, WRITE)
    const facts = parseJson(written.output) ?? {}
    const session = textIn(facts, 'session') ?? ''
    cpSync(first.folder, second.folder, { recursive: true })
    const before = api.asked.length
    const resumed = await runOn(second, RESUME, session)
    const asked = JSON.stringify(api.asked.slice(before).find(({ hasTools }) => hasTools)?.messages ?? [])
    return [
      ['a program writes through it', session !== '', seenOf(written)],
      ['importing the same session again changes no byte', facts['isSame'] === true, seenOf(written)],
      ['the SDK lists and reads what is in it', isListed(facts, session), seenOf(written)],
      ['its subagents are in it', String(facts['subkeys']).includes('agent-'), seenOf(written)],
      ...(await readBack(first, session)),
      ['another host resumes it', asked.includes('zebra'), `${seenOf(resumed)} ${asked.slice(0, 500)}`],
      [
        'and goes on in its own store',
        (await promptsIn(second, session)).includes('Which word?'),
        seenOf(resumed),
      ],
    ]
  } finally {
    await api.close()
  }
}

function isListed(facts: Json, session: string): boolean {
  return String(facts['listed']) === session && Number(facts['messages']) >= 2
}

/** The first answer starts a subagent. */
function callOf({
  messages,
  tools,
}: {
  readonly messages: readonly object[]
  readonly tools: readonly string[]
}) {
  const text = JSON.stringify(messages)
  const name = tools.find(tool => tool === 'Agent' || tool === 'Task')
  const isFirst = text.includes('Remember the word') && !text.includes('tool_result')
  const input = { description: 'lab agent', prompt: 'Do nothing.', subagent_type: 'general-purpose' }
  return isFirst && name !== undefined ? { name, input } : null
}

interface Host {
  readonly kind: Kind
  readonly root: string
  readonly home: string
  readonly folder: string
  readonly cwd: string
  readonly cli: string
  readonly api: Api
}

/** Runs a program with a home of its own. */
function runOn(
  { root, home, kind, folder, cwd, cli, api }: Host,
  text: string,
  ...more: string[]
): Promise<CliRun> {
  mkdirSync(join(home, '.claude'), { recursive: true })
  mkdirSync(cwd, { recursive: true })
  if (kind === 'archive') mkdirSync(join(folder, 'projects'), { recursive: true })
  writeFileSync(join(home, '.claude.json'), JSON.stringify(firstRunState(cwd)))
  const program = join(home, 'program.mjs')
  writeFileSync(program, text)
  const library = join(dirname(builtCommand()), 'index.js')
  const words = [program, sdkModule(), library, kind, folder, cwd, resolve(cli), ...more]
  return runProgram([process.execPath, ...words], {
    cwd,
    env: environment(root, home, api),
    longest: LONGEST,
  })
}

const LONGEST = 60_000

/** What dagline reads of a store. */
async function readBack(host: Host, session: string): Promise<readonly Finding[]> {
  const { home } = host
  const root = await transcriptsOf(host, session)
  const listed = await runDagline(['agents', session, '--root', root, '--json'], home)
  const doctor = await runDagline(['doctor', session, '--root', root, '--json'], home)
  const [examined] = objectsIn(parseJson(doctor.output) ?? {}, 'sessions')
  const reach = objectOf(examined?.['reach'])
  return [
    ['dagline reads its subagents', /lab agent|general-purpose/.test(listed.output), seenOf(listed)],
    [
      'dagline finds nothing lost in it',
      Number(reach?.['now']) === Number(reach?.['possible']),
      seenOf(doctor),
    ],
    ...(host.kind === 'archive' ? await readArchive(host, session) : []),
  ]
}

/** The folder of a store; of an archive what is restored from it. */
async function transcriptsOf({ kind, folder, home }: Host, session: string): Promise<string> {
  if (kind === 'folder') return folder
  const to = join(home, 'restored')
  await runDagline(['restore', session, '--archive', join(folder, 'archive.db'), '--out', to], home)
  return to
}

async function readArchive({ home, folder }: Host, session: string): Promise<readonly Finding[]> {
  const archive = join(folder, 'archive.db')
  const verified = await runDagline(['archive', 'verify', '--archive', archive], home)
  mkdirSync(join(home, 'dagline'), { recursive: true })
  cpSync(archive, join(home, 'dagline', 'archive.db'))
  const listed = await runDagline(['agents', session, '--root', join(folder, 'projects'), '--json'], home)
  return [
    ['its archive is sound', verified.exit === 0, seenOf(verified)],
    ['dagline reads it in the archive', /lab agent|general-purpose/.test(listed.output), seenOf(listed)],
  ]
}

async function promptsIn(host: Host, session: string): Promise<string> {
  const root = await transcriptsOf(host, session)
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' })
  const path = paths.find(each => each.endsWith(`${session}.jsonl`))
  return path === undefined ? '' : readFileSync(join(root, path), 'utf8')
}

function seenOf({ exit, output, errors }: CliRun): string {
  return `${exit} ${errors} ${output}`.slice(0, 1500)
}
