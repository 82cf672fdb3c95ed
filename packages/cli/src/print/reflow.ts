/** U10: help in the width of the terminal. */
import { widthOf, wrap } from './width.js'

/** An entry of a list: its name, at least two blanks, and what it means. */
const LISTED = /^(\s*\S(?:.*?\S)?\s{2,})(\S.*)$/

/** With less room an explanation stays on the line of its name. */
const LEAST_ROOM = 20

/** The text with its long lines broken: sentences go on at the margin, entries of lists below their explanation, commands not at all. */
export function reflow(text: string, width: number): string {
  const lines = text.split('\n')
  if (lines.every(line => widthOf(line) <= width)) return text
  return blocksOf(lines)
    .flatMap(block => broken(block, width))
    .join('\n')
}

/** Lines of one sentence, or of one entry, joined to one; all others as they are. */
function blocksOf(lines: readonly string[]): readonly string[] {
  const blocks: string[] = []
  for (const line of lines) {
    const before = blocks.at(-1)
    if (before !== undefined && goesOn(before, line)) blocks.splice(-1, 1, `${before} ${line.trim()}`)
    else blocks.push(line)
  }
  return blocks
}

function goesOn(before: string, line: string): boolean {
  const name = LISTED.exec(before)?.[1] ?? ''
  if (name !== '') return /^\s*/.exec(line)?.[0].length === name.length && line.length > name.length
  return isProse(before) && isProse(line) && !/[.:]$/.test(before)
}

function isProse(line: string): boolean {
  return /^\S/.test(line) && !LISTED.test(line)
}

function broken(block: string, width: number): readonly string[] {
  if (widthOf(block) <= width) return [block]
  if (isProse(block)) return wrap(block, width)
  const [, name = '', what = ''] = LISTED.exec(block) ?? []
  const room = width - widthOf(name)
  if (what === '' || room < LEAST_ROOM) return [block]
  return wrap(what, room).map((line, at) => (at === 0 ? name : ' '.repeat(widthOf(name))) + line)
}
