/** HU60: whose a session of a list is, and from which machine. */
import type { JSX } from 'preact'
import { originText } from '../app/hub.js'

/** Nothing at home. */
export function Origin({ of }: { readonly of: Parameters<typeof originText>[0] }): JSX.Element | null {
  const text = originText(of)
  return text === null ? null : (
    <span class="origin" title="Whose session it is, and the machine it was pushed from">
      {text}
    </span>
  )
}
