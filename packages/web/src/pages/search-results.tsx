import { plural, shortId, shortPath } from '@dagline/core/format'
import { groupBy } from '@dagline/core/model'
import type { SearchHit } from '@dagline/core/protocol'
import { statusLabels } from '@dagline/core/view'
import type { JSX } from 'preact'
import { pathWith } from '../app/api.js'
import { ownerName } from '../app/hub.js'
import { sessionPath } from '../app/route.js'
import { Ago, Badge, type Tone } from '../parts/figures.js'
import { Origin } from '../parts/origin.js'

interface ResultsProps {
  readonly hits: readonly SearchHit[]
  /** Null for a pattern: its hits lead to what it matched. */
  readonly words: string | null
}

/** Hits, grouped by session. `words` are highlighted where a hit leads to. */
export function Results({ hits, words }: ResultsProps): JSX.Element {
  return (
    <div class="results">
      {[...groupHits(hits)].map(([key, group]) => (
        <Group key={key} hits={group} words={words} />
      ))}
    </div>
  )
}

function Group({ hits, words }: ResultsProps): JSX.Element | null {
  const [first] = hits
  if (first === undefined) return null
  const { session, title, project, cwd, label } = first
  return (
    <section class="group">
      <header>
        <h2>
          {session === null || label === null ? (
            ((session && shortId(session)) ?? 'No session')
          ) : (
            <a class="group-link" href={sessionPath(session)}>
              {title ?? shortId(session)}
            </a>
          )}
        </h2>
        <span title={cwd ?? project}>{shortPath(cwd ?? project)}</span>
        <Origin of={first} />
      </header>
      <ul>
        {hits.map((hit, index) => (
          <li key={`${hit.node} ${index}`}>
            <Hit hit={hit} path={hitPath(hit, words ?? foundWords(hit.snippet))} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Hit({ hit, path }: { readonly hit: SearchHit; readonly path: string | null }): JSX.Element {
  const inside = (
    <>
      <span class="hit-head">
        <span class={`hit-actor is-${toneOf(hit.actor)}`}>{actorWords(hit)}</span>
        {hit.tool === null ? null : <span class="hit-tool">{hit.tool}</span>}
        {hit.label === null ? (
          <Badge title="Whether it is live is known when it is indexed">not indexed yet</Badge>
        ) : (
          <Labels label={hit.label} isAgent={hit.actor.startsWith(AGENT)} />
        )}
        <span class="hit-time">
          <Ago time={hit.time} />
        </span>
      </span>
      <Snippet pieces={hit.snippet} />
    </>
  )
  return path === null ? (
    <div class="hit">{inside}</div>
  ) : (
    <a class="hit" href={path}>
      {inside}
    </a>
  )
}

/** A snippet, in which every second piece is a match. */
function Snippet({ pieces }: { readonly pieces: readonly string[] }): JSX.Element {
  return (
    <span class="hit-text">
      {pieces.map((piece, index) => (index % 2 === 1 ? <mark key={index}>{piece}</mark> : piece))}
    </span>
  )
}

interface LabelsProps {
  readonly label: NonNullable<SearchHit['label']>
  /** Whether the subagent itself speaks: its name is then shown already. */
  readonly isAgent: boolean
}

function Labels({ label, isAgent }: LabelsProps): JSX.Element {
  const { live, status, branch, agent, compacted, queue, archived } = label
  return (
    <>
      {statusLabels(live, status).map(words =>
        words === 'live' ? (
          <Badge key={words} tone="good" title="The next request carries it">
            in context
          </Badge>
        ) : (
          <Badge key={words} tone="warn" {...(branch === null ? {} : { title: `Branch ${branch}` })}>
            {words}
          </Badge>
        ),
      )}
      {agent === null || isAgent ? null : <Badge tone="agent">in subagent {agent}</Badge>}
      {compacted === 0 ? null : (
        <Badge title={`${plural(compacted, 'compaction')} came later`}>before the compaction</Badge>
      )}
      {queue === null ? null : <Badge tone={queue === 'lost' ? 'bad' : 'plain'}>{queueWords(queue)}</Badge>}
      {archived ? <Badge tone="warn">archived</Badge> : null}
    </>
  )
}

function queueWords(became: string): string {
  return became === 'lost' ? 'queued, never sent' : `queued, ${became}`
}

const AGENT = 'SubAgent('

/** Names of speakers, as on the session page. */
function actorWords({ actor, owner }: SearchHit): string {
  if (actor === 'Human') return ownerName(owner)
  return actor.startsWith(AGENT) ? `Subagent ${actor.slice(AGENT.length, -1)}` : actor
}

const TONES: Readonly<Record<string, Tone>> = { Human: 'human', Claude: 'claude', Tool: 'tool' }

function toneOf(actor: string): Tone {
  return actor.startsWith(AGENT) ? 'agent' : (TONES[actor] ?? 'plain')
}

/** The words of a match, as a query: the first marked piece of a snippet. */
export function foundWords(snippet: readonly string[]): string {
  const match = (snippet[1] ?? '').trim().slice(0, 100)
  if (match === '') return ''
  return match.includes('"') ? match.replaceAll('"', ' ').trim() : `"${match}"`
}

/** Hits by session, or by project where they belong to none; in the order of the best hits. */
export function groupHits(hits: readonly SearchHit[]): ReadonlyMap<string, readonly SearchHit[]> {
  return groupBy(hits, ({ session, project }) => session ?? `project ${project}`)
}

/** The address of a hit, and of the words to highlight there; null where it belongs to no session, or is not indexed yet. */
export function hitPath(
  { session, node, label }: Pick<SearchHit, 'session' | 'node' | 'label'>,
  words: string = '',
): string | null {
  if (session === null || label === null) return null
  return pathWith(`/s/${encodeURIComponent(session)}`, { at: node, find: words })
}
