/** The sessions of an exported file that holds several: a tree to choose from. */
import type { FileSession } from '@dagline/core'
import type { VNode } from 'preact'
import { exactTime, plural } from '../parts/format.js'

export interface FileTreeProps {
  readonly sessions: readonly FileSession[]
  /** The place of the one that is shown. */
  readonly shown: number
}

/** S1: the list, depth first. */
export function FileTree({ sessions, shown }: FileTreeProps): VNode {
  return (
    <nav class="file-tree" aria-label="Sessions in this file">
      <h2>{plural(sessions.length, 'session')}</h2>
      <ol>
        {sessions.map(({ session, name, depth, first }, at) => (
          <li key={session} style={{ paddingInlineStart: `${Math.min(depth, 8) * 20}px` }}>
            <a href={`#${session}`} aria-current={at === shown ? 'page' : undefined}>
              {name}
            </a>
            {first !== null && <time>{exactTime(first).slice(0, 16)}</time>}
          </li>
        ))}
      </ol>
    </nav>
  )
}
