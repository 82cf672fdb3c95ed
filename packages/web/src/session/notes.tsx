/** Notes below a row: lost input, sessions that continue there, problems. */
import type { Severity } from '@dagline/core'
import { clock } from '@dagline/core/format'
import type { VNode } from 'preact'
import { useSession, useView } from './context.js'

/** All notes of a row; most rows have none. */
export function RowNotes({ row }: { row: number }): VNode | null {
  const { facts } = useView()
  const { hrefOf } = useSession().source
  const [queue, junctions, diagnostics] = [
    facts.queue.get(row) ?? [],
    facts.junctions.get(row) ?? [],
    facts.diagnostics.get(row) ?? [],
  ]
  if (queue.length + junctions.length + diagnostics.length === 0) return null
  return (
    <ul class="row-notes">
      {queue.map(({ became, words, time }) => (
        <li class={`note ${became}`}>
          <span class="status">{became === 'lost' ? 'Queued, never sent' : 'Queued, taken back'}</span>
          {time !== null && <time>{clock(time)}</time>}
          <q>{words}</q>
        </li>
      ))}
      {junctions.map(({ session, title, how }) => (
        <li class="note junction">
          <span class="status">{HOW[how] ?? 'Continued'} in another session</span>{' '}
          <SessionLink href={hrefOf(session)} name={title ?? session.slice(0, 8)} />
        </li>
      ))}
      {diagnostics.map(({ severity, message, rule }) => (
        <li class={`note diagnostic ${severity}`} title={rule}>
          <span class="status">{SEVERITY[severity]}</span> {message}
        </li>
      ))}
    </ul>
  )
}

/** The name of another session, as a link where it has a page. */
function SessionLink({ href, name }: { href: string | null; name: string }): VNode {
  return href === null ? <span>{name}</span> : <a href={href}>{name} →</a>
}

const HOW: Readonly<Record<string, string>> = {
  resume: 'Resumed',
  continue: 'Continued',
  fork: 'Forked',
  branch: 'Branched',
  background: 'Sent to the background',
}

const SEVERITY: Readonly<Record<Severity, string>> = { error: 'Error', warning: 'Warning', info: 'Note' }
