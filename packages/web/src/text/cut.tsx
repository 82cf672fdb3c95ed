/** Texts whose end was left out on the way, and how to get it. */
import type { CutText } from '@dagline/core'
import { type ComponentChildren, type Context, createContext, type VNode } from 'preact'
import { useContext, useState } from 'preact/hooks'
import { sentenceOf } from '../app/api.js'
import { count } from '../parts/format.js'

/** Gets a text whole; null where there is nobody to ask. */
export type WholeText = ((node: string, block: number | string) => Promise<string>) | null

/** Who is asked for whole texts. */
export const WholeTextContext: Context<WholeText> = createContext<WholeText>(null)

interface CutProps {
  readonly text: CutText
  /** Where it stands: the uuid of the record, and its block there; for a result the id of its call. */
  readonly node: string
  readonly block: number | string
  readonly children: (text: string) => ComponentChildren
}

/** A text, with a button for the rest where it was cut. */
export function Cut({ text, node, block, children }: CutProps): VNode {
  const { whole, more } = useWhole(node, block, text.cut === null ? 0 : text.cut - text.text.length)
  return (
    <>
      {children(whole ?? text.text)}
      {more}
    </>
  )
}

/** What is asked for whole: null until it is there, and until then a line that offers it if characters are missing. */
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
    ask?.(node, block).then(setWhole, error => setFailure(sentenceOf(error)))
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
