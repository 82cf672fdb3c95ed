/** I5: what has to be done to bring the index up to date: discovered files against known ones. */
import { join, posix } from 'node:path'
import type { IndexedFacts } from '../db/facts.js'
import type { KnownFile } from '../db/index-store.js'
import type { FoundRoot, Project } from '../files/discover.js'
import { changeOf, type FileState } from '../files/state.js'

/** A file that is there now. */
export interface PresentFile {
  /** Where it was found; the archive knows folders with links resolved. */
  readonly root: string

  readonly path: string
  readonly project: string
  readonly facts: IndexedFacts
  readonly bytes: number
  readonly mtime: number
  /** The archive that holds it, where it is no longer on disk. */
  readonly archive: string | null
}

/**
 * What to do with a file: `add` it, `read` it anew from its start, `read-on` behind what is known, take over what is
 * new about it as a whole (`describe`: its path, its sidecar), or `forget` it.
 */
export type Step =
  | { readonly kind: 'add'; readonly now: PresentFile }
  | { readonly kind: 'read' | 'read-on' | 'describe'; readonly known: KnownFile; readonly now: PresentFile }
  | { readonly kind: 'forget'; readonly known: KnownFile }

/** The files of a root as the index wants them. */
export function presentFiles({ root, projects }: FoundRoot, archive: string | null): readonly PresentFile[] {
  return projects.flatMap(project =>
    project.files.map(file => ({ root, archive, ...presentFile(project, file) })),
  )
}

function presentFile(
  project: Project,
  file: Project['files'][number],
): Omit<PresentFile, 'root' | 'archive'> {
  const { path, kind, session, agent, run, meta, runRecord = null, title = null, bytes, mtime } = file
  const name =
    project.path === '' ? path.slice(0, Math.max(path.lastIndexOf('/'), 0)) || project.name : project.path
  const facts = { path, kind, session, agent, run, meta, title, ...(runRecord === null ? {} : { runRecord }) }
  return { path, project: name, facts, bytes, mtime }
}

/** All that a step may depend on, as one text: where it is what it was, nothing has to be done. */
export function listingOf(present: readonly PresentFile[]): string {
  return present.map(lineOf).join('\n')
}

function lineOf({ path, project, facts, bytes, mtime, archive }: PresentFile): string {
  const { kind, session, agent, run, meta, title, runRecord = null } = facts
  const besides = [meta, title, runRecord]
  const sidecar = besides.every(value => value === null) ? '' : JSON.stringify(besides)
  return `${path}\t${bytes}\t${mtime}\t${kind}\t${session}\t${agent}\t${run}\t${project}\t${archive}\t${sidecar}`
}

/** The steps, in the order of paths. Files that did not change cost the stat that discovery made. */
export function planSteps(
  present: readonly PresentFile[],
  known: readonly KnownFile[],
  hasGrown: HasGrown = () => false,
): readonly Step[] {
  const byPath = new Map(known.map(file => [file.path, file]))
  const here = new Set(present.map(({ path }) => path))
  const gone = new Set(known.filter(({ path }) => !here.has(path)))
  const steps = present.flatMap(now => {
    const file = byPath.get(now.path) ?? movedFrom(now, gone)
    if (file === undefined) return [{ kind: 'add', now } as const]
    gone.delete(file)
    return stepFor(file, now, hasGrown) ?? []
  })
  return [...steps, ...[...gone].map(file => ({ kind: 'forget', known: file }) as const)]
}

/** A moved file has its name, size and time from before; where these agree, its bytes are compared. */
function movedFrom(now: PresentFile, gone: ReadonlySet<KnownFile>): KnownFile | undefined {
  const name = posix.basename(now.path)
  for (const file of gone) {
    const isAlike =
      file.state?.size === now.bytes && file.state.mtime === now.mtime && posix.basename(file.path) === name
    if (isAlike && changeIn(now, file) === 'unchanged') return file
  }
  return undefined
}

/** Whether a file of the archive is the one that was read, with more behind it. */
type HasGrown = (path: string, state: FileState) => boolean

function stepFor(known: KnownFile, now: PresentFile, hasGrown: HasGrown): Step | null {
  if (known.state === null) return { kind: 'read', known, now }
  const isSame = known.state.size === now.bytes && known.state.mtime === now.mtime
  const inArchive = hasGrown(now.path, known.state) ? 'grown' : 'replaced'
  const change = isSame ? 'unchanged' : now.archive === null ? changeIn(now, known) : inArchive
  switch (change) {
    case 'unchanged':
      if (isDescribed(known, now) && isSame) return null
      return { kind: isWhoseItWas(known.facts, now.facts) ? 'describe' : 'read', known, now }
    case 'grown':
      return { kind: 'read-on', known, now }
    case 'gone':
      return { kind: 'forget', known }
    default:
      return { kind: 'read', known, now }
  }
}

/** A file that cannot be compared is read, which reports why. */
function changeIn({ root, path }: PresentFile, { state }: KnownFile): ReturnType<typeof changeOf> {
  if (state === null) return 'replaced'
  try {
    return changeOf(state, join(root, path))
  } catch {
    return 'replaced'
  }
}

/** Whether the facts that link keys depend on are the same; the keys were computed when the file was read. */
function isWhoseItWas(before: IndexedFacts, now: IndexedFacts): boolean {
  return before.session === now.session && before.agent === now.agent && before.run === now.run
}

function isDescribed(known: KnownFile, now: PresentFile): boolean {
  if (known.path !== now.path || known.isArchived !== (now.archive !== null)) return false
  return JSON.stringify(known.facts) === JSON.stringify(now.facts) && known.project === now.project
}
