/**
 * Characters that act on a terminal or hide from its reader: control characters less tab and newline, separators of
 * lines, marks of direction, characters without width, and halves of characters.
 */
export const UNPRINTABLE: RegExp =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|\p{Cs}/u

/** The same with all halves of characters, of which most are whole pairs: several times as quick to look for. */
const SUSPECT = new RegExp(UNPRINTABLE.source.replace(']|\\p{Cs}', '\\ud800-\\udfff]'))

/** Whether a text has none of them. */
export function isPrintable(text: string): boolean {
  return !SUSPECT.test(text) || !UNPRINTABLE.test(text)
}
