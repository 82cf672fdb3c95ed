/** Where an edit goes, what comes along, and how the result is resumed. */
import { existsSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import type { FileRecord } from '@dagline/core'
import { type EditPlan, endsOpen, type PlannedCopy, type TextChange } from '@dagline/core/edit'
import { isProjectFolder, projectFolder, shellWord } from '@dagline/core/model'
import { cacheFolder, defaultRoots, type Edit, isWithin, listProcesses, writerOf } from '@dagline/store'
import { rootsOf } from '../files/projects.js'
import type { LoadedProject } from '../graphs/project.js'
import type { WholeProject } from '../graphs/unread.js'
import type { Host } from '../host/host.js'
import { inStore, UserError } from '../host/user-error.js'

/** Options of all editing commands. */
export interface EditOptions {
  /** Another projects root for the result. */
  readonly out: string | null
  readonly title: string | null
  /** A session that is being written to is copied as it is at this moment. */
  readonly snapshot: boolean
  readonly dryRun: boolean
}

/** The root and the path of the new transcript, and where its source is. */
interface EditTarget {
  readonly root: string
  readonly path: string
  readonly original: string
  /** Where it is resumed; null for where its source was. */
  readonly work: string | null
}

/**
 * Where a new session goes: beside its source, or below another root. What only the archive has goes to the usual root. HU52: a
 * session of a hub belongs to no project of this machine: what is made of it goes to that of the working directory.
 */
export function targetOf(
  loaded: LoadedProject,
  file: FileRecord,
  session: string,
  { out, host }: { readonly out: string | null; readonly host: Host },
): EditTarget {
  const original = join(loaded.root, file.facts.path)
  const folder = folderOf(loaded, file)
  const isIn = (cache: string): boolean => isWithin(loaded.root, join(cacheFolder(), cache))
  if (isIn('hub')) {
    const work = host.here ?? process.cwd()
    const root = resolve(out ?? defaultRoots()[0] ?? '.')
    return { root, path: join(root, projectFolder(work), `${session}.jsonl`), original, work }
  }
  if (out === null && !isIn('archived'))
    return { root: loaded.root, path: join(folder, `${session}.jsonl`), original, work: null }
  const root = resolve(out ?? rootsOf(host.roots)[0] ?? defaultRoots()[0] ?? '.')
  return { root, path: join(root, basename(folder), `${session}.jsonl`), original, work: null }
}

/** The folder of a file's project: an agent's lies above its session's. */
function folderOf({ root }: LoadedProject, { facts }: FileRecord): string {
  const inside = facts.session === null ? -1 : facts.path.lastIndexOf(`${facts.session}/`)
  return inside < 0 ? dirname(join(root, facts.path)) : join(root, facts.path.slice(0, inside))
}

/** Everything that is needed to write a plan. */
export function editOf(plan: EditPlan, loaded: WholeProject, target: EditTarget, file: FileRecord): Edit {
  return {
    plan,
    sources: loaded.sources,
    target: target.path,
    original: target.original,
    texts: [
      ...(plan.copies ? textsOf(plan, folderOf(loaded, file), dirname(target.path)) : []),
      ...workingFolder(target, file),
    ],
    spilled: spilledOf(loaded, plan.from.session),
    now: Date.now(),
  }
}

/**
 * HU52: entries were made in the working directory of a colleague, which this machine may not have. Lists and a push to the hub name
 * the project of a session by it.
 */
function workingFolder({ work }: EditTarget, { cwd, moves }: FileRecord): readonly TextChange[] {
  const field = (folder: string): string => `"cwd":${JSON.stringify(folder).slice(0, -1)}`
  const folders = new Set([cwd, ...moves.map(({ to }) => to)].filter(folder => folder !== null))
  if (work === null) return []
  return [...folders].flatMap(folder =>
    ['"', '/', '\\\\'].map(end => ({ from: `${field(folder)}${end}`, to: `${field(work)}${end}` })),
  )
}

/** Paths into the session's folder, as rows have them: exact ones, and those of another machine by the folder's name. */
function textsOf({ from, session }: EditPlan, before: string, after: string): readonly TextChange[] {
  const written = (path: string): string => JSON.stringify(path).slice(1, -1)
  const exact = {
    from: written(join(before, from.session) + sep),
    to: written(join(after, session) + sep),
  }
  const byName = ['tool-results', 'subagents'].flatMap(name =>
    ['/', '\\\\'].map(slash => ({
      from: `${slash}${from.session}${slash}${name}`,
      to: `${slash}${session}${slash}${name}`,
    })),
  )
  return from.session === session ? [] : [exact, ...byName]
}

function spilledOf({ project }: LoadedProject, session: string): readonly PlannedCopy[] {
  return project.toolResults
    .filter(result => result.session === session)
    .map(({ path }) => ({ from: path, to: `tool-results/${basename(path)}`, rows: false }))
}

/** Throws `UserError` where another process is writing the file. */
export async function refuseBusy(
  loaded: LoadedProject,
  file: FileRecord,
  { snapshot }: EditOptions,
): Promise<void> {
  const path = join(loaded.root, file.facts.path)
  if (snapshot || !existsSync(path)) return
  const open = listProcesses(loaded.root)?.find(({ session }) => session === file.facts.session)
  const why =
    open === undefined
      ? await inStore(() => writerOf(path, { isOpen: endsOpen(loaded.graph, file), now: Date.now() }))
      : `Claude Code has it open (process ${open.pid})`
  if (why === null) return
  throw new UserError(
    `The session seems to be in use: ${why}. End it first, or copy it as it is now with --snapshot.`,
  )
}

/** The command that resumes a session, in the folder in which Claude Code looks for it. */
export function resumeCommand(session: string, { path, work }: EditTarget, file: FileRecord): string {
  const folders = [...file.moves.map(({ to }) => to), file.cwd].filter(folder => folder !== null)
  const name = basename(dirname(path))
  const cwd = work ?? folders.find(folder => isProjectFolder(name, folder)) ?? folders.at(-1)
  const resume = `claude --resume ${shellWord(session)}`
  return cwd === undefined ? resume : `cd ${shellWord(cwd)} && ${resume}`
}

/** A path below a root, with `/`. */
export function below({ root, path }: EditTarget): string {
  return relative(root, path).split(sep).join('/')
}
