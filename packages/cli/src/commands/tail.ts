/** `dagline tail`: follows a session as it grows, like `tail -f` for conversations. */
import { type FollowedBatch, type FollowedSession, type SessionEvent, UserError } from '@dagline/app'
import { type Graph, isSpoken, layOutLanes, type View, type ViewRow, walkSession } from '@dagline/core'
import { cleanLine } from '@dagline/core/content'
import { isoDay } from '@dagline/core/format'
import { type AddCommand, defineCommand, flag, wholeNumber } from '../command.js'
import type { Console } from '../console.js'
import { shared } from '../options.js'
import { createDayHeading, logLines } from '../print/log.js'
import { eventFacts, eventLine, type TailScene, timeOf } from '../print/tail.js'
import { interruption } from '../terminal.js'
import { rowFacts } from './log.js'

export const tailCommand: AddCommand = defineCommand({
  usage: 'tail [session]',
  description: 'Follow a session as it grows, including subagents and branches.',
  options: {
    limit: wholeNumber(...shared('limit', ' rows to start with'), { default: 10 }),
    all: flag(...shared('all', ', also hooks, attachments, progress and thinking')),
    once: flag('--once', 'end with what is there: print it and exit'),
  },
  examples: [
    'dagline tail',
    'dagline tail 019c5be1 -n 30',
    "dagline tail latest --json | jq -r 'select(.event) | .text'",
  ],
  run: async (console, [word = 'latest'], { limit, all: isAll, once }) => {
    const following = { isLatest: word === 'latest' && !once }
    let tail: Tail = { console, isAll, follow: await console.history.follow(word, following) }
    const stop = (): void => tail.follow.stop()
    interruption().addEventListener('abort', stop)
    // The reader of a pipe may leave.
    process.stdout.once('close', stop)
    for (let next: string | null = word; next !== null; next = tail.follow.next()) {
      if (next !== word) {
        tail = { ...tail, follow: await console.history.follow(next, following) }
        console.note(`A newer session began: ${tail.follow.location.id ?? next}.`)
      }
      await followOne(tail, next, { limit, once })
    }
  },
})

/** Prints the end of a session, and what happens in it. */
async function followOne(
  tail: Tail,
  word: string,
  { limit, once }: { readonly limit: number; readonly once: boolean },
): Promise<void> {
  const { console, follow } = tail
  const first = follow.look(once)
  if (first === null)
    throw new UserError(`${word} has no transcript of its own. Give the path of a transcript.`)
  const day = await printLast(tail, first, limit)
  if (once) return
  if (!console.options.json) console.note('Following; press Ctrl-C to stop.')
  const dayHeading = createDayHeading(console.style, day)
  for await (const batch of follow.changes()) await printEvents(tail, batch, dayHeading)
}

/** A session that is followed and printed. */
interface Tail {
  readonly console: Console
  readonly follow: FollowedSession
  readonly isAll: boolean
}

/** Prints the last rows, as `log` prints them, and returns the day of the last one. */
async function printLast(tail: Tail, { graph, summaries }: FollowedBatch, lines: number): Promise<string> {
  const { console, follow, isAll } = tail
  const found = follow.find(graph)
  if (found === null) return ''
  const { line, session } = found
  const fold = { branches: 'fold', agents: 'fold', shows: isAll ? () => true : isSpoken } as const
  const view = walkSession(graph, session.id, line === null ? fold : { ...fold, line })
  const cut = Math.max(0, view.rows.length - lines)
  const lanes = layOutLanes(view.rows).slice(cut)
  const last = rowsFrom(view, cut)
  const contents = await console.history.contentsOf({ root: follow.location.root, graph, summaries })
  const labels = console.history.labels()
  if (console.options.json) {
    const rows = [...rowFacts(graph, last, { lanes, contents, labels })].map((row, at) => ({
      session: session.id,
      ...row,
      parent: parentOf(graph, view, view.rows[cut + at]),
    }))
    await console.printJsonLines('tail', rows)
  } else {
    const flags = { isDrawn: false, isSide: true, ids: 'none', queue: [] } as const
    await console.print(logLines(console, { found, view: last, lanes, contents, labels, ...flags }))
  }
  contents.close()
  return last.rows.map(({ node }) => isoDay(graph.node(node).time)).findLast(day => day !== '') ?? ''
}

/** The end of a view. Rows before the cut are no longer parents. */
function rowsFrom(view: View, cut: number): View {
  const rows = view.rows.slice(cut).map(
    (row): ViewRow => ({
      ...row,
      parents: row.parents.flatMap(edge => (edge.row < cut ? [] : [{ ...edge, row: edge.row - cut }])),
    }),
  )
  return { ...view, rows }
}

/** The row that a row is drawn under, also one that is not shown. */
function parentOf(graph: Graph, { rows }: View, row: ViewRow | undefined): string | null {
  const above = rows[row?.parents[0]?.row ?? -1]
  return above === undefined ? null : graph.id(above.node)
}

async function printEvents(
  tail: Tail,
  { graph, notes, summaries, events }: FollowedBatch,
  dayHeading: ReturnType<typeof createDayHeading>,
): Promise<void> {
  const { console, follow } = tail
  const { root, id } = follow.location
  for (const note of notes) console.note(cleanLine(note))
  const contents = await console.history.contentsOf({ root, graph, summaries })
  const scene: TailScene = { graph, contents, session: id ?? '' }
  const shown = events.filter(event => isShown(tail, graph, event))
  if (console.options.json)
    await console.printJsonLines(
      'tail',
      shown.map(event => eventFacts(scene, event)),
    )
  else
    await console.print(
      shown.flatMap(event => [...dayHeading(timeOf(scene, event)), eventLine(console, scene, event)]),
    )
  contents.close()
}

/** Events, and entries of the conversation; only those of a subagent where its transcript was named. */
function isShown({ follow, isAll }: Tail, graph: Graph, event: SessionEvent): boolean {
  const { file } = follow.location
  const agent = file?.kind === 'agent' ? file.agent : null
  if (agent !== null && (!('node' in event) || graph.node(event.node).agent !== agent)) return false
  if (event.kind !== 'entry' || isAll) return true
  // G7: a copy was printed with its original.
  return isSpoken(graph, event.node) && graph.originalOf(event.node) === event.node
}
