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
function similarTerms(vocabulary: string, word: string, most: number, isPrefix: boolean): readonly Term[] {
  const found: Term[] = []
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
    found.push({ term: vocabulary.slice(start, tab), count: Number(vocabulary.slice(tab + 1, end)) })
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
 * How many differences there are, counted up to one more than `most`; with `isPrefix` to the nearest beginning of the
 * term. Only cells near the diagonal are looked at: all others have more differences.
 */
function distanceOf(word: string, term: string, most: number, isPrefix: boolean): number {
  const width = Math.min(term.length, word.length + most)
  if (!isPrefix && term.length > width) return most + 1
  let before: number[] = []
  let last = Array.from({ length: width + 1 }, (_, at) => at)
  for (let row = 1; row <= word.length; row++) {
    const next = new Array<number>(width + 1).fill(most + 1)
    if (row <= most) next[0] = row
    let least = next[0] ?? row
    for (let at = Math.max(1, row - most); at <= Math.min(width, row + most); at++) {
      const isSame = word.charCodeAt(row - 1) === term.charCodeAt(at - 1)
      let cost = (last[at - 1] ?? row) + (isSame ? 0 : 1)
      cost = Math.min(cost, (last[at] ?? row) + 1, (next[at - 1] ?? row) + 1)
      if (row > 1 && at > 1 && isSwapped(word, row, term, at))
        cost = Math.min(cost, (before[at - 2] ?? row) + 1)
      next[at] = cost
      least = Math.min(least, cost)
    }
    if (least > most) return most + 1
    before = last
    last = next
  }
  return isPrefix ? Math.min(...last) : (last[width] ?? most + 1)
}

/** Whether the last two characters of both beginnings are the same in the other order. */
function isSwapped(word: string, row: number, term: string, at: number): boolean {
  return (
    word.charCodeAt(row - 1) === term.charCodeAt(at - 2) &&
    word.charCodeAt(row - 2) === term.charCodeAt(at - 1)
  )
}
