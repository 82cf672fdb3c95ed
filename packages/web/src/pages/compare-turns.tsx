/** The turns of two branches or sessions side by side. */

import { count, duration, money, plural, shortId, shortPath } from '@dagline/core/format'
import { sumOf } from '@dagline/core/model'
import type { ComparedCall, ComparedSide, ComparedTurn, Comparison } from '@dagline/core/protocol'
import { branchLabel, isAbandoned } from '@dagline/core/view'
import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { sessionPath } from '../app/route.js'
import { Badge, Money, When } from '../parts/figures.js'
import { Panel } from '../parts/panel.js'
import { Clamp } from '../text/clamp.js'
import { Markdown } from '../text/markdown.js'

interface SideNameProps {
  readonly sides: Comparison['sides']
  readonly nth: 0 | 1
}

/** The name and status of a side. Branches of one session are named by their first prompt. */
export function SideName({ sides, nth }: SideNameProps): JSX.Element {
  const side = sides[nth]
  const first = side.turns[0]
  const isOneSession = sides[0].session === sides[1].session
  const name = (isOneSession ? first?.prompt : null) ?? side.title ?? shortId(side.session)
  return (
    <div class="side">
      <div class="side-name">
        <SideLetter nth={nth} />
        <a href={sessionPath(side.session, first?.node ?? side.ref)}>{name.slice(0, 200)}</a>
        {isAgentLine(side.line) ? <Badge tone="agent">subagent</Badge> : null}
        {isOneSession || side.status !== 'live' ? <StatusBadge status={side.status} /> : null}
      </div>
      <p class="side-figures">{figuresOf(side)}</p>
    </div>
  )
}

/** Whether a side is the conversation of a subagent. Of a session without its transcript the first one stands for it. */
function isAgentLine(line: string): boolean {
  return line.includes('#')
}

/** V23: the figures that are read first; all others are behind the turns. */
function figuresOf(side: ComparedSide): ComponentChildren {
  const { first, last, files, turnCount, tools } = side
  const calls = sumOf(tools, each => each.calls)
  const parts = [
    plural(turnCount, 'turn'),
    plural(calls, 'tool call'),
    plural(files.length, 'changed file'),
    ...(first === null || last === null ? [] : [duration(last - first)]),
    ...(side.cost === null ? [] : [money(side.cost)]),
  ]
  return (
    <>
      <When time={first} /> · {parts.join(' · ')}
    </>
  )
}

/** The letter of a side, in its color. */
export function SideLetter({ nth }: { readonly nth: number }): JSX.Element {
  return <span class={`side-letter side-${nth}`}>{letterOf(nth)}</span>
}

function letterOf(nth: number): string {
  return nth === 0 ? 'A' : 'B'
}

/** The status of a branch: `current`, `abandoned`, `taken back`. */
export function StatusBadge({ status }: { readonly status: string }): JSX.Element {
  const tone = status === 'live' ? 'good' : isAbandoned({ status }) ? 'warn' : 'plain'
  return <Badge tone={tone}>{branchLabel(status)}</Badge>
}

/** Turns that are shown at first. */
const STEP = 30

/** All turns, row by row. */
export function CompareTurns({ sides }: { readonly sides: Comparison['sides'] }): JSX.Element {
  const [shown, show] = useState(STEP)
  const rows = Math.max(...sides.map(({ turns }) => turns.length))
  const missing = Math.max(...sides.map(side => side.turnCount - side.turns.length + restsOf(side)))
  return (
    <Panel title="Turn by turn">
      {rows === 0 ? <p class="panel-note">Nothing follows the fork.</p> : null}
      <ol class="turns">
        {Array.from({ length: Math.min(rows, shown) }, (_, nth) => (
          <li key={nth} class="sides">
            {sides.map((side, at) => (
              <Turn key={at} turn={side.turns[nth]} side={side} at={at} nth={nth} />
            ))}
          </li>
        ))}
      </ol>
      {rows > shown ? (
        <button type="button" class="button" onClick={() => show(shown + STEP * 3)}>
          {plural(rows - shown, 'more turn')}
        </button>
      ) : null}
      {rows <= shown && missing > 0 ? (
        <p class="panel-note">{plural(missing, 'more turn')} in the session itself.</p>
      ) : null}
    </Panel>
  )
}

/** 1 where the first item is the rest of a turn that began before the fork, which has no number. */
export function restsOf({ turns }: Pick<ComparedSide, 'turns'>): 0 | 1 {
  return turns[0]?.prompt === null ? 1 : 0
}

interface TurnProps {
  readonly turn: ComparedTurn | undefined
  readonly side: ComparedSide
  readonly at: number
  readonly nth: number
}

function Turn({ turn, side, at, nth }: TurnProps): JSX.Element {
  if (turn === undefined)
    return (
      <div class="turn is-none">{nth === side.turns.length ? <p>{letterOf(at)} ends here.</p> : null}</div>
    )
  const number = nth + 1 - restsOf(side)
  const name = number === 0 ? 'rest of a turn' : `turn ${number}`
  return (
    <article class="turn" aria-label={`${letterOf(at)}, ${name}`}>
      <header>
        <SideLetter nth={at} />
        <a href={sessionPath(side.session, turn.node)}>{name}</a>
        <When time={turn.time} />
        <Money value={turn.cost} />
      </header>
      {turn.prompt === null ? (
        <p class="quiet">This turn began before the fork.</p>
      ) : (
        <div class="turn-prompt">
          <Clamp text={turn.prompt} lines={8}>
            {shown => <Markdown text={shown} rank={3} />}
          </Clamp>
        </div>
      )}
      <Calls calls={turn.calls} session={side.session} />
      {turn.answer === null ? (
        <p class="quiet">No answer.</p>
      ) : (
        <Clamp text={turn.answer} lines={12}>
          {shown => <Markdown text={shown} rank={3} />}
        </Clamp>
      )}
    </article>
  )
}

const FIRST_CALLS = 8

/** V23: of a path the end is shown: the beginnings are all alike. */
export function shortText(text: string): string {
  return /^\S*\/\S+$/.test(text) && !text.includes('://') ? shortPath(text, 3) : text
}

interface CallsProps {
  readonly calls: readonly ComparedCall[]
  readonly session: string
}

function Calls({ calls, session }: CallsProps): JSX.Element | null {
  const [isOpen, open] = useState(false)
  if (calls.length === 0) return null
  const shown = isOpen || calls.length <= FIRST_CALLS + 2 ? calls : calls.slice(0, FIRST_CALLS)
  return (
    <ul class="calls">
      {shown.map((call, nth) => (
        <li key={nth}>
          <a
            class={call.failed ? 'call is-failed' : 'call'}
            href={sessionPath(session, call.node)}
            title={call.text}
          >
            <strong>{call.tool}</strong> {shortText(call.text)}
            {call.failed ? <span class="call-failed"> failed</span> : null}
          </a>
        </li>
      ))}
      {shown.length < calls.length ? (
        <li>
          <button type="button" class="more" onClick={() => open(true)}>
            {count(calls.length - shown.length)} more calls
          </button>
        </li>
      ) : null}
    </ul>
  )
}
