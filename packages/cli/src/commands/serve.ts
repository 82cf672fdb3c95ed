/** `dagline serve`, `dagline open` and `dagline` on a terminal: the viewer. */
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import type { Viewer } from '@dagline/app'
import type { McpHttp } from '@dagline/mcp'
import { type RunningServer, startServer } from '@dagline/server'
import { type AddCommand, DEFAULT_PORT, defineCommand, flag, INDEX, PORT } from '../command.js'
import type { Console } from '../console.js'
import { shared } from '../options.js'
import { portFailure } from '../ports.js'
import { reportError } from '../report.js'
import { interruption, openBrowser } from '../terminal.js'
import { printOverview } from './overview.js'

const OPTIONS = {
  index: INDEX,
  port: PORT,
  open: flag(...shared('noOpen', ', print the address')),
  readOnly: flag('--read-only', 'allow no actions in the page: it can show everything and change nothing'),
  newToken: flag('--new-token', 'make a new token: links and browsers that know the old one are locked out'),
}

interface ServeOptions {
  readonly index?: string | null
  readonly port: number | null
  readonly open: boolean
  readonly newToken?: boolean
  readonly readOnly?: boolean
}

export const openCommand: AddCommand = defineCommand({
  usage: 'open [session|ref]',
  description: 'Open the viewer in the browser, optionally at a session or entry.',
  options: OPTIONS,
  examples: ['dagline open', 'dagline open latest', 'dagline open cf76f1da', 'dagline open session.jsonl'],
  run: async (console, [word], options) => {
    if (word === undefined) return await show(console, [], options)
    const { session, entry, paths } = await console.history.locateShown(word)
    const at = entry === null ? '' : `?at=${encodeURIComponent(entry)}`
    await show(console, paths, options, { path: `/s/${encodeURIComponent(session)}${at}` })
  },
})

export const serveCommand: AddCommand = defineCommand({
  usage: 'serve [path...]',
  description: 'Serve the viewer on this machine until Ctrl-C.',
  options: OPTIONS,
  notes: `
Claude and other programs can ask the same server over the Model Context Protocol (see "dagline mcp"):
  claude mcp add --transport http dagline http://127.0.0.1:${DEFAULT_PORT}/mcp --header "Authorization: Bearer TOKEN"
TOKEN is what "dagline serve --no-open --json" prints. It stays the same until --new-token.`,
  examples: [
    'dagline serve',
    'dagline serve ~/backup/projects --no-open',
    'dagline serve --port 4000 --no-open --json',
    'dagline serve --read-only',
    'dagline serve --new-token',
  ],
  run: async (console, paths, options) => await show(console, paths, options),
})

/** `dagline` alone: the overview, and the viewer. */
export async function view(console: Console, options: ServeOptions): Promise<void> {
  await show(console, [], options, { withOverview: true })
}

interface Opening {
  /** The address within the viewer. */
  readonly path?: string
  readonly withOverview?: boolean
}

async function show(
  console: Console,
  paths: readonly string[],
  options: ServeOptions,
  { path = '/', withOverview = false }: Opening = {},
): Promise<void> {
  const viewer = await console.history.viewer(paths, { index: options.index ?? null })
  const { key: token, isKept } = viewer.token(options.newToken === true)
  // A file or folder of a root is shown by itself; questions are about the root.
  const mcp = mcpHandler(paths.length === 0 ? console.roots : viewer.roots, options.index ?? null)
  const isReadOnly = options.readOnly === true
  const wanted = options.port ?? settledPort()
  const server = await start(viewer, { token, mcp, isReadOnly }, wanted)
  const ended = once(interruption(), 'abort')
  const url = server.urlOf(path)
  // Other users can see the arguments of the browser: they get a code that is valid once.
  if (options.open) openBrowser(server.onceUrlOf(path))
  if (withOverview) {
    await Promise.race([viewer.upToDate, setTimeout(LONGEST_WAIT, null, { ref: false })])
    await printOverview(console, viewer, viewer.sessions())
    await console.print([''])
  }
  await printAddress(console, server, url)
  if (viewer.isSample && !withOverview)
    console.note(`No sessions were found in ${viewer.looked.join(', ')}, so these are the samples.`)
  if (wanted === null && server.port !== DEFAULT_PORT)
    console.note(`Port ${DEFAULT_PORT} is in use. Links to port ${server.port} work while this dagline runs.`)
  if (!isKept) console.note('The token could not be stored. Links work while this dagline runs.')
  await ended
  viewer.close()
  await server.close()
}

/** How long the overview waits for the index, in milliseconds; after that it shows what is there. */
const LONGEST_WAIT = 2000

/** U9: the port of the settings; null where there is none. */
function settledPort(): number | null {
  const port = Number(process.env['DAGLINE_PORT'])
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : null
}

/** V1: the default port, or a free one where it is taken; a port that was asked for, or none. */
async function start(
  { history, page }: Viewer,
  access: { readonly token: string; readonly mcp: McpHttp; readonly isReadOnly: boolean },
  chosen: number | null,
): Promise<RunningServer> {
  const listen = (port: number): Promise<RunningServer> =>
    startServer({
      history,
      page,
      theme: process.env['DAGLINE_THEME'] ?? 'system',
      ...access,
      port,
      report: reportError,
    })
  try {
    return await listen(chosen ?? DEFAULT_PORT)
  } catch (error) {
    const failure = portFailure(error, chosen ?? DEFAULT_PORT, ', or omit it for a free port')
    if (chosen === null && failure !== null) return await listen(0)
    throw failure ?? error
  }
}

/** B6: answers clients of the Model Context Protocol. It is loaded with the first request. */
function mcpHandler(roots: readonly string[], index: string | null): McpHttp {
  let loaded: Promise<McpHttp> | null = null
  const load = async (): Promise<McpHttp> => {
    const { createMcpHttp } = await import('@dagline/mcp')
    // A server has many clients, in any folder: it knows neither their project nor their session.
    return createMcpHttp({ roots, index, here: null, session: null, isRedacted: true, report: reportError })
  }
  return {
    fetch: async request => {
      loaded ??= load()
      return (await loaded).fetch(request)
    },
    close: async () => (await loaded)?.close(),
  }
}

async function printAddress(
  console: Console,
  { port: number, token }: RunningServer,
  url: string,
): Promise<void> {
  // One line, so that a program can read it while the server runs.
  if (console.options.json) return await console.printJsonLines('serve', [{ url, port: number, token }])
  await console.print([`The viewer is at ${console.style.id(url)}`])
  console.note('Only this machine can reach it. Press Ctrl-C to stop.')
}
