/** Seed phrases of wallets: twelve to twenty-four plain words with one blank between them. */
import type { Found, SecretRule } from './anchors.js'

const LENGTHS: ReadonlySet<number> = new Set([12, 15, 18, 21, 24])
/** The shortest phrase: twelve words of three letters. */
const LEAST = 47
/** Words of every sentence that are in no list of such words. A sentence of twelve words without one of them is rare. */
const STOP =
  /\b(?:the|and|for|are|was|were|with|from|not|has|had|its|our|does|did|been|how|why|who|which|their|them|these|those|would|could|should|but|via|get|set|run|see|new|all|use|using|uses|used)\b/
const LED = /(?:seed|mnemonic|phrase|wallet|recovery)[^\n]{0,40}$/i
const PHRASE = /(?<![a-z])[a-z]{3,8}(?: [a-z]{3,8}){11,}(?![a-z])/g

/** Finds seed phrases, by their form only: a list of 2,048 words would weigh more than all other rules. */
export function findSeeds(text: string): readonly Found[] {
  let found: Found[] | null = null
  for (let from = 0; from + LEAST <= text.length; ) {
    // From the end of the shortest phrase back: the first other character says where the next one can begin.
    let at = from + LEAST - 1
    while (at >= from && isPlain(text, at)) at--
    if (at >= from) {
      from = at + 1
      continue
    }
    let end = from + LEAST
    while (isPlain(text, end)) end++
    for (const { 0: phrase, index } of text.slice(from, end).matchAll(PHRASE))
      if (isSeed(text, from + index, phrase)) {
        found ??= []
        found.push({ kind: 'seed-phrase', start: from + index, end: from + index + phrase.length })
      }
    from = end + 1
  }
  return found ?? []
}

/** A number in a listing, or the mark of a difference. */
const LEAD = '\\d{1,6}→|\\+'
/** Words behind `seed phrase`: numbered, in quotes, with commas, or each on a line. */
const LIST = new RegExp(['\\d{1,2}[.):]\\s{0,4}', ''].map(number => listOf(number)).join('|'), 'd')

function listOf(number: string): string {
  const word = `${number}["'\`]?[a-z]{3,8}["'\`]?`
  const between = number === '' ? '(?:\\s{0,3},\\s{0,12}|\\n\\s{0,12})' : '[\\s,]{1,12}'
  return `^[^\\n]{0,80}?\\s{0,8}(?:${LEAD})?((?:${word}${between}(?:${LEAD})?){11,23}${number}["'\`]?[a-z]{3,8})(?![a-z])`
}

/** Phrases that are written as a list, where a word before them says what they are. */
export const PHRASES: SecretRule = {
  kinds: ['seed-phrase'],
  words: ['mnemonic', 'recovery phrase', 'seed phrase', 'secret phrase', 'seed words', 'recovery words'],
  matchAt: (text, at, word) => {
    const from = at + word.length
    const indices = LIST.exec(text.slice(from, from + LIST_MOST))?.indices
    const [start, end] = indices?.[1] ?? indices?.[2] ?? []
    if (start === undefined || end === undefined) return null
    if (!isList(text.slice(from + start, from + end))) return null
    return { kind: 'seed-phrase', start: from + start, end: from + end }
  },
}

const LIST_MOST = 700

function isList(phrase: string): boolean {
  const words = phrase.match(/[a-z]{3,8}/g) ?? []
  return LENGTHS.has(words.length) && new Set(words).size >= words.length - 2 && !STOP.test(words.join(' '))
}

/** A lower-case letter or a blank. */
function isPlain(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return (code >= 97 && code <= 122) || code === 32
}

function isSeed(text: string, start: number, phrase: string): boolean {
  const words = phrase.split(' ')
  if (!LENGTHS.has(words.length) || new Set(words).size < words.length - 2 || STOP.test(phrase)) return false
  return LED.test(text.slice(Math.max(0, start - 60), start)) || isWhole(text, start, start + phrase.length)
}

/** Whether it stands by itself: a whole line, also of a list or a difference, or in quotes. */
function isWhole(text: string, start: number, end: number): boolean {
  return /^[\n\t"'`/=+→]?$/.test(text.charAt(start - 1)) && /^[\n\r"'`/]?$/.test(text.charAt(end))
}
