/** Finds texts that are already known to be secrets, however many there are, in one pass over a text. */
import { pushTo } from '../model/group.js'
import type { Found } from './anchors.js'
import { isIn, SETS } from './chars.js'

/** Texts that are looked for. */
interface KnownTexts {
  /** A text that is certain is found inside of words, too. */
  readonly add: (text: string, kind: string, isCertain: boolean) => void
  readonly find: (text: string) => readonly Found[]
  readonly isEmpty: () => boolean
}

/** The characters by which a text is looked up. Shorter texts could be words. */
const LEAD = 8
/** Longer keys are found by their headers. */
const MOST = 512
/** The fewest characters of a text that is certain. */
const LEAST = 4

interface Known {
  readonly text: string
  readonly kind: string
  readonly isCertain: boolean
}

export function createKnownTexts(): KnownTexts {
  const known = new Map<string, Known>()
  const byLead = new Map<string, Known[]>()
  const short: Known[] = []
  /** Which hashes of four characters a text begins with: nearly every other position is passed over at once. */
  const begins = new Uint8Array(0x10000)
  const add: KnownTexts['add'] = (text, kind, isCertain) => {
    const before = known.get(text)
    if (before !== undefined && (before.isCertain || !isCertain)) return
    const made = { text, kind: before?.kind ?? kind, isCertain }
    known.set(text, made)
    if (text.length >= LEAD && (isCertain || text.length <= MOST)) {
      begins[hashOf(text)] = 1
      pushTo(byLead, text.slice(0, LEAD), made)
      byLead.get(text.slice(0, LEAD))?.sort((a, b) => b.text.length - a.text.length)
    } else if (isCertain && text.length >= LEAST) short.push(made)
  }
  return {
    add,
    find: text => {
      const found: Found[] = short.flatMap(each => allOf(text, each))
      const cut = cutEnd(text)
      let hash = 0
      for (let at = 0; at < text.length; at++) {
        hash = ((hash << 4) ^ text.charCodeAt(at)) & 0xffff
        if (begins[hash] === 0 || at < 3) continue
        const start = at - 3
        const match = byLead.get(text.slice(start, start + LEAD))?.find(each => isAt(text, start, each))
        if (match === undefined) continue
        const end = Math.min(start + match.text.length, cut)
        found.push({ kind: match.kind, start, end, whole: match.text })
        at = end - 1
      }
      return found
    },
    isEmpty: () => known.size === 0,
  }
}

/** The hash of the first four characters, as it is after each character of a text. */
function hashOf(text: string): number {
  let hash = 0
  for (let at = 0; at < 4; at++) hash = ((hash << 4) ^ text.charCodeAt(at)) & 0xffff
  return hash
}

/** Where a text ends that may have been cut, as titles are. */
function cutEnd(text: string): number {
  return text.endsWith('…') ? text.length - 1 : text.length
}

/** Whether a text is at a position, whole or cut off by the end. */
function isAt(text: string, start: number, { text: known, isCertain }: Known): boolean {
  const end = cutEnd(text)
  const isCut = end - start < known.length && known.startsWith(text.slice(start, end))
  if (!isCut && !text.startsWith(known, start)) return false
  return isCertain || !(isIn(text, start - 1, SETS.alnum) || isIn(text, start + known.length, SETS.alnum))
}

function allOf(text: string, { text: known, kind }: Known): readonly Found[] {
  const found: Found[] = []
  for (let at = text.indexOf(known); at >= 0; at = text.indexOf(known, at + known.length))
    found.push({ kind, start: at, end: at + known.length })
  return found
}
