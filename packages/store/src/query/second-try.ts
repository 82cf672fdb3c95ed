/** H10: what to search for where nothing has the words that were typed: parts of words, then the closest words. */
import type { IndexStore } from '../db/index-store.js'
import { foldTerm } from '../db/words.js'
import { closestTerms, termsWith } from './terms.js'
import { type Part, partOf, phrasesOf } from './words.js'

/** What was searched for in place of a part of the query. */
export interface SearchedInstead {
  readonly typed: string
  /** `parts`: words that contain it · `closest`: words that are written nearly so · `apart`: its words, not in sequence. */
  readonly kind: 'parts' | 'closest' | 'apart'
  /** The most frequent first. */
  readonly searched: readonly string[]
}

/** Another query, and how it differs from the one that was typed. */
interface Try {
  readonly parts: readonly Part[]
  readonly replaced: readonly SearchedInstead[]
}

/** A part of a query in other words. */
interface Replaced {
  readonly parts: readonly Part[]
  readonly replacement: SearchedInstead | null
}

/**
 * First the parts that nothing has are replaced, in one way after another. Where every part is known for itself, or that
 * finds nothing either, signs need not be there (`why?!`), and then all words may be parts of words.
 */
export function* secondTries(index: IndexStore, parts: readonly Part[]): Generator<Try> {
  const isKnown = (part: Part): boolean =>
    part.words.length === 0 || index.count(phrasesOf([part], { isWhole: false }), {}, 1) > 0
  const unknown = new Set(parts.filter(part => !isKnown(part)))
  const ways = parts.map(part => (unknown.has(part) ? waysFor(index, part) : [unchanged(part)]))
  // A part that nothing is like makes every further try useless.
  if (ways.some(({ length }) => length === 0)) return
  const most = unknown.size === 0 ? 0 : Math.max(...ways.map(({ length }) => length))
  for (let way = 0; way < most; way++) yield joined(ways.map(each => each[way] ?? each.at(-1)))
  if (parts.some(part => !unknown.has(part) && hasSigns(part)))
    yield joined(
      parts.map((part, at) =>
        unknown.has(part) ? ways[at]?.[0] : hasSigns(part) ? inSequence(part) : unchanged(part),
      ),
    )
  if (parts.length > unknown.size)
    yield joined(parts.map((part, at) => (unknown.has(part) ? ways[at]?.[0] : widened(index, part))))
}

/** A word with a star before it: all words that it is the end or a part of. */
export function widenStar(index: IndexStore, part: Part): Part {
  const [first, ...rest] = part.words
  if (!part.isSuffix || first === undefined || !/^[\p{L}\p{N}\p{Co}]/u.test(part.text)) return part
  // Of several words the first is looked for in the text itself.
  if (rest.length > 0) return { ...part, words: rest, isLiteral: true }
  return { ...part, others: termsWith(index.vocabulary(), foldTerm(first), part) }
}

function unchanged(part: Part): Replaced {
  return { parts: [part], replacement: null }
}

function joined(all: readonly (Replaced | undefined)[]): Try {
  return {
    parts: all.flatMap(each => each?.parts ?? []),
    replaced: all.flatMap(each => each?.replacement ?? []),
  }
}

function widened(index: IndexStore, part: Part): Replaced {
  if (part.isExplicit || part.words.length === 0) return unchanged(part)
  return containing(index, part) ?? (part.isLiteral ? inSequence(part) : unchanged(part))
}

/** Whether it is compared with the texts only because of characters that are no letters. */
function hasSigns(part: Part): boolean {
  return part.isLiteral && !part.isExplicit && part.words.length > 0
}

/** `user-name` for `user_name`, `why` for `why?!`. */
function inSequence(part: Part): Replaced {
  const marks = [...part.marks, ...part.words.map(foldTerm)]
  const replacement: SearchedInstead = { typed: part.text, kind: 'apart', searched: part.words }
  return { parts: [{ ...part, isLiteral: false, marks }], replacement }
}

/** None where the index has nothing like it, or it must be as it was typed. */
function waysFor(index: IndexStore, part: Part): readonly Replaced[] {
  if (part.isExplicit) return []
  const isOne = part.words.length === 1
  // H2: in scripts without spaces several words are one.
  if (!isOne && !part.isLiteral) return []
  const ways = isOne
    ? [containing(index, part) ?? closest(index, part)]
    : [goingOn(index, part), beginningEarlier(index, part), closest(index, part), apart(part)]
  return ways.filter(way => way !== null)
}

/** Below this length only beginnings of words are meant: anything else would be in most words. */
const SHORTEST_PART = 3

function containing(index: IndexStore, part: Part): Replaced | null {
  const [word = '', ...others] = part.words
  if (part.isExplicit || others.length > 0 || word === '') return null
  const ends = { isSuffix: word.length >= SHORTEST_PART, isPrefix: true }
  const terms = termsWith(index.vocabulary(), foldTerm(word), ends)
  return terms.length === 0 ? null : replacedBy(part, terms, 'parts')
}

function replacedBy(part: Part, terms: readonly string[], kind: 'parts' | 'closest'): Replaced {
  const [first = '', ...others] = terms
  const marks = kind === 'parts' ? part.marks : terms
  const isLiteral = part.isLiteral && kind === 'parts'
  return {
    parts: [{ ...part, words: [first], others, marks, isPrefix: false, isLiteral }],
    replacement: { typed: part.text, kind, searched: terms },
  }
}

/** A single letter is in thousands of texts, and begins words that are in nearly all of them. */
function isLetter(word: string): boolean {
  return /^[a-z0-9]$/i.test(word)
}

/** `package.j`: the last word goes on in the text. The others are found, and then all is compared. */
function goingOn(index: IndexStore, part: Part): Replaced | null {
  const last = part.words.at(-1) ?? ''
  if (!isLetter(last) || !part.text.endsWith(foldTerm(last))) return null
  const known = { ...part, words: part.words.slice(0, -1), isLiteral: true }
  if (index.count(phrasesOf([known], { isWhole: false }), {}, 1) === 0) return null
  return {
    parts: [known],
    replacement: { typed: part.text, kind: 'parts', searched: [`${part.text}*`] },
  }
}

/** `ain/app.ts`: the first word begins earlier in the text. The others are found in sequence, and then all is compared. */
function beginningEarlier(index: IndexStore, part: Part): Replaced | null {
  const [first = '', ...rest] = part.words
  if (rest.every(isLetter)) return null
  const earlier = { ...part, words: rest, isLiteral: true }
  const ends = termsWith(index.vocabulary(), foldTerm(first), { isSuffix: true, isPrefix: false })
  const isFound = ends.length > 0 && index.count(phrasesOf([earlier], { isWhole: false }), {}, 1) > 0
  const replacement: SearchedInstead = { typed: part.text, kind: 'parts', searched: ends }
  return isFound ? { parts: [earlier], replacement } : null
}

/** Every word that the index does not have is replaced by the closest one. */
function closest(index: IndexStore, part: Part): Replaced | null {
  const vocabulary = index.vocabulary()
  const last = part.words.length - 1
  if (last === 0) {
    const terms = closestTerms(vocabulary, foldTerm(part.words[0] ?? ''), part.isPrefix)
    return terms.length === 0 ? null : replacedBy(part, terms, 'closest')
  }
  let text = part.text
  for (const [at, word] of part.words.entries()) {
    const term = foldTerm(word)
    const isPrefix = part.isPrefix && at === last
    if (isTerm(vocabulary, term) || (isPrefix && termsWith(vocabulary, term, BEGINNING).length > 0)) continue
    const [other] = closestTerms(vocabulary, term, isPrefix)
    if (other === undefined) return null
    text = text.replace(term, other)
  }
  const other = partOf(text, part)
  const isFound = text !== part.text && index.count(phrasesOf([other], { isWhole: false }), {}, 1) > 0
  return isFound
    ? { parts: [other], replacement: { typed: part.text, kind: 'closest', searched: [text] } }
    : null
}

const BEGINNING = { isSuffix: false, isPrefix: true }

function isTerm(vocabulary: string, term: string): boolean {
  return vocabulary.startsWith(`${term}\t`) || vocabulary.includes(`\n${term}\t`)
}

/** `store/search.ts` for `store/src/query/search.ts`. */
function apart(part: Part): Replaced {
  const last = part.words.length - 1
  return {
    parts: part.words.map((word, at) => partOf(word, { ...part, isPrefix: part.isPrefix && at === last })),
    replacement: { typed: part.text, kind: 'apart', searched: part.words },
  }
}
