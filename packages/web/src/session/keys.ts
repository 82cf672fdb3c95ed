/** What the keys of the session page do. */
import { kindAt, type RowKind } from '@dagline/core'
import type { KeyActions } from '../parts/keys.js'
import { opensByItself } from '../tools/index.js'
import { READING, sizeOf, wayOf, waysAt } from './fork-branches.js'
import { clearSearch, SESSION_SEARCH, turnHit } from './search.js'
import { choose, moveTo, type Session, say, setLevel, toggleLine, turnWay } from './state.js'

/** Actions by key. */
export function keyActions(session: Session): KeyActions {
  const level = (name: 'prompts' | 'talk' | 'tools' | 'all') => () => setLevel(session, name)
  return {
    j: () => step(session, 1, () => true),
    k: () => step(session, -1, () => true),
    n: () => turnHit(session, 1) || step(session, 1, isPrompt),
    N: () => turnHit(session, -1),
    p: () => step(session, -1, isPrompt),
    J: () => step(session, 1, isPrompt),
    K: () => step(session, -1, isPrompt),
    ']': () => turnNearest(session, 1),
    '[': () => turnNearest(session, -1),
    o: () => toggleHere(session),
    Enter: event =>
      event.target instanceof HTMLElement && isIdle(event.target) ? toggleHere(session) : false,
    e: () => toggleAll(session),
    1: level('prompts'),
    2: level('talk'),
    3: level('tools'),
    4: level('all'),
    l: () => choose(session, { liveOnly: !session.choice.peek().liveOnly }),
    g: () => moveTo(session, 0, 'start'),
    G: () => {
      session.cursor.value = session.view.peek()?.rows.at(-1)?.row ?? -1
      session.list.current?.showEnd()
    },
    '/': focusSearch,
    Escape: () => clearSearch(session),
    y: () => copyLink(session),
  }
}

/** Enter belongs to buttons and links where one has the focus. */
function isIdle(element: HTMLElement): boolean {
  return element.closest('button, a, summary, label') === null
}

/** The place keys start from: that of the cursor if it can be seen, else the first in the window. */
function placeHere(session: Session): number {
  const view = session.view.peek()
  const [first, last] = session.window.peek()
  const cursor = session.cursor.peek()
  const place = cursor < 0 || view === null ? -1 : view.placeOf(cursor)
  return place >= first && place <= last ? place : first
}

function step(session: Session, by: 1 | -1, wanted: (session: Session, place: number) => boolean): void {
  const count = session.view.peek()?.rows.length ?? 0
  const here = placeHere(session)
  // The first press marks where the reader is.
  const isMarked = session.view.peek()?.rows[here]?.row === session.cursor.peek()
  for (let place = isMarked || by < 0 ? here + by : here; place >= 0 && place < count; place += by) {
    if (!wanted(session, place)) continue
    moveTo(session, place, wanted === isPrompt ? 'start' : 'auto')
    requestAnimationFrame(() => focusRow(session.cursor.peek()))
    return
  }
}

/** The focus goes with the cursor, so that it is read aloud. */
function focusRow(row: number): void {
  document.querySelector<HTMLElement>(`.row[data-row="${row}"]`)?.focus({ preventScroll: true })
}

const PROMPTS: ReadonlySet<RowKind> = new Set(['prompt', 'queued'])

function isPrompt(session: Session, place: number): boolean {
  const view = session.view.peek()
  const row = view?.rows[place]
  return view !== null && row?.kind === 'row' && PROMPTS.has(kindAt(view.sheet, row.row))
}

/** The fork in the window, or the last one above it, or the first one below. */
function turnNearest(session: Session, by: 1 | -1): void {
  const view = session.view.peek()
  if (view === null) return
  const here = placeHere(session)
  const forks = [...view.forksFirst.map(fork => [-1, fork] as const), ...forksByPlace(view.forksAt)]
  const [, last] = session.window.peek()
  const nearest = forks.findLast(([place]) => place <= Math.max(here, last)) ?? forks[0]
  if (nearest === undefined) return
  turnWay(session, nearest[1], by)
  if (nearest[0] < session.window.peek()[0] || nearest[0] > last) sayTurn(session, nearest[1])
}

/** The fork is out of sight: what was done there is said, with a way to look at it. */
function sayTurn(session: Session, fork: number): void {
  const view = session.view.peek()
  if (view === null) return
  const ways = waysAt(view, fork)
  const at = ways.findIndex(({ isTaken }) => isTaken)
  const taken = ways[at]
  if (taken === undefined) return
  const where = (view.sheet.forks[fork]?.row ?? -1) < 0 ? 'at the beginning' : 'further up'
  say(
    session,
    `At the fork ${where}: way ${at + 1} of ${ways.length}, ${READING[taken.status]}, ${sizeOf(taken)}.`,
    {
      label: 'Show',
      run: () => moveTo(session, view.placeOf(Math.max(0, view.sheet.forks[fork]?.row ?? 0)), 'start'),
    },
  )
}

function forksByPlace(forks: ReadonlyMap<number, readonly number[]>): (readonly [number, number])[] {
  return [...forks]
    .flatMap(([place, list]) => list.map(fork => [place, fork] as const))
    .sort((a, b) => a[0] - b[0])
}

function toggleHere(session: Session): void {
  const view = session.view.peek()
  const row = view?.rows[placeHere(session)]
  if (view === null || row === undefined) return
  if (row.kind === 'agent') toggleLine(session, row.line, row.row)
  else if (row.way !== null) toggleLine(session, wayOf(view, row.way.fork, row.way.way).key, row.row)
  else toggleBlocks(session, row.row)
}

/** An agent first, then the cards of the row, then its folded texts. */
function toggleBlocks(session: Session, row: number): void {
  const content = session.contents.peek(row)
  const calls = (content?.blocks ?? []).filter(block => block.kind === 'call')
  const agent = calls.find(call => call.agent !== null)?.agent
  if (agent != null) {
    toggleLine(session, agent, row)
    return
  }
  for (const call of calls) {
    const opened = session.opened(call.id)
    opened.value = !(opened.peek() ?? opensByItself(call))
  }
  content?.blocks.forEach((block, at) => {
    if (block.kind !== 'thinking' && block.kind !== 'note' && block.kind !== 'text') return
    const opened = session.opened(`${content.node}/${at}`)
    opened.value = opened.peek() !== true
  })
}

/** Opens all cards in the window; closes them where all are open. */
function toggleAll(session: Session): void {
  const view = session.view.peek()
  const [first, last] = session.window.peek()
  const calls = (view?.rows.slice(first, last + 1) ?? [])
    .flatMap(({ row }) => session.contents.peek(row)?.blocks ?? [])
    .filter(block => block.kind === 'call')
  const isAnyClosed = calls.some(call => !(session.opened(call.id).peek() ?? opensByItself(call)))
  for (const call of calls) session.opened(call.id).value = isAnyClosed
}

function focusSearch(): void {
  const box = document.getElementById(SESSION_SEARCH)
  if (!(box instanceof HTMLInputElement)) return
  box.focus()
  box.select()
}

function copyLink(session: Session): void {
  const view = session.view.peek()
  const row = view?.rows[placeHere(session)]?.row
  const node = row === undefined ? undefined : view?.sheet.rows.node[row]
  if (node === undefined) return
  const address = new URL(location.href)
  address.hash = session.source.hashOf(node)
  void navigator.clipboard.writeText(address.href).catch(() => {})
}
