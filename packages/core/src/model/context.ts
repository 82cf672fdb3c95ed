/** What a request is made of, as far as its tokens are concerned. */

/** The kinds of things in a context, beside the results of tools. */
export const CONTEXT_CATEGORIES = [
  'prompts',
  'answers',
  'thinking',
  'calls',
  'subagents',
  'files',
  'memory',
  'skills',
  'hooks',
  'summaries',
  'reminders',
  'images',
] as const

/** A kind of thing in a context; `results:Bash` are the results of one tool. */
export type ContextCategory = (typeof CONTEXT_CATEGORIES)[number] | `results:${string}`

/** How a text is written, which tells how many characters make a token. */
export type TextKind =
  | 'prompt'
  | 'answer'
  | 'thinking'
  | 'signature'
  | 'call'
  | 'result'
  | 'attachment'
  | 'image'

/** A piece of an entry that a request carries. */
export interface ContextPiece {
  readonly category: ContextCategory
  readonly kind: TextKind
  /** Of an image 0. */
  readonly characters: number
}
