/** What the session is: its name, where it comes from, and its figures. */
import type { VNode } from 'preact'
import { Money, Tokens } from '../parts/figures.js'
import { duration, exactTime, money, plural, shortPath } from '../parts/format.js'
import { GivenTags } from '../parts/given.js'
import { CopyButton } from './actions.js'
import { useSession, useView } from './context.js'
import { ExportButton } from './export.js'
import { printSession } from './print.js'
import { goTo } from './state.js'

/** The head of the page. */
export function SessionHeader(): VNode {
  const { sheet } = useView()
  const session = useSession()
  const { title, id, cwd, project, archivedOnly } = sheet.session
  const label = session.labels.value.get(id)
  const said = title ?? sheet.words[0]?.[1] ?? 'A session without words'
  return (
    <header class="session-header">
      <Origin />
      <h1>{label?.name ?? said}</h1>
      {label?.name != null && <p class="session-title">{said}</p>}
      {label?.note != null && <p class="session-note">{label.note}</p>}
      <p class="session-facts">
        <GivenTags label={label} />
        <span title={cwd ?? project}>{shortPath(cwd ?? project)}</span>
        <Times />
        {archivedOnly && <span class="status">only in the archive</span>}
      </p>
      <Figures />
      <Rewinds />
      <p class="session-actions">
        <CopyButton
          label="Copy resume command"
          title={`claude --resume ${id}`}
          text={() => resumeCommand(id, cwd)}
        />
        <button type="button" onClick={() => void printSession(session)}>
          Print
        </button>
        {session.source.isServed && <ExportButton session={id} />}
      </p>
      <Findings />
    </header>
  )
}

/** The command that goes on with a session, in the folder it belongs to. */
export function resumeCommand(session: string, folder: string | null): string {
  const resume = `claude --resume ${session}`
  return folder === null ? resume : `cd '${folder.replaceAll("'", "'\\''")}' && ${resume}`
}

function Origin(): VNode | null {
  const { parent } = useView().sheet.session
  const { isServed } = useSession().source
  if (parent === null) return null
  const name = parent.title ?? parent.session.slice(0, 8)
  return (
    <p class="session-origin">
      {ORIGINS[parent.how] ?? 'Goes on from'}{' '}
      {isServed ? <a href={`/s/${parent.session}#${parent.node}`}>{name}</a> : name}
    </p>
  )
}

const ORIGINS: Readonly<Record<string, string>> = {
  resume: 'Resumed from',
  fork: 'Forked from',
  branch: 'Branched from',
  background: 'Sent to the background from',
}

function Times(): VNode | null {
  const { first, last } = useView().sheet.session
  if (first === null) return null
  return (
    <>
      <time dateTime={new Date(first).toISOString()}>{exactTime(first).slice(0, 16)}</time>
      {last !== null && last > first && <span>over {duration(last - first)}</span>}
    </>
  )
}

function Figures(): VNode {
  const { totals } = useView().facts
  const counts = [
    plural(totals.prompts, 'prompt'),
    plural(totals.calls, 'tool call'),
    totals.agents > 0 ? plural(totals.agents, 'agent') : '',
    totals.compactions > 0 ? plural(totals.compactions, 'compaction') : '',
    totals.failed > 0 ? plural(totals.failed, 'failed request') : '',
  ]
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
      {counts.filter(Boolean).map(words => (
        <span>{words}</span>
      ))}
    </p>
  )
}

/** Where the user went back: the first thing people look for. */
function Rewinds(): VNode | null {
  const session = useSession()
  const { sheet, facts } = useView()
  const { branches, messages, cost } = facts.totals.left
  const first = sheet.forks.find(({ ways }) => ways.some(way => facts.left[way] === true))
  if (branches === 0 || first === undefined) return null
  const size = `${plural(messages, 'message')}${cost === null ? '' : ` for ${money(cost)}`}`
  return (
    <p class="session-left">
      {plural(branches, 'way')} left behind: {size}.{' '}
      <button type="button" class="plain-button" onClick={() => goTo(session, Math.max(0, first.row))}>
        Show where
      </button>
    </p>
  )
}

/** What was odd and belongs to no row. */
function Findings(): VNode | null {
  const findings = useView().facts.findings.get(-1) ?? []
  if (findings.length === 0) return null
  return (
    <details class="session-findings">
      <summary>{plural(findings.length, 'finding')} about the files</summary>
      <ul>
        {findings.slice(0, 50).map(({ message, rule }) => (
          <li title={rule}>{message}</li>
        ))}
      </ul>
    </details>
  )
}
