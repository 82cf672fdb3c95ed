/** `dagline serve`, `dagline open` and `dagline` on a terminal: the viewer. */
import { setTimeout } from 'node:timers/promises'
import {
  createExaminer,
  createSyncer,
  exportInWorker,
  findSession,
  findViewerSource,
  isPath,
  knownSessions,
  labelsPath,
  openLive,
  openRef,
  type Sync,
  UserError,
  type ViewerSource,
} from '@dagline/app'
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
  await show(console, findViewerSource(console, paths, options.index), options, {
    place: '/',
    withOverview: false,
  })
}

/** Shows one session or entry; the list of all where none is named. */
async function open(console: Console, word: string | null, options: ServeCommand): Promise<void> {
  const { place, paths } = word === null ? { place: '/', paths: [] } : placeOf(console, word)
  await show(console, findViewerSource(console, paths, options.index), options, {
    place,
    withOverview: false,
  })
}

/** `dagline` alone: the overview, and the viewer. */
export async function view(console: Console, options: ServeCommand): Promise<void> {
  await show(console, findViewerSource(console, [], options.index), options, {
    place: '/',
    withOverview: true,
  })
}

interface Opening {
  /** The address within the page. */
  readonly place: string
  readonly withOverview: boolean
}

async function show(
  console: Console,
  source: ViewerSource,
  options: ServeCommand,
  { place, withOverview }: Opening,
): Promise<void> {
  const syncer = createSyncer(source.order)
  let isUpToDate: () => void = () => {}
  const upToDate = new Promise<void>(resolve => {
    isUpToDate = resolve
  })
  const server = await start(source, portOf(options.port), tell => syncer.sync(tell).finally(isUpToDate))
  const ended = interrupted()
  const url = addressOf(server, place)
  if (options.open) openBrowser(url)
  if (withOverview) await Promise.race([upToDate, setTimeout(PATIENCE, null, { ref: false })])
  if (withOverview) await printOverview(console, source)
  await printAddress(console, server, url)
  if (source.isSample && !withOverview)
    console.note(`No sessions were found in ${source.looked.join(', ')}: these are samples.`)
  await ended
  syncer.close()
  await server.close()
  source.close()
}

/** How long the overview waits for the index; after that it shows what is there. */
const PATIENCE = 2000

async function start(source: ViewerSource, port: number, sync: Sync): Promise<RunningServer> {
  const { roots, isSample, looked, page, elsewhere, order } = source
  const report = (error: Error): void => {
    process.stderr.write(`dagline: internal error, please report it: ${error.stack ?? error.message}\n`)
  }
  try {
    const files = { index: order.index, roots, isSample, looked, elsewhere, labels: labelsPath() }
    const tasks = { sync, exportHtml: exportInWorker, examine: createExaminer(order) }
    return await startServer({ history: openLive({ ...files, ...tasks }), page, port, report })
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
function addressOf(server: RunningServer, place: string): string {
  const [path = '/', fragment] = place.split('#')
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

async function printOverview(console: Console, { order, roots, isSample }: ViewerSource): Promise<void> {
  const sessions = knownSessions(order.index, roots).filter(({ isIdle }) => !isIdle)
  if (sessions.length === 0) return
  await console.print([...overviewLines(console, roots, sessions, isSample ? (roots[0] ?? null) : null), ''])
}

interface Found {
  readonly place: string
  /** What to serve, where it lies outside of the roots. */
  readonly paths: readonly string[]
}

/** Where a session, a branch or an entry is in the page. */
function placeOf(console: Console, word: string): Found {
  const isReference = /[@:]|#agent-/.test(word)
  const session = isReference ? null : trySession(console, word)
  return session ?? refPlace(console, word)
}

function trySession(console: Console, word: string): Found | null {
  try {
    const { id, root, project, file } = findSession(word, console)
    const session = id ?? file?.session ?? ''
    const paths = isPath(word) ? [`${root}/${project.path}`] : []
    return { place: `/s/${encodeURIComponent(session)}`, paths }
  } catch (error) {
    // It may be the uuid of an entry; where it is none, that is said.
    if (error instanceof UserError && !isPath(word) && /^No session begins/.test(error.message)) return null
    throw error
  }
}

function refPlace(console: Console, ref: string): Found {
  const { loaded, node } = openRef(ref, console)
  const { graph } = loaded
  const session = graph.lineOf(node)?.domain.session
  if (session === undefined) throw new UserError(`${ref} belongs to no session that can be shown.`)
  return { place: `/s/${encodeURIComponent(session)}#${encodeURIComponent(graph.id(node))}`, paths: [] }
}
