/** Text from transcripts is not trusted: only visible characters may reach a terminal. */
import { isPrintable, UNPRINTABLE } from '../model/unprintable.js'

/** Strings such as window titles and links with their contents; then other sequences; then lone escapes. */
const SEQUENCES: readonly RegExp[] = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  /(?:\u001b[PX^_\]]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?/g,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?/g,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  /\u001b[ -/]*[0-~]?/g,
]
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters, less tab and newline
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
/** Marks that change the direction of text, and characters without width. */
const HIDDEN = /[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g

const LONE = /\p{Cs}/gu

/** A text of several lines without escape sequences, control characters and direction marks. */
export function cleanText(text: string): string {
  const plain = SEQUENCES.reduce((rest, sequence) => rest.replace(sequence, ''), text)
  return plain.replace(/\r\n?/g, '\n').replace(CONTROLS, '').replace(HIDDEN, '').replace(LONE, '\ufffd')
}

/** The same on one line, with white space folded; at most the first `most` characters. */
export function cleanLine(text: string, most = 2000): string {
  return cleanText(text.slice(0, most)).replace(/\s+/g, ' ').trim()
}

/**
 * O1: what may be printed of a text that was put together from several, with each character judged alone: a sequence
 * that one cell begins cannot swallow the next. Control characters become `\ufffd`, hidden ones are removed.
 */
export function printableText(text: string): string {
  if (isPrintable(text)) return text
  return text.replace(CONTROLS, '\ufffd').replace(LONE, '\ufffd').replace(HIDDEN, '')
}

/** Controls that show text in another order than it is stored, and runs of marks that grow over other lines. */
const DISGUISES = /[\u202a-\u202e\u2066-\u2069]|(?<=\p{M}{8})\p{M}+/gu

const IS_DISGUISED = /[\u202a-\u202e\u2066-\u2069]|\p{M}{9}/u

/** V6: a text for a page, in which such characters are named instead of obeyed: `⟨U+202E⟩`. JSON stays JSON. */
export function undisguised(text: string): string {
  if (!IS_DISGUISED.test(text)) return text
  return text.replace(DISGUISES, found =>
    /\p{M}/u.test(found)
      ? `⟨${found.length} marks⟩`
      : `⟨U+${found.charCodeAt(0).toString(16).toUpperCase()}⟩`,
  )
}

const ESCAPED = new RegExp(UNPRINTABLE, 'gu')

/** O2: JSON with the same values, in which such characters are escaped. A return is white space between values. */
export function escapeJson(json: string): string {
  if (isPrintable(json)) return json
  return json.replace(ESCAPED, character =>
    character === '\r' ? ' ' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
