/** P8: from folders and files to projects, sessions and agents. */
import { type Stats, statSync } from 'node:fs'
import { basename, sep } from 'node:path'
import {
  agentId,
  type Diagnostic,
  type FileFacts,
  type FileId,
  type FileKind,
  fileId,
  type SessionId,
  sessionId,
} from '@dagline/core'
import {
  agentMeta,
  comparePaths,
  type Fields,
  isTranscript,
  type Placement,
  placer,
  runRecord,
  runRecordPath,
  type SidecarKind,
  sessionPrefix,
  stemOf,
  textIn,
  truthIn,
} from '@dagline/core/files'
import { failureOf, isReadFailure, notice, unreadable } from './failures.js'
import { readFields } from './sidecars.js'
import { listStart, type Start, startsOf } from './starts.js'
import { isAnyBelow } from './walk.js'

/** What was found under one root. All paths in it are relative to the root, with `/`. */
export interface FoundRoot {
  /** Absolute path of the folder. */
  readonly root: string
  /** In order of their paths. */
  readonly projects: readonly Project[]
  readonly diagnostics: readonly Diagnostic[]
}

/** A folder with transcripts. Its name is never decoded: where the work was done is in the rows. */
export interface Project {
  readonly name: string
  /** Empty where the root is the project. */
  readonly path: string
  /** Transcripts and journals, in order of their paths. */
  readonly files: readonly FoundFile[]
  /** Sessions that `archived.json` says are archived. */
  readonly archived: readonly SessionId[]
  /** Tool output that was too large for its row, one file each. */
  readonly toolResults: readonly Sidecar[]
  /** All other files of sessions and agents, those with titles and the like included. */
  readonly sidecars: readonly Sidecar[]
  /** Files and folders of the project that are there and could not be read. */
  readonly unread: readonly Diagnostic[]
}

/** A file with rows. */
export interface FoundFile extends FileFacts {
  readonly bytes: number
  /** Milliseconds since 1970, with fractions. */
  readonly mtime: number
}

/** A file that belongs to a session or agent and has no rows. */
export interface Sidecar {
  readonly path: FileId
  readonly kind: Exclude<SidecarKind, 'foreign'>
  readonly session: SessionId | null
  readonly run: string | null
  readonly bytes: number
}

/**
 * Finds the transcripts under each path: a file (with the folder of its session), a project folder, a projects root,
 * a configuration folder, or any folder with transcripts at any depth. Paths inside one another are taken once, files
 * of one folder together. Never throws: what cannot be read is in the diagnostics.
 */
export function discover(paths: readonly string[]): FoundRoot[] {
  return startsOf(paths).map(findUnder)
}

/** The roots that `discover` would look into, in its order, and whether some transcript is there: a quick look. */
export function lookInto(
  paths: readonly string[],
): readonly { readonly root: string; readonly hasTranscripts: boolean }[] {
  return startsOf(paths).map(({ root, files }) => ({
    root,
    hasTranscripts: files === null && isAnyBelow(root, path => path.endsWith('.jsonl')),
  }))
}

function findUnder(start: Start): FoundRoot {
  const listing = listStart(start)
  const finding: Finding = {
    root: start.root,
    // Thousands of paths: joining them properly takes as long as asking for them.
    prefix: start.root.endsWith(sep) ? start.root : start.root + sep,
    listed: new Set(listing.paths),
    projects: new Map(),
    diagnostics: [...start.diagnostics, ...listing.diagnostics],
  }
  for (const [path, placed] of placeAll(start, finding.listed)) addPath(finding, path, placed)
  const diagnostics = finding.diagnostics.sort((a, b) => comparePaths(a.file, b.file))
  const failures = diagnostics.filter(isReadFailure)
  const projects = [...finding.projects.values()].map(project => ({
    ...project,
    unread: failures.filter(({ file }) => isPartOf(project.path, file)),
  }))
  return { root: start.root, projects: projects.sort((a, b) => comparePaths(a.path, b.path)), diagnostics }
}

/** Whether a path is that of a project, or lies below it. */
function isPartOf(project: string, path: string): boolean {
  return project === '' || path === project || path.startsWith(`${project}/`)
}

/** What is known of one root so far. */
interface Finding {
  readonly root: string
  /** What stands before a path. */
  readonly prefix: string
  readonly listed: ReadonlySet<string>
  readonly projects: Map<string, OpenProject>
  readonly diagnostics: Diagnostic[]
}

/** Every path with its placement, in order. A file that was asked for by name is a session whatever its extension. */
function placeAll(start: Start, listed: ReadonlySet<string>): [string, Placement][] {
  const chosen = new Set(start.files)
  const prefix = sessionPrefix(start.root.split(sep), listed)
  const known = prefix === '' ? listed : withPrefix(prefix, listed)
  const place = placer(known)
  // Without a function to compare, texts are sorted by code units, as `comparePaths` does, in a fifth of the time.
  return [...listed].sort().map(path => {
    const placed = place(prefix + path)
    const isOddName = placed.what === 'foreign' && chosen.has(path)
    return [path, isOddName ? { ...placed, session: stemOf(path), what: 'session' } : placed]
  })
}

/** The paths as seen from the project, with the session that the prefix names. */
function withPrefix(prefix: string, listed: ReadonlySet<string>): Set<string> {
  const paths = new Set([...listed].map(path => prefix + path))
  return paths.add(`${prefix.slice(0, prefix.indexOf('/'))}.jsonl`)
}

function addPath(finding: Finding, path: string, placed: Placement): void {
  const { what, agent, run } = placed
  if (what === 'foreign' || (what === 'meta' && isForeignMeta(finding, path, placed))) return
  const stats = statsOf(finding, path)
  if (stats === null) return
  const project = finding.projects.get(placed.project) ?? emptyProject(finding.root, placed.project)
  finding.projects.set(placed.project, project)
  const session = placed.session === null ? null : sessionId(placed.session)
  const item = {
    path: fileId(path),
    kind: what,
    session,
    agent,
    run,
    bytes: stats.size,
    mtime: stats.mtimeMs,
  }
  addItem(project, item, name => (finding.listed.has(name) ? fieldsAt(finding, name) : null))
}

/** A `.meta.json` in a project folder is ours only beside its agent. */
function isForeignMeta(finding: Finding, path: string, placed: Placement): boolean {
  return placed.session === null && !finding.listed.has(path.replace(/\.meta\.json$/, '.jsonl'))
}

/** A project whose files are still being added. */
export type OpenProject = {
  -readonly [Key in keyof Project]: Project[Key] extends readonly (infer Item)[] ? Item[] : Project[Key]
}

/** A project without files. */
export function emptyProject(root: string, path: string): OpenProject {
  const name = basename(path === '' ? root : path)
  return { name, path, files: [], archived: [], toolResults: [], sidecars: [], unread: [] }
}

/** A file of a project, on disk or in the archive. */
interface FoundItem extends Omit<Sidecar, 'kind'> {
  readonly kind: FileKind | Sidecar['kind']
  readonly agent: string | null
  readonly mtime: number
}

/** The fields of a sidecar; null where it does not exist or holds no object. */
type FieldsAt = (path: string) => Fields | null

/** Adds a file to its project, with what its sidecars say. */
export function addItem(project: OpenProject, item: FoundItem, read: FieldsAt): void {
  const { path, kind, session, agent, run, bytes, mtime } = item
  if (!isTranscript(kind)) {
    addSidecar(project, { path, kind, session, run, bytes }, read)
    return
  }
  const meta = kind === 'agent' ? read(path.replace(/\.jsonl$/, '.meta.json')) : null
  const record = kind === 'journal' ? read(runRecordPath(path)) : null
  const given = kind === 'session' ? read(path.replace(/\.jsonl$/, '/custom-title.json')) : null
  project.files.push({
    path,
    kind,
    session,
    agent: agent === null ? null : agentId(agent),
    run,
    meta: meta && agentMeta(meta),
    ...(kind === 'journal' ? { runRecord: record && runRecord(record) } : {}),
    ...(given === null ? {} : { title: textIn(given, 'customTitle') }),
    bytes,
    mtime,
  })
}

function addSidecar(project: OpenProject, sidecar: Sidecar, read: FieldsAt): void {
  const { session, kind, path } = sidecar
  if (kind === 'tool-result') project.toolResults.push(sidecar)
  else project.sidecars.push(sidecar)
  if (session === null || kind !== 'archived') return
  const fields = read(path)
  if (fields !== null && truthIn(fields, 'archived') === true) project.archived.push(session)
}

function statsOf(finding: Finding, path: string): Stats | null {
  return attempt(finding, path, () => {
    const stats = statSync(finding.prefix + path)
    if (stats.isFile()) return stats
    finding.diagnostics.push(unreadable(path, 'It is no longer a file.'))
    return null
  })
}

function fieldsAt(finding: Finding, path: string): Fields | null {
  return attempt(finding, path, () => {
    const fields = readFields(finding.prefix + path)
    if (fields === null) {
      finding.diagnostics.push(
        notice('store/odd-sidecar', path, 'The file does not contain a JSON object; it was not used.'),
      )
    }
    return fields
  })
}

function attempt<T>(finding: Finding, path: string, read: () => T | null): T | null {
  try {
    return read()
  } catch (error) {
    finding.diagnostics.push(failureOf(error, path, 'file'))
    return null
  }
}
