/** `dagline tail`: follows a session as it grows, like `tail -f` for conversations. */

import { type FollowedBatch, type FollowedSession, type SessionEvent, UserError } from '@dagline/app'
import { type Graph, isSpoken, layOutLanes, type View, type ViewRow, walkSession } from '@dagline/core'
import { cleanLine } from '@dagline/core/content'
import { isoDay } from '@dagline/core/format'
import { type Command, Option } from 'commander'
import { type Action, command, finish } from '../command.js'
import type { Console } from '../console.js'
import { logLines } from '../print/log.js'
import { newsFacts, newsLines, type TailScene, type Today } from '../print/tail.js'
import { rowFacts } from './log.js'

/** Adds `dagline tail`. */
export function addTail(program: Command): void {
  const made = command(
    program,
    'tail [session]',
    'Follow a session as it grows, including subagents and branches.',
  )
    .addOption(new Option('-n, --lines <count>', 'number of rows to start with').default('10'))
    .option('-a, --all', 'include hooks, attachments, progress and thinking')
    .option('--once', 'print what is there and exit')
  const act: Action = async (console, [session = 'latest'], options) => {
    await tail(console, session, {
      lines: String(options['lines']),
      all: options['all'] === true,
      once: options['once'] === true,
    })
  }
  finish(made, act, [
    'dagline tail',
    'dagline tail 4539d2d0 -n 30',
    "dagline tail latest --json | jq -r 'select(.event) | .text'",
  ])
}

interface TailOptions {
  /** The number of rows to start with, as typed. */
  readonly lines: string
  readonly all: boolean
  readonly once: boolean
}

/** A session that is being printed. */
interface Tail {
  readonly console: Console
  readonly follow: FollowedSession
  readonly options: TailOptions
  readonly today: Today
}

/** Prints the last rows of a session, and then every new one until it is interrupted. */
async function tail(console: Console, word: string, options: TailOptions): Promise<void> {
  const lines = countOf(options.lines)
  const follow = await console.history.follow(word)
  const first = follow.look(options.once)
  if (first === null) throw new UserError(`${word} has no transcript of its own: give the path of one.`)
  const printing = { console, follow, options, today: { day: '' } }
  await begin(printing, first, lines)
  if (options.once) return
  const release = onEnd(follow.stop)
  if (!console.options.json) console.note('Following; Ctrl-C ends.')
  for await (const batch of follow.changes()) await printBatch(printing, batch)
  release()
}

function countOf(text: string): number {
  if (!/^\d{1,9}$/.test(text))
    throw new UserError(`-n ${text} is not valid. Give a number of rows, for example -n 20.`)
  return Number(text)
}

/** Ends the following on an interrupt, and where nobody reads any more. */
function onEnd(stop: () => void): () => void {
  process.once('SIGINT', stop)
  process.stdout.once('close', stop)
  return () => {
    process.off('SIGINT', stop)
    process.stdout.off('close', stop)
  }
}

/** The last rows of what is there, as `log` prints them. */
async function begin(printing: Tail, { graph, summaries }: FollowedBatch, lines: number): Promise<void> {
  const { console, follow, options, today } = printing
  const found = follow.find(graph)
  if (found === null) return
  const shows = options.all ? () => true : isSpoken
  const fold = { branches: 'fold', agents: 'fold', shows } as const
  const { line, session } = found
  const view = walkSession(graph, session.id, line === null ? fold : { ...fold, line })
  const lanes = layOutLanes(view.rows).slice(Math.max(0, view.rows.length - lines))
  const last = lastRows(view, lines)
  const contents = await console.history.contentsOf({ root: follow.location.root, graph, summaries })
  const labels = console.history.labels()
  if (console.options.json) {
    const parents = view.rows
      .slice(view.rows.length - last.rows.length)
      .map(row => parentOf(graph, view, row))
    const rows = rowFacts(graph, last, { lanes, contents, labels })
    const whole = mapped(rows, (row, at) =>
      JSON.stringify({ dagline: 1, session: session.id, ...row, parent: parents[at] ?? null }),
    )
    await console.print(whole)
  } else {
    const drawn = {
      drawn: 'list',
      isSide: true,
      isLive: false,
      isShared: false,
      ids: 'none',
      queue: [],
    } as const
    const page = { found, view: last, lanes, contents, labels, ...drawn }
    await console.print(logLines(console, page))
  }
  contents.close()
  for (const { node } of last.rows) today.day = isoDay(graph.node(node).time) || today.day
}

/** The end of a view; rows above it are no longer named as parents. */
function lastRows(view: View, lines: number): View {
  const cut = Math.max(0, view.rows.length - lines)
  const rows = view.rows.slice(cut).map(
    (row): ViewRow => ({
      ...row,
      parents: row.parents.flatMap(edge => (edge.row < cut ? [] : [{ ...edge, row: edge.row - cut }])),
    }),
  )
  return { ...view, rows }
}

/** The row that a row is drawn under, also one that is not shown. */
function parentOf(graph: Graph, { rows }: View, { parents: [edge] }: ViewRow): string | null {
  const above = edge === undefined ? undefined : rows[edge.row]
  return above === undefined ? null : graph.id(above.node)
}

function* mapped<T>(items: Iterable<T>, map: (item: T, at: number) => string): Generator<string> {
  let at = 0
  for (const item of items) yield map(item, at++)
}

async function printBatch(printing: Tail, { graph, notes, summaries, events }: FollowedBatch): Promise<void> {
  const { console, follow, today } = printing
  const { root, id } = follow.location
  for (const note of notes) console.note(cleanLine(note))
  const contents = await console.history.contentsOf({ root, graph, summaries })
  const scene: TailScene = { graph, contents, session: id ?? '' }
  const shown = events.filter(event => isShown(printing, graph, event))
  const lines = console.options.json
    ? mapped(shown, event => JSON.stringify(newsFacts(scene, event, liveIn(graph, event))))
    : shown.flatMap(event => [...newsLines(console, scene, event, today)])
  await console.print(lines)
  contents.close()
}

function liveIn(graph: Graph, piece: SessionEvent): ReadonlySet<string> {
  if (!('node' in piece)) return new Set()
  return new Set(graph.live(graph.node(piece.node).file).map(node => graph.id(node)))
}

/** Entries that a reader of the conversation wants to see; of one agent alone where its file was named. */
function isShown({ follow, options }: Tail, graph: Graph, piece: SessionEvent): boolean {
  const { file } = follow.location
  const agent = file?.kind === 'agent' ? file.agent : null
  if (agent !== null && (!('node' in piece) || graph.node(piece.node).agent !== agent)) return false
  if (piece.kind !== 'entry' || options.all) return true
  // G7: what repeats another entry was told with that one.
  return isSpoken(graph, piece.node) && graph.originalOf(piece.node) === piece.node
}
