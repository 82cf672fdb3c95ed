import { duration, money, plural, shortId } from '@dagline/core/format'
import { isBareCopy, type ProjectItem, type SessionCard, type SessionItem } from '@dagline/core/protocol'
import { continuationLabel } from '@dagline/core/view'
import type { JSX } from 'preact'
import { sessionPath } from '../app/route.js'
import { Ago, Badge, Bytes, Money, Tags } from '../parts/figures.js'
import { Origin } from '../parts/origin.js'
import { Shape } from '../parts/shape.js'
import type { HomeRowItem } from './home-rows.js'

interface HomeRowProps {
  readonly item: HomeRowItem
  /** The names of projects. */
  readonly names: ReadonlyMap<string, string>
  /** Whether the name of the project is shown above its sessions. */
  readonly byProject: boolean
}

/** A row of the list: a session, or the project over its sessions. Rows that are not loaded yet are empty. */
export function HomeRow({ item, names, byProject }: HomeRowProps): JSX.Element {
  if (item.kind === 'gap') return <div class="home-gap" />
  if (item.kind === 'project') return <ProjectRow item={item} name={names.get(item.project)} />
  return <SessionRow item={item} where={byProject ? null : (names.get(item.card.project) ?? null)} />
}

interface ProjectRowProps {
  readonly item: ProjectItem
  readonly name: string | undefined
}

function ProjectRow({ item, name }: ProjectRowProps): JSX.Element {
  return (
    <div class="home-project">
      <h2 title={item.cwd ?? item.project}>{name ?? item.project}</h2>
      <span>{plural(item.sessions, 'session')}</span>
      {item.cost === null ? null : <span>{money(item.cost)}</span>}
    </div>
  )
}

interface SessionRowProps {
  readonly item: SessionItem
  readonly where: string | null
}

function SessionRow({ item, where }: SessionRowProps): JSX.Element {
  const { card } = item
  return (
    <a class={card.isIdle ? 'home-row is-idle' : 'home-row'} href={sessionPath(card.session)}>
      <Shape shape={card.shape} />
      <Guides item={item} />
      <span class="home-words">
        <span class="home-title">
          <span class="home-name">{sessionTitle(card)}</span>
          <Tags label={card.label} />
          <Labels card={card} isChild={item.isChild} />
        </span>
        <span class="home-prompt">
          {where === null ? null : (
            <span class="home-where" title={card.cwd ?? card.project}>
              {where.replace(/^…\//, '')}
            </span>
          )}
          <Origin of={card} />
          {promptOf(card)}
        </span>
      </span>
      <Figures card={card} />
    </a>
  )
}

/** The title of a session: the name the user gave it, its title, or its first prompt. */
export function sessionTitle(card: Pick<SessionCard, 'label' | 'title' | 'prompt' | 'session'>): string {
  return card.label?.name ?? card.title ?? card.prompt ?? `Session ${shortId(card.session)}`
}

/** The second line: a note, the title of a named session, or the first prompt. */
function promptOf({ label, title, prompt }: SessionCard): string | null {
  if (label?.note != null) return label.note
  if (label?.name != null) return title ?? prompt
  return prompt === null || title === null ? null : promptBehind(title, prompt)
}

/** Characters of a prompt behind its title that are worth a line. */
const LEAST_REST = 20

/** A prompt without the words that its title already shows; null where little is left. */
export function promptBehind(title: string, prompt: string): string | null {
  const shown = title.replace(/…$/, '')
  // Either of them may be the one that is cut.
  if (shown.startsWith(prompt)) return null
  if (!prompt.startsWith(shown)) return prompt
  const rest = prompt.slice(shown.length)
  return rest.length < LEAST_REST ? null : `…${rest.trimStart()}`
}

function Labels({ card, isChild }: { readonly card: SessionCard; readonly isChild: boolean }): JSX.Element {
  const { parent, problems } = card
  const how = continuationLabel(parent?.how ?? '').toLowerCase()
  return (
    <>
      {parent === null ? null : (
        <Badge title={`Continues session ${parent.session}`}>
          {isChild ? how : `${how} from ${shortId(parent.session)}`}
        </Badge>
      )}
      {card.archivedOnly ? (
        <Badge tone="warn" title="The transcript was deleted; the archive has a copy">
          archived only
        </Badge>
      ) : null}
      {card.isIdle ? <Badge title="A warm-up, or empty: nothing was asked">no conversation</Badge> : null}
      {problems === 0 ? null : <Badge tone="bad">{plural(problems, 'diagnostic')}</Badge>}
    </>
  )
}

function Figures({ card }: { readonly card: SessionCard }): JSX.Element {
  const { first, last } = card
  return (
    <span class="home-figures">
      <span>
        <span>{isBareCopy(card) ? 'copy' : plural(card.turns, 'turn')}</span>
        <small title={sidesOf(card)}>{sidesOf(card)}</small>
      </span>
      <span>
        <Money value={card.cost} />
        <small>
          <Bytes value={card.bytes} />
        </small>
      </span>
      <span>
        <Ago time={last} />
        <small>{first === null || last === null || last === first ? null : duration(last - first)}</small>
      </span>
    </span>
  )
}

function sidesOf({ branches, agents, compactions }: SessionCard): string {
  const parts = [
    branches > 0 ? plural(branches, 'branch', 'branches') : '',
    agents > 0 ? plural(agents, 'subagent') : '',
    compactions > 0 ? plural(compactions, 'compaction') : '',
  ]
  return parts.filter(part => part !== '').join(' · ')
}

function Guides({ item }: { readonly item: SessionItem }): JSX.Element | null {
  if (item.guides.length === 0) return null
  return (
    <span class="guides" aria-hidden="true">
      {item.guides.map((guide, level) => (
        <i key={level} class={`guide guide-${guide}`} />
      ))}
    </span>
  )
}
