/** V26: what can be done with the session, a row or a branch; nothing where the page may do nothing. */
import type { GivenLabel, Sheet } from '@dagline/core/protocol'
import type { VNode } from 'preact'
import type { AskAction } from '../app/actions.js'
import { useSession, useView } from './state.js'

/** Whether only subagents are left of a session: without its transcript it can neither be resumed nor copied. */
export function isStub({ lines }: Sheet): boolean {
  return lines.every(({ depth }) => depth > 0)
}

/** Buttons for the whole session. */
export function SessionActions(): VNode | null {
  const { source, labels } = useSession()
  const { sheet } = useView()
  const { id, archivedOnly } = sheet.session
  const ask = source.ask.value
  if (ask === null) return null
  if (archivedOnly)
    return (
      <button type="button" onClick={() => ask({ kind: 'restore', session: id })}>
        Restore…
      </button>
    )
  return (
    <>
      {isStub(sheet) ? null : (
        <>
          <button
            type="button"
            onClick={() => ask({ kind: 'repair', session: id, isInPlace: false, acceptsLoss: false })}
          >
            Repair…
          </button>
          <button type="button" onClick={() => askTrim(ask, id)}>
            Trim…
          </button>
        </>
      )}
      <button type="button" onClick={() => askLabel(ask, id, labels.value.get(id))}>
        Name…
      </button>
    </>
  )
}

function askTrim(ask: AskAction, session: string): void {
  ask({ kind: 'trim', session, outputs: 1000, images: true, thinking: true, progress: true })
}

function askLabel(ask: AskAction, ref: string, label: GivenLabel | undefined): void {
  const { name = null, tags = [], note = null } = label ?? {}
  ask({ kind: 'label', ref, name, tags, note })
}

/** Buttons for a row. */
export function EntryActions({ node }: { readonly node: string }): VNode | null {
  const { source, labels } = useSession()
  const { id } = useView().sheet.session
  const ask = source.ask.value
  if (ask === null) return null
  return (
    <span class="actions-part">
      <button
        type="button"
        title="A new session with the conversation up to here"
        onClick={() => ask({ kind: 'checkout', ref: node, title: null })}
      >
        Check out…
      </button>
      <button
        type="button"
        title="A copy of the session up to here, with its branches"
        onClick={() => ask({ kind: 'fork', ref: node, title: null })}
      >
        Fork from here…
      </button>
      <button
        type="button"
        title="Two sessions: what comes before this turn, and the rest"
        onClick={() => ask({ kind: 'split', session: id, at: node })}
      >
        Split before this turn…
      </button>
      <button type="button" onClick={() => askLabel(ask, node, labels.value.get(node))}>
        Name…
      </button>
    </span>
  )
}

/** Buttons for an abandoned branch. */
export function BranchEdits({ line }: { readonly line: string | null }): VNode | null {
  const { source, labels } = useSession()
  const { id } = useView().sheet.session
  const ask = source.ask.value
  if (ask === null || line === null) return null
  return (
    <>
      <button type="button" onClick={() => ask({ kind: 'checkout', ref: line, title: null })}>
        Check out…
      </button>
      <button
        type="button"
        title="The turns of this branch behind the current conversation"
        onClick={() => ask({ kind: 'pick', refs: [line], onto: id, title: null })}
      >
        Pick…
      </button>
      <button type="button" onClick={() => askLabel(ask, line, labels.value.get(line))}>
        Name…
      </button>
    </>
  )
}
