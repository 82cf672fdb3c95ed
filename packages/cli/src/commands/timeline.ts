/** `dagline timeline`: what happened to a session, by time. */

import type { FoundSession } from '@dagline/app'
import { jsonLines } from '@dagline/app'
import { cleanLine } from '@dagline/core/content'
import { clockSeconds, isoDay, isoTime, shortId } from '@dagline/core/format'
import { type TimelineEvent, timelineOf } from '@dagline/core/view'
import type { Command } from 'commander'
import { type Action, command, finish } from '../command.js'
import type { Console } from '../console.js'
import { fit, pad } from '../print/width.js'

/** Adds `dagline timeline`. */
export function addTimeline(program: Command): void {
  const made = command(
    program,
    'timeline <session>',
    'List the events of a session: resumes, forks, rewinds, compactions, clears, moves, queued messages, workflows.',
  )
  const act: Action = async (console, [session = '']) => {
    await timeline(console, session)
  }
  finish(made, act, [
    'dagline timeline latest',
    'dagline timeline latest --json | jq \'.events[] | select(.kind == "lost")\'',
  ])
}

/** Prints the events of a session. */
async function timeline(console: Console, word: string): Promise<void> {
  const found = await console.history.graphOf(word)
  const events = timelineOf(found.loaded.graph, found.session.id)
  if (console.options.json) await console.print(jsonLines(factsOf(found, events)))
  else if (events.length === 0) console.note('Nothing but prompts and answers: `dagline log` prints them.')
  else await console.page(() => eventLines(console, found, events))
}

function factsOf(
  { loaded: { graph }, session }: FoundSession,
  events: readonly TimelineEvent[],
): readonly (readonly [string, unknown])[] {
  const list = events.map(({ kind, time, file, row, node, text }) => ({
    kind,
    time: isoTime(time),
    file,
    row,
    node: node === null ? null : graph.id(node),
    text,
  }))
  return [
    ['dagline', 1],
    ['session', session.id],
    ['events', { list }],
  ]
}

const WIDEST_KIND = 11
const CLOCK = 8

function* eventLines(
  { style, width }: Console,
  { loaded: { graph } }: FoundSession,
  events: readonly TimelineEvent[],
): Generator<string> {
  let today = ''
  for (const { time, kind, node, text } of events) {
    if (isoDay(time) !== '' && isoDay(time) !== today) {
      today = isoDay(time)
      yield style.faint(today)
    }
    const id = node === null ? '' : `  ${shortId(graph.id(node))}`
    const room = width - CLOCK - 2 - WIDEST_KIND - 2 - id.length
    const what = pad(kind, WIDEST_KIND)
    yield `${style.faint(pad(clockSeconds(time), CLOCK))}  ${kind === 'lost' ? style.bad(what) : style.strong(what)}  ${fit(cleanLine(text), room)}${style.faint(id)}`
  }
}
