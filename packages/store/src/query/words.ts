/** H1: what was typed into a search: text, never syntax. Each part must be in the text that is found. */
import type { Phrase } from '../db/index-store.js'
import { wordsOf } from '../db/words.js'

export interface Query {
  /** What the index is asked for. */
  readonly phrases: readonly Phrase[]
  /** What must also stand in the text letter by letter, because the index knows words only: `C++`, `src/app.ts`. */
  readonly literals: readonly string[]
  /** What to mark where it is found. */
  readonly parts: readonly string[]
}

export interface QueryOptions {
  /** The last word may go on: for searching while typing. */
  readonly isUnfinished?: boolean
}

/** Reads a query: words, and parts in double quotes that are one. */
export function parseQuery(text: string, { isUnfinished = false }: QueryOptions = {}): Query {
  const parts = partsOf(text)
  const phrases = parts.map(part => ({ words: wordsOf(part), isPrefix: false }))
  const last = phrases.at(-1)
  if (isUnfinished && last !== undefined && !/["\s]$/.test(text)) last.isPrefix = true
  return {
    phrases: phrases.filter(({ words }) => words.length > 0),
    literals: parts.filter(part => !isWordsOnly(part)).map(foldText),
    parts: parts.map(foldText),
  }
}

/** A quote that is not closed is an ordinary character. */
function partsOf(text: string): readonly string[] {
  const found = text.matchAll(/"([^"]+)"|(\S+)/g)
  return [...found].map(([, quoted, plain]) => (quoted ?? plain ?? '').trim()).filter(part => part !== '')
}

/** Letters and digits alone are found by the index as they are. */
function isWordsOnly(part: string): boolean {
  return /^[\p{L}\p{N}\p{Co}\p{M}]+$/u.test(part)
}

/**
 * A text as it is compared: without case and diacritics, every blank a space. Its length stays the same, so that places
 * in it are places in the text.
 */
export function foldText(text: string): string {
  const lower = text.replace(/\s/g, ' ').toLowerCase()
  const folded = lower.replace(/[\u0080-\uffff]/g, foldCharacter)
  // A few characters become longer in lower case: then the text stays unchanged.
  return folded.length === text.length ? folded : text
}

function foldCharacter(character: string): string {
  const [base = character] = character.normalize('NFD')
  return base.length === character.length ? base : character
}
