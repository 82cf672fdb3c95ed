/** Secondary text, such as thinking and notes: a label, and the text on demand. */
import type { CutText } from '@dagline/core/protocol'
import type { VNode } from 'preact'
import { Output } from '../text/ansi.js'
import { Cut } from '../text/cut.js'
import { Markdown } from '../text/markdown.js'
import { useSession } from './context.js'

interface FoldedTextProps {
  readonly label: string
  readonly text: CutText
  readonly node: string
  readonly block: number
  readonly isMarkdown?: boolean
}

/** One line with the first words; opened, the whole text. */
export function FoldedText({ label, text, node, block, isMarkdown }: FoldedTextProps): VNode {
  const opened = useSession().opened(`${node}/${block}`)
  const isOpen = opened.value === true
  return (
    <div class="folded-text">
      <button
        type="button"
        class="fold-line"
        aria-expanded={isOpen}
        onClick={() => {
          opened.value = !isOpen
        }}
      >
        <span class="label">{label}</span>
        {!isOpen && <span class="fold-words">{firstWords(text.text)}</span>}
      </button>
      {isOpen && (
        <Cut text={text} node={node} block={block}>
          {whole => (isMarkdown ? <Markdown text={whole} /> : <Output text={whole} />)}
        </Cut>
      )}
    </div>
  )
}

function firstWords(text: string): string {
  return text
    .slice(0, 240)
    .replace(/[\s#*`>]+/g, ' ')
    .trim()
}
