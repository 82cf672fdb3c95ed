/** The layouts of project folders, by names alone: which project and session a path belongs to, and what it is. */
import type { FileKind } from '../model/source.js'

/** What a path is within its project. */
export interface Placement {
  /** Path of the project folder below the root, with `/`; empty where the root is the project. */
  readonly project: string
  /** The session that the file, or the folder it lies in, is named after. */
  readonly session: string | null
  readonly agent: string | null
  readonly run: string | null
  readonly what: FileKind | SidecarKind
}

/** Files that are not transcripts: those of sessions and agents, and all others. */
export type SidecarKind = 'meta' | 'title' | 'archived' | 'tool-result' | 'run' | 'extra' | 'foreign'

const SESSION_FOLDERS = new Set(['subagents', 'tool-results'])

/**
 * Places paths, given with `/` and relative to their root; `paths` holds all paths below the root. Files of one folder
 * have nearly everything in common, which is found out once.
 */
export function placer(paths: ReadonlySet<string>): (path: string) => Placement {
  const known = new Map<string, Folder>()
  return path => {
    const end = path.lastIndexOf('/')
    const above = end < 0 ? '' : path.slice(0, end)
    const folder = known.get(above) ?? folderAt(above, paths)
    known.set(above, folder)
    return placeIn(folder, path.slice(end + 1))
  }
}

/** A folder of files: of a project, or within the folder of a session. */
interface Folder {
  readonly project: string
  readonly session: string | null
  /** The folders between the session's own and this one; null outside of it. */
  readonly inside: readonly string[] | null
}

function folderAt(path: string, paths: ReadonlySet<string>): Folder {
  const folders = path === '' ? [] : path.split('/')
  const depth = sessionDepth(folders, paths)
  if (depth === null) return { project: path, session: null, inside: null }
  return {
    project: folders.slice(0, depth - 1).join('/'),
    session: folders[depth - 1] ?? null,
    inside: folders.slice(depth),
  }
}

function placeIn({ project, session, inside }: Folder, name: string): Placement {
  if (inside === null) return placeInProject(project, name)
  return {
    project,
    session,
    agent: agentOf(name),
    run: runOf(inside, name),
    what: kindInSession(inside, name),
  }
}

/**
 * What to put before the paths below a root that lies in a session's own folder, or is one, so that they can be
 * placed: `<session>/`, `<session>/subagents/` and so on. Empty for all other roots.
 */
export function sessionPrefix(root: readonly string[], paths: ReadonlySet<string>): string {
  const at = root.lastIndexOf('subagents')
  const below = root.slice(at + 1)
  const isInside = at > 0 && (below.length === 0 || (below[0] === 'workflows' && below.length <= 2))
  if (isInside) return `${root.slice(at - 1).join('/')}/`
  const isSession = [...paths].some(path => /^(subagents|tool-results)\//.test(path))
  return isSession ? `${root.at(-1) ?? ''}/` : ''
}

/**
 * How many leading folders lead to and into a session's own folder: `x/<session>/subagents` gives 2. It is one beside
 * a session file of its name, or one that holds what only session folders hold (the session file may be deleted).
 */
function sessionDepth(folders: readonly string[], paths: ReadonlySet<string>): number | null {
  for (let depth = 1; depth <= folders.length; depth++) {
    if (SESSION_FOLDERS.has(folders[depth] ?? '')) return depth
    if (paths.has(`${folders.slice(0, depth).join('/')}.jsonl`)) return depth
  }
  return null
}

function placeInProject(project: string, name: string): Placement {
  const at = { project, session: null, run: null }
  const agent = agentOf(name)
  if (name.endsWith('.meta.json')) return { ...at, agent, what: 'meta' }
  if (!name.endsWith('.jsonl')) return { ...at, agent, what: 'foreign' }
  if (agent !== null) return { ...at, agent, what: 'agent' }
  return { ...at, session: stemOf(name), agent, what: 'session' }
}

function kindInSession(inside: readonly string[], name: string): FileKind | SidecarKind {
  if (inside[0] === 'tool-results') return 'tool-result'
  if (name.endsWith('.meta.json')) return 'meta'
  if (name === 'journal.jsonl') return 'journal'
  if (name.endsWith('.jsonl')) return agentOf(name) === null ? 'other' : 'agent'
  if (inside.length === 0 && name === 'custom-title.json') return 'title'
  if (inside.length === 0 && name === 'archived.json') return 'archived'
  return inside.at(-1) === 'workflows' && name.endsWith('.json') ? 'run' : 'extra'
}

/** Whether files of a kind are transcripts, which consist of rows. */
export function isTranscript(kind: string): kind is FileKind {
  return kind === 'session' || kind === 'agent' || kind === 'journal' || kind === 'other'
}

/** `agent-<id>.jsonl` and `agent-<id>.meta.json` belong to agent `<id>`. */
function agentOf(name: string): string | null {
  return /^agent-(.+?)(?:\.meta\.json|\.jsonl)$/s.exec(name)?.[1] ?? null
}

/** The folder below `workflows`, or the record `workflows/<run>.json`. */
function runOf(inside: readonly string[], name: string): string | null {
  const at = inside.indexOf('workflows')
  if (at < 0) return null
  const folder = inside[at + 1]
  if (folder !== undefined) return at + 2 === inside.length && folder !== 'scripts' ? folder : null
  return name.endsWith('.json') ? stemOf(name) : null
}

/** Compares paths by code units: the same order on every machine and in every language. */
export function comparePaths(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** A file's name without its last extension. */
export function stemOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(0, dot) : name
}
