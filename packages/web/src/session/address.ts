/**
 * V4: the address of the session page holds what its reader sees: an entry, the words of the search, the level of detail, the
 * branches chosen at forks, and what is opened. Lines are named by the ends of their ids, which outlive updates.
 */
import type { Sheet } from '@dagline/core/protocol'
import { type DetailLevel, FIRST_CHOICE, type FoldChoice, tailKey } from '@dagline/core/view'
import type { Session } from './state.js'

/** What an address leads to. */
export interface Place {
  /** The uuid of an entry or a prefix of one; empty for none. */
  readonly at: string
  /** The words to search for; empty for none. */
  readonly find: string
  /** What is shown; null leaves it as it is. */
  readonly shown: ShownNames | null
}

interface ShownNames {
  readonly level: DetailLevel
  readonly isLiveOnly: boolean
  /** The branches chosen at forks, and the branches and subagents that are opened, by their names. */
  readonly branches: readonly string[]
  readonly open: readonly string[]
}

const LEVELS: readonly DetailLevel[] = ['prompts', 'conversation', 'tools', 'all']

/** Parses the query and the fragment of an address. A fragment is a jump within what is shown. */
export function parsePlace(query: URLSearchParams, hash: string): Place {
  if (hash !== '') return { at: hash, find: '', shown: null }
  return {
    at: query.get('at') ?? '',
    find: query.get('find') ?? '',
    shown: {
      level: LEVELS.find(level => level === query.get('level')) ?? FIRST_CHOICE.level,
      isLiveOnly: query.has('live'),
      branches: query.getAll('branch'),
      open: query.getAll('open'),
    },
  }
}

/** The query of an address; empty where nothing differs from how a session opens. */
export function placeQuery({ at, find, shown }: Place): string {
  const query = new URLSearchParams()
  if (at !== '') query.set('at', at)
  if (find !== '') query.set('find', find)
  if (shown !== null && shown.level !== FIRST_CHOICE.level) query.set('level', shown.level)
  if (shown?.isLiveOnly === true) query.set('live', '1')
  for (const name of shown?.branches ?? []) query.append('branch', name)
  for (const name of shown?.open ?? []) query.append('open', name)
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

/** What is shown, by names. */
export function nameChoice(sheet: Sheet, { level, liveOnly, branches, open }: FoldChoice): ShownNames {
  const lineName = (key: number): string =>
    key < sheet.lines.length ? endOf(sheet.lines[key]?.id ?? '') : tailName(sheet, key - tailKey(sheet, 0))
  return {
    level,
    isLiveOnly: liveOnly,
    branches: [...branches].map(([fork, branch]) => {
      const line = sheet.forks[fork]?.branches[branch] ?? -1
      return line < 0 ? tailName(sheet, fork) : lineName(line)
    }),
    open: [...open].map(lineName),
  }
}

/** The choice that names stand for. Names that the session does not have are left out. */
export function choiceOf(sheet: Sheet, { level, isLiveOnly, branches, open }: ShownNames): FoldChoice {
  const lines = new Map(sheet.lines.map(({ id }, line) => [endOf(id), line]))
  const tails = new Map(sheet.forks.map((_, fork) => [tailName(sheet, fork), fork]))
  const chosen = branches.flatMap(name => {
    const line = lines.get(name) ?? -1
    const fork = tails.get(name) ?? sheet.forks.findIndex(each => line >= 0 && each.branches.includes(line))
    const branch = sheet.forks[fork]?.branches.indexOf(line) ?? -1
    return branch < 0 ? [] : [[fork, branch] as const]
  })
  const opened = open.flatMap(name => {
    const tail = tails.get(name)
    return lines.get(name) ?? (tail === undefined ? [] : tailKey(sheet, tail))
  })
  return { level, liveOnly: isLiveOnly, branches: new Map(chosen), open: new Set(opened) }
}

/** A line without its session: `1f0c2d4b6a8e` of `SESSION@1f0c2d4b6a8e`. The trunk is named by its session. */
function endOf(id: string): string {
  return id.slice(id.search(/[@#]/) + 1)
}

/** What continues on its own line after a fork. */
function tailName({ forks, rows }: Sheet, fork: number): string {
  return `after-${rows.node[forks[fork]?.row ?? -1] ?? 'start'}`
}

/** Where the reader is: the entry that keys act on while it is visible, else the first visible one. */
export function currentPlace(session: Session): Place {
  const view = session.view.peek()
  const [first, last] = session.window.peek()
  const cursor = session.cursor.peek()
  const index = view === null || cursor < 0 ? -1 : view.shownAt(cursor)
  const isVisible = index >= first && index <= last
  const top = first === 0 ? -1 : (view?.rows[first]?.row ?? -1)
  return placeAt(session, isVisible ? cursor : top)
}

/** The place of a row, with what is shown now; -1 for none in particular. */
function placeAt({ sheet, choice, search }: Session, row: number): Place {
  const known = sheet.peek()
  return {
    at: known?.rows.node[row] ?? '',
    find: search.words.peek().trim(),
    shown: known === null ? null : nameChoice(known, choice.peek()),
  }
}

/** A link to a row, as others can open it. */
export function linkTo(session: Session, row: number): string {
  return new URL(session.source.addressOf({ ...placeAt(session, row), find: '' }), location.href).href
}
