/** Texts that were truncated, and a button that loads the rest. */

import { count } from '@dagline/core/format'
import type { CutText } from '@dagline/core/protocol'
import { type ComponentChildren, type Context, createContext, type VNode } from 'preact'
import { useContext, useState } from 'preact/hooks'
import { errorMessage } from '../app/api.js'

/** Loads a whole text; null where that is not possible. */
export type WholeText = ((node: string, block: number | string) => Promise<string>) | null

/** How whole texts are loaded. */
export const WholeTextContext: Context<WholeText> = createContext<WholeText>(null)

interface CutProps {
  readonly text: CutText
  /** The uuid of the record, and the block in it; for a tool result the id of its call. */
  readonly node: string
  readonly block: number | string
  readonly children: (text: string) => ComponentChildren
}

/** A text, with a button for the rest where it was truncated. */
export function Cut({ text, node, block, children }: CutProps): VNode {
  const { whole, more } = useWhole(node, block, text.cut === null ? 0 : text.cut - text.text.length)
  return (
    <>
      {children(whole ?? text.text)}
      {more}
    </>
  )
}

/** A whole text once it is loaded, else null and a line that offers to load the missing characters. */
export function useWhole(
  node: string,
  block: number | string,
  missing: number,
): { readonly whole: string | null; readonly more: VNode | null } {
  const ask = useContext(WholeTextContext)
  const [whole, setWhole] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  if (whole !== null || missing <= 0) return { whole, more: null }
  const load = (): void => {
    ask?.(node, block).then(setWhole, error => setFailure(errorMessage(error)))
  }
  const more = (
    <p class="cut">
      {count(missing)} more characters.{' '}
      {ask === null ? (
        'They are not in this file.'
      ) : (
        <button type="button" class="plain-button" onClick={load}>
          Show all
        </button>
      )}
      {failure !== null && <span role="alert"> {failure}</span>}
    </p>
  )
  return { whole, more }
}
