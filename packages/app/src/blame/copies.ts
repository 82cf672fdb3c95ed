/** Z5: the copies of a file: its path in every checkout of its repository, and the paths that it had before it was renamed. */
import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { shellCalls } from '@dagline/core/content'
import { asText } from '@dagline/core/parse'
import { search } from '@dagline/store'
import { repositoryOf } from '../locate/worktrees.js'
import { type CommittedVersion, committedVersions } from './git.js'
import { type BlameSource, entriesOf } from './source.js'

/** A file that is asked about. */
export interface AskedPath {
  readonly path: string
  /** The same without links. */
  readonly real: string
  /** The checkout that it is in, and its path there with slashes; null outside of repositories. */
  readonly repository: {
    readonly top: string
    readonly path: string
    readonly checkouts: readonly string[]
  } | null
}

/**
 * The whole path of a file. Tools want whole paths, but models also give paths from the working directory or from the home
 * folder; a path stays as it is where the working directory is not known.
 */
export function wholePath(path: string, cwd: string | null): string {
  if (/^~[\\/]/.test(path)) return join(homedir(), path.slice(2))
  return isAbsolute(path) || cwd === null ? path : resolve(cwd, path)
}

/** A path, as it was typed. */
export function askedPath(typed: string): AskedPath {
  const path = resolve(typed)
  const real = realPath(path)
  const repository = repositoryOf(real)
  if (repository === null) return { path, real, repository: null }
  const { top, checkouts } = repository
  return { path, real, repository: { top, checkouts, path: relative(top, real).split(sep).join('/') } }
}

/** A path without links; that of the nearest folder which is there, where the file is not. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const above = resolve(path, '..')
    return above === path ? path : join(realPath(above), basename(path))
  }
}

/** The versions of a file in git. */
export async function versionsInGit({ repository }: AskedPath): Promise<readonly CommittedVersion[]> {
  return repository === null ? [] : await committedVersions(repository.top, repository.path)
}

/** Paths that are looked at: names of the file in each of its checkouts. */
const MOST_PATHS = 200

/** The track of each path that calls may name. */
export type Copies = ReadonlyMap<string, string>

/**
 * The paths of all copies of a file. In one checkout all its names are one copy, because a file that was renamed is the same
 * file. `names` are paths in the repository that it had.
 */
export function copiesOf(source: BlameSource, asked: AskedPath, names: readonly string[]): Copies {
  const { path, real, repository } = asked
  const tops = repository === null ? [] : topsOf(repository.checkouts, source.touched())
  const topOf = (file: string): string | undefined => tops.find(top => file.startsWith(top + sep))
  const trackOf = (file: string): string => {
    const top = topOf(file)
    return top === undefined || repository === null ? real : join(top, repository.path)
  }
  const beside = (file: string): readonly string[] => {
    const top = topOf(file)
    return top === undefined ? [] : tops.map(other => other + file.slice(top.length))
  }
  const found = new Map([[path, real]])
  const open = [real, ...names.map(name => join(repository?.top ?? '', name))]
  for (let file = open.pop(); file !== undefined && found.size < MOST_PATHS; file = open.pop()) {
    if (file !== path && found.has(file)) continue
    found.set(file, trackOf(file))
    open.push(...[...beside(file), ...renamedFrom(source, file)].filter(other => !found.has(other)))
  }
  return found
}

/** The checkouts, those first that lie in others; also worktrees of Claude Code that were removed. */
function topsOf(checkouts: readonly string[], touched: ReadonlySet<string>): readonly string[] {
  const tops = new Set(checkouts)
  for (const checkout of checkouts) {
    const folder = join(checkout, '.claude', 'worktrees') + sep
    for (const path of touched) {
      const end = path.startsWith(folder) ? path.indexOf(sep, folder.length) : -1
      if (end > 0) tops.add(path.slice(0, end))
    }
  }
  return [...tops].sort((a, b) => b.length - a.length)
}

/** Commands that are looked at for renames of one file. */
const MOST_COMMANDS = 50

/** The paths that shell commands of sessions renamed to this one. What was at them counts only as far as contents match. */
function renamedFrom(source: BlameSource, path: string): readonly string[] {
  const text = `mv "${basename(path).replaceAll('"', ' ')}"`
  const filter = { roots: source.roots, fields: ['input' as const], tool: 'Bash' }
  const { hits, replaced } = search(source.index, source.ranges, { text, filter, limit: MOST_COMMANDS })
  if (replaced.length > 0) return []
  return [...entriesOf(source, hits)].flatMap(({ session, node }) => {
    const json = source.record(session, node)
    return json === null
      ? []
      : shellCalls(json).flatMap(({ command }) => movesIn(command, asText(json.cwd), path))
  })
}

const MOVE =
  /(?:^|[;&|(\n])\s*(?:git\s+)?mv\s+(?:-\S+\s+)*("[^"]+"|'[^']+'|\S+)\s+("[^"]+"|'[^']+'|[^\s;&|)]+)/g

/** What a command moves to a path: to its name, or into its folder. */
function movesIn(command: string, cwd: string | null, path: string): readonly string[] {
  const absolute = (word: string): string => {
    const bare = word.replace(/^["']|["']$/g, '')
    return isAbsolute(bare) ? resolve(bare) : resolve(cwd ?? '/', bare)
  }
  return [...command.matchAll(MOVE)].flatMap(([, from = '', to = '']) => {
    const [old, target] = [absolute(from), absolute(to)]
    return target === path || join(target, basename(old)) === path ? [old] : []
  })
}
