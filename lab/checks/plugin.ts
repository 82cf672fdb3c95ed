/**
 * The plugin in the real CLI: it is loaded, its tools are offered and called, its hooks archive the session, and a session
 * goes on where dagline fails or is missing.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { objectsIn, parseJson, textIn } from '@dagline/testkit'
import { type Api, startApi } from '../harness/api.ts'
import type { Cli } from '../harness/cli.ts'
import { builtCommand } from '../harness/dagline.ts'
import { type CliRun, makeSandbox, runCli, runProgram, type Sandbox } from '../harness/sandbox.ts'
import { type Check, checksOf, type Finding } from './lab.ts'

const TOOL = 'mcp__plugin_dagline_dagline__'
/** Claude Code's own tool that waits until the servers have started. */
const WAIT = 'WaitForMcpServers'
const PLUGIN = resolve('plugin')

/** How dagline is installed: as it is, not at all, or as a program that fails or never ends. */
const PROGRAMS = {
  // The call itself must tell which session it is in: the variable names the one that the server was started in.
  real: () =>
    `#!/bin/sh\nunset CLAUDE_CODE_SESSION_ID\nexec '${process.execPath}' '${builtCommand()}' "$@"\n`,
  missing: () => null,
  failing: () => '#!/bin/sh\necho broken >&2\nexit 3\n',
  slow: () => '#!/bin/sh\nexec sleep 20\n',
} as const
type Program = keyof typeof PROGRAMS

/** What a session with the plugin came to. */
interface Played {
  readonly run: CliRun
  readonly compacted: CliRun
  readonly api: Api
  readonly session: string
  readonly sandbox: Sandbox
  /** Processes of the sandbox that run some seconds after the CLI has ended. */
  readonly running: readonly string[]
}

/** Checks the plugin with one release; plugins came with 2.0. */
export async function checkPlugin({ version, path: cli }: Cli): Promise<readonly Check[]> {
  if (/^1\./.test(version)) return []
  const findings = [...(await checkMarketplace(cli)), ...(await play(cli, 'real', judgeReal))]
  for (const program of ['missing', 'failing', 'slow'] as const)
    findings.push(...(await play(cli, program, played => judgeOther(program, played))))
  return checksOf({ version, name: 'the plugin' }, findings)
}

type Findings = readonly Finding[]

/** Installs the plugin as a user does, from the marketplace of the repository. */
async function checkMarketplace(cli: string): Promise<Findings> {
  const api = await startApi()
  const sandbox = makeSandbox(cli, api)
  try {
    const repository = join(sandbox.root, 'repository')
    for (const name of ['.claude-plugin', 'plugin']) cpSync(name, join(repository, name), { recursive: true })
    const tell = (...words: readonly string[]): Promise<CliRun> => sandbox.run(['plugin', ...words])
    const valid = [await tell('validate', repository, '--strict'), await tell('validate', PLUGIN, '--strict')]
    const added = await tell('marketplace', 'add', repository)
    const installed = await tell('install', 'dagline@dagline')
    const { output } = await tell('list')
    return [
      [
        'the marketplace and the plugin are valid',
        valid.every(({ exit }) => exit === 0),
        valid.map(seenOf).join(),
      ],
      [
        'it is installed from the marketplace',
        output.includes('dagline@dagline'),
        `${seenOf(added)} ${seenOf(installed)} ${output}`,
      ],
    ]
  } finally {
    await api.close()
    sandbox.remove()
  }
}

async function judgeReal({ run, compacted, api, session, sandbox, running }: Played): Promise<Findings> {
  const main = api.asked.filter(({ hasTools }) => hasTools)
  const offered = new Set(main.flatMap(({ tools }) => tools))
  const asked = resultOf(api, `${TOOL}get_conversation`)
  const kept = await restored(sandbox, session)
  const written = readFileSync(join(sandbox.transcripts, `${session}.jsonl`), 'utf8')
  return [
    ['a session with it ends well', isQuiet(run), seenOf(run)],
    ['its tools are offered', offered.has(`${TOOL}search`), [...offered].join(' ')],
    ['each of its tools answers a call', unanswered(api).length === 0, unanswered(api).join(' | ')],
    [
      'a call of a tool is answered about this very session',
      asked.includes(`Session ${session.slice(0, 8)}`) && !asked.includes('The client does not say'),
      asked.slice(0, 1500),
    ],
    ['a compaction with it ends well', isQuiet(compacted), seenOf(compacted)],
    [
      'the archive has the session to its last byte',
      kept === written,
      `${kept.length} of ${written.length} bytes`,
    ],
    ['nothing of it is left running', running.length === 0, running.join(' ')],
  ]
}

async function judgeOther(program: Program, { run, compacted }: Played): Promise<Findings> {
  const isRight = isQuiet(run) && isQuiet(compacted)
  return [
    [`dagline ${program}: sessions and compactions end as always`, isRight, seenOf(run) + seenOf(compacted)],
  ]
}

function isQuiet({ exit, errors }: CliRun): boolean {
  return exit === 0 && errors === ''
}

function seenOf({ exit, output, errors }: CliRun): string {
  return `${exit} ${errors} ${output}`.slice(0, 1500)
}

/** The tools of the server; the one that tells which session asks is called first, while the session is short. */
function ownTools(tools: readonly string[]): readonly string[] {
  const isFirst = (tool: string): number => (tool === `${TOOL}get_conversation` ? 0 : 1)
  return tools.filter(tool => tool.startsWith(TOOL)).sort((a, b) => isFirst(a) - isFirst(b))
}

/** Arguments with which all tools but `blame` have an answer: each takes those that it knows. */
const INPUT = { ref: 'this', session: 'this', query: 'zebra', max_tokens: 1000 }

/** What a tool says that cannot be answered about a short session without files. */
const NO_ANSWER =
  /has no compaction|is a session, not an entry|is not a file in the working directory|has no usage/

/** The tools whose calls did not come back with an answer, with what came. */
function unanswered(api: Api): readonly string[] {
  const tools = ownTools([...new Set(api.asked.flatMap(({ tools: offered }) => offered))])
  return tools.flatMap(tool => {
    const text = resultOf(api, tool)
    if (text === '') return [`${tool}: no result`]
    const isAnswer = !text.includes('"is_error":true') || NO_ANSWER.test(text)
    return isAnswer ? [] : [`${tool}: ${text.slice(0, 300)}`]
  })
}

/** The result of the first call of a tool, as JSON; an empty text where there is none. */
function resultOf({ asked }: Api, tool: string): string {
  const blocks = asked.flatMap(({ messages }) =>
    messages.flatMap(message => objectsIn({ ...message }, 'content')),
  )
  const call = blocks.find(({ type, name }) => type === 'tool_use' && name === tool)
  const result = blocks.find(block => call !== undefined && block['tool_use_id'] === call['id'])
  return result === undefined ? '' : JSON.stringify(result)
}

/** Runs a session in which every tool is called once, then compacts it. */
async function play(
  cli: string,
  program: Program,
  judge: (played: Played) => Promise<Findings>,
): Promise<Findings> {
  const called: string[] = []
  const api = await startApi(({ tools }) => {
    const own = ownTools(tools)
    // Newer releases send the first request while servers are still starting.
    const known = own.length === 0 && program === 'real' ? tools.filter(tool => tool === WAIT) : own
    const name = known.find(tool => !called.includes(tool))
    if (name === undefined) return null
    called.push(name)
    if (name === WAIT) return { name, input: {} }
    return { name, input: name === `${TOOL}blame` ? { file: 'nosuch.ts' } : INPUT }
  })
  const sandbox = makeSandbox(cli, api)
  try {
    const { work: cwd } = sandbox
    const path = `${install(sandbox, program)}:${sandbox.environment['PATH']}`
    // Tools of servers are otherwise looked up by the model before it can call them.
    const env = { ...sandbox.environment, PATH: path, ENABLE_TOOL_SEARCH: 'false' }
    const own = [
      '--plugin-dir',
      PLUGIN,
      '--allowedTools',
      `${TOOL.slice(0, -2)},${WAIT}`,
      '--output-format',
      'json',
    ]
    const run = await runCli(cli, ['-p', 'Remember the word zebra.', ...own], { cwd, env })
    const session = textIn(parseJson(run.output.trim().split('\n').at(-1) ?? ''), 'session_id') ?? ''
    const compacted = await runCli(cli, ['-p', '/compact', '--resume', session, ...own], { cwd, env })
    await setTimeout(AFTER)
    return await judge({ run, compacted, api, session, sandbox, running: processesOf(sandbox) })
  } finally {
    await api.close()
    sandbox.remove()
  }
}

/** Milliseconds after which the hooks' work is done. */
const AFTER = 6000

/** Puts `dagline` into a folder of its own, for PATH. */
function install({ root }: Sandbox, program: Program): string {
  const bin = join(root, 'bin')
  const script = PROGRAMS[program]()
  mkdirSync(bin)
  if (script !== null) writeFileSync(join(bin, 'dagline'), script, { mode: 0o755 })
  return bin
}

/** What the archive has of a session. */
async function restored({ root, environment }: Sandbox, session: string): Promise<string> {
  const out = join(root, 'restored')
  const words = ['restore', session, '--out', out]
  await runProgram([process.execPath, builtCommand(), ...words], { env: environment })
  const [path] = existsSync(out)
    ? readdirSync(out, { recursive: true, encoding: 'utf8' }).filter(isTranscript)
    : []
  return path === undefined ? '' : readFileSync(join(out, path), 'utf8')
}

function isTranscript(path: string): boolean {
  return path.endsWith('.jsonl')
}

/** The command lines of processes that have something of the sandbox in their environment; none where the system does not tell. */
function processesOf({ root }: Sandbox): readonly string[] {
  const ids = existsSync('/proc/self/environ') ? readdirSync('/proc').filter(name => /^\d+$/.test(name)) : []
  return ids
    .filter(id => read(id, 'environ').includes(root))
    .map(id => read(id, 'cmdline').replaceAll('\0', ' '))
}

function read(id: string, name: string): string {
  try {
    return readFileSync(join('/proc', id, name), 'utf8')
  } catch {
    // It has ended, or is another user's.
    return ''
  }
}
