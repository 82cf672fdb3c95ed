/** S1-S4: sessions, where they attach to each other, and what they are called. */
import { compareText, groupBy, pushTo } from '../model/group.js'
import type { SessionId } from '../model/ids.js'
import { plainHead } from '../model/prompt-words.js'
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
import { turnStarts } from './turns.js'

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
  const index: SessionIndex = {
    titles: summaryTitles(state),
    files: filesBySession(state),
    agentFiles: agentFiles(state),
  }
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
  readonly agentFiles: ReadonlyMap<string, readonly number[]>
}

/** S8: the files of subagents by the session that their entries name: it may have no other file left. */
function agentFiles({ domains }: State): ReadonlyMap<string, readonly number[]> {
  const files = new Map<string, number[]>()
  for (const domain of domains.list)
    if (domain.kind === 'agent') for (const file of domain.files) pushTo(files, domain.session, file)
  return files
}

function filesBySession(state: State): ReadonlyMap<string, readonly OpenFile[]> {
  const files = filesInOrder(state).filter(({ facts }) => facts.session !== null && facts.kind !== 'other')
  return groupBy(files, ({ facts }) => facts.session ?? '')
}

function describe(state: State, id: SessionId, known: SessionIndex): Session {
  const domain = domainOfSession(state, id)
  const files = known.files.get(id) ?? filesAmong(state, domain?.files ?? known.agentFiles.get(id) ?? [])
  const home = files.find(({ facts }) => facts.kind === 'session')
  const title = titleOf(state, files, domain, known.titles.get(titleKey(home, id)) ?? null)
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

/** Summaries name the conversation that ends in their leaf, in any file of its folder, by folder and session. */
function summaryTitles(state: State): ReadonlyMap<string, string> {
  const titles = new Map<string, string>()
  for (const file of filesInOrder(state)) {
    for (const { leaf, title } of file.titles) {
      const node = leaf === null || NOTICE.test(title) ? t.none : sightingOf(state, leaf)
      if (node === t.none) continue
      titles.set(titleKey(file, sessionOf(state, t.int(state.table.owner, node))), title)
    }
  }
  return titles
}

/** Of a session that could not begin, the summary is the notice of the failed request: it tells nothing apart. */
const NOTICE = /^(?:API Error\b|Invalid API key\b|Credit balance is too low|Please run \/login)/

/** Claude Code looks for summaries in the folder of the session, and so does a reader of that project alone. */
function titleKey(file: OpenFile | undefined, session: string): string {
  const { path = '' } = file?.facts ?? {}
  return `${path.slice(0, path.lastIndexOf('/') + 1)} ${session}`
}

/** S4: the title of its own file, then custom title, AI title, summary, and the words of the first turn. */
function titleOf(
  state: State,
  files: readonly OpenFile[],
  domain: Domain | null,
  summary: string | null,
): string | null {
  const transcripts = files.filter(file => file.facts.kind === 'session')
  const notes = transcripts.flatMap(file => file.titles)
  const last = (by: string): string | null => notes.findLast(note => note.by === by)?.title ?? null
  const given = transcripts.findLast(({ facts }) => facts.title != null)?.facts.title
  return given ?? last('custom') ?? last('ai') ?? summary ?? firstWordsOf(state, files, domain)
}

/** The words of the first turn; of a command only where there is none. A session of subagents alone has theirs. */
function firstWordsOf(state: State, files: readonly OpenFile[], domain: Domain | null): string | null {
  const { entries } = state.table
  const wordsOf = (node: number): string => {
    const entry = entries[node]
    return entry?.kind === 'user' ? plainHead(entry.text?.head ?? '') : ''
  }
  let [warmup, command]: (string | null)[] = [null, null]
  for (const node of turnStarts(state, ownNodes(state, files, domain))) {
    const words = wordsOf(node)
    if (words !== '' && words !== 'Warmup') return words
    warmup ??= words || null
  }
  for (const node of ownNodes(state, files, domain))
    if (t.byte(state.table.says, node) === t.SaysCommand) command ??= wordsOf(node) || null
  return warmup ?? command ?? null
}

function* ownNodes({ table }: State, files: readonly OpenFile[], domain: Domain | null): Generator<number> {
  for (const file of files) {
    if (domain !== null && file.facts.kind !== 'session') continue
    for (const node of file.nodes) if (domain === null || !t.marked(table, node, t.Sidechain)) yield node
  }
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
