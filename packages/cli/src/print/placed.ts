/** Sentences about places. */
import { cleanLine } from '@dagline/core/content'
import type { Console } from '../console.js'
import { wrap } from './width.js'

/** `row 5, 26cff3d2  What is so there.`, wrapped behind a sign; the place may be empty. */
export function* placedLines(
  { style, width }: Console,
  sign: string,
  place: string,
  text: string,
): Generator<string> {
  const start = place === '' ? '' : `${place}  `
  const [first = '', ...more] = wrap(`${start}${cleanLine(text)}`, width - 4)
  yield `${sign}${style.faint(first.slice(0, start.length))}${first.slice(start.length)}`
  for (const line of more) yield `    ${line}`
}
