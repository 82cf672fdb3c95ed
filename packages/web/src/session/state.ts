/** The state of the session page. Components read signals; everything that changes goes through the functions here. */
import {
  type DetailLevel,
  FIRST_CHOICE,
  type FoldChoice,
  type GivenLabel,
  joinOf,
  reveal,
  type Sheet,
  showsKind,
  wayAt,
} from '@dagline/core'
import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { ListHandle } from '../parts/virtual.js'
import { type Contents, createContents } from './contents.js'
import { factsOf, type SheetFacts } from './facts.js'
import type { SessionSource } from './source.js'
import { applyUpdate, carryChoice, carryRow } from './update.js'
import { type View, viewOf } from './view.js'

export interface Session {
  readonly source: SessionSource
  readonly sheet: Signal<Sheet | null>
  readonly facts: ReadonlySignal<SheetFacts | null>
  readonly failure: Signal<unknown>
  /** What people call the session and what is in it, by the ids of these. */
  readonly labels: Signal<ReadonlyMap<string, GivenLabel>>
  readonly choice: Signal<FoldChoice>
  readonly view: ReadonlySignal<View | null>
  readonly contents: Contents
  /** The row that keys act on, and that was last gone to; -1 for none. */
  readonly cursor: Signal<number>
  /** Places at the upper and lower edge of the window. */
  readonly window: Signal<readonly [number, number]>
  /** A row that is marked for a moment, because a link led there; -1 for none. */
  readonly marked: Signal<number>
  /** Messages that came while the reader was elsewhere. */
  readonly fresh: Signal<number>
  readonly search: Search
  /** What was just done, where it cannot be seen; null for nothing. */
  readonly said: Signal<Said | null>
  readonly dialog: Signal<RowDialog | null>
  readonly list: { current: ListHandle | null }
  /** What was opened or closed by hand, by a key of its own. */
  readonly opened: (key: string) => Signal<boolean | null>
}

interface Search {
  readonly words: Signal<string>
  /** Rows with hits, in order; null before a search. */
  readonly hits: Signal<readonly number[] | null>
  readonly at: Signal<number>
  /** The row that shows the hit one is at: for a result that of its call; -1 for none. */
  readonly target: Signal<number>
}

/** A sentence about what was done, and what one may do next. */
interface Said {
  readonly words: string
  readonly action: { readonly label: string; readonly run: () => void } | null
  readonly link: { readonly label: string; readonly href: string } | null
}

/** What is told of a row in a dialog. */
interface RowDialog {
  readonly kind: 'why' | 'raw'
  readonly node: string
}

/** The state of a session that is still to be loaded. */
export function createSession(source: SessionSource): Session {
  const sheet = signal<Sheet | null>(null)
  const choice = signal<FoldChoice>(FIRST_CHOICE)
  const facts = computed(() => (sheet.value === null ? null : factsOf(sheet.value)))
  const opened = new Map<string, Signal<boolean | null>>()
  return {
    source,
    sheet,
    facts,
    failure: signal(null),
    labels: signal(new Map()),
    choice,
    view: computed(() =>
      sheet.value === null || facts.value === null ? null : viewOf(sheet.value, facts.value, choice.value),
    ),
    contents: createContents(source, () => sheet.peek()?.rows.node.length ?? 0),
    cursor: signal(-1),
    window: signal([0, 0]),
    marked: signal(-1),
    fresh: signal(0),
    search: { words: signal(''), hits: signal(null), at: signal(-1), target: signal(-1) },
    said: signal(null),
    dialog: signal(null),
    list: { current: null },
    opened: key => {
      const known = opened.get(key) ?? signal<boolean | null>(null)
      opened.set(key, known)
      return known
    },
  }
}

/** After an update, so many times the time that it took pass before the next: a large session must stay readable. */
const REST = 2

/** Loads the sheet, and what is new whenever the source says so. Returns what ends it. */
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
    }
    timer = setTimeout(rested, REST * (performance.now() - start))
  }
  function rested(): void {
    isBusy = false
    if (isMissed) void renew()
  }
  void renew()
  const unheard = session.source.onChange(() => void renew())
  return () => {
    clearTimeout(timer)
    unheard()
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

/** What cannot be asked for is left as it is: names are no reason to fail. */
async function takeLabels({ source, labels }: Session): Promise<void> {
  const given = await source.labels?.().catch(() => null)
  if (given != null) labels.value = new Map(given.map(label => [label.id, label]))
}

/** Goes to a row, opens all that it is in, and marks it for a moment. */
export function goTo(session: Session, row: number): void {
  const { sheet, choice, cursor, marked, view } = session
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
  batch(() => {
    cursor.value = shown
    marked.value = shown
    if (!isSame(next, before)) choice.value = next
  })
  session.list.current?.show(view.peek()?.placeOf(row) ?? 0, { align: 'start' })
  if (isOtherWay(known, before, next)) saySwitch(session, row, before)
}

/**
 * Goes to where ways part: to the first one there that was left, folded or not, below the switcher. The row before the
 * fork may be long, or one that the level of detail does not show: it is not what one looks for.
 */
export function goToFork(session: Session, fork: number): void {
  const [sheet, facts] = [session.sheet.peek(), session.facts.peek()]
  const known = sheet?.forks[fork]
  if (sheet === null || facts === null || known === undefined) return
  const before = session.choice.peek()
  const left = known.ways.find(way => facts.left[way] === true) ?? known.ways.find(way => way >= 0) ?? -1
  const head = sheet.lines[left]?.head ?? -1
  const next = { ...reveal(sheet, Math.max(0, known.row), before), level: before.level, liveOnly: false }
  batch(() => {
    session.cursor.value = head
    session.marked.value = head
    if (!isSame(next, before)) session.choice.value = next
  })
  session.list.current?.show(session.view.peek()?.placeOf(head) ?? 0, { align: 'start', room: SWITCHER })
}

/** Pixels for the switcher of a fork and the last lines before it. */
const SWITCHER = 130

function isOtherWay(sheet: Sheet, before: FoldChoice, after: FoldChoice): boolean {
  return [...after.ways].some(([fork, way]) => wayAt(sheet, fork, before) !== way)
}

/** A way that was changed above the window is not noticed: it is said, and can be taken back. */
function saySwitch(session: Session, row: number, before: FoldChoice): void {
  const [sheet, facts] = [session.sheet.peek(), session.facts.peek()]
  const isLeft = facts?.left[sheet?.rows.line[row] ?? -1] === true
  say(session, `You now read the ${isLeft ? 'abandoned' : 'live'} way, to show this.`, {
    label: 'Switch back',
    run: () => choose(session, before, session.cursor.peek()),
  })
}

/** Tells the reader something at the edge of the window, for a while. */
export function say(
  session: Session,
  words: string,
  action: Said['action'] = null,
  link: Said['link'] = null,
): void {
  session.said.value = { words, action, link }
}

/** Goes to the row of a uuid or of its beginning. False where the session has none. */
export function goToNode(session: Session, node: string): boolean {
  const facts = session.facts.peek()
  const exact = facts?.rowOf(node) ?? -1
  const row = exact >= 0 ? exact : (facts?.rowStarting(node) ?? -1)
  if (row >= 0) goTo(session, row)
  return row >= 0
}

/** The same for the address, which may name an entry that is elsewhere or nowhere: that is said. */
export function goToLink(session: Session, node: string): void {
  if (node === '' || goToNode(session, node)) return
  const short = node.slice(0, 40)
  say(session, `This session has no entry ${short}.`)
  const hrefOf = (other: string): string => `/s/${encodeURIComponent(other)}#${encodeURIComponent(node)}`
  session.source.placeOf?.(node).then(
    ({ session: other }) =>
      say(session, `This session has no entry ${short}: it is in another one.`, null, {
        label: 'Go there',
        href: hrefOf(other),
      }),
    () => {},
  )
}

/** Puts keys on a place of the list. */
export function moveTo(session: Session, place: number, align: 'start' | 'auto' = 'auto'): void {
  const row = session.view.peek()?.rows[place]
  if (row === undefined) return
  session.cursor.value = row.row
  session.list.current?.show(place, { align })
}

/** Changes what is shown, with a row staying where it is on the screen. */
export function choose(session: Session, change: Partial<FoldChoice>, anchor: number = -1): void {
  const view = session.view.peek()
  if (view !== null && anchor >= 0) session.list.current?.keep(view.placeOf(anchor))
  session.choice.value = { ...session.choice.peek(), ...change }
}

export function setLevel(session: Session, level: DetailLevel): void {
  choose(session, { level })
}

/** Takes another way at a fork; the reader stays at it. */
export function takeWay(session: Session, fork: number, way: number): void {
  const row = session.sheet.peek()?.forks[fork]?.row ?? -1
  const ways = new Map(session.choice.peek().ways).set(fork, way)
  choose(session, { ways, liveOnly: false }, row)
}

/** The way after or before the one that is taken. */
export function turnWay(session: Session, fork: number, by: 1 | -1): void {
  const sheet = session.sheet.peek()
  const count = sheet?.forks[fork]?.ways.length ?? 0
  if (sheet === null || count === 0) return
  takeWay(session, fork, (wayAt(sheet, fork, session.choice.peek()) + by + count) % count)
}

/** Opens a branch or agent in place, or closes it. What was opened out of sight is gone to. */
export function toggleLine(session: Session, key: number, anchor: number): void {
  const open = new Set(session.choice.peek().open)
  const isClosed = open.delete(key)
  if (!isClosed) open.add(key)
  choose(session, { open }, anchor)
  const head = session.sheet.peek()?.lines[key]?.head ?? -1
  const view = session.view.peek()
  if (isClosed || head < 0 || view === null) return
  const [first, last] = session.window.peek()
  const place = view.placeOf(head)
  if (place <= first || place > last) requestAnimationFrame(() => moveTo(session, place, 'start'))
}

/** Closes an agent and goes back to its call. */
export function closeAgent(session: Session, line: number, call: number): void {
  toggleLine(session, line, call)
  requestAnimationFrame(() => moveTo(session, session.view.peek()?.placeOf(call) ?? 0))
}

function isSame(a: FoldChoice, b: FoldChoice): boolean {
  return (
    a.level === b.level &&
    a.liveOnly === b.liveOnly &&
    sameItems([...a.open], [...b.open]) &&
    sameItems([...a.ways].flat(), [...b.ways].flat())
  )
}

function sameItems(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at])
}
