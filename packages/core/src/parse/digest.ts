/** Digests of texts: enough to compare and to name them without keeping them. */
import type { TextDigest } from '../model/entry.js'

/** How many characters at each end of a text are hashed. The length is always part of the hash. */
const hashed = 512
/** How many characters of a text are kept as its head. */
const kept = 1000

/** The digest of a text whose head may be shown: a prompt, a title, a queued message. */
export function digestText(text: string): TextDigest {
  return { hash: hashText(text), folded: 0, head: headOf(text) }
}

/** The digest of a prompt that may have started an agent: it is also compared folded. */
export function digestPrompt(text: string): TextDigest {
  return { hash: hashText(text), folded: hashText(foldText(text)), head: headOf(text) }
}

/** The digest of a text that is only compared: a part of an answer. It has no head. */
export function digestPart(text: string): TextDigest {
  return { hash: hashText(text), folded: 0, head: '' }
}

/** The hash of a block's text, as `digestText` has it; 0 for a block without text. */
export function hashBlock(text: string | null): number {
  return text === null ? 0 : hashText(text)
}

/** White space folded and case dropped, as far as the hash looks. */
function foldText(text: string): string {
  return text
    .slice(0, 4 * hashed)
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}

/**
 * The first characters, as a string of its own. A plain slice would keep the whole text alive behind it; joining
 * makes the engine copy.
 */
function headOf(text: string): string {
  if (text.length <= kept) return text
  return ` ${text.slice(0, kept)}`.slice(1)
}

/** Two 32-bit FNV-1a style streams joined to a 53-bit number: collisions do not matter at 10^6 texts. */
function hashText(text: string): number {
  const { length } = text
  const gap = length - 2 * hashed
  let low = 0x811c9dc5 ^ length
  let high = 0x9e3779b9 + length
  for (let i = 0; i < length; i++) {
    if (i === hashed && gap > 0) i += gap
    const code = text.charCodeAt(i)
    low = Math.imul(low ^ code, 0x01000193)
    high = Math.imul(high ^ code, 0x85ebca6b)
  }
  return (low >>> 0) * 0x200000 + ((high >>> 0) & 0x1fffff)
}
