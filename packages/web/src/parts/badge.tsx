import type { GivenLabel } from '@dagline/core'
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

/** The tags that somebody gave. */
export function GivenTags({ label }: { readonly label: GivenLabel | null | undefined }): JSX.Element | null {
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
