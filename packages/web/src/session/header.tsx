/** The head of the session page: name, origin, figures, actions. */

import { dayAndTime, duration, money, plural, shortPath } from '@dagline/core/format'
import { shellWord } from '@dagline/core/model'
import { AGENTS_ONLY, type RowKind, type Sheet } from '@dagline/core/protocol'
import { continuationLabel, isRun, kindAt } from '@dagline/core/view'
import type { VNode } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { isHub } from '../app/page.js'
import { typist } from '../app/typist.js'
import { CopyButton } from '../parts/copy.js'
import { Money, Tags, Tokens } from '../parts/figures.js'
import { MOST_PRINTED } from '../parts/virtual-list.js'
import { ExportButton } from './export.js'
import { Icon } from './icons.js'
import { isStub, SessionActions } from './session-actions.js'
import { goTo, goToFork, type Session, useSession, useView } from './state.js'
import { TeamLine } from './team.js'

/** The header. */
export function SessionHeader(): VNode {
  const { sheet } = useView()
  const session = useSession()
  const { title, id, cwd, project, archivedOnly } = sheet.session
  const label = session.labels.value.get(id)
  const heading = title ?? sheet.words[0]?.[1] ?? 'Untitled session'
  const isGone = isStub(sheet)
  useEffect(() => watchPrintKey(session), [session])
  return (
    <header class="session-header">
      <Origin />
      <h1>{label?.name ?? heading}</h1>
      {label?.name != null && <p class="session-title">{heading}</p>}
      {label?.note != null && <p class="session-note">{label.note}</p>}
      <p class="session-facts">
        <Tags label={label} />
        <span title={cwd ?? project}>{shortPath(cwd ?? project)}</span>
        <Times />
        {archivedOnly && <span class="status">archived only</span>}
      </p>
      {isGone && <p class="session-note">{AGENTS_ONLY}</p>}
      {isHub() && <TeamLine session={id} />}
      <Figures />
      <Rewinds />
      <p class="session-actions">
        {session.source.isServed && !isGone && !isHub() && (
          <CopyButton
            label="Copy resume command"
            title={`claude --resume ${id}`}
            text={() => resumeCommand(id, cwd)}
          />
        )}
        {session.source.isServed && (
          <CopyButton label="Copy id" title={`For commands such as dagline log ${id}`} text={() => id} />
        )}
        <button type="button" onClick={() => void printSession(session)}>
          Print
        </button>
        {session.source.isServed && <ExportButton session={id} />}
        <SessionActions />
      </p>
      <Problems />
    </header>
  )
}

/** Fetches the contents of all rows that are shown, then opens the browser's dialog. */
async function printSession(session: Session): Promise<void> {
  const rows = session.view.peek()?.rows.slice(0, MOST_PRINTED) ?? []
  await session.contents.load(rows.map(({ row }) => row))
  window.print()
}

function watchPrintKey(session: Session): () => void {
  const listen = (event: KeyboardEvent): void => {
    if (event.key !== 'p' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
    event.preventDefault()
    void printSession(session)
  }
  window.addEventListener('keydown', listen)
  return () => window.removeEventListener('keydown', listen)
}

/** The shell command that resumes a session in its folder. */
export function resumeCommand(session: string, folder: string | null): string {
  const resume = `claude --resume ${shellWord(session)}`
  return folder === null ? resume : `cd ${shellWord(folder)} && ${resume}`
}

function Origin(): VNode | null {
  const { parent } = useView().sheet.session
  const { hrefOf } = useSession().source
  if (parent === null) return null
  const name = parent.title ?? parent.session.slice(0, 8)
  const href = hrefOf(parent.session, parent.node)
  return (
    <p class="session-origin">
      {continuationLabel(parent.how)} from {href === null ? name : <a href={href}>{name}</a>}
    </p>
  )
}

function Times(): VNode | null {
  const { first, last } = useView().sheet.session
  if (first === null) return null
  return (
    <>
      <time dateTime={new Date(first).toISOString()}>{dayAndTime(first)}</time>
      {last !== null && last > first && (
        <span title="From the first entry to the last">{duration(last - first)}</span>
      )}
    </>
  )
}

function Figures(): VNode {
  const { sheet, facts } = useView()
  const { totals } = facts
  const failed = useMemo(() => rowsOf(sheet, 'error'), [sheet])
  const heads = sheet.lines.filter(line => isRun(line) && !line.isShared).map(({ head }) => head)
  return (
    <p class="session-figures">
      {totals.cost !== null && (
        <span>
          <Money value={totals.cost} />
        </span>
      )}
      {totals.tokens > 0 && (
        <span>
          <Tokens value={totals.tokens} /> tokens
        </span>
      )}
      {totals.turns > 0 && <span>{plural(totals.turns, 'turn')}</span>}
      {totals.calls > 0 && <span>{plural(totals.calls, 'tool call')}</span>}
      <Jumps rows={heads} words={plural(totals.agents, 'subagent')} />
      <Jumps rows={[...facts.epochs.keys()]} words={plural(totals.compactions, 'compaction')} />
      <Jumps rows={failed} words={plural(totals.failed, 'failed request')} />
    </p>
  )
}

function rowsOf(sheet: Sheet, kind: RowKind): readonly number[] {
  return sheet.rows.node.flatMap((_, row) => (kindAt(sheet, row) === kind ? [row] : []))
}

/** A count that leads to the counted rows, one after the other; nothing where there are none. */
function Jumps({ rows, words }: { rows: readonly number[]; words: string }): VNode | null {
  const session = useSession()
  const known = rows.filter(row => row >= 0)
  if (known.length === 0) return null
  return (
    <button
      type="button"
      class="jumps"
      title={known.length === 1 ? 'Go there' : 'Go to the next one'}
      onClick={() => goTo(session, nextOf(known, session.cursor.peek()))}
    >
      {words}
    </button>
  )
}

/** The first of the rows after a row; after the last, the first. */
function nextOf(rows: readonly number[], row: number): number {
  const order = [...rows].sort((a, b) => a - b)
  return order.find(each => each > row) ?? order[0] ?? -1
}

/** How often the user rewound, and what that abandoned. */
function Rewinds(): VNode | null {
  const session = useSession()
  const { sheet, facts } = useView()
  const { branches, messages, cost } = facts.totals.abandoned
  const at = useRef(-1)
  const forks = sheet.forks.flatMap(({ branches }, fork) =>
    branches.some(branch => facts.abandoned[branch] === true) ? [fork] : [],
  )
  if (branches === 0 || forks.length === 0) return null
  const size = `${plural(messages, 'message')}${cost === null ? '' : ` for ${money(cost)}`}`
  const areRewinds = forks.every(fork => sheet.forks[fork]?.kind === 'rewind')
  const what = areRewinds
    ? `${typist.value} rewound ${forks.length === 1 ? 'once' : `${forks.length} times`}`
    : plural(branches, 'branch', 'branches')
  const showNext = (): void => {
    at.current = (at.current + 1) % forks.length
    goToFork(session, forks[at.current] ?? 0)
  }
  return (
    <p class="session-rewinds">
      <Icon name="fork" />
      <span>
        {what}: {size} abandoned.{' '}
        <button type="button" class="plain-button" onClick={showNext}>
          {forks.length === 1 ? 'Show where' : 'Show next'}
        </button>
      </span>
    </p>
  )
}

/** Problems that belong to no row. */
function Problems(): VNode | null {
  const diagnostics = useView().facts.diagnostics.get(-1) ?? []
  if (diagnostics.length === 0) return null
  return (
    <details class="session-problems">
      <summary>{plural(diagnostics.length, 'diagnostic')} of the files</summary>
      <ul>
        {diagnostics.slice(0, 50).map(({ message, rule }) => (
          <li title={rule}>{message}</li>
        ))}
      </ul>
    </details>
  )
}
