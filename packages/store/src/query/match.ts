/** H12: whether a text that is not in the index has what was typed, compared as the index compares words. */
import { wordsOf } from '../db/words.js'
import { foldText, type Part } from './words.js'

/** Whether a text has all parts. */
export function findsParts(text: string, parts: readonly Part[]): boolean {
  const folded = foldText(text)
  const words = wordsOf(folded)
  return parts.every(part => hasWords(words, part) && (!part.isLiteral || folded.includes(part.text)))
}

/** Whether the words of a part follow each other. */
function hasWords(words: readonly string[], { words: typed, isPrefix, isSuffix }: Part): boolean {
  const wanted = typed.map(foldText)
  const isThere = (word: string | undefined, nth: number): boolean => {
    const want = wanted[nth] ?? ''
    const mayGoOn = isPrefix && nth === wanted.length - 1
    const mayBeginBefore = isSuffix && nth === 0
    if (word === undefined || word.length < want.length) return false
    if (mayGoOn && mayBeginBefore) return word.includes(want)
    if (mayGoOn) return word.startsWith(want)
    return mayBeginBefore ? word.endsWith(want) : word === want
  }
  if (wanted.length === 0) return true
  return words.some((_, at) => wanted.every((__, nth) => isThere(words[at + nth], nth)))
}
