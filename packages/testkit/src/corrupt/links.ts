/** Corruptions of parents. */
import { textIn } from '../base/json.js'
import { between, hookOn, lateProgress, progressOn, strangerOn } from './growth.js'
import * as r from './rows.js'
import { ABSENT, type Corruptions, rowJson } from './rows.js'

export const LINKS: Corruptions = {
  'missing parent': { picks: r.isLinked, breaks: (rows, at) => r.put(rows, at, { parentUuid: ABSENT }) },
  'missing parent, an hour later': {
    picks: r.isLinked,
    breaks: (rows, at) => r.written(r.laterFrom(r.replaced(rows, at, { parentUuid: ABSENT }), at)),
  },
  'parent null in the middle': {
    picks: r.isLinked,
    breaks: (rows, at) => r.put(rows, at, { parentUuid: null }),
  },
  'parent field absent': {
    picks: r.isLinked,
    breaks: (rows, at) => r.written(r.withoutFields(rows, place => place === at, 'parentUuid')),
  },
  'own parent': {
    picks: r.isLinked,
    breaks: (rows, at) => r.put(rows, at, { parentUuid: r.fieldOf(rows, at, 'uuid') }),
  },
  'cycle of parents': {
    picks: (json, at, rows) => r.isLinked(json, at, rows) && r.childOf(rows, at) !== null,
    breaks: (rows, at) => r.put(rows, at, { parentUuid: r.childOf(rows, at) }),
  },
  'begins with an answer': {
    picks: (_, at, rows) => at > 0 && at === r.firstAnswer(rows),
    breaks: (rows, at) => r.put(rows.slice(at), 0, { parentUuid: null }),
  },
  'beginning cut off': {
    picks: (_, at, rows) => at > 0 && at === r.firstAnswer(rows),
    breaks: (rows, at) => r.written(rows.slice(at)),
  },
  'progress in the chain': {
    picks: r.isLinked,
    breaks: (rows, at) => r.written(between(rows, at, progressOn)),
  },
  'hook in the chain': { picks: r.isLinked, breaks: (rows, at) => r.written(between(rows, at, hookOn)) },
  'unknown type in the chain': {
    picks: r.isLinked,
    breaks: (rows, at) => r.written(between(rows, at, strangerOn)),
  },
  'prompt hung some turns back': {
    picks: (json, at, rows) => isLaterPrompt(json, at, rows) && earlierParent(rows, at) !== null,
    breaks: (rows, at) => r.put(rows, at, { parentUuid: earlierParent(rows, at) }),
  },
  'late progress before a prompt': {
    picks: isLaterPrompt,
    breaks: (rows, at) => r.written(lateProgress(rows, at)),
  },
}

function isLaterPrompt(
  json: Readonly<Record<string, unknown>>,
  at: number,
  rows: readonly string[],
): boolean {
  return r.isLinked(json, at, rows) && r.isPrompt(json) && r.promptPlaces(rows).indexOf(at) > 0
}

const TURNS_BACK = 10

/** The parent of the prompt some turns before the one at a place. */
function earlierParent(rows: readonly string[], at: number): string | null {
  const prompts = r.promptPlaces(rows)
  const earlier = prompts[Math.max(0, prompts.indexOf(at) - TURNS_BACK)] ?? at
  return earlier === at ? null : textIn(rowJson(rows[earlier]), 'parentUuid')
}
