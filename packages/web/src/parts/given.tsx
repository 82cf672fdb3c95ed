import type { GivenLabel } from '@dagline/core'
import type { JSX } from 'preact'
import { Badge } from './badge.js'

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
