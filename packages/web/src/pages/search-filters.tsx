/** The filters of the search. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Choice, Field, Toggle } from '../parts/choice.js'
import { type Branch, isNarrowed, NO_FILTERS, type Role, type SearchView } from './search-view.js'

type Change = (part: Partial<SearchView>) => void

interface FilterProps {
  readonly view: SearchView
  readonly change: Change
}

const ROLE_NAMES: readonly (readonly [Role, string])[] = [
  ['', 'any'],
  ['human', 'you'],
  ['claude', 'Claude'],
  ['thinking', 'thinking'],
  ['tool', 'tools'],
  ['system', 'system'],
  ['queued', 'queued'],
  ['memory', 'memory files'],
  ['skill', 'skill listings'],
  ['hook', 'hooks'],
  ['file', 'attached files'],
  ['context', 'other context'],
]

const BRANCH_NAMES: readonly (readonly [Branch, string])[] = [
  ['', 'all'],
  ['live', 'current'],
  ['abandoned', 'abandoned'],
]

const SORT_NAMES: readonly (readonly [SearchView['sort'], string])[] = [
  ['', 'best first'],
  ['time', 'newest first'],
]

const FLAGS = [
  ['beforeCompaction', 'before the compaction', 'Messages that a compaction removed from the conversation'],
  ['agents', 'subagents', 'Only messages of subagents'],
  ['errors', 'errors', 'Failed calls and requests'],
  ['regex', '.* regex', 'Search with a regular expression'],
] as const

type TextPart = 'project' | 'session' | 'tool' | 'file' | 'agent' | 'seenAt' | 'since' | 'until'

const TEXTS: readonly (readonly [TextPart, string, string])[] = [
  ['project', 'Project', 'name or folder'],
  ['session', 'Session', 'id or prefix'],
  ['tool', 'Tool', 'Bash, Edit'],
  ['file', 'File', 'end of the path'],
  ['agent', 'Subagent', 'type'],
  ['seenAt', 'Seen by the model at', 'id of an answer'],
  ['since', 'From', '2026-03-01'],
  ['until', 'To', '2026-03'],
]

/** Common filters, and the others on demand or where they are set. */
export function SearchFilters({ view, change }: FilterProps): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  const shown = TEXTS.filter(([name]) => isOpen || view[name] !== '')
  return (
    <div class="filters">
      <Choice label="Role" value={view.role} options={ROLE_NAMES} onChange={role => change({ role })} />
      <Choice
        label="Branches"
        value={view.branch}
        options={BRANCH_NAMES}
        onChange={branch => change({ branch })}
      />
      <Choice label="Order" value={view.sort} options={SORT_NAMES} onChange={sort => change({ sort })} />
      <fieldset class="chips" aria-label="Only">
        {FLAGS.map(([name, label, title]) => (
          <Toggle key={name} isOn={view[name]} onChange={isOn => change({ [name]: isOn })} title={title}>
            {label}
          </Toggle>
        ))}
      </fieldset>
      {shown.map(([name, label, hint]) => (
        <Field
          key={name}
          label={label}
          type="text"
          value={view[name]}
          placeholder={hint}
          autocomplete="off"
          spellcheck={false}
          onInput={event => change({ [name]: event.currentTarget.value })}
        />
      ))}
      <div class="chips chips-end">
        {isNarrowed(view) ? (
          <button type="button" class="chip" onClick={() => change(NO_FILTERS)}>
            clear
          </button>
        ) : null}
        <button type="button" class="chip" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'fewer filters' : 'more filters'}
        </button>
      </div>
    </div>
  )
}
