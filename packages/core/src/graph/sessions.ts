/** S1-S4: sessions, where they attach to each other, and what they are called. */
import { compareText, groupBy } from '../model/group.js'
import type { SessionId } from '../model/ids.js'
import { originalOf } from './copies.js'
import { type Domain, domainOfSession } from './domains.js'
import type { FileRecord, OpenFile } from './file-record.js'
import {
  addTime,
  compareTimes,
  emptyRange,
  filesAmong,
  filesInOrder,
  homeAmong,
  type TimeRange,
} from './order.js'
import { sessionOf, sightingOf } from './sightings.js'
import type { State } from './state.js'
import * as t from './table.js'

/** How a session goes on from another one. */
export type SessionLinkKind = 'resume' | 'fork' | 'branch' | 'background' | 'unknown'

/** A session, its files, and the session it goes on from. */
export interface Session {
  readonly id: SessionId
  /** Its main conversation; null where it has no entry of its own. */
  readonly domain: Domain | null
  readonly files: readonly FileRecord[]
  /** The times of its first and last entries, in milliseconds since 1970; null where no entry has a time. */
  readonly first: number | null
  readonly last: number | null
  readonly title: string | null
  /** The session and node that it goes on from; null for a session that begins by itself. */
  readonly parent: { readonly session: SessionId; readonly at: number; readonly how: SessionLinkKind } | null
}

/** All sessions, by their first time. */
export function findSessions(state: State): readonly Session[] {
  const index: SessionIndex = { titles: summaryTitles(state), files: filesBySession(state) }
  const sessions = state.sessions.list.map(session => describe(state, session, index)).filter(isSeen)
  return sessions.sort((a, b) => compareTimes(a.first, b.first) || compareText(a.id, b.id))
}

function isSeen(session: Session): boolean {
  return session.files.length > 0
}

/** What is looked up for every session. */
interface SessionIndex {
  readonly titles: ReadonlyMap<string, string>
  readonly files: ReadonlyMap<string, readonly OpenFile[]>
}

function filesBySession(state: State): ReadonlyMap<string, readonly OpenFile[]> {
  const files = filesInOrder(state).filter(({ facts }) => facts.session !== null && facts.kind !== 'other')
  return groupBy(files, ({ facts }) => facts.session ?? '')
}

function describe(state: State, id: SessionId, known: SessionIndex): Session {
  const domain = domainOfSession(state, id)
  const files = known.files.get(id) ?? filesAmong(state, domain?.files ?? [])
  const title = titleOf(state, files, domain, known.titles.get(id) ?? null)
  return { id, domain, files, ...timesOf(state, files), title, parent: parentOf(state, id, domain, files) }
}

function timesOf({ table }: State, files: readonly OpenFile[]): TimeRange {
  const range = emptyRange()
  for (const { nodes } of files) for (const node of nodes) addTime(range, t.real(table.time, node))
  return range
}

/** S1: where the session's first entry of its own leaves it. */
function parentOf(
  state: State,
  session: SessionId,
  domain: Domain | null,
  files: readonly OpenFile[],
): Session['parent'] {
  const { table } = state
  const home = homeAmong(files, session)
  const root = domain?.roots.find(node => t.int(table.up, node) !== t.none) ?? t.none
  const at = root === t.none ? lastForeign(state, session, domain, home) : t.int(table.up, root)
  // F8: a 1.0.x process has one caveat with one uuid; sessions that share only it were cleared, not forked.
  if (at === t.none || t.byte(table.says, at) === t.SaysCaveat) return null
  const owner = sessionOf(state, at)
  return owner === session ? null : { session: owner, at, how: attachmentOf(state, root, home) }
}

/** A session without any entry of its own, or with one put before the others, is a copy: it attaches where its file ends. */
function lastForeign(state: State, session: SessionId, domain: Domain | null, home: OpenFile | null): number {
  const last = home?.nodes.at(-1)
  const hasOwn = domain !== null && domain.roots.length > 0
  if (home === null || last === undefined || (hasOwn && !home.stamped)) return t.none
  const original = originalOf(state.table, last)
  return sessionOf(state, original) === session ? t.none : original
}

function attachmentOf(state: State, root: number, home: OpenFile | null): SessionLinkKind {
  const { table } = state
  if (home === null) return 'unknown'
  if (home.background) return 'background'
  const shared = home.nodes.some(node => t.int(table.owner, node) !== node)
  if (shared) return home.stamped ? 'branch' : 'fork'
  if (home.stamped) return 'fork'
  return root === t.none ? 'unknown' : 'resume'
}

/** Summaries name the conversation that ends in their leaf, wherever the summary stands. */
function summaryTitles(state: State): ReadonlyMap<string, string> {
  const titles = new Map<string, string>()
  for (const file of filesInOrder(state)) {
    for (const title of file.titles) {
      const leaf = title.leaf === null ? t.none : sightingOf(state, title.leaf)
      if (leaf !== t.none) titles.set(sessionOf(state, t.int(state.table.owner, leaf)), title.title)
    }
  }
  return titles
}

/** S4: custom title, then AI title, then summary, then the first real prompt. */
function titleOf(
  state: State,
  files: readonly OpenFile[],
  domain: Domain | null,
  summary: string | null,
): string | null {
  const notes = files.filter(file => file.facts.kind === 'session').flatMap(file => file.titles)
  const last = (by: string): string | null => notes.findLast(note => note.by === by)?.title ?? null
  return last('custom') ?? last('ai') ?? summary ?? firstPromptOf(state, files, domain)
}

/** The first typed prompt; a command only where there is none. */
function firstPromptOf(state: State, files: readonly OpenFile[], domain: Domain | null): string | null {
  let command: string | null = null
  for (const file of files) {
    if (domain !== null && file.facts.kind !== 'session') continue
    for (const node of file.nodes) {
      const entry = state.table.entries[node]
      if (entry?.kind !== 'user' || entry.sidechain) continue
      const head = plainHead(entry.text?.head ?? '')
      if (head === '') continue
      if (entry.says === 'prompt') return head
      if (entry.says === 'command') command ??= head
    }
  }
  return command
}

/** The beginning of a prompt as it was typed, on one line: a command without its tags, such as `/compact` or `!ls`. */
export function plainHead(head: string): string {
  const command = /<command-name>\s*(\/?[^<\s]+)/.exec(head)?.[1]
  const bash = /<bash-input>([^<]*)/.exec(head)?.[1]
  return (command ?? (bash === undefined ? head : `!${bash}`)).replace(/\s+/g, ' ').trim()
}

/**
 * The entries of a file that carry another id than its session's, and are its own. Forked and resumed copies keep the
 * ids of their origin: those stand in another file, too, or say where they come from.
 */
export function foreignEntries(state: State, file: FileRecord, session: string): readonly number[] {
  const { table } = state
  return file.nodes.filter(
    node =>
      sessionOf(state, node) !== session &&
      !state.shared.has(t.idOf(table, node)) &&
      !t.marked(table, node, t.Stamped) &&
      t.int(table.copyOf, node) === t.none,
  )
}
