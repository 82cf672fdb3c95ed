/**
 * O1: the only file that writes to stdout and stderr. Whatever is written is text: of escape sequences only those of our
 * own colors and of the progress line get through.
 */
import { cleanLine, escapeJson, printableText } from '@dagline/core/content'
import { colored } from './print/style.js'

/** What pieces are: text, or JSON, in which characters can be escaped instead of removed. */
export type Content = 'text' | 'json'

/** Text as it may be written: the pager is the only other one that receives it. */
export function outputText(text: string): string {
  return colored(printableText(text))
}

/** Writes text to stdout, and resolves when it is written, or its reader has gone. */
export function writeOut(text: string): Promise<void> {
  return new Promise(resolve => void process.stdout.write(outputText(text), () => resolve()))
}

/** Writes text to stderr. */
export function writeError(text: string): void {
  process.stderr.write(outputText(text))
}

/** Shows a line about work in progress in place of the one before; null removes it. */
export function writeProgress(line: string | null): void {
  process.stderr.write(`\r\u001b[K${line === null ? '' : outputText(oneLine(line))}`)
}

/** Asks a question on stderr. Ctrl-C means no. */
export async function ask(question: string, suggested: 'yes' | 'no'): Promise<boolean> {
  const { confirm } = await import('@clack/prompts')
  const message = cleanLine(question)
  return (await confirm({ message, initialValue: suggested === 'yes', output: process.stderr })) === true
}

/** Asks for a text that is not shown; empty after Ctrl-C. */
export async function askSecret(question: string): Promise<string> {
  const { password } = await import('@clack/prompts')
  const answer = await password({ message: cleanLine(question), output: process.stderr })
  return typeof answer === 'string' ? answer : ''
}

/** A line that stays one: a name from disk may have a newline. */
export function oneLine(text: string): string {
  return text.includes('\n') ? text.replaceAll('\n', ' ') : text
}

/** Pieces of a file as text. Bytes may be split within a character. */
export async function* textPieces(
  pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
  content: Content,
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const clean = content === 'json' ? escapeJson : (text: string) => text
  for await (const piece of pieces)
    yield clean(typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true }))
  yield clean(decoder.decode())
}
