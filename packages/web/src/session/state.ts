/** The state of the session page. Components read its signals; all changes go through the functions of this file. */

import type { GivenLabel, Sheet } from '@dagline/core/protocol'
import {
  branchAt,
  type DetailLevel,
  FIRST_CHOICE,
  type FoldChoice,
  joinOf,
  reveal,
  showsKind,
} from '@dagline/core/view'
import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { type Context, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { ApiFailure } from '../app/api.js'
import type { ListHandle } from '../parts/virtual.js'
import { type Contents, createContents, type SessionSource } from './contents.js'
import { collectFacts, type SheetFacts } from './facts.js'
import { applyUpdate, carryChoice, carryRow } from './update.js'
import { buildView, type View } from './view.js'

export interface Session {
  readonly source: SessionSource
  readonly sheet: Signal<Sheet | null>
  readonly facts: ReadonlySignal<SheetFacts | null>
  readonly failure: Signal<unknown>
  /** Names, tags and notes of the session and its parts, by id. */
  readonly labels: Signal<ReadonlyMap<string, GivenLabel>>
  readonly choice: Signal<FoldChoice>
  readonly view: ReadonlySignal<View | null>
  readonly contents: Contents
  /** The row that keys act on; -1 for none. */
  readonly cursor: Signal<number>
  /** The first and the last visible row of the list. */
  readonly window: Signal<readonly [number, number]>
  /** A row that is marked for a moment because a link led there; -1 for none. */
  readonly marked: Signal<number>
  /** New messages below the window. */
  readonly fresh: Signal<number>
  readonly search: Search
  /** A notice about something out of sight; null for none. */
  readonly toast: Signal<Toast | null>
  readonly dialog: Signal<RowDialog | null>
  /** V27: the entry whose request is shown in the panel; null for none. */
  readonly asked: Signal<string | null>
  /** V27: the rows that were before the model then; null while no request is shown. */
  readonly seen: Signal<ReadonlySet<number> | null>
  readonly list: { current: ListHandle | null }
  /** What the reader opened or closed, by the id of a tool call or `uuid/block`; null for neither. */
  readonly opened: (key: string) => Signal<boolean | null>
}

interface Search {
  readonly words: Signal<string>
  /** Rows with hits, in order; null before a search. */
  readonly hits: Signal<readonly number[] | null>
  readonly at: Signal<number>
  /** The row that shows the current hit, which for a tool result is that of its call; -1 for none. */
  readonly target: Signal<number>
}

/** A sentence about what happened, and what can be done next. */
interface Toast {
  readonly text: string
  readonly action: { readonly label: string; readonly run: () => void } | null
  readonly link: { readonly label: string; readonly href: string } | null
}

/** An open dialog about a row. */
interface RowDialog {
  readonly kind: 'why' | 'raw'
  readonly node: string
}

/** The state of a session before it is loaded. */
export function createSession(source: SessionSource): Session {
  const sheet = signal<Sheet | null>(null)
  const choice = signal<FoldChoice>(FIRST_CHOICE)
  const facts = computed(() => (sheet.value === null ? null : collectFacts(sheet.value)))
  const opened = new Map<string, Signal<boolean | null>>()
  return {
    source,
    sheet,
    facts,
    failure: signal(null),
    labels: signal(new Map()),
    choice,
    view: computed(() =>
      sheet.value === null || facts.value === null ? null : buildView(sheet.value, facts.value, choice.value),
    ),
    contents: createContents(source, () => sheet.peek()?.rows.node.length ?? 0),
    cursor: signal(-1),
    window: signal([0, 0]),
    marked: signal(-1),
    fresh: signal(0),
    search: { words: signal(''), hits: signal(null), at: signal(-1), target: signal(-1) },
    toast: signal(null),
    dialog: signal(null),
    asked: signal(null),
    seen: signal(null),
    list: { current: null },
    opened: key => {
      const known = opened.get(key) ?? signal<boolean | null>(null)
      opened.set(key, known)
      return known
    },
  }
}

/** Between two updates passes this multiple of the time the last one took: a large session must stay readable. */
const REST = 2

/** Loads the sheet, and updates it whenever the source changes. Returns a function that stops it. */
export function startSession(session: Session): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isBusy = false
  let isMissed = false
  async function renew(): Promise<void> {
    isMissed = isBusy
    if (isBusy) return
    isBusy = true
    const start = performance.now()
    try {
      await takeUpdate(session)
    } catch (error) {
      if (session.sheet.peek() === null) session.failure.value = error
      else if (error instanceof ApiFailure && error.code === 'no-session')
        showToast(session, 'The transcript of this session was deleted. What is shown here was read before.')
    }
    timer = setTimeout(rested, REST * (performance.now() - start))
  }
  function rested(): void {
    isBusy = false
    if (isMissed) void renew()
  }
  void renew()
  const stop = session.source.onChange(() => void renew())
  return () => {
    clearTimeout(timer)
    stop()
  }
}

async function takeUpdate(session: Session): Promise<void> {
  const { source, sheet, contents, fresh } = session
  const before = sheet.peek()
  if (before === null) {
    const first = await source.sheet()
    batch(() => {
      session.failure.value = null
      sheet.value = first
    })
    await takeLabels(session)
    return
  }
  const update = await source.update(before.version)
  await takeLabels(session)
  if (update.sheet.version === before.version) return
  const messages = session.facts.peek()?.totals.messages ?? 0
  const [, last] = session.window.peek()
  const wasAtEnd = last >= (session.view.peek()?.rows.length ?? 0) - 1
  contents.renew(update.keep)
  const after = applyUpdate(before, update)
  batch(() => {
    session.choice.value = carryChoice(before, after, session.choice.peek())
    for (const row of [session.cursor, session.marked]) {
      row.value = carryRow(before, after, row.peek(), update.keep)
    }
    sheet.value = after
  })
  const more = (session.facts.peek()?.totals.messages ?? 0) - messages
  if (wasAtEnd) session.list.current?.showEnd()
  else if (more > 0) fresh.value += more
}

/** Labels that cannot be loaded stay as they are. */
async function takeLabels({ source, labels }: Session): Promise<void> {
  const given = await source.labels?.().catch(() => null)
  if (given != null) labels.value = new Map(given.map(label => [label.id, label]))
}

/** Scrolls to a row, opens everything that contains it, and marks it for a moment. */
export function goTo(session: Session, row: number): void {
  const { sheet, choice, view } = session
  const known = sheet.peek()
  if (known === null || row < 0) return
  const fork = known.forks.findIndex(each => each.row === row)
  if (fork >= 0 && !showsKind(choice.peek().level, known, row)) {
    goToFork(session, fork)
    return
  }
  const before = choice.peek()
  const next = reveal(known, row, before)
  const shown = joinOf(known, row) < 0 ? row : joinOf(known, row)
  markRow(session, shown, next)
  session.list.current?.show(view.peek()?.shownAt(row) ?? 0, { align: 'start' })
  if (changesBranch(known, before, next)) reportJump(session, row, before)
}

/**
 * Scrolls to the first abandoned branch of a fork, below the switcher. The row before the fork is not the target: it may
 * be long, or hidden at this level of detail.
 */
export function goToFork(session: Session, fork: number): void {
  const [sheet, facts] = [session.sheet.peek(), session.facts.peek()]
  const known = sheet?.forks[fork]
  if (sheet === null || facts === null || known === undefined) return
  const before = session.choice.peek()
  const { branches } = known
  const line = branches.find(each => facts.abandoned[each]) ?? branches.find(each => each >= 0) ?? -1
  const head = sheet.lines[line]?.head ?? -1
  const next = { ...reveal(sheet, Math.max(0, known.row), before), level: before.level, liveOnly: false }
  markRow(session, head, next)
  session.list.current?.show(session.view.peek()?.shownAt(head) ?? 0, { align: 'start', room: SWITCHER })
}

function markRow({ cursor, marked, choice }: Session, row: number, next: FoldChoice): void {
  batch(() => {
    cursor.value = row
    marked.value = row
    if (!isSame(next, choice.peek())) choice.value = next
  })
}

/** Pixels for the switcher of a fork and the last lines before it. */
const SWITCHER = 130

function changesBranch(sheet: Sheet, before: FoldChoice, after: FoldChoice): boolean {
  return [...after.branches].some(([fork, branch]) => branchAt(sheet, fork, before) !== branch)
}

/** A switch above the window would go unnoticed, so it is announced and can be reverted. */
function reportJump(session: Session, row: number, before: FoldChoice): void {
  const [sheet, facts] = [session.sheet.peek(), session.facts.peek()]
  const isAbandoned = facts?.abandoned[sheet?.rows.line[row] ?? -1] === true
  showToast(session, `Switched to the ${isAbandoned ? 'abandoned' : 'current'} branch to show this.`, {
    label: 'Switch back',
    run: () => choose(session, before, session.cursor.peek()),
  })
}

/** Shows a notice at the edge of the window for a while. */
export function showToast(
  session: Session,
  text: string,
  action: Toast['action'] = null,
  link: Toast['link'] = null,
): void {
  session.toast.value = { text, action, link }
}

/** Scrolls to the row of a uuid or of a prefix of one. False where the session has none. */
export function goToNode(session: Session, node: string): boolean {
  const facts = session.facts.peek()
  const exact = facts?.rowOf(node) ?? -1
  const row = exact >= 0 ? exact : (facts?.rowStarting(node) ?? -1)
  if (row >= 0) goTo(session, row)
  return row >= 0
}

/** Scrolls to the entry in the address. A notice says so where another session has it, or none. */
export function goToLink(session: Session, node: string): void {
  if (node === '' || goToNode(session, node)) return
  const short = node.slice(0, 40)
  showToast(session, `This session has no entry ${short}.`)
  session.source.locate?.(node).then(
    ({ session: other }) =>
      showToast(session, `Entry ${short} is in another session.`, null, {
        label: 'Go there',
        href: session.source.hrefOf(other, node) ?? '',
      }),
    () => {},
  )
}

/** Moves the cursor to a row of the list. */
export function moveTo(session: Session, index: number, align: 'start' | 'auto' = 'auto'): void {
  const row = session.view.peek()?.rows[index]
  if (row === undefined) return
  session.cursor.value = row.row
  session.list.current?.show(index, { align })
}

/** Changes what is shown. The anchor row stays where it is on the screen. */
export function choose(session: Session, change: Partial<FoldChoice>, anchor: number = -1): void {
  const view = session.view.peek()
  if (view !== null && anchor >= 0) session.list.current?.keep(view.shownAt(anchor))
  session.choice.value = { ...session.choice.peek(), ...change }
}

export function setLevel(session: Session, level: DetailLevel): void {
  choose(session, { level })
}

/** Shows another branch of a fork. The fork stays where it is on the screen. */
export function chooseBranch(session: Session, fork: number, branch: number): void {
  const row = session.sheet.peek()?.forks[fork]?.row ?? -1
  const branches = new Map(session.choice.peek().branches).set(fork, branch)
  choose(session, { branches, liveOnly: false }, row)
}

/** Switches to the next or previous branch of a fork. */
export function switchBranch(session: Session, fork: number, by: 1 | -1): void {
  const sheet = session.sheet.peek()
  const count = sheet?.forks[fork]?.branches.length ?? 0
  if (sheet === null || count === 0) return
  chooseBranch(session, fork, (branchAt(sheet, fork, session.choice.peek()) + by + count) % count)
}

/** Opens or closes a branch or subagent in place, and scrolls to what was opened out of sight. */
export function toggleLine(session: Session, key: number, anchor: number): void {
  const open = new Set(session.choice.peek().open)
  const isClosed = open.delete(key)
  if (!isClosed) open.add(key)
  choose(session, { open }, anchor)
  const head = session.sheet.peek()?.lines[key]?.head ?? -1
  const view = session.view.peek()
  if (isClosed || head < 0 || view === null) return
  const [first, last] = session.window.peek()
  const index = view.shownAt(head)
  if (index <= first || index > last) requestAnimationFrame(() => moveTo(session, index, 'start'))
}

/** Closes a subagent and scrolls to its call. */
export function closeAgent(session: Session, line: number, call: number): void {
  toggleLine(session, line, call)
  requestAnimationFrame(() => moveTo(session, session.view.peek()?.shownAt(call) ?? 0))
}

function isSame(a: FoldChoice, b: FoldChoice): boolean {
  return (
    a.level === b.level &&
    a.liveOnly === b.liveOnly &&
    sameItems([...a.open], [...b.open]) &&
    sameItems([...a.branches].flat(), [...b.branches].flat())
  )
}

function sameItems(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at])
}

export const SessionContext: Context<Session | null> = createContext<Session | null>(null)

/** The session of the page around. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new TypeError('drawn outside of a session')
  return session
}

/** What the session shows right now. */
export function useView(): View {
  const view = useSession().view.value
  if (view === null) throw new TypeError('drawn before the sheet is there')
  return view
}
