/** U1: the worktrees of a git repository, read from its files: git itself is not started. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** The checkouts of a repository. */
interface Repository {
  /** The one that a path is in. */
  readonly top: string
  /** All of them, the main one first. */
  readonly checkouts: readonly string[]
}

/** The repository that a path is in; null where it is in none. */
export function repositoryOf(path: string): Repository | null {
  for (let top = path; ; top = dirname(top)) {
    const common = commonFolder(top)
    if (common !== null) return { top, checkouts: checkoutsOf(common, top) }
    if (dirname(top) === top) return null
  }
}

/** The folder that all worktrees of the repository around a path have in common; null where it is in none. */
export function gitFolderOf(path: string): string | null {
  for (let top = path; ; top = dirname(top)) {
    const common = commonFolder(top)
    if (common !== null || dirname(top) === top) return common
  }
}

/** The folder that all worktrees have in common: `.git`, or the one that a `.git` file leads to. */
function commonFolder(top: string): string | null {
  const git = join(top, '.git')
  if (namesIn(git).length > 0) return git
  const [, folder] = /^gitdir: *(.+?)\s*$/m.exec(textAt(git)) ?? []
  if (folder === undefined) return null
  const own = resolve(top, folder)
  const common = textAt(join(own, 'commondir')).trim()
  return common === '' ? own : resolve(own, common)
}

/** The branch that is checked out at a path; null outside of a repository, and where none is. */
export function currentGitBranch(path: string): string | null {
  for (let top = path; ; top = dirname(top)) {
    const git = join(top, '.git')
    const [, folder] = /^gitdir: *(.+?)\s*$/m.exec(textAt(git)) ?? []
    const head = textAt(join(folder === undefined ? git : resolve(top, folder), 'HEAD'))
    if (head !== '') return /^ref: refs\/heads\/(.+?)\s*$/.exec(head)?.[1] ?? null
    if (dirname(top) === top) return null
  }
}

function checkoutsOf(common: string, top: string): readonly string[] {
  const main = basename(common) === '.git' ? [dirname(common)] : []
  const others = namesIn(join(common, 'worktrees')).flatMap(name => {
    const git = textAt(join(common, 'worktrees', name, 'gitdir')).trim()
    return git === '' ? [] : [dirname(resolve(common, 'worktrees', name, git))]
  })
  return [...new Set([...main, ...others, top])]
}

/** What cannot be read is not part of a repository. */
function textAt(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
