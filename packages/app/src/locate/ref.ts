/** REF on the command line: a uuid or a unique prefix of one, `SESSION:uuid`, the id of a branch or agent line, or a name. */

import { existsSync } from 'node:fs'
import { entriesIn, entryId, type Graph, type Line } from '@dagline/core'
import { shortId } from '@dagline/core/format'
import { archivePath, type Label } from '@dagline/store'
import { namedBy } from '../files/labels.js'
import { findProjects, nothingFound, type ProjectLocation } from '../files/projects.js'
import { findIds, type Scan } from '../files/scan.js'
import { noteUnread } from '../files/unread.js'
import { type LoadedProject, type LoadOptions, loadProject, meterOf } from '../graphs/project.js'
import { failUnread } from '../graphs/unread.js'
import type { Host } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import { ambiguous } from '../text/ambiguous.js'
import { archivedEntry } from './archived.js'
import {
  type FoundSession,
  findSession,
  hintOf,
  isFile,
  LINE,
  NEAR,
  nearSessions,
  openSession,
  openSummarized,
  sessionIds,
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
  const line = isFile(ref) ? null : LINE.exec(ref)
  if (line?.[1] !== undefined) return firstOf(openLine(line[1], line[2] ?? '', host, options))
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

/** How a conversation is read. */
export interface ConversationOptions extends LoadOptions {
  /** The entries that will be listed. They are summarized while their rows are parsed, so that no row is parsed again. */
  readonly summaries?: 'session' | 'project'
}

/** A session, or a branch or agent of one by the id of its line. */
export function openConversation(
  word: string,
  host: Host,
  { summaries, ...options }: ConversationOptions = {},
): FoundSession {
  const [, session, end = ''] = (isFile(word) ? null : LINE.exec(word)) ?? []
  const name = session ?? word
  const found =
    summaries === undefined ? openSession(name, host, options) : openSummarized(name, host, summaries)
  return session === undefined ? found : withLine(found, end)
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
      `No branch or subagent is called ${ref}. Run \`dagline branches SESSION\` to list the branches.`,
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
  if (locations.length === 0 && !existsSync(archivePath())) throw new UserError(nothingFound([], host))
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
  const id = onlyOne(ref, ids, host)
  const home = homeOf(id)
  const node = home?.graph.index(entryId(id)) ?? null
  if (home === undefined || node === null) throw new UserError(missing(ref, host))
  failUnread(host, home, path => path === home.graph.node(node).file)
  return { loaded: home, node, line: null }
}

function onlyOne(ref: string, ids: readonly string[], host: Host): string {
  const [id] = ids
  if (ids.length > 1) throw new UserError(ambiguous(ref, ids, 'entries'))
  if (id === undefined) throw new UserError(missing(ref, host))
  return id
}

function missing(ref: string, host: Host): string {
  if (isFile(ref) || namesSession(ref, host))
    return `${ref} is a session, not an entry. Run \`dagline log ${ref}\` to print it with the ids of its prompts.`
  const sessions = sessionIds(host).filter(id => id.startsWith(ref))
  if (sessions.length > 1) return ambiguous(ref, sessions, 'sessions')
  const near = [...nearSessions(ref, host).map(id => `session ${id}`), ...nearIds(ref, host)]
  return `No entry begins with ${ref}${hintOf(near)}. Run \`dagline log SESSION --ids\` to list those of a session.`
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
