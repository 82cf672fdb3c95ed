/** The actions of a row. */
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { CopyButton } from '../parts/copy.js'
import { linkTo } from './address.js'
import { nameOf } from './row-kind.js'
import { rowMarkdown } from './row-text.js'
import { EntryActions } from './session-actions.js'
import { useSession, useView } from './state.js'

/** A button beside the row. It opens the actions: why the row is here, its record, its link, its text. */
export function RowActions({ row }: { row: number }): VNode {
  const [isOpen, setOpen] = useState(false)
  const [isUp, setUp] = useState(false)
  const box = useRef<HTMLFieldSetElement>(null)
  useEffect(() => (isOpen ? watchOutside(box.current, () => setOpen(false)) : undefined), [isOpen])
  return (
    <fieldset class="actions" aria-label="Row" ref={box}>
      <button
        type="button"
        class="actions-open"
        aria-label="Row actions"
        aria-expanded={isOpen}
        onClick={({ currentTarget }) => {
          setUp(opensUpwards(currentTarget))
          setOpen(!isOpen)
        }}
      >
        <span aria-hidden="true">⋯</span>
      </button>
      {isOpen && <ActionButtons row={row} isUp={isUp} />}
    </fieldset>
  )
}

/** Pixels of the opened actions. */
const HEIGHT = 200

/** Whether there is room above a button, below the bar, and none below the button. */
function opensUpwards(button: Element): boolean {
  const { top, bottom } = button.getBoundingClientRect()
  const bar = document.querySelector('.session-bar')?.getBoundingClientRect().bottom ?? 0
  return top + HEIGHT > window.innerHeight && bottom - HEIGHT > bar
}

/** Closes when the pointer or the focus goes elsewhere, or Escape is pressed. */
function watchOutside(box: HTMLElement | null, close: () => void): () => void {
  const leave = (event: Event): void => {
    if (!(event.target instanceof Node) || box?.contains(event.target) !== true) close()
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    close()
  }
  const ending = new AbortController()
  const { signal } = ending
  document.addEventListener('pointerdown', leave, { signal })
  document.addEventListener('focusin', leave, { signal })
  document.addEventListener('keydown', onKey, { signal, capture: true })
  return () => ending.abort()
}

function ActionButtons({ row, isUp }: { row: number; isUp: boolean }): VNode {
  const session = useSession()
  const { source, contents, dialog } = session
  const { sheet } = useView()
  const list = useRef<HTMLSpanElement>(null)
  const node = sheet.rows.node[row] ?? ''
  useEffect(() => list.current?.scrollIntoView({ block: 'nearest' }), [])
  const copyText = (): string => {
    const content = contents.peek(row)
    return content === null ? '' : rowMarkdown(nameOf(sheet, row), content)
  }
  const open = (kind: 'why' | 'raw'): void => {
    dialog.value = { kind, node }
  }
  return (
    <span ref={list} class={isUp ? 'actions-list is-up' : 'actions-list'}>
      <span class="actions-part">
        {source.why !== null && (
          <button
            type="button"
            title="Why this row is here, and whether it is live"
            onClick={() => open('why')}
          >
            Why it is here
          </button>
        )}
        {source.contexts !== null && (
          <button
            type="button"
            title="The request that carried this row"
            onClick={() => {
              session.asked.value = node
            }}
          >
            What the model saw
          </button>
        )}
        {source.raw !== null && (
          <button type="button" title="The record in the transcript" onClick={() => open('raw')}>
            Raw record
          </button>
        )}
        <CopyButton label="Copy link" title="A link to this row" text={() => linkTo(session, row)} />
        <CopyButton label="Copy id" title="For commands such as dagline show" text={() => node} />
        <CopyButton label="Copy as Markdown" title="The text of this row" text={copyText} />
      </span>
      <EntryActions node={node} />
    </span>
  )
}
