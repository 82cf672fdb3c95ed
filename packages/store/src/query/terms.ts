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
  let best: Term[] = []
  let least = most
  const compare = distanceFrom(word, isPrefix)
  for (const { start, tab, end } of similarTerms(vocabulary, word, most, isPrefix)) {
    const distance = compare(vocabulary, start, tab, least)
    if (distance > least) continue
    if (distance < least) best = []
    least = distance
    best.push({ term: vocabulary.slice(start, tab), count: Number(vocabulary.slice(tab + 1, end)) })
  }
  // People rarely get the first letter wrong.
  const hasFirst = ({ term }: Term): number => Number(term[0] === word[0])
  best.sort((a, b) => hasFirst(b) - hasFirst(a) || b.count - a.count)
  return best.slice(0, MOST_CLOSEST).map(({ term }) => term)
}

/** A line of the vocabulary: where it begins, where the word ends, and where the line ends. */
interface TermLocation {
  readonly start: number
  readonly tab: number
  readonly end: number
}

/** The words that have nearly the same letters: a look at each letter once, because there may be a million words. */
function similarTerms(
  vocabulary: string,
  word: string,
  most: number,
  isPrefix: boolean,
): readonly TermLocation[] {
  const found: TermLocation[] = []
  const wanted = lettersOf(word)
  const [least, reach] = [word.length - most, word.length + most]
  // Each difference adds one letter at most; what follows a beginning adds its own.
  const added = isPrefix ? 3 * most : most
  let end = 0
  for (let start = 0; start < vocabulary.length; start = end + 1) {
    const tab = vocabulary.indexOf('\t', start)
    end = vocabulary.indexOf('\n', tab)
    if (tab - start < least || (!isPrefix && tab - start > reach)) continue
    let letters = 0
    for (let at = Math.min(tab, start + reach) - 1; at >= start; at--)
      letters |= 1 << (vocabulary.charCodeAt(at) & 31)
    if (bitsOf(wanted & ~letters) > most || bitsOf(letters & ~wanted) > added) continue
    found.push({ start, tab, end })
  }
  return found
}

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

/**
 * Counts the differences between a word and words of the vocabulary, up to one more than `most`; with `isPrefix` to the
 * nearest beginning of the other word. Only cells near the diagonal are looked at: all others have more differences. The
 * three rows are used again for every word, because there are thousands.
 */
function distanceFrom(
  word: string,
  isPrefix: boolean,
): (vocabulary: string, start: number, end: number, most: number) => number {
  const { length } = word
  let [before, last, next] = [row(length), row(length), row(length)]
  return (vocabulary, start, end, most) => {
    const width = Math.min(end - start, length + most)
    if (!isPrefix && end - start > width) return most + 1
    for (let at = 0; at <= width; at++) last[at] = at
    for (let at = 1; at <= length; at++) {
      const from = Math.max(1, at - most)
      const to = Math.min(width, at + most)
      let least = from === 1 && at <= most ? at : most + 1
      next.fill(most + 1, 0, width + 1)
      if (at <= most) next[0] = at
      const typed = word.charCodeAt(at - 1)
      for (let other = from; other <= to; other++) {
        const found = vocabulary.charCodeAt(start + other - 1)
        const isSwapped =
          at > 1 &&
          other > 1 &&
          typed === vocabulary.charCodeAt(start + other - 2) &&
          word.charCodeAt(at - 2) === found
        let cost = (last[other - 1] ?? 0) + (typed === found ? 0 : 1)
        cost = Math.min(cost, (last[other] ?? 0) + 1, (next[other - 1] ?? 0) + 1)
        if (isSwapped) cost = Math.min(cost, (before[other - 2] ?? 0) + 1)
        next[other] = cost
        least = Math.min(least, cost)
      }
      if (least > most) return most + 1
      ;[before, last, next] = [last, next, before]
    }
    return isPrefix ? Math.min(...last.subarray(0, width + 1)) : (last[width] ?? most + 1)
  }
}

/** A row of distances: other words are longer by two characters at most. */
function row(length: number): Uint16Array {
  return new Uint16Array(length + 4)
}
