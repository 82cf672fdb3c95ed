/** Corruptions of what entries say, and of their ids and times. */
import { type Json, objectOf } from '../base/json.js'
import type { Rng } from '../base/rng.js'
import * as r from './rows.js'
import { ABSENT, type Corruptions, rowJson } from './rows.js'

export const CONTENTS: Corruptions = {
  'empty answer': { picks: r.isAnswer, breaks: (rows, at) => r.put(rows, at, r.emptied(rows, at)) },
  'empty prompt': { picks: r.isPrompt, breaks: (rows, at) => r.put(rows, at, r.emptied(rows, at)) },
  'prompt of no characters': {
    picks: r.isPrompt,
    breaks: (rows, at) => r.put(rows, at, r.messageWith(rows, at, { content: '' })),
  },
  'answer without blocks': {
    picks: r.isAnswer,
    breaks: (rows, at) => r.put(rows, at, r.emptied(rows, at, [])),
  },
  'prompt without blocks': {
    picks: r.isPrompt,
    breaks: (rows, at) => r.put(rows, at, r.emptied(rows, at, [])),
  },
  'result with an empty text': {
    picks: r.isResult,
    breaks: (rows, at) => r.put(rows, at, resultWith(rows, at, [{ type: 'text', text: '' }])),
  },
  'image without data': {
    picks: r.isPrompt,
    breaks: (rows, at) =>
      r.put(rows, at, r.messageWith(rows, at, { content: [...r.blocksOn(rows[at]), IMAGE] })),
  },
  'thinking without signature': {
    picks: r.isThinking,
    breaks: (rows, at) => r.put(rows, at, r.unsigned(rows, at)),
  },
  'same tool id twice': {
    picks: (json, at, rows) => r.isCall(json, at, rows) && r.callBefore(rows, at) !== null,
    breaks: (rows, at) =>
      r.written(rows).replaceAll(r.callOn(rows, at) ?? ABSENT, r.callBefore(rows, at) ?? ABSENT),
  },
  'tool ids of a turn used again': {
    picks: (json, at, rows) => r.isCall(json, at, rows) && r.callBefore(rows, at) !== null,
    breaks: (rows, at, rng) => r.written(withToolIdsAgain(rows, at, rng)),
  },
  'wrong role': {
    picks: (json, at, rows) => r.isLinked(json, at, rows),
    breaks: (rows, at) => r.put(rows, at, r.messageWith(rows, at, { role: otherRole(rowJson(rows[at])) })),
  },
  'message ids gone': { picks: r.isFirst, breaks: rows => r.written(rows.map(withoutMessageId)) },
  'times gone': {
    picks: r.isFirst,
    breaks: rows => r.written(r.withoutFields(rows, () => true, 'timestamp')),
  },
  'times gone from a row on': {
    picks: r.isLinked,
    breaks: (rows, at) => r.written(r.withoutFields(rows, place => place >= at, 'timestamp')),
  },
  'time gone on one row': {
    picks: r.isLinked,
    breaks: (rows, at) => r.written(r.withoutFields(rows, place => place === at, 'timestamp')),
  },
  'uuid gone on three rows': {
    picks: r.isLinked,
    breaks: (rows, at, rng) => {
      const others = rng.shuffle([...rows.keys()].filter(place => r.isEntryRow(rows[place]))).slice(0, 2)
      return r.written(r.withoutFields(rows, place => place === at || others.includes(place), 'uuid'))
    },
  },
  'one uuid on two entries': {
    picks: r.isLinked,
    breaks: (rows, at, rng) => {
      const others = rows.filter((row, place) => place !== at && r.isEntryRow(row))
      const uuid = others.length === 0 ? undefined : rowJson(rng.pick(others))?.['uuid']
      return r.put(rows, at, { uuid })
    },
  },
  'row of 11 MB': {
    picks: (json, at, rows) => r.isAnswer(json) && at === r.firstAnswer(rows),
    breaks: (rows, at) => r.put(rows, at, r.lengthened(rows, at, 11_000_000)),
  },
}

const IMAGE = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: '' } }

function resultWith(rows: readonly string[], at: number, content: readonly Json[]): Json {
  const blocks = r.blocksOn(rows[at])
  return r.messageWith(rows, at, {
    content: blocks.map(block => (block['type'] === 'tool_result' ? { ...block, content } : block)),
  })
}

function otherRole(json: Readonly<Json> | null): string {
  return objectOf(json?.['message'])?.['role'] === 'user' ? 'assistant' : 'user'
}

function withoutMessageId(row: string): string {
  const json = rowJson(row)
  const message = objectOf(json?.['message'])
  if (json === null || message === null) return row
  const { id: _, ...rest } = message
  return JSON.stringify({ ...json, message: rest })
}

/** A call and its results take the id of some earlier call. */
function withToolIdsAgain(rows: readonly string[], at: number, rng: Rng): readonly string[] {
  const earlier = rows.slice(0, at).flatMap((_, place) => r.callOn(rows, place) ?? [])
  const [from, to] = [r.callOn(rows, at) ?? ABSENT, rng.pick(earlier)]
  return rows.map((row, place) => (place < at ? row : row.replaceAll(`"${from}"`, `"${to}"`)))
}
