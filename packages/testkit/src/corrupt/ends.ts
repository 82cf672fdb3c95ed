/** Corruptions of the end of a session: what is written late, by a second writer, or after a crash. */
import { endNote, hookOn, progressOn, turnOn } from './growth.js'
import type { Corruptions } from './rows.js'
import * as r from './rows.js'

const BACK = { asked: 'back to here', answer: 'gladly' }
const FURTHER = { asked: 'and more', answer: 'of course', nth: 1 }
const BY_ITSELF = { asked: 'Continue from where you left off.', answer: 'No response requested.' }

export const ENDS: Corruptions = {
  'hook at the end': { picks: r.isLinked, breaks: (rows, at) => r.written([...rows, hookOn(rows, at)]) },
  'progress at the end': {
    picks: r.isLinked,
    breaks: (rows, at) => r.written([...rows, progressOn(rows, at)]),
  },
  'killed after a rewind': {
    picks: r.isAnswer,
    breaks: (rows, at) => r.written([...rows, ...turnOn(rows, at, BACK)]),
  },
  'stray prompt on the first answer': {
    picks: (_, at, rows) => at === r.firstAnswer(rows),
    breaks: (rows, at) => r.written([...rows, turnOn(rows, at, BACK)[0]]),
  },
  'went on from an older part': {
    picks: (json, at, rows) => r.isEarlyPart(json, at, rows),
    breaks: (rows, at) => r.written([...rows, ...turnOn(rows, at, BACK), endNote(rows)]),
  },
  'went on by itself from an old entry': {
    picks: r.isAnswer,
    breaks: (rows, at) =>
      r.written([...rows, ...turnOn(rows, at, { ...BY_ITSELF, fields: { isMeta: true } }), endNote(rows)]),
  },
  'two writers': {
    picks: (json, at, rows) => r.isAnswer(json) && at === r.lastAnswer(rows),
    breaks: (rows, at) => {
      const [ask, answer] = turnOn(rows, at, BACK)
      const [other, reply] = turnOn(rows, at, FURTHER)
      return r.written([...rows, ask, other, answer, reply])
    },
  },
  'two writers from the middle': {
    picks: r.isAnswer,
    breaks: (rows, at) => {
      const turn = turnOn(rows, at, BACK)
      const rest = rows.slice(at + 1).flatMap((row, nth) => [...turn.slice(nth, nth + 1), row])
      return r.written([...rows.slice(0, at + 1), ...rest, ...turn.slice(rows.length - at - 1)])
    },
  },
  'prompt queued and never sent': {
    picks: r.isFirst,
    breaks: rows =>
      r.written([
        ...rows,
        JSON.stringify({ type: 'queue-operation', operation: 'enqueue', content: 'later' }),
      ]),
  },
}
