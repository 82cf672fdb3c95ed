/** Buttons that copy a text and say that they did. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'

interface CopyProps {
  /** What is copied. */
  readonly text: () => string
  readonly title: string
}

/** A button with a label. */
export function CopyButton({ label, title, text }: CopyProps & { readonly label: string }): JSX.Element {
  const { outcome, copy } = useCopy(text)
  return (
    <button type="button" title={title} onClick={copy}>
      <span aria-live="polite">{outcome ?? label}</span>
    </button>
  )
}

/** A button without words at the edge of what it copies. It shows while the pointer or the focus is there. */
export function CopyIcon({ title, text }: CopyProps): JSX.Element {
  const { outcome, copy } = useCopy(text)
  return (
    <button
      type="button"
      class={outcome === null ? 'copy' : 'copy is-done'}
      title={title}
      aria-label={outcome ?? title}
      onClick={copy}
    >
      <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
        <path d="M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z" fill="none" stroke="currentColor" stroke-width="1.4" />
      </svg>
      <span role="status">{outcome}</span>
    </button>
  )
}

/** A command, to be copied where it is one of dagline. */
export function CommandText({ text }: { readonly text: string }): JSX.Element {
  if (!text.startsWith('dagline ')) return <code>{text}</code>
  return (
    <span class="command-text">
      <code>{text}</code>
      <CopyIcon title="Copy command" text={() => text} />
    </span>
  )
}

/** Milliseconds that the outcome is shown. */
const SHOWN = 1500

function useCopy(text: () => string): { readonly outcome: string | null; readonly copy: () => void } {
  const [outcome, setOutcome] = useState<string | null>(null)
  useEffect(() => {
    if (outcome === null) return undefined
    const timer = setTimeout(() => setOutcome(null), SHOWN)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = (): void => {
    navigator.clipboard.writeText(text()).then(
      () => setOutcome('Copied'),
      () => setOutcome('Not allowed'),
    )
  }
  return { outcome, copy }
}
