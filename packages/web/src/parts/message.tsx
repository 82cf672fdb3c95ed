/** Sentences of the server: what stands between backticks in them is code, such as a command to run. */
import type { JSX } from 'preact'
import { CommandText } from './copy.js'

/** A sentence. */
export function Message({ text }: { readonly text: string }): JSX.Element {
  const parts = text.split('`')
  // An odd number of parts: every backtick has its partner.
  if (parts.length % 2 === 0) return <>{text}</>
  return <>{parts.map((part, at) => (at % 2 === 0 ? part : <CommandText key={part} text={part} />))}</>
}
