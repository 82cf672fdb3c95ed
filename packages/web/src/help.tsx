/** The help: keys and colors. */
import type { JSX } from 'preact'
import { Dialog } from './parts/dialog.js'

/** Keys as people see them, separated by spaces, and what they do. */
type KeyHelp = readonly [keys: string, action: string]

const GROUPS: readonly (readonly [string, readonly KeyHelp[]])[] = [
  [
    'Everywhere',
    [
      ['/', 'search everything'],
      ['h', 'all sessions'],
      ['t', 'switch theme: system, light, dark'],
      ['?', 'this help'],
      ['Esc', 'leave a field, close a dialog'],
    ],
  ],
  [
    'Sessions',
    [
      ['j k', 'next and previous session'],
      ['Enter', 'open the session'],
      ['f', 'filter the list'],
      ['g G', 'first and last session'],
    ],
  ],
  [
    'A session',
    [
      ['j k', 'next and previous row'],
      ['n p', 'next and previous prompt; after a search, n and N go from hit to hit'],
      ['[ ]', 'previous and next branch of the nearest fork'],
      ['o', 'open or close the tool call, subagent or branch'],
      ['e', 'open or close all visible tool calls'],
      ['1 2 3 4', 'show prompts, conversation, tools, everything'],
      ['l', 'in context only'],
      ['g G', 'beginning and end'],
      ['/ Ctrl-F', 'search this session, all of it; Esc ends the search'],
      ['y', 'copy a link to the row'],
    ],
  ],
  [
    'Search',
    [
      ['↓ ↑', 'next and previous hit, also from the search box'],
      ['j k', 'next and previous hit'],
      ['Enter', 'open the hit'],
    ],
  ],
]

/** The colors of the minimap. Its columns are the conversation, abandoned branches and subagents. */
const COLORS: readonly (readonly [color: string, meaning: string])[] = [
  ['human', 'your prompts'],
  ['tool', 'tool calls'],
  ['line-2', 'answers'],
  ['agent', 'subagents, in the right column'],
  ['bad', 'failed requests'],
  ['ink', 'a compaction, across all columns'],
]

/** The lines beside the rows of a session. */
const LINES: readonly (readonly [line: string, meaning: string])[] = [
  ['live', 'the current branch'],
  ['abandoned', 'an abandoned branch'],
  ['agent', 'a subagent'],
  ['out', 'no longer in context'],
]

/** What an exported file has: one session, or several, without a server. */
const FILE_GROUPS: typeof GROUPS = [
  [
    'Everywhere',
    [
      ['t', 'switch theme: system, light, dark'],
      ['?', 'this help'],
      ['Esc', 'leave a field, close a dialog'],
    ],
  ],
  ...GROUPS.filter(([name]) => name === 'A session'),
]

interface HelpProps {
  readonly onClose: () => void
  /** Only the keys of an exported file. */
  readonly isFile?: boolean
}

/** A dialog with all keys of the viewer, and what lines and colors of a session mean. */
export function Help({ onClose, isFile }: HelpProps): JSX.Element {
  return (
    <Dialog title="Keys and colors" isWide onClose={onClose}>
      <div class="help">
        {(isFile === true ? FILE_GROUPS : GROUPS).map(([name, lines]) => (
          <section key={name}>
            <h3>{name}</h3>
            <dl>
              {lines.map(([keys, action]) => (
                <div key={keys}>
                  <dt>
                    {keys.split(' ').map(key => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{action}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <Legend title="The lines at the left of a session" kind="help-line" meanings={LINES} />
        <Legend title="The map at the right of a session" kind="help-color" meanings={COLORS} />
      </div>
    </Dialog>
  )
}

interface LegendProps {
  readonly title: string
  /** The class of its signs; each sign has one of its own with the same beginning. */
  readonly kind: string
  readonly meanings: readonly (readonly [sign: string, meaning: string])[]
}

function Legend({ title, kind, meanings }: LegendProps): JSX.Element {
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {meanings.map(([sign, meaning]) => (
          <div key={meaning}>
            <dt>
              <i class={`${kind} ${kind}-${sign}`} />
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
