/** The session as one file: asked of the server, and put on the disk. Likely secrets are asked about first. */
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { ApiFailure, getFile, pathWith, sentenceOf } from '../app/api.js'
import { Dialog } from '../parts/dialog.js'

type Wish = 'redact' | 'allow' | null

type State =
  | { readonly kind: 'ready' | 'busy' }
  | { readonly kind: 'secrets' | 'failed'; readonly sentence: string }

/** The button, and what it asks. */
export function ExportButton({ session }: { readonly session: string }): VNode {
  const [state, setState] = useState<State>({ kind: 'ready' })
  const name = `${session}.html`
  const make = (secrets: Wish): void => {
    setState({ kind: 'busy' })
    getFile(pathWith(`/api/export/${encodeURIComponent(name)}`, { secrets })).then(
      file => {
        save(file, name)
        setState({ kind: 'ready' })
      },
      error => {
        const isForSecrets = error instanceof ApiFailure && error.code === 'secrets'
        setState({ kind: isForSecrets ? 'secrets' : 'failed', sentence: sentenceOf(error) })
      },
    )
  }
  return (
    <>
      <button type="button" disabled={state.kind === 'busy'} onClick={() => make(null)}>
        {state.kind === 'busy' ? 'Exporting…' : 'Export as one file'}
      </button>
      {state.kind === 'failed' && <span role="alert">{state.sentence}</span>}
      {state.kind === 'secrets' && (
        <SecretsDialog
          sentence={state.sentence}
          choose={make}
          close={() => setState(now => (now.kind === 'secrets' ? { kind: 'ready' } : now))}
        />
      )}
    </>
  )
}

interface SecretsProps {
  readonly sentence: string
  readonly choose: (wish: Wish) => void
  readonly close: () => void
}

function SecretsDialog({ sentence, choose, close }: SecretsProps): VNode {
  return (
    <Dialog title="Likely secrets" onClose={close}>
      <p>{sentence}</p>
      <p>Whoever gets the file can read them. Placeholders can stand in their places instead.</p>
      <p class="dialog-buttons">
        <button type="button" class="button" onClick={() => choose('redact')}>
          Export with placeholders
        </button>
        <button type="button" class="button" onClick={() => choose('allow')}>
          Export as it is
        </button>
        <button type="button" class="button-quiet" onClick={close}>
          Cancel
        </button>
      </p>
    </Dialog>
  )
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
