/** Text from transcripts is hostile: nothing of it reaches the terminal but characters that show. */

// Escape sequences with their payload: CSI, then OSC and the other strings up to their end, then single escapes.
const SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to be taken out
  /[\u001b\u009b]\[?[0-9;:<=>?]*[ -/]*[@-~]|[\u001b][PX^_\]][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters, less tab and newline
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
/** Marks that turn the direction of text, and lone surrogates. */
const TURNS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069\u061c]/g

/** A text of several lines without escape sequences, control characters and direction marks. */
export function cleanText(text: string): string {
  return text
    .replace(STRINGS, '')
    .replace(SEQUENCES, '')
    .replace(/\r\n?/g, '\n')
    .replace(CONTROLS, '')
    .replace(TURNS, '')
    .toWellFormed()
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: strings such as window titles and links
const STRINGS = /(?:\u001b[PX^_\]]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c|$)/g

/** The same on one line, white space folded. `most` bounds the work on long texts, in characters. */
export function cleanLine(text: string, most = 2000): string {
  return cleanText(text.slice(0, most)).replace(/\s+/g, ' ').trim()
}
