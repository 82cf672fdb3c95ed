import type { GivenLabel } from '@dagline/core/protocol'
import type { ComponentChildren, JSX } from 'preact'

/** The colour of a badge. */
export type Tone = 'plain' | 'human' | 'claude' | 'agent' | 'tool' | 'good' | 'warn' | 'bad'

/** A short label with a border. */
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

/** The tags that the user gave. */
export function Tags({ label }: { readonly label: GivenLabel | null | undefined }): JSX.Element | null {
  if (label == null || label.tags.length === 0) return null
  return (
    <>
      {label.tags.map(tag => (
        <Badge key={tag} tone="human">
          #{tag}
        </Badge>
      ))}
    </>
  )
}

const CONTINUATIONS: Readonly<Record<string, string>> = {
  resume: 'Resumed',
  fork: 'Forked',
  branch: 'Branched',
  background: 'Sent to the background',
}

/** How a session continues another: `Forked`. */
export function continuationLabel(how: string): string {
  return CONTINUATIONS[how] ?? 'Continued'
}
