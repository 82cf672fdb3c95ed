/** The bar that stays visible: level of detail, in context only, search. */

import { count, plural } from '@dagline/core/format'
import type { DetailLevel } from '@dagline/core/view'
import type { VNode } from 'preact'
import { SearchBox } from './search.js'
import { choose, setLevel, useSession, useView } from './state.js'

const LEVELS: readonly (readonly [DetailLevel, string, string])[] = [
  ['prompts', 'Prompts', 'Only your prompts'],
  ['conversation', 'Conversation', 'Prompts and answers'],
  ['tools', 'Tools', 'Also tool calls and thinking'],
  ['all', 'Everything', 'Also hooks, attachments and notes'],
]

export function SessionBar({ onOutline }: { onOutline: () => void }): VNode {
  const session = useSession()
  const view = useView()
  const [, last] = session.window.value
  return (
    <div class="session-bar" role="toolbar" aria-label="View">
      <fieldset class="levels" aria-label="Detail">
        {LEVELS.map(([level, name, title], at) => (
          <button
            type="button"
            aria-pressed={view.choice.level === level}
            title={`${title} (${at + 1})`}
            onClick={() => setLevel(session, level)}
          >
            {name}
          </button>
        ))}
      </fieldset>
      <LiveOnly />
      <span class="bar-place" title="Position within the rows shown">
        {count(Math.min(last + 1, view.rows.length))} / {count(view.rows.length)}
      </span>
      <SearchBox />
      <button type="button" class="outline-button" onClick={onOutline}>
        Outline
      </button>
    </div>
  )
}

function LiveOnly(): VNode {
  const session = useSession()
  const { choice, facts } = useView()
  const { notLive } = facts.totals
  return (
    <label class="live-only" title="Only what the next request carries (l)">
      <input
        type="checkbox"
        checked={choice.liveOnly}
        onChange={event => choose(session, { liveOnly: event.currentTarget.checked })}
      />
      In context only
      {notLive > 0 && <span class="faint">hides {plural(notLive, 'message')}</span>}
    </label>
  )
}
