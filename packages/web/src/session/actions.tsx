/** What can be done with a row. */
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useSession, useView } from './context.js'
import { nameOf } from './row-kind.js'
import { markdownOf } from './row-text.js'

/** One button beside the row, out of the way of its text; behind it why it is here, its record, its link, its text. */
export function RowActions({ row }: { row: number }): VNode {
  const [isOpen, setOpen] = useState(false)
  const box = useRef<HTMLFieldSetElement>(null)
  useEffect(() => (isOpen ? watchOutside(box.current, () => setOpen(false)) : undefined), [isOpen])
  return (
    <fieldset class="actions" aria-label="Row" ref={box}>
      <button
        type="button"
        class="actions-open"
        aria-label="What to do with this row"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span aria-hidden="true">⋯</span>
      </button>
      {isOpen && <ActionButtons row={row} />}
    </fieldset>
  )
}

/** Until the pointer or the focus goes elsewhere, or Escape is pressed. */
function watchOutside(box: HTMLElement | null, close: () => void): () => void {
  const leave = (event: Event): void => {
    if (!(event.target instanceof Node) || box?.contains(event.target) !== true) close()
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    close()
  }
  document.addEventListener('pointerdown', leave)
  document.addEventListener('focusin', leave)
  document.addEventListener('keydown', onKey, true)
  return () => {
    document.removeEventListener('pointerdown', leave)
    document.removeEventListener('focusin', leave)
    document.removeEventListener('keydown', onKey, true)
  }
}

function ActionButtons({ row }: { row: number }): VNode {
  const { source, contents, dialog } = useSession()
  const { sheet } = useView()
  const node = sheet.rows.node[row] ?? ''
  const copyText = (): string => {
    const content = contents.peek(row)
    return content === null ? '' : markdownOf(nameOf(sheet, row), content)
  }
  return (
    <span class="actions-list">
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
      <CopyButton label="Link" title="Copy a link to this row" text={() => linkTo(source.hashOf(node))} />
      <CopyButton label="Markdown" title="Copy as Markdown" text={copyText} />
    </span>
  )
}

function linkTo(hash: string): string {
  const address = new URL(location.href)
  address.hash = hash
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
