import type { ComponentChildren, JSX } from 'preact'

/** What a badge is about; each has its colour. */
export type Tone = 'plain' | 'human' | 'claude' | 'agent' | 'tool' | 'good' | 'warn' | 'bad'

/** A word or two with a border round it. */
export function Badge({
  tone = 'plain',
  title,
  children,
}: {
  readonly tone?: Tone
  readonly title?: string
  readonly children: ComponentChildren
}): JSX.Element {
  return (
    <span class={`badge badge-${tone}`} title={title}>
      {children}
    </span>
  )
}
