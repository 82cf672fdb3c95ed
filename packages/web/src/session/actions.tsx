/** What can be done with a row: shown when the pointer or the focus is on it. */
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { useSession, useView } from './context.js'
import { markdownOf } from './markdown-of.js'
import { nameOf } from './who.js'

/** Why it is here, its record, its link, its text. */
export function RowActions({ row }: { row: number }): VNode {
  const { source, contents, dialog } = useSession()
  const { sheet } = useView()
  const node = sheet.rows.node[row] ?? ''
  const copyText = (): string => {
    const content = contents.peek(row)
    return content === null ? '' : markdownOf(nameOf(sheet, row), content)
  }
  return (
    <fieldset class="actions" aria-label="Row">
      {source.why !== null && (
        <button
          type="button"
          title="Why it is here, and live or not"
          onClick={() => {
            dialog.value = { kind: 'why', node }
          }}
        >
          Why
        </button>
      )}
      {source.raw !== null && (
        <button
          type="button"
          title="The record in the file"
          onClick={() => {
            dialog.value = { kind: 'raw', node }
          }}
        >
          Raw
        </button>
      )}
      <CopyButton label="Link" title="Copy a link to this row" text={() => linkTo(node)} />
      <CopyButton label="Markdown" title="Copy as Markdown" text={copyText} />
    </fieldset>
  )
}

function linkTo(node: string): string {
  const address = new URL(location.href)
  address.hash = node
  return address.href
}

/** A button that puts a text on the clipboard and says so. */
export function CopyButton({
  label,
  title,
  text,
}: {
  label: string
  title: string
  text: () => string
}): VNode {
  const [said, setSaid] = useState<string | null>(null)
  const say = (words: string): void => {
    setSaid(words)
    setTimeout(() => setSaid(null), 1500)
  }
  const copy = (): void => {
    navigator.clipboard.writeText(text()).then(
      () => say('Copied'),
      () => say('Not allowed'),
    )
  }
  return (
    <button type="button" title={title} onClick={copy}>
      <span aria-live="polite">{said ?? label}</span>
    </button>
  )
}
