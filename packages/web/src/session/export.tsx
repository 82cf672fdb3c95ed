/** Exports the session as one file. Asks first where the server finds likely secrets. */
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { ApiFailure, errorMessage, getFile, pathWith } from '../app/api.js'
import { Dialog } from '../parts/dialog.js'

/** What to do with likely secrets; null rejects the export where there are any. */
type SecretsOption = 'redact' | 'allow' | null

type State =
  | { readonly kind: 'ready' | 'busy' }
  | { readonly kind: 'secrets' | 'failed' | 'redacted'; readonly message: string }

/** The button and its dialog. */
export function ExportButton({ session }: { readonly session: string }): VNode {
  const [state, setState] = useState<State>({ kind: 'ready' })
  const name = `${session}.html`
  const make = (secrets: SecretsOption): void => {
    setState({ kind: 'busy' })
    getFile(pathWith(`/api/export/${encodeURIComponent(name)}`, { secrets })).then(
      ({ file, redacted }) => {
        save(file, name)
        setState(redacted === null ? { kind: 'ready' } : { kind: 'redacted', message: redacted })
      },
      error => {
        // Whoever has chosen is not asked again.
        const isForSecrets = secrets === null && error instanceof ApiFailure && error.code === 'secrets'
        setState({ kind: isForSecrets ? 'secrets' : 'failed', message: errorMessage(error) })
      },
    )
  }
  return (
    <>
      <button type="button" disabled={state.kind === 'busy'} onClick={() => make(null)}>
        {state.kind === 'busy' ? 'Exporting…' : 'Export as one file'}
      </button>
      {state.kind === 'failed' && <span role="alert">{state.message}</span>}
      {state.kind === 'redacted' && <span role="status">{state.message}</span>}
      {state.kind === 'secrets' && (
        <SecretsDialog
          message={state.message}
          choose={make}
          close={() => setState(now => (now.kind === 'secrets' ? { kind: 'ready' } : now))}
        />
      )}
    </>
  )
}

interface SecretsProps {
  readonly message: string
  readonly choose: (option: SecretsOption) => void
  readonly close: () => void
}

function SecretsDialog({ message, choose, close }: SecretsProps): VNode {
  return (
    <Dialog title="Likely secrets" onClose={close}>
      <p>{message}</p>
      <p>
        Anyone you send this file to can read them. You can replace known kinds of secrets with placeholders;
        unknown kinds may remain.
      </p>
      <p class="dialog-buttons">
        <button type="button" class="button" onClick={() => choose('redact')}>
          Export with placeholders
        </button>
        <button type="button" class="button" onClick={() => choose('allow')}>
          Export unchanged
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
