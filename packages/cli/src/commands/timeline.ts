/** `dagline timeline`: what happened to a session, by time. */
import type { SessionGraph } from '@dagline/app'
import { cleanLine } from '@dagline/core/content'
import { clockSeconds, isoTime, shortId } from '@dagline/core/format'
import { type TimelineEvent, timelineOf } from '@dagline/core/view'
import { type AddCommand, defineCommand } from '../command.js'
import type { Console } from '../console.js'
import { createDayHeading } from '../print/log.js'
import { fit, pad } from '../print/width.js'

export const timelineCommand: AddCommand = defineCommand({
  usage: 'timeline [session]',
  description:
    'List the events of a session: resumes, forks, rewinds, compactions, clears, moves, queued messages, workflows.',
  examples: [
    'dagline timeline latest',
    'dagline timeline latest --json | jq \'.events[] | select(.kind == "lost")\'',
  ],
  run: async (console, [word = 'latest']) => {
    const found = await console.history.graphOf(word, { isLinkedOnly: true })
    const events = timelineOf(found.graph, found.session.id)
    if (console.options.json) {
      const list = events.map(({ time, node, kind, file, row, text }) => ({
        kind,
        time: isoTime(time),
        file,
        row,
        node: node === null ? null : found.graph.id(node),
        text,
      }))
      await console.printJson('timeline', { session: found.session.id, events: { list } })
    } else if (events.length > 0) await console.page(() => eventLines(console, found, events))
    else
      console.note(
        `The session has only prompts and answers. Run \`dagline log ${shortId(found.session.id)}\` to print them.`,
      )
  },
})

const WIDEST_KIND = 11
const CLOCK = 8

function* eventLines(
  { style, width }: Console,
  { graph }: SessionGraph,
  events: readonly TimelineEvent[],
): Generator<string> {
  const dayHeading = createDayHeading(style)
  for (const { time, kind, node, text } of events) {
    yield* dayHeading(time)
    const id = node === null ? '' : `  ${shortId(graph.id(node))}`
    const room = width - CLOCK - 2 - WIDEST_KIND - 2 - id.length
    const what = pad(kind, WIDEST_KIND)
    yield `${style.faint(pad(clockSeconds(time), CLOCK))}  ${kind === 'lost' ? style.bad(what) : style.strong(what)}  ${fit(cleanLine(text), room)}${style.faint(id)}`
  }
}
