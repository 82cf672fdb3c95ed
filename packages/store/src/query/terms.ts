/** H10: words of the index that are like a word that was typed. */

/** A line of the vocabulary: the word and in how many texts it is. */
interface Term {
  readonly term: string
  readonly count: number
}

/** Words beyond these are so rare that they are not missed. */
const MOST_CONTAINING = 100
const MOST_CLOSEST = 3

interface Ends {
  /** Whether a word may begin before the part. */
  readonly isSuffix: boolean
  /** Whether it may go on behind it. */
  readonly isPrefix: boolean
}

/** The words that have a part in them, the most frequent first. */
export function termsWith(vocabulary: string, part: string, { isSuffix, isPrefix }: Ends): readonly string[] {
  const found: Term[] = []
  let at = vocabulary.indexOf(part)
  while (at >= 0) {
    const start = vocabulary.lastIndexOf('\n', at) + 1
    const tab = vocabulary.indexOf('\t', start)
    const end = vocabulary.indexOf('\n', start)
    const term = vocabulary.slice(start, tab)
    const isIn = (isSuffix || term.startsWith(part)) && (isPrefix || term.endsWith(part))
    // A part of digits is found in the count, too.
    if (at < tab && isIn) found.push({ term, count: Number(vocabulary.slice(tab + 1, end)) })
    at = vocabulary.indexOf(part, at < tab ? end : at + 1)
  }
  found.sort((a, b) => b.count - a.count)
  return found.slice(0, MOST_CONTAINING).map(({ term }) => term)
}

/**
 * The words with the fewest differences: a character more, less or another one, or two that changed places. One
 * difference from four letters on, two from eight on. A word that is still being typed is compared with beginnings.
 */
export function closestTerms(vocabulary: string, word: string, isPrefix: boolean): readonly string[] {
  const most = word.length < 4 ? 0 : word.length < 8 ? 1 : 2
  if (most === 0) return []
  let best: Array<Term & { readonly distance: number }> = []
  for (const each of similarTerms(vocabulary, word, most, isPrefix)) {
    const least = best[0]?.distance ?? most
    const distance = distanceOf(word, each.term, least, isPrefix)
    if (distance < least) best = []
    if (distance <= least) best.push({ ...each, distance })
  }
  // People rarely get the first letter wrong.
  const hasFirst = ({ term }: Term): number => Number(term[0] === word[0])
  best.sort((a, b) => hasFirst(b) - hasFirst(a) || b.count - a.count)
  return best.slice(0, MOST_CLOSEST).map(({ term }) => term)
}

/** The words that have nearly the same letters: a look at each letter once, because there may be a million words. */
function* similarTerms(vocabulary: string, word: string, most: number, isPrefix: boolean): Generator<Term> {
  const wanted = lettersOf(word)
  const reach = word.length + most
  let [start, letters] = [0, 0]
  for (let at = 0; at < vocabulary.length; at++) {
    const code = vocabulary.charCodeAt(at)
    if (code !== TAB) {
      if (at - start < reach) letters |= 1 << (code & 31)
      continue
    }
    const length = at - start
    const end = vocabulary.indexOf('\n', at)
    const isLong = length >= word.length - most && (isPrefix || length <= reach)
    if (isLong && bitsOf(wanted & ~letters) <= most)
      yield { term: vocabulary.slice(start, at), count: Number(vocabulary.slice(at + 1, end)) }
    ;[at, start, letters] = [end, end + 1, 0]
  }
}

const TAB = 9

/** One bit for each letter, several letters of other scripts sharing one. */
function lettersOf(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31)
  return letters
}

function bitsOf(number: number): number {
  let count = 0
  for (let rest = number; rest !== 0; rest &= rest - 1) count++
  return count
}

/** How many differences there are, counted up to one more than `most`; with `isPrefix` to the nearest beginning of the term. */
function distanceOf(word: string, term: string, most: number, isPrefix: boolean): number {
  const other = isPrefix ? term.slice(0, word.length + most) : term
  let [before, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, at) => at)]
  for (let row = 1; row <= word.length; row++) {
    const next = [row]
    for (let at = 1; at <= other.length; at++) {
      const isSame = word[row - 1] === other[at - 1]
      let cost = Math.min((last[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1, (last[at - 1] ?? 0) + Number(!isSame))
      const isSwapped = word[row - 1] === other[at - 2] && word[row - 2] === other[at - 1]
      if (row > 1 && at > 1 && isSwapped) cost = Math.min(cost, (before[at - 2] ?? 0) + 1)
      next.push(cost)
    }
    if (Math.min(...next) > most) return most + 1
    ;[before, last] = [last, next]
  }
  return isPrefix ? Math.min(...last) : (last.at(-1) ?? 0)
}
