/** What people call a part of the session. */
import type { VNode } from 'preact'
import { GivenTags } from '../parts/given.js'
import { useSession } from './context.js'

/** The name, tags and note of a branch, an agent or an entry; nothing where nobody gave any. */
export function Given({ id }: { readonly id: string | null }): VNode | null {
  const label = useSession().labels.value.get(id ?? '')
  if (label === undefined) return null
  return (
    <>
      {label.name !== null && <strong class="given-name">{label.name}</strong>}
      <GivenTags label={label} />
      {label.note !== null && <span class="given-note">{label.note}</span>}
    </>
  )
}
