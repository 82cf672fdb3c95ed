/** The head of the list of sessions: totals and filters. */

import { bytes, count, money, plural } from '@dagline/core/format'
import { type Home, type HomeView, SORTS, SPANS, TRAITS, type Trait } from '@dagline/core/protocol'
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { sync } from '../app/live.js'
import { Choice, Toggle } from '../parts/choice.js'
import { focusField } from '../parts/keys.js'
import { ShapeKey } from '../parts/shape.js'
import { isFiltered } from './home-view.js'
import { projectNames } from './project-names.js'

interface FilterProps {
  readonly home: Home
  readonly view: HomeView
  readonly change: (part: Partial<HomeView>) => void
}

const SORT_NAMES = SORTS.map(sort => [sort, sort] as const)
const SPAN_NAMES = SPANS.map(span => [span, span === '' ? 'any time' : `last ${span}`] as const)

/** The heading with the totals of the sessions shown, and of all where some are filtered out. */
export function Summary({ home, view }: Omit<FilterProps, 'change'>): JSX.Element {
  const { sessions, projects, cost, bytes: size } = home.sums
  // V21: before the first sessions are read there is nothing to add up.
  if (home.isEmpty)
    return (
      <header class="home-head">
        <h1>Sessions</h1>
      </header>
    )
  return (
    <header class="home-head">
      <h1>Sessions</h1>
      <p role="status">
        {isFiltered(view)
          ? `${count(sessions)} of ${plural(home.sessions, 'session')}`
          : plural(sessions, 'session')}{' '}
        in {plural(projects, 'project')}
        {cost === null ? '' : ` · ${money(cost)}`} · {bytes(size)}
        {isPartial() ? ' so far; the newest are read first' : ''}
      </p>
    </header>
  )
}

/** V21: whether older sessions are still to be read; a session that grew by some rows does not count. */
function isPartial(): boolean {
  const { state, bytes: all, bytesDone } = sync.value?.status ?? { state: 'done', bytes: 0, bytesDone: 0 }
  return state === 'running' && all - bytesDone > SOME_BYTES
}

const SOME_BYTES = 1_000_000

/** Filter, order and grouping. */
export function Filters({ home, view, change }: FilterProps): JSX.Element {
  const { idle } = home.sums
  const projects = useMemo(() => projectChoices(home), [home.projects])
  return (
    <div class="filters">
      <input
        id="filter"
        class="field"
        type="search"
        placeholder="Filter by title, prompt, project or id"
        aria-label="Filter sessions"
        autocomplete="off"
        spellcheck={false}
        value={view.text}
        onInput={event => change({ text: event.currentTarget.value })}
      />
      <Choice label="Sort" value={view.sort} options={SORT_NAMES} onChange={sort => change({ sort })} />
      <Choice label="Time" value={view.span} options={SPAN_NAMES} onChange={span => change({ span })} />
      <Choice
        label="Project"
        value={view.project}
        options={projects}
        onChange={project => change({ project })}
      />
      <fieldset class="chips" aria-label="Only sessions with">
        {TRAITS.map(trait => (
          <Toggle
            key={trait}
            isOn={view.has.includes(trait)}
            onChange={isOn => change({ has: withTrait(view, trait, isOn) })}
          >
            <ShapeKey kind={trait} />
            {trait === 'agents' ? 'subagents' : trait}
          </Toggle>
        ))}
        {home.hasArchived ? (
          <Toggle isOn={view.archivedOnly} onChange={archivedOnly => change({ archivedOnly })}>
            archived only
          </Toggle>
        ) : null}
      </fieldset>
      <fieldset class="chips chips-end" aria-label="View">
        <Toggle isOn={view.byProject} onChange={byProject => change({ byProject })}>
          by project
        </Toggle>
        <Toggle
          isOn={!view.flat}
          onChange={isOn => change({ flat: !isOn })}
          title="Show each session below the one it continues"
        >
          trees
        </Toggle>
        {idle > 0 || view.showIdle ? (
          <Toggle
            isOn={view.showIdle}
            onChange={showIdle => change({ showIdle })}
            title="Show sessions without prompts and answers"
          >
            {view.showIdle ? 'no conversation' : `${count(idle)} without conversation`}
          </Toggle>
        ) : null}
      </fieldset>
    </div>
  )
}

/** Moves the focus to the filter, at the top of the page. */
export function focusFilter(): void {
  window.scrollTo(0, 0)
  focusField('filter')
}

function withTrait(view: HomeView, trait: Trait, isOn: boolean): readonly Trait[] {
  const rest = view.has.filter(other => other !== trait)
  return isOn ? [...rest, trait] : rest
}

function projectChoices(home: Home): readonly (readonly [string, string])[] {
  const names = projectNames(home.projects)
  return [
    ['', 'all'],
    ...home.projects.map(each => [each.name, `${names.get(each.name)} (${each.sessions})`] as const),
  ]
}
