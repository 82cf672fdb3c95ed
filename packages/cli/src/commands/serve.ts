/** `dagline serve`, `dagline open` and `dagline` on a terminal: the viewer. */
import { setTimeout } from 'node:timers/promises'
import { UserError, type Viewer } from '@dagline/app'
import { type RunningServer, startServer } from '@dagline/server'
import type { Command } from 'commander'
import { type Action, command, finish, type Options, textIn, withIndexOption } from '../command.js'
import type { Console } from '../console.js'
import { openBrowser } from '../terminal/browser.js'
import { overviewLines } from './overview.js'

/** Adds `dagline open`. */
export function addOpen(program: Command): void {
  const made = viewer(
    command(
      program,
      'open [session|ref]',
      'Open the viewer in the browser, optionally at a session or entry.',
    ),
  )
  const act: Action = async (console, [word = null], options) => {
    await open(console, word, serveOptions(options))
  }
  finish(made, act, [
    'dagline open',
    'dagline open latest',
    'dagline open 79cad093',
    'dagline open session.jsonl',
  ])
}

/** Adds `dagline serve`. */
export function addServe(program: Command): void {
  const made = viewer(command(program, 'serve [path...]', 'Serve the viewer on this machine until Ctrl-C.'))
  const act: Action = async (console, paths, options) => {
    await serve(console, paths, serveOptions(options))
  }
  finish(made, act, [
    'dagline serve',
    'dagline serve ~/backup/projects --no-open',
    'dagline serve --port 4000 --no-open --json',
  ])
}

function viewer(made: Command): Command {
  return withIndexOption(made)
    .option('--port <number>', 'port to listen on (default: a free port)')
    .option('--no-open', 'print the address without opening the browser')
}

/** The options of the viewer. */
export function serveOptions(options: Options): ServeCommand {
  return {
    index: textIn(options, 'index'),
    port: textIn(options, 'port'),
    open: options['open'] !== false,
  }
}

interface ServeCommand {
  readonly index: string | null
  /** As typed; null for a free one. */
  readonly port: string | null
  /** Whether to open the browser. */
  readonly open: boolean
}

/** Shows what is under some paths, until it is interrupted. */
async function serve(console: Console, paths: readonly string[], options: ServeCommand): Promise<void> {
  await show(console, paths, options, { address: '/', withOverview: false })
}

/** Shows one session or entry; the list of all where none is named. */
async function open(console: Console, word: string | null, options: ServeCommand): Promise<void> {
  if (word === null) return await serve(console, [], options)
  const { session, entry, paths } = await console.history.locateShown(word)
  const fragment = entry === null ? '' : `#${encodeURIComponent(entry)}`
  const address = `/s/${encodeURIComponent(session)}${fragment}`
  await show(console, paths, options, { address, withOverview: false })
}

/** `dagline` alone: the overview, and the viewer. */
export async function view(console: Console, options: ServeCommand): Promise<void> {
  await show(console, [], options, { address: '/', withOverview: true })
}

interface Opening {
  /** The address within the page. */
  readonly address: string
  readonly withOverview: boolean
}

async function show(
  console: Console,
  paths: readonly string[],
  options: ServeCommand,
  { address, withOverview }: Opening,
): Promise<void> {
  const viewer = await console.history.viewer(paths, options)
  const server = await start(viewer, portOf(options.port))
  const ended = interrupted()
  const url = addressOf(server, address)
  if (options.open) openBrowser(url)
  if (withOverview) await Promise.race([viewer.upToDate, setTimeout(PATIENCE, null, { ref: false })])
  if (withOverview) await printOverview(console, viewer)
  await printAddress(console, server, url)
  if (viewer.isSample && !withOverview)
    console.note(`No sessions were found in ${viewer.looked.join(', ')}: these are samples.`)
  await ended
  viewer.close()
  await server.close()
}

/** How long the overview waits for the index; after that it shows what is there. */
const PATIENCE = 2000

async function start({ history, page }: Viewer, port: number): Promise<RunningServer> {
  const report = (error: Error): void => {
    process.stderr.write(`dagline: internal error, please report it: ${error.stack ?? error.message}\n`)
  }
  try {
    return await startServer({ history, page, port, report })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'EADDRINUSE')
      throw new UserError(`Port ${port} is taken: give another one with --port, or none for a free one.`)
    if (code === 'EACCES') throw new UserError(`Port ${port} needs more rights: give one above 1023.`)
    throw error
  }
}

function portOf(text: string | null): number {
  if (text === null) return 0
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new UserError(`--port ${text} is not a valid port. Give a number up to 65535.`)
}

/** Ends with the first interrupt; a second one ends the process as usual. */
function interrupted(): Promise<void> {
  return new Promise(resolve => {
    const end = (): void => {
      process.off('SIGINT', end).off('SIGTERM', end).off('SIGHUP', end)
      resolve()
    }
    process.on('SIGINT', end).on('SIGTERM', end).on('SIGHUP', end)
  })
}

/** The token stands before the fragment, which the browser keeps to itself. */
function addressOf(server: RunningServer, address: string): string {
  const [path = '/', fragment] = address.split('#')
  return server.urlOf(path) + (fragment === undefined ? '' : `#${fragment}`)
}

async function printAddress(console: Console, { port, token }: RunningServer, url: string): Promise<void> {
  if (console.options.json) {
    await console.print([JSON.stringify({ dagline: 1, url, port, token })])
    return
  }
  await console.print([`The viewer is at ${console.style.id(url)}`])
  console.note('Only this machine can reach it; Ctrl-C ends it.')
}

async function printOverview(console: Console, { sessions, roots, isSample }: Viewer): Promise<void> {
  const shown = sessions().filter(({ isIdle }) => !isIdle)
  if (shown.length === 0) return
  await console.print([...overviewLines(console, { roots, isSample }, shown), ''])
}
