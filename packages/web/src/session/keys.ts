/** The keys of the session page. */

import { ROW_MARKS } from '@dagline/core/protocol'
import { isMarked, kindAt, statusLabel } from '@dagline/core/view'
import { focusField, type KeyActions } from '../parts/keys.js'
import { isOpenByDefault } from '../tools/index.js'
import { linkTo } from './address.js'
import { focusRow } from './focus.js'
import { branchesAt, branchOf, sizeOf } from './fork-branches.js'
import { clearSearch, goToNextHit, SESSION_SEARCH } from './search.js'
import { choose, moveTo, type Session, setLevel, showToast, switchBranch, toggleLine } from './state.js'

/** Actions by key. */
export function keyActions(session: Session): KeyActions {
  const level = (name: 'prompts' | 'conversation' | 'tools' | 'all') => () => setLevel(session, name)
  return {
    j: () => step(session, 1, () => true),
    k: () => step(session, -1, () => true),
    n: () => goToNextHit(session, 1) || step(session, 1, isPrompt),
    N: () => goToNextHit(session, -1),
    p: () => step(session, -1, isPrompt),
    J: () => step(session, 1, isPrompt),
    K: () => step(session, -1, isPrompt),
    ']': () => switchNearest(session, 1),
    '[': () => switchNearest(session, -1),
    o: () => toggleHere(session),
    Enter: event =>
      event.target instanceof HTMLElement && isIdle(event.target) ? toggleHere(session) : false,
    e: () => toggleAll(session),
    1: level('prompts'),
    2: level('conversation'),
    3: level('tools'),
    4: level('all'),
    l: () => choose(session, { liveOnly: !session.choice.peek().liveOnly }),
    g: () => moveTo(session, 0, 'start'),
    G: () => {
      session.cursor.value = session.view.peek()?.rows.at(-1)?.row ?? -1
      session.list.current?.showEnd()
    },
    '/': () => focusField(SESSION_SEARCH),
    Escape: () => clearSearch(session),
    y: () => copyLink(session),
  }
}

/**
 * The browser's search finds only the rows that are drawn, so its key leads to our own search first. In that field the key
 * belongs to the browser.
 */
export function watchFindKey(): () => void {
  const listen = (event: KeyboardEvent): void => {
    if (event.key !== 'f' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
    if (document.activeElement?.id === SESSION_SEARCH || document.querySelector('dialog[open]') !== null)
      return
    event.preventDefault()
    focusField(SESSION_SEARCH)
  }
  window.addEventListener('keydown', listen)
  return () => window.removeEventListener('keydown', listen)
}

/** Enter belongs to a button or link that has the focus. */
function isIdle(element: HTMLElement): boolean {
  return element.closest('button, a, summary, label') === null
}

/** Where keys start from: the cursor if it is visible, else the first visible row. */
function currentIndex(session: Session): number {
  const view = session.view.peek()
  const [first, last] = session.window.peek()
  const cursor = session.cursor.peek()
  const index = cursor < 0 || view === null ? -1 : view.shownAt(cursor)
  return index >= first && index <= last ? index : first
}

function step(session: Session, by: 1 | -1, wanted: (session: Session, index: number) => boolean): void {
  const count = session.view.peek()?.rows.length ?? 0
  const here = currentIndex(session)
  // The first press only marks the row that the reader is at.
  const isMarked = session.view.peek()?.rows[here]?.row === session.cursor.peek()
  for (let index = isMarked || by < 0 ? here + by : here; index >= 0 && index < count; index += by) {
    if (!wanted(session, index)) continue
    moveTo(session, index, wanted === isPrompt ? 'start' : 'auto')
    // The focus follows the cursor, so that screen readers read the row.
    requestAnimationFrame(() => focusRow(session.cursor.peek()))
    return
  }
}

function isPrompt(session: Session, index: number): boolean {
  const view = session.view.peek()
  const row = view?.rows[index]
  if (view === null || row?.kind !== 'row') return false
  return isMarked(view.sheet, row.row, ROW_MARKS.turn) || kindAt(view.sheet, row.row) === 'queued'
}

/** Switches at the last fork in or above the window, else at the first one below. */
function switchNearest(session: Session, by: 1 | -1): void {
  const view = session.view.peek()
  if (view === null) return
  const here = currentIndex(session)
  const forks = [...view.forksFirst.map(fork => [-1, fork] as const), ...forksByIndex(view.forksAt)]
  const [, last] = session.window.peek()
  const nearest = forks.findLast(([index]) => index <= Math.max(here, last)) ?? forks[0]
  if (nearest === undefined) return
  switchBranch(session, nearest[1], by)
  if (nearest[0] < session.window.peek()[0] || nearest[0] > last) reportSwitch(session, nearest[1])
}

/** Says what was switched at a fork that is not visible, with a button that goes there. */
function reportSwitch(session: Session, fork: number): void {
  const view = session.view.peek()
  if (view === null) return
  const branches = branchesAt(view, fork)
  const at = branches.findIndex(({ isTaken }) => isTaken)
  const taken = branches[at]
  if (taken === undefined) return
  const where = (view.sheet.forks[fork]?.row ?? -1) < 0 ? 'at the beginning' : 'above'
  showToast(
    session,
    `Fork ${where}: branch ${at + 1} of ${branches.length}, ${statusLabel(taken.status)}, ${sizeOf(taken)}.`,
    {
      label: 'Show',
      run: () => moveTo(session, view.shownAt(Math.max(0, view.sheet.forks[fork]?.row ?? 0)), 'start'),
    },
  )
}

function forksByIndex(forks: ReadonlyMap<number, readonly number[]>): (readonly [number, number])[] {
  return [...forks]
    .flatMap(([index, list]) => list.map(fork => [index, fork] as const))
    .sort((a, b) => a[0] - b[0])
}

function toggleHere(session: Session): void {
  const view = session.view.peek()
  const row = view?.rows[currentIndex(session)]
  if (view === null || row === undefined) return
  if (row.kind === 'agent') toggleLine(session, row.line, row.row)
  else if (row.branch !== null)
    toggleLine(session, branchOf(view, row.branch.fork, row.branch.branch).key, row.row)
  else toggleBlocks(session, row.row)
}

/** A subagent first, then the tool calls of the row, then its folded texts. */
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
    opened.value = !(opened.peek() ?? isOpenByDefault(call))
  }
  content?.blocks.forEach((block, at) => {
    if (block.kind !== 'thinking' && block.kind !== 'note' && block.kind !== 'text') return
    const opened = session.opened(`${content.node}/${at}`)
    opened.value = opened.peek() !== true
  })
}

/** Opens all visible tool calls; closes them where all are open. */
function toggleAll(session: Session): void {
  const view = session.view.peek()
  const [first, last] = session.window.peek()
  const calls = (view?.rows.slice(first, last + 1) ?? [])
    .flatMap(({ row }) => session.contents.peek(row)?.blocks ?? [])
    .filter(block => block.kind === 'call')
  const isAnyClosed = calls.some(call => !(session.opened(call.id).peek() ?? isOpenByDefault(call)))
  for (const call of calls) session.opened(call.id).value = isAnyClosed
}

function copyLink(session: Session): void {
  const view = session.view.peek()
  const row = view?.rows[currentIndex(session)]?.row
  if (row === undefined) return
  navigator.clipboard.writeText(linkTo(session, row)).then(
    () => showToast(session, 'Link copied.'),
    () => showToast(session, 'The browser does not allow copying here.'),
  )
}
