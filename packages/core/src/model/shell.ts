import { isPrintable, UNPRINTABLE } from './unprintable.js'

/**
 * A text as one word of a shell command: quoted where needed. O1: one with control characters is written as `$'...'`,
 * which bash, zsh and ksh read, so that it can be printed and copied.
 */
export function shellWord(text: string): string {
  if (/^[\w./@:+-]+$/.test(text)) return text
  // O5: no shell of Windows takes single quotes around a path, and all take these.
  if (WINDOWS_PATH.test(text) && isPrintable(text)) return `"${text}"`
  if (isPrintable(text) && !/[\n\t]/.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`
  return `$'${text.replace(/\p{Cs}/gu, '\ufffd').replace(UNSAFE, escapedCharacter)}'`
}

/** A path of Windows cannot have a quote; what shells replace in quotes stays out, too. */
const WINDOWS_PATH = /^[A-Za-z]:[^"$`%!\n\t]*[^"$`%!\n\t\\]$/

const UNSAFE = new RegExp(`[\\n\\t'\\\\]|${UNPRINTABLE.source}`, 'gu')

/** The bytes of a character in octal; a quote or a backslash with a backslash. */
function escapedCharacter(character: string): string {
  if (character === "'" || character === '\\') return `\\${character}`
  const bytes = encodeURIComponent(character).match(/%../g) ?? []
  return bytes.map(byte => `\\${Number.parseInt(byte.slice(1), 16).toString(8).padStart(3, '0')}`).join('')
}
