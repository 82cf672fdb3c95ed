/** How a tool is shown: one line for what it did, and a body that opens below it. */
import type { ToolCallContent } from '@dagline/core'
import type { ComponentChildren } from 'preact'
import { countLines } from '../text/clamp.js'

export interface ToolView {
  /** Its name on the page, where that is not the recorded one. */
  readonly title?: (call: ToolCallContent) => string
  /** What it was asked to do, in one line. */
  readonly summary: (call: ToolCallContent) => string
  /** What came of it, in a word or two. */
  readonly outcome?: (call: ToolCallContent) => string
  /** About how many lines the body takes: a short one is open from the start. Left out, none is. */
  readonly lines?: (call: ToolCallContent) => number
  readonly body: (call: ToolCallContent) => ComponentChildren
}

/** Lines of the result's text. */
export function resultLines(call: ToolCallContent): number {
  return countLines(call.result?.text.text ?? '')
}
