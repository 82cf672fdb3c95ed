/** A session that is being written: its files are looked at again and again, and what is new joins the graph. */
import { readdirSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import {
  type Diagnostic,
  entriesIn,
  type FileFacts,
  fileId,
  type Graph,
  type GraphBuilder,
  type ParsedRow,
  type SeeRecord,
  startGraph,
} from '@dagline/core'
import { groupBy } from '@dagline/core/model'
import {
  changeOf,
  discover,
  type FileState,
  failureOf,
  isReadFailure,
  namedSession,
  parseTranscript,
  stateOf,
} from '@dagline/store'
import { type Summaries, takeSummaries } from '../contents/summaries.js'
import type { ProjectLocation } from '../files/projects.js'

/** What a look at the files brought. */
export interface Batch {
  /** The graph with everything that is there; the one before must not be asked any more. */
  readonly graph: Graph
  /** Entries that were not there before: those of a file in the order of rows, files interleaved by time. */
  readonly nodes: readonly number[]
  /** Messages about what happened to files. */
  readonly notes: readonly string[]
  /** Files and folders that could not be read; paths are below the root of the location. */
  readonly unread: readonly Diagnostic[]
  /** Of the entries whose rows were parsed in this look. */
  readonly summaries: Summaries
}

/** A session that is followed. */
export interface Follow {
  /** Looks at the files. Null where nothing is new. With `isLast` a row that no newline ends counts too, if it is whole. */
  readonly look: (isLast?: boolean) => Batch | null
  /** The folders in which something may happen, as they are now. */
  readonly folders: () => readonly string[]
}

/** A file of the session. */
interface Tracked {
  readonly path: string
  readonly facts: FileFacts
  /** Null until it was read. */
  state: FileState | null
  isGone: boolean
  /** When reading failed; null where it did not. The file is read again after a while. */
  failedAt: number | null
}

interface Following {
  readonly location: ProjectLocation
  readonly session: string
  /** The session's own transcripts: one, or several after a move. */
  readonly homes: readonly string[]
  readonly files: Map<string, Tracked>
  /** Agents beside sessions, and whether they are of this one. */
  readonly loose: Map<string, boolean>
  /** Some agent beside sessions does not say yet whose it is. */
  isUndecided: boolean
  /** Uuids that were returned already. */
  readonly known: Set<string>
  /** How many nodes of each file were met in this graph. */
  readonly met: Map<string, number>
  graph: Graph
  /** The folders as they were when files were last looked for. */
  seen: string
  lookedFor: number
  isStale: boolean
  /** What the present look could not read. */
  unread: Diagnostic[]
}

/** Starts to follow a session; nothing is read before the first look. */
export function followSession(location: ProjectLocation, session: string): Follow {
  const own = location.project.files.filter(file => file.kind === 'session' && file.session === session)
  const following: Following = {
    location,
    session,
    homes: own.map(file => join(location.root, file.path)),
    files: new Map(),
    loose: new Map(),
    isUndecided: false,
    known: new Set(),
    met: new Map(),
    graph: startGraph().build(),
    seen: '',
    lookedFor: 0,
    isStale: false,
    unread: [],
  }
  return { look: isLast => look(following, isLast === true), folders: () => foldersOf(following) }
}

function look(following: Following, isLast: boolean): Batch | null {
  const notes: string[] = []
  following.unread = []
  findFiles(following)
  const changed = [...following.files.values()].filter(file => hasChanged(following, file, notes))
  const isAnew = following.isStale
  if (changed.length === 0 && !isAnew && notes.length === 0) return null
  following.isStale = false
  if (isAnew) following.met.clear()
  const builder = isAnew ? startGraph() : startGraph(following.graph)
  const summaries = takeSummaries(() => true)
  for (const file of isAnew ? following.files.values() : changed) {
    if (isAnew) file.state = null
    readInto(following, file, { builder, summaries, isLast })
  }
  following.graph = builder.build()
  return {
    graph: following.graph,
    nodes: newNodes(following),
    notes,
    unread: following.unread.filter(isReadFailure),
    summaries,
  }
}

/** Whether a file has rows that were not read; where a file was replaced, everything is read again. */
function hasChanged(following: Following, file: Tracked, notes: string[]): boolean {
  if (file.failedAt !== null) return isWorthAnotherTry(following, file.failedAt)
  if (file.state === null) return true
  const change = changeNow(file.state, file.path)
  const isGone = change === 'gone'
  if (isGone && !file.isGone) notes.push(`${file.facts.path} is gone.`)
  file.isGone = isGone
  if (change === 'truncated' || change === 'replaced') {
    notes.push(`${file.facts.path} was ${change}: it is read again.`)
    following.isStale = true
  }
  return change === 'grown'
}

/** A file of which reading failed is read again from its beginning, and so is everything: some rows are in the graph. */
function isWorthAnotherTry(following: Following, failedAt: number): boolean {
  if (Date.now() - failedAt < LOOK_AGAIN) return false
  following.isStale = true
  return true
}

function changeNow(state: FileState, path: string): ReturnType<typeof changeOf> {
  try {
    return changeOf(state, path)
  } catch {
    // It is there and cannot be read now: the next look tells more.
    return 'unchanged'
  }
}

/** What one look reads into. */
interface Look {
  readonly builder: GraphBuilder
  readonly summaries: Summaries
  readonly isLast: boolean
}

function readInto(following: Following, file: Tracked, { builder, summaries, isLast }: Look): void {
  const { path, facts, state } = file
  const from = state === null ? {} : { from: { offset: state.offset, row: state.row } }
  let isEnding = false
  const add = (row: ParsedRow): void => {
    // P5: a torn row waits for its rest.
    if (!isEnding || row.state === 'entry') builder.addRow(facts, row)
  }
  const see: SeeRecord = (json, record) => summaries.see(json, record, facts)
  const { result, finish, diagnostics } = parseTranscript(following.location.root, facts.path, add, {
    ...from,
    see,
  })
  following.unread.push(...diagnostics)
  file.failedAt = result === null ? Date.now() : null
  if (result === null) return
  isEnding = true
  if (isLast) finish()
  try {
    file.state = stateOf(path, result)
  } catch {
    // It went away while it was read: where reading may go on is not known.
    following.isStale = true
  }
}

/** Only what stands behind the nodes that were met before is looked at. */
function newNodes({ graph, known, met }: Following): readonly number[] {
  const found: { readonly node: number; readonly time: number }[] = []
  for (const file of graph.files()) {
    const nodes = entriesIn(file)
    const carried = new Set(file.carried)
    let time = Number.NEGATIVE_INFINITY
    for (const node of nodes.slice(met.get(file.facts.path) ?? 0)) {
      const id = graph.id(node)
      // A9: what a progress row repeats of a subagent's own file is returned there.
      const isTold = known.has(id) || (carried.has(node) && graph.index(id) !== node)
      if (isTold) continue
      known.add(id)
      time = Math.max(time, graph.node(node).time ?? time)
      found.push({ node, time })
    }
    met.set(file.facts.path, nodes.length)
  }
  return found.sort((a, b) => a.time - b.time).map(({ node }) => node)
}

/** Folders are listed from time to time, in milliseconds: their times may be too coarse to show a new file. */
const LOOK_AGAIN = 2000

/** Looks for files where a folder has changed. */
function findFiles(following: Following): void {
  const now = Date.now()
  const seen = foldersOf(following).map(timeOf).join(' ')
  const isSame = seen === following.seen && !following.isUndecided
  if (isSame && now - following.lookedFor < LOOK_AGAIN) return
  following.seen = seen
  following.lookedFor = now
  following.isUndecided = false
  for (const [folder, homes] of groupBy(following.homes, home => dirname(home))) {
    for (const { root, projects, diagnostics } of discover([...homes, ...looseAgents(following, folder)])) {
      following.unread.push(...inPlace(following, root, diagnostics))
      for (const file of projects.flatMap(project => project.files))
        track(following, join(root, file.path), file)
    }
  }
}

/** Diagnostics with paths below the root of the location. */
function inPlace({ location }: Following, root: string, found: readonly Diagnostic[]): readonly Diagnostic[] {
  return found.map(each => ({ ...each, file: belowRoot(location.root, join(root, each.file)) }))
}

const belowRoot = (root: string, path: string): FileFacts['path'] =>
  fileId(relative(root, path).split(sep).join('/'))

function timeOf(folder: string): string {
  return String(statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 'none')
}

function track(following: Following, path: string, found: FileFacts): void {
  const known = following.files.get(path)
  const facts = { ...found, path: belowRoot(following.location.root, path) }
  if (known === undefined)
    following.files.set(path, { path, facts, state: null, isGone: false, failedAt: null })
  else if (JSON.stringify(known.facts.meta) !== JSON.stringify(found.meta)) {
    // An agent's sidecar can come after its first rows; it names the agent and its call.
    following.files.set(path, { ...known, facts })
    following.isStale = true
  }
}

/** Agents beside the session, as older versions wrote them: the session is named in their rows. */
function looseAgents(following: Following, folder: string): readonly string[] {
  const { session, loose } = following
  const names = namesIn(following, folder).filter(name => /^agent-.+\.jsonl$/.test(name))
  return names
    .map(name => join(folder, name))
    .filter(path => {
      const isOurs = loose.get(path) ?? isOf(path, session)
      if (isOurs === null) following.isUndecided = true
      else loose.set(path, isOurs)
      return isOurs === true
    })
}

function namesIn({ location, unread }: Following, folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    unread.push(failureOf(error, belowRoot(location.root, folder), 'folder'))
    return []
  }
}

/** Whether the first rows of a file are of a session; null where they do not say. */
function isOf(path: string, session: string): boolean | null {
  try {
    const named = namedSession(path)
    return named === null ? null : named === session
  } catch {
    return null
  }
}

/** Where files of the session are, or may appear. */
function foldersOf({ homes, files }: Following): readonly string[] {
  const folders = new Set<string>()
  for (const home of homes) {
    const own = home.replace(/\.jsonl$/, '')
    for (const folder of [dirname(home), own, join(own, 'subagents'), join(own, 'subagents', 'workflows')]) {
      folders.add(folder)
    }
  }
  for (const path of files.keys()) folders.add(dirname(path))
  return [...folders]
}
