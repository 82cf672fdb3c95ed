/**
 * U3: REF on the command line: a uuid or a unique prefix of one, `SESSION:uuid`, the id of a branch or subagent as it is
 * printed anywhere, or a name.
 */

import { join } from 'node:path'
import { type EntryId, entriesIn, entryId, type Graph, type Line } from '@dagline/core'
import { shortId } from '@dagline/core/format'
import { hasArchive, type Label, namedSession } from '@dagline/store'
import { namedBy } from '../files/labels.js'
import { findProjects, nothingFound, type ProjectLocation } from '../files/projects.js'
import { findIds, type Scan } from '../files/scan.js'
import { noteUnread } from '../files/unread.js'
import { type LoadedProject, type LoadOptions, loadProject, meterOf } from '../graphs/project.js'
import { failUnread } from '../graphs/unread.js'
import type { Host, PushedFiles } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import { ambiguous } from '../text/ambiguous.js'
import { type AgentWord, agentWord } from './agent-word.js'
import { archivedEntry } from './archived.js'
import { ambiguousSessions, described } from './candidates.js'
import {
  type FoundSession,
  findSession,
  hintOf,
  isFile,
  isPath,
  isSessionWord,
  latestOfProject,
  NEAR,
  nearSessions,
  openSession,
  openSummarized,
  type SessionLocation,
  sessionIds,
  sortWords,
} from './session.js'

/** A node, and the project it is in. */
export interface FoundNode {
  readonly loaded: LoadedProject
  readonly node: number
  /** The branch or agent that was named, which begins with the node; null where an entry was. */
  readonly line: Line | null
}

/** More candidates than this are not looked into. */
const MOST = 32

/** Finds the node that a reference names, and reads its project. */
export function openRef(ref: string, host: Host, options: LoadOptions = {}): FoundNode {
  if (ref === '') throw new UserError('The REF is empty. Give a uuid, SESSION:uuid or the id of a branch.')
  const named = namedBy(ref, host)
  if (named !== null) return openNamed(named, host, options)
  const line = lineForm(ref, host)
  if (line !== null) return firstOf(openLine(line.session, line.end, host, options))
  const colon = isFile(ref) ? -1 : ref.lastIndexOf(':')
  return colon > 0 ? openInSession(ref, colon, host, options) : openAnywhere(ref, host, options)
}

/** What has a name: its line begins at a node, an entry is one. */
function openNamed({ kind, id, session, name }: Label, host: Host, options: LoadOptions = {}): FoundNode {
  if (kind === 'session')
    throw new UserError(
      `${name} is a session, not an entry. Give an entry of it (${name}:UUID), or use the name as a SESSION.`,
    )
  if (kind === 'entry') return openInSession(`${session}:${id}`, session.length, host, options)
  return firstOf(openLine(session, id.slice(session.length), host, options))
}

/** A branch or agent: a line that is never empty. */
type NamedLine = Line & { readonly head: number }

/** A branch or agent that was found. */
interface FoundLine extends FoundSession {
  readonly line: NamedLine
}

/** A branch or agent of a session, by the end of its id: `@uuid`, `#agent-id`. */
export function openLine(word: string, end: string, host: Host, options: LoadOptions = {}): FoundLine {
  return withLine(openSession(word, host, options), end)
}

function withLine(found: FoundSession, end: string): FoundLine {
  return { ...found, line: findLine(found.loaded.graph, `${found.session.id}${end}`) }
}

function firstOf({ loaded, line }: FoundLine): FoundNode {
  return { loaded, node: line.head, line }
}

/** The session of a branch or subagent, and the end of its id: `@uuid`, `#agent-id`. */
interface LineForm {
  readonly session: string
  readonly end: string
}

/**
 * U3: what a word says of a branch or subagent: `SESSION@uuid`, `@uuid`, `SESSION#agent-id`, `SESSION#id`, `#id`,
 * `agent-id`, or the id of a subagent that has a transcript. Null for all other words.
 */
export function lineForm(word: string, host: Host): LineForm | null {
  if (isFile(word) || namedBy(word, host) !== null) return null
  const [, session = '', end] = /^(.*?)(#agent-.*|#[^#@/\\]+|@[^@/\\]+)$/s.exec(word) ?? []
  if (session !== '' && end !== undefined) return { session, end: end.replace(/^#(?:agent-)?/, '#agent-') }
  if (end?.startsWith('@')) return ownerOfBranch(end, host)
  const agent = agentWord(word)
  if (agent === null || (!agent.isMarked && isSessionStart(word, host))) return null
  const owner = ownerOfAgent(agent, host)
  return owner === null && agent.isMarked ? noLine(word) : owner
}

function isSessionStart(word: string, host: Host): boolean {
  return sessionIds(host).some(id => id.startsWith(word))
}

/** The branch that begins with an entry. */
function ownerOfBranch(end: string, host: Host): LineForm {
  const { loaded, node } = openAnywhere(end.slice(1), host)
  return { session: loaded.graph.lineOf(node)?.domain.session ?? loaded.graph.node(node).session, end }
}

/** A subagent by the name of its transcript. */
function ownerOfAgent({ id, matches }: AgentWord, host: Host): LineForm | null {
  const found = findProjects([], host).flatMap(({ root, project }) =>
    project.files.flatMap(({ kind, agent, session, path }) =>
      kind === 'agent' && agent !== null && matches(agent)
        ? [{ agent, session, path: join(root, path) }]
        : [],
    ),
  )
  const agents = [...new Set(found.map(({ agent }) => agent))]
  const [first] = found
  if (agents.length > 1 && !agents.some(agent => agent === id))
    throw new UserError(ambiguous(id, agents, 'subagents'), 'ambiguous')
  if (first === undefined) return null
  const { session, path } = found.find(({ agent }) => agent === id) ?? first
  const owner = session ?? sessionAt(path)
  return owner === null ? null : { session: owner, end: `#agent-${agents.length > 1 ? id : first.agent}` }
}

function sessionAt(path: string): string | null {
  try {
    return namedSession(path)
  } catch {
    return null
  }
}

function noLine(word: string): never {
  throw new UserError(
    `No subagent is called ${word}. Run \`dagline agents SESSION\` to list those of a session.`,
    'no-line',
  )
}

/** U3: a word for a session: that of a branch, subagent or entry where one of these is named, which is noted. */
export function sessionWordOf(word: string, host: Host): string {
  if (word === '' || isSessionWord(word) || namedBy(word, host) !== null || isSessionStart(word, host))
    return word
  const session = lineForm(word, host)?.session ?? ownerOfEntry(word, host)?.session ?? null
  if (session === null) return word
  host.note(wholeSession(word, session))
  return session
}

/** The id of the session that a word names. The transcript of a subagent stands for the session that it is of. */
export function sessionIdOf(word: string, host: Host): string {
  if (host.pushed !== undefined) return pushedId(word, host, host.pushed)
  const { root, file, id } = findSession(sessionWordOf(word, host), host)
  if (id !== null) return id
  const owner = file === null ? null : sessionAt(join(root, file.path))
  if (owner === null) throw new UserError(`${word} does not name its session. Give the id of a session.`)
  host.note(wholeSession(word, owner))
  return owner
}

function pushedId(word: string, host: Host, { idOf }: PushedFiles): string {
  const session = idOf(word)
  if (word !== 'latest' && !session.startsWith(word)) host.note(wholeSession(word, session))
  return session
}

function wholeSession(word: string, session: string): string {
  return `${word} is a part of session ${session}; the whole session is taken.`
}

/** Whether a word has the form `SESSION:uuid`. */
export function isEntryForm(word: string): boolean {
  return /^[^/\\]+:/.test(word) && !isFile(word)
}

/** An entry with its session; null where the word names none. */
function ownerOfEntry(word: string, host: Host): { readonly session: string; readonly id: EntryId } | null {
  if (!/^(?:[^/\\]+:)?[0-9a-f][0-9a-f-]{3,}$/i.test(word)) return null
  try {
    const { loaded, node } = openRef(word, host)
    const { id, session } = loaded.graph.node(node)
    return { id, session: loaded.graph.lineOf(node)?.domain.session ?? session }
  } catch (error) {
    if (error instanceof UserError) return null
    throw error
  }
}

/**
 * Where sessions, projects and paths are asked for: a path as it is, of a session the path of its transcript, and of a
 * project those of its folders.
 */
export function pathsOf(words: readonly string[], host: Host): readonly string[] {
  const { scope, folders, sessions } = sortWords(words, host)
  return [...(scope?.folders ?? []), ...folders, ...sessions.map(word => transcriptOf(word, host))]
}

/** The ids of sessions, where all words name one and none by its path; else null. A path means that file alone. */
export function sessionsNamed(words: readonly string[], host: Host): ReadonlySet<string> | null {
  const { scope, folders, sessions } = sortWords(words, host)
  if (host.pushed !== undefined && scope !== null && sessions.length > 0)
    throw new UserError(`${scope.title} names projects and sessions. Give one kind of them with --hub.`)
  if (sessions.length === 0 || scope !== null || folders.length > 0) return null
  if (host.pushed === undefined && sessions.some(isPath)) return null
  return new Set(sessions.map(word => sessionIn(word, host) ?? word))
}

function sessionIn(word: string, host: Host): string | null {
  return host.pushed === undefined ? sessionCalled(word, host).id : sessionIdOf(word, host)
}

/** The transcript of a session; where there is none, a folder or project may have been mistyped. */
function transcriptOf(word: string, host: Host): string {
  if (isPath(word)) return word
  const { root, project, file } = sessionCalled(word, host)
  return join(root, file?.path ?? project.path)
}

/** Finds the session of a word that could also have been meant for a project or a path. */
function sessionCalled(word: string, host: Host): SessionLocation {
  try {
    return findSession(sessionWordOf(word, host), host)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    if (error.code !== 'no-session') throw error
    throw new UserError(
      `No session, project, file or folder is called ${word}${hintOf(nearSessions(word, host))}. Run \`dagline ls --everywhere\` to list them.`,
    )
  }
}

/** How a conversation is read. */
export interface ConversationOptions extends LoadOptions {
  /** The entries that will be listed. They are summarized while their rows are parsed, so that no row is parsed again. */
  readonly summaries?: 'session' | 'project'
}

/** A session, a branch or subagent of one, or the line that an entry is on. */
export function openConversation(
  word: string,
  host: Host,
  { summaries, ...options }: ConversationOptions = {},
): FoundSession {
  const open = (name: string): FoundSession =>
    summaries === undefined ? openSession(name, host, options) : openSummarized(name, host, summaries)
  const line = lineForm(word, host)
  if (line !== null) return withLine(open(line.session), line.end)
  if (word === '' || isSessionWord(word) || namedBy(word, host) !== null || isSessionStart(word, host))
    return open(word)
  const entry = ownerOfEntry(word, host)
  if (entry !== null) return atEntry(open(entry.session), entry.id)
  // Says what is missing, the session or its entry.
  if (isEntryForm(word)) openRef(word, host)
  return open(latestOfProject(word, host) ?? word)
}

/** The conversation on the line of an entry. */
function atEntry(found: FoundSession, id: EntryId): FoundSession {
  const { graph } = found.loaded
  const node = graph.index(id)
  const line = node === null ? null : graph.lineOf(node)
  const isOnTheWay =
    line === null || line.kind === 'trunk' || (line.kind === 'branch' && line.status === 'live')
  return { ...found, entry: node, ...(isOnTheWay ? {} : { line }) }
}

/** Tells whoever asks for a conversation and names an entry of it how to see the entry alone. */
export function noteEntry(found: FoundSession, host: Host): FoundSession {
  const { entry = null, session, loaded } = found
  if (entry !== null) {
    const name = shortId(loaded.graph.id(entry))
    host.note(
      `${name} is an entry of ${shortId(session.id)}. Run \`dagline show ${name}\` to print it alone.`,
    )
  }
  return found
}

/** The line of an id, or of a unique beginning of one; a branch also by the first characters of its first uuid. */
export function findLine(graph: Graph, ref: string): NamedLine {
  const lines = graph.lines().filter((line): line is NamedLine => line.kind !== 'trunk' && line.head !== null)
  const start = ref.replace(/^@/, '')
  const found = firstSome(
    () => lines.filter(line => line.id === ref),
    () => lines.filter(line => line.id.startsWith(ref)),
    () => lines.filter(line => graph.id(line.head).startsWith(start)),
    () => lines.filter(isAgentBeside(graph, ref)),
  )
  const [only] = found
  if (found.length > 1)
    throw new UserError(
      ambiguous(
        ref,
        found.map(line => line.id),
        'branches',
      ),
    )
  if (only === undefined) {
    throw new UserError(
      `No branch or subagent is called ${ref}. Run \`dagline branches SESSION\` or \`dagline agents SESSION\` to list them.`,
      'no-line',
    )
  }
  return only
}

/** What the first search that finds anything returns. */
function firstSome<T>(...searches: readonly (() => readonly T[])[]): readonly T[] {
  for (const find of searches) {
    const found = find()
    if (found.length > 0) return found
  }
  return []
}

/** An agent by `SESSION#agent-id` of a copy: its transcript lies beside that one, too, though another session started it. */
function isAgentBeside(graph: Graph, ref: string): (line: Line) => boolean {
  const [, session, start] = /^(.*)#agent-(.*)$/.exec(ref) ?? []
  if (session === undefined || start === undefined) return () => false
  const beside = graph.files().filter(({ facts }) => session === '' || facts.session === session)
  const agents = new Set<string>(beside.flatMap(({ facts }) => facts.agent ?? []))
  return ({ domain: { agent } }) => agent?.startsWith(start) === true && agents.has(agent)
}

function openInSession(ref: string, colon: number, host: Host, options: LoadOptions = {}): FoundNode {
  const { loaded, session } = openSession(ref.slice(0, colon), host, options)
  const { graph } = loaded
  const prefix = ref.slice(colon + 1)
  if (prefix === '')
    throw new UserError(
      `${ref} has no uuid after the colon. Run \`dagline log ${ref.slice(0, colon)} --ids\` to list the uuids.`,
    )
  const files = new Set(session.files.map(({ facts }) => facts.path))
  const all = graph.files().filter(({ facts }) => files.has(facts.path))
  const beginning = (start: string): readonly string[] => [
    ...new Set(
      all.flatMap(file =>
        entriesIn(file)
          .filter(node => graph.id(node).startsWith(start))
          .map(node => graph.id(node)),
      ),
    ),
  ]
  const found = beginning(prefix)
  const node = graph.index(entryId(found[0] ?? ''))
  if (found.length > 1) throw new UserError(ambiguous(ref, found, 'entries'))
  if (node === null) {
    const name = shortId(session.id)
    const near = prefix.length > NEAR ? beginning(prefix.slice(0, NEAR)).slice(0, 4) : []
    throw new UserError(
      `No entry of ${name} begins with ${prefix}${hintOf(near)}. Run \`dagline log ${name} --ids\` to list them.`,
    )
  }
  return { loaded, node, line: null }
}

function openAnywhere(ref: string, host: Host, options: LoadOptions = {}): FoundNode {
  const locations = findProjects([], host)
  if (locations.length === 0 && !hasArchive()) throw new UserError(nothingFound([], host))
  const onDisk = scanIds(locations, ref, host)
  const hits = onDisk.size > 0 ? onDisk : scanIds(archivedEntry(ref, host), ref, host)

  if (hits.size > MOST) throw new UserError(ambiguous(ref, [...hits.keys()], 'entries'))
  const loaded = new Map<unknown, LoadedProject>()
  const meter = meterOf(host)
  for (const location of [...hits.values()].flatMap(seen => [...seen])) {
    if (!loaded.has(location)) loaded.set(location, loadProject(location, meter, options))
  }
  meter.done()
  // Uuids also stand inside of other rows; only entries count.
  const homeOf = (id: string): LoadedProject | undefined =>
    [...loaded.values()].find(({ graph }) => graph.index(entryId(id)) !== null)
  const ids = (hits.has(ref) ? [ref] : [...hits.keys()]).filter(id => homeOf(id) !== undefined)
  const id = onlyOne(ref, ids, host, each => entryText(homeOf(each), each))
  const home = homeOf(id)
  const node = home?.graph.index(entryId(id)) ?? null
  if (home === undefined || node === null) throw new UserError(missing(ref, host))
  failUnread(host, home, path => path === home.graph.node(node).file)
  return { loaded: home, node, line: null }
}

/** When an entry was written, and how it begins. */
function entryText(home: LoadedProject | undefined, id: string): string {
  const node = home?.graph.index(entryId(id)) ?? null
  if (home === undefined || node === null) return ''
  const { time, head } = home.graph.node(node)
  return described(time, head ?? '')
}

function onlyOne(ref: string, ids: readonly string[], host: Host, describe: (id: string) => string): string {
  const [id] = ids
  if (ids.length > 1) throw new UserError(ambiguous(ref, ids, 'entries', describe), 'ambiguous')
  if (id === undefined) throw new UserError(missing(ref, host))
  return id
}

function missing(ref: string, host: Host): string {
  if (isFile(ref) || namesSession(ref, host))
    return `${ref} is a session, not an entry. Run \`dagline log ${ref}\` to print it with the ids of its prompts.`
  const sessions = sessionIds(host).filter(id => id.startsWith(ref))
  if (sessions.length > 1) return ambiguousSessions(ref, sessions).message
  const near = [...nearSessions(ref, host).map(id => `session ${id}`), ...nearIds(ref, host)]
  return `No session, branch, subagent or entry is called ${ref}${hintOf(near)}. Run \`dagline ls --everywhere\` to list the sessions, or \`dagline log SESSION --ids\` for the entries of one.`
}

/** Candidates for a uuid that was mistyped, or is another's: those that begin as it does. */
function nearIds(id: string, host: Host): readonly string[] {
  if (id.length <= NEAR) return []
  return [...scanIds(findProjects([], host), id.slice(0, NEAR), host).keys()].slice(0, 4)
}

/** Uuids that begin so. Files that could not be searched are noted. */
function scanIds(locations: readonly ProjectLocation[], start: string, host: Host): Scan['hits'] {
  const { hits, unread } = findIds(locations, 'uuid', start, host)
  noteUnread(host, unread)
  return hits
}

/** Whether a word names a session. */
export function namesSession(word: string, host: Host): boolean {
  try {
    return findSession(word, host).id !== null
  } catch (error) {
    if (error instanceof UserError) return false
    throw error
  }
}
