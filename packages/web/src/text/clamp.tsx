/** Long text with its end folded, so that it fills neither the screen nor the memory of the page. */

import { count } from '@dagline/core/format'
import { type ComponentChildren, type Context, createContext, type VNode } from 'preact'
import { useContext, useState } from 'preact/hooks'
import { CopyIcon } from '../parts/copy.js'

/** Lower-case words that must be visible: text up to them is not folded. */
export const RevealContext: Context<readonly string[]> = createContext<readonly string[]>([])

interface ClampProps {
  readonly text: string
  readonly lines: number
  /** What the text is called on the button that copies it; without it there is no button. */
  readonly name?: string
  readonly children: (shown: string) => ComponentChildren
}

/** Lines that each click on the button adds. */
const STEP = 400

/** Shows the first lines, and the rest on demand. */
export function Clamp({ text, lines, name, children }: ClampProps): VNode {
  const [extra, setExtra] = useState(0)
  const revealed = linesTo(text, useContext(RevealContext))
  const { shown, more } = firstLines(text, Math.max(lines, revealed) + extra)
  return (
    <div class="clamp">
      {name !== undefined && <CopyIcon title={`Copy ${name}`} text={() => text} />}
      {children(shown)}
      {(more > 0 || extra > 0) && (
        <button type="button" class="more" onClick={() => setExtra(more > 0 ? extra + STEP : 0)}>
          {more > 0 ? `${count(more)} more ${more === 1 ? 'line' : 'lines'}` : 'Show less'}
        </button>
      )}
    </div>
  )
}

/** The first lines of a text, and how many follow. A rest of a few lines is not folded. */
export function firstLines(text: string, lines: number): { readonly shown: string; readonly more: number } {
  let at = -1
  for (let line = 0; line < lines; line++) {
    at = text.indexOf('\n', at + 1)
    if (at < 0) return { shown: text, more: 0 }
  }
  const more = countLines(text.slice(at + 1))
  return more <= 3 ? { shown: text, more: 0 } : { shown: text.slice(0, at), more }
}

/** The number of lines up to the first of the words; 0 where the text contains none. */
export function linesTo(text: string, words: readonly string[]): number {
  if (words.length === 0) return 0
  const small = text.toLowerCase()
  const places = words.map(word => small.indexOf(word)).filter(place => place >= 0)
  return places.length === 0 ? 0 : countLines(text.slice(0, Math.min(...places) + 1))
}

/** The number of lines. A line break at the end starts no line. */
export function countLines(text: string): number {
  if (text === '') return 0
  let lines = text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return lines
}
