/** H1, H9: what was typed into a search: text, never syntax, but for quotes and stars. Each part must be in the text that is found. */
import type { Phrase } from '../db/index-store.js'
import { wordsOf } from '../db/words.js'

/** One part of a query: a word, several words that punctuation joins, or a text in quotes. */
export interface Part {
  /** As it is compared with texts, without its stars. */
  readonly text: string
  readonly words: readonly string[]
  /** Whether it must also stand in the text letter by letter, because the index knows words only: `C++`, `src/app.ts`. */
  readonly isLiteral: boolean
  /** Whether its last word may go on: it was the last to be typed, or a star stands behind it. */
  readonly isPrefix: boolean
  /** Whether a word may begin before its first one: a star stands before it. */
  readonly isSuffix: boolean
  /** Whether it must be as it was typed: in quotes, or with stars that say where it may go on. */
  readonly isExplicit: boolean
  /** Words that may be in the text instead. */
  readonly others: readonly string[]
  /** What to mark where it is found. */
  readonly marks: readonly string[]
}

type Typed = Pick<Part, 'isPrefix' | 'isSuffix' | 'isExplicit'>

/** A shorter last word is the beginning of too many words to mean one of them. */
const SHORTEST_PREFIX = 3
/** The same where other words stand before it in one part: `src/ap`. */
const SHORTEST_PREFIX_INSIDE = 2

/** Reads a query. The last word is a prefix unless something was typed behind it. */
export function parseQuery(text: string): readonly Part[] {
  const typed = [...text.matchAll(/"([^"]+)"|(\S+)/g)]
  const isOpen = !/["\s]$/.test(text)
  return typed
    .map(([, quoted, plain = ''], at) =>
      quoted === undefined
        ? plainPart(plain, isOpen && at === typed.length - 1)
        : partOf(quoted.trim(), { isPrefix: false, isSuffix: false, isExplicit: true }),
    )
    .filter(({ text: part }) => part !== '')
}

/** A quote that is not closed is an ordinary character, and so are stars that stand alone. */
function plainPart(typed: string, isLast: boolean): Part {
  const bare = typed.replace(/^\*+|\*+$/g, '') || typed
  const [isSuffix, hasEnd] = [bare !== typed && typed.startsWith('*'), bare !== typed && typed.endsWith('*')]
  const isUnfinished = isLast && !isSuffix && isLongEnough(wordsOf(bare))
  return partOf(bare, { isPrefix: hasEnd || isUnfinished, isSuffix, isExplicit: bare !== typed })
}

function isLongEnough(words: readonly string[]): boolean {
  const least = words.length > 1 ? SHORTEST_PREFIX_INSIDE : SHORTEST_PREFIX
  return (words.at(-1)?.length ?? 0) >= least
}

/** Reads one part, which has no stars any more. */
export function partOf(text: string, { isPrefix, isSuffix, isExplicit }: Typed): Part {
  const folded = foldText(text)
  return {
    text: folded,
    words: wordsOf(text),
    isLiteral: !/^[\p{L}\p{N}\p{Co}\p{M}]+$/u.test(text),
    // A word goes on only where nothing stands behind it.
    isPrefix: isPrefix && /[\p{L}\p{N}\p{Co}\p{M}]$/u.test(text),
    isSuffix,
    isExplicit,
    others: [],
    marks: [folded],
  }
}

/** What the index is asked for: the parts that have words, whole ones or as they were meant. */
export function phrasesOf(
  parts: readonly Part[],
  { isWhole }: { readonly isWhole: boolean },
): readonly Phrase[] {
  return parts
    .filter(({ words }) => words.length > 0)
    .map(({ words, isPrefix, others }) =>
      isWhole ? { words, isPrefix: false } : { words, isPrefix, ...(others.length === 0 ? {} : { others }) },
    )
}

/**
 * A text as it is compared: without case and diacritics, every blank a space. Its length stays the same, so that places
 * in it are places in the text.
 */
export function foldText(text: string): string {
  // Most blanks are spaces already: to replace these, too, takes most of the time.
  const lower = text.replace(/[^\S ]/g, ' ').toLowerCase()
  const folded = lower.replace(/[\u0080-\uffff]/g, foldCharacter)
  // A few characters become longer in lower case: then the text stays unchanged.
  return folded.length === text.length ? folded : text
}

/** What characters become: a text has few different ones, and each of them often. */
const FOLDED = new Map<string, string>()

function foldCharacter(character: string): string {
  const known = FOLDED.get(character)
  if (known !== undefined) return known
  const [base = character] = character.normalize('NFD')
  const folded = base.length === character.length ? base : character
  FOLDED.set(character, folded)
  return folded
}
