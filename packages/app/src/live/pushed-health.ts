/**
 * HU56: the examination of pushed sessions, one part after another: the files of a file group in folders with a session in
 * common, as the doctor reads them at home. Parts are examined a little at a time behind the answers, or in the answers to a command; what was
 * found of a part is known until its files change.
 */
import { setImmediate } from 'node:timers/promises'
import { type Diagnostic, fileId, type GraphBuilder, startGraph } from '@dagline/core'
import { addDamage, type Damage, damageOf, groupBySession } from '@dagline/core/files'
import { groupBy } from '@dagline/core/model'
import { NEWEST_VERSION } from '@dagline/core/resume'
import { type ByteSource, isReadFailure, type KnownFile, parseTranscript } from '@dagline/store'
import { codeVersion, hashBasis } from '../graphs/answers.js'
import type { SeeInFile } from '../graphs/project.js'
import { type Examined, healthOf, startGathering, withoutDisk } from '../health/examine.js'
import type { Examination } from '../health/examiner.js'
import type { LiveContext } from './context.js'

/** Some of the parts, examined. */
export interface HealthPart {
  readonly sessions: readonly Examined[]
  /** Files that could not be read whole: their sessions are not among the others. */
  readonly unread: readonly Pick<Diagnostic, 'file' | 'message'>[]
  /** The last part that was examined; null where none is left. */
  readonly next: number | null
  /** Parts up to that one, and all of them. */
  readonly done: number
  readonly of: number
}

/** Which parts. */
interface HealthQuestion {
  /** The folders of projects; null for all. */
  readonly projects: ReadonlySet<string> | null
  /** Parts up to this one were examined; 0 for none. */
  readonly after: number
}

/** Examines what was pushed. */
export interface PushedExaminer {
  /** What is known, for a page. Goes on with the rest behind the answer. */
  readonly look: () => Examination
  /** Examines some parts behind one. What is pushed meanwhile moves none of them. */
  readonly part: (question: HealthQuestion) => HealthPart
  /** Ends what goes on behind an answer. */
  readonly stop: () => void
}

/** Files that are examined together. */
interface FilePart {
  /** The number of its first file: files that come later have higher ones. */
  readonly key: number
  readonly root: string
  readonly files: readonly KnownFile[]
  /** HU47: the paths of the files that are listed; the graph is that of all of them. */
  readonly shown: ReadonlySet<string>
  readonly version: string
}

/** What was found of a part. */
type FoundHealth = Pick<HealthPart, 'sessions' | 'unread'>

type Open = (path: string) => ByteSource | null

/** Milliseconds that one answer to a command may take; a part is never cut there. */
const LONGEST = 1000

/** Work goes on for so long, in milliseconds, before others have their turn. */
const SLICE = 12

/** Bytes of a file that are read between two looks at the clock. */
const STEP = 256 * 1024

/** The examination of what a context shows. `open` gives the bytes of a file. Nothing is read before the first question. */
export function createPushedExaminer(context: LiveContext, open: Open): PushedExaminer {
  const done = new Map<string, FoundHealth>()
  let [isRunning, isStopped, wasWhole] = [false, false, false]
  let failure: string | null = null
  let parts: readonly FilePart[] = []
  let from: unknown = null
  /** The list of sessions is another one whenever the index is. */
  const list = (): readonly FilePart[] => {
    if (context.sessions() === from) return parts
    from = context.sessions()
    parts = listParts(context)
    forgetOthers(done, parts)
    return parts
  }
  const firstOpen = (): FilePart | null =>
    isStopped ? null : (parts.find(({ version }) => !done.has(version)) ?? null)
  const run = async (): Promise<void> => {
    isRunning = true
    failure = null
    try {
      for (let part = firstOpen(); part !== null; part = firstOpen())
        done.set(part.version, await inSlices(examinePart(part, open), () => isStopped))
    } catch (error) {
      // The next look begins again.
      from = null
      failure = error instanceof Error ? error.message : String(error)
    } finally {
      isRunning = false
    }
  }
  return {
    stop: () => {
      isStopped = true
    },
    look: () => {
      const all = list()
      const known = all.flatMap(part => shownOf(part, done.get(part.version)) ?? [])
      const isWhole = known.length === all.length
      wasWhole ||= isWhole
      if (!isRunning && !isWhole) void run()
      return {
        sessions: wasWhole ? known.flatMap(({ sessions }) => sessions) : null,
        isRunning,
        failure,
        progress: { done: known.length, of: all.length },
      }
    },
    part: ({ projects, after }) => {
      const isAsked = (project: string): boolean => projects === null || projects.has(project)
      const asked = list().filter(({ files }) => files.some(({ project }) => isAsked(project)))
      const left = asked.filter(({ key }) => key > after)
      const end = context.now() + LONGEST
      const found: FoundHealth[] = []
      for (const part of left) {
        const health = done.get(part.version) ?? atOnce(examinePart(part, open))
        done.set(part.version, health)
        found.push(shownOf(part, health) ?? health)
        if (context.now() > end) break
      }
      return {
        sessions: found.flatMap(({ sessions }) => sessions).filter(({ project }) => isAsked(project)),
        unread: found.flatMap(({ unread }) => unread),
        next: found.length < left.length ? (left[found.length - 1]?.key ?? null) : null,
        done: asked.length - left.length + found.length,
        of: asked.length,
      }
    },
  }
}

/** What is shown of what was found. */
function shownOf({ shown }: FilePart, health: FoundHealth | undefined): FoundHealth | undefined {
  if (health === undefined) return undefined
  const isShown = ({ file }: { readonly file: string }): boolean => shown.has(file)
  return { sessions: health.sessions.filter(isShown), unread: health.unread.filter(isShown) }
}

/** Parts of which something could not be read are examined again. */
function forgetOthers(done: Map<string, FoundHealth>, parts: readonly FilePart[]): void {
  const versions = new Set(parts.map(({ version }) => version))
  for (const [version, { unread }] of done)
    if (unread.length > 0 || !versions.has(version)) done.delete(version)
}

/** In the order of their first files; those without a file to list are left out. */
function listParts(context: LiveContext): readonly FilePart[] {
  const index = context.index()
  const general = [codeVersion(), NEWEST_VERSION]
  const partsOf = (root: string): readonly FilePart[] => {
    const id = index.findRoot(root)
    if (id === null) return []
    const files = index.files(id).filter(({ group }) => group !== null)
    const shown = new Set(index.grouping(id).map(({ path }) => path))
    const folderOf = joinedFolders(files)
    const byPart = groupBy(files, ({ group, project }) => `${group} ${folderOf(project)}`)
    return [...byPart.values()].map(own => ({
      key: own.reduce((least, { id: number }) => Math.min(least, number), Number.POSITIVE_INFINITY),
      root,
      files: own,
      shown: new Set(own.flatMap(({ path }) => (shown.has(path) ? path : []))),
      version: versionOf([...general, root], own),
    }))
  }
  return context.roots
    .flatMap(partsOf)
    .filter(part => part.shown.size > 0)
    .sort((a, b) => a.key - b.key)
}

/** G1: the number of the folders that are read as one with a folder, because they have a session in common. */
function joinedFolders(files: readonly KnownFile[]): (project: string) => number {
  const folders = [...groupBy(files, ({ project }) => project)].map(([project, own]) => ({
    project,
    sessions: new Set(own.flatMap(({ facts }) => facts.session ?? [])),
  }))
  const joined = groupBySession(folders, ({ sessions }) => sessions)
  const numbers = new Map(joined.flatMap((group, at) => group.map(({ project }) => [project, at] as const)))
  return project => numbers.get(project) ?? -1
}

/** What files are, as far as an examination depends on it. */
function versionOf(general: readonly unknown[], files: readonly KnownFile[]): string {
  return hashBasis([general, files.map(({ id, bytes, state, facts }) => [id, bytes, state, facts])])
}

function atOnce<T>(steps: Generator<void, T>): T {
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value
}

async function inSlices<T>(steps: Generator<void, T>, isStopped: () => boolean): Promise<T> {
  let start = performance.now()
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value
    if (performance.now() - start < SLICE) continue
    await setImmediate()
    if (isStopped()) throw new Error('The history was closed.')
    start = performance.now()
  }
}

/** Examines a part, step by step, so that a caller can pause between two. */
function* examinePart({ root, files }: FilePart, open: Open): Generator<void, FoundHealth> {
  const gathering = startGathering()
  const builder = startGraph()
  const found: Diagnostic[] = []
  for (const file of files) {
    const source = open(`${root}/${file.path}`)
    // It was removed or hidden meanwhile: then the list of sessions is another one, too.
    if (source === null) continue
    try {
      found.push(...(yield* addFile(builder, { file, source }, gathering.see)))
    } finally {
      source.close()
    }
    yield
  }
  const graph = builder.build()
  yield
  const projects = new Map<string, string>(files.map(({ path, project }) => [path, project]))
  const projectOf = (file: string): string => projects.get(file) ?? ''
  const sessions = withoutDisk(healthOf({ graph, found }, gathering, { isPushed: true }), projectOf)
  yield
  const unread = found.filter(isReadFailure).map(({ file, message }) => ({ file, message }))
  return { sessions, unread }
}

interface OpenFile {
  readonly file: KnownFile
  readonly source: ByteSource
}

const UNDAMAGED: Damage = { crlf: { count: 0, row: null }, invalidUtf8: { count: 0, row: null } }

/** Reads a file into a graph, as a project is read from the disk (`loadProject`), in parts. */
function* addFile(
  builder: GraphBuilder,
  { file: { path, facts, bytes, state }, source }: OpenFile,
  seeInFile: SeeInFile,
): Generator<void, readonly Diagnostic[]> {
  const read = { ...facts, bytes, mtime: state?.mtime ?? 0 }
  let damage = UNDAMAGED
  let from = { offset: 0, row: 1 }
  for (;;) {
    const { result, diagnostics, finish } = parseTranscript(
      source,
      path,
      parsed => builder.addRow(facts, parsed),
      {
        ...{ from, most: STEP, chunk: STEP },
        see: (json, record, damaged) => seeInFile(json, record, read, damaged),
      },
    )
    if (result === null) {
      builder.addFile(facts, bytes)
      return diagnostics
    }
    damage = addDamage(damage, result)
    from = result.next
    if (result.isEnd) {
      finish()
      builder.addFile(facts, result.next.offset + (result.pending?.length ?? 0))
      return damageOf(fileId(path), damage)
    }
    yield
  }
}
