/** The contents of a row. */
import type { Block, CutText } from '@dagline/core/protocol'
import { kindAt } from '@dagline/core/view'
import type { VNode } from 'preact'
import { Output } from '../text/ansi.js'
import { RevealContext } from '../text/clamp.js'
import { Cut } from '../text/cut.js'
import { Markdown } from '../text/markdown.js'
import { Picture } from '../tools/view.js'
import { CallView, OwnResult } from './call.js'
import { partsOf } from './marks.js'
import { estimateHeight } from './row-kind.js'
import { rowText } from './row-text.js'
import { useSession, useView } from './state.js'

/** The blocks of a row. */
export function RowBody({ row }: { row: number }): VNode {
  const { contents, search } = useSession()
  const { sheet, facts, choice } = useView()
  const content = contents.at(row)
  if (content === null) {
    const height = estimateHeight(sheet, { kind: 'row', row })
    return (
      <p class="waiting" style={{ minHeight: `${height - 20}px` }}>
        {facts.words.get(row)}
      </p>
    )
  }
  const hidesTools = choice.level === 'conversation' || choice.level === 'prompts'
  return (
    <RevealContext.Provider value={search.target.value === row ? partsOf(search.words.value) : NOTHING}>
      {content.blocks.map((block, at) =>
        hidesTools && block.kind === 'call' ? null : (
          <BlockView key={at} block={block} at={at} row={row} node={content.node} />
        ),
      )}
      {rowText(content).includes(DISGUISE) && (
        <p class="faint" role="note">
          Characters that would show the text in another order are written as ⟨U+202E⟩.
        </p>
      )}
    </RevealContext.Provider>
  )
}

const NOTHING: readonly string[] = []
/** How `undisguised` names them. */
const DISGUISE = '⟨U+20'

interface BlockProps {
  readonly block: Block
  readonly at: number
  readonly row: number
  readonly node: string
}

function BlockView({ block, at, row, node }: BlockProps): VNode | null {
  const { sheet } = useView()
  const location = { node, block: at }
  switch (block.kind) {
    case 'text':
      return kindAt(sheet, row) === 'summary' ? (
        <FoldedText label="Summary Claude continues from" text={block.text} {...location} isMarkdown />
      ) : (
        <Cut text={block.text} {...location}>
          {text => <Markdown text={text} />}
        </Cut>
      )
    case 'thinking':
      return block.isHidden || block.text.text === '' ? (
        <p class="thought">thinking (hidden)</p>
      ) : (
        <FoldedText label="Thinking" text={block.text} {...location} isMarkdown />
      )
    case 'call':
      return <CallView call={block} row={row} {...location} />
    case 'result':
      return <OwnResult block={block} row={row} />
    case 'image':
      return <Picture image={block.image} />
    case 'command':
      return <Command command={block} {...location} />
    case 'note':
      return <FoldedText label={block.label} text={block.text} {...location} />
    case 'error':
      return (
        <div class="error-text" role="note">
          <Cut text={block.text} {...location}>
            {text => <Markdown text={text} />}
          </Cut>
        </div>
      )
  }
}

type CommandBlock = Extract<Block, { readonly kind: 'command' }>

function Command({ command, node, block }: { command: CommandBlock; node: string; block: number }): VNode {
  const { name, args, output } = command
  return (
    <div class="command">
      {name !== '' && (
        <p>
          <code>{name}</code> {args}
        </p>
      )}
      {output !== null && (
        <Cut text={output} node={node} block={block}>
          {text => <Output text={text} lines={8} />}
        </Cut>
      )}
    </div>
  )
}

interface FoldedTextProps {
  readonly label: string
  readonly text: CutText
  readonly node: string
  readonly block: number
  readonly isMarkdown?: boolean
}

/** One line with the first words; opened, the whole text. */
function FoldedText({ label, text, node, block, isMarkdown }: FoldedTextProps): VNode {
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
