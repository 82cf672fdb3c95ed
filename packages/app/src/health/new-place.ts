/** D25: where a directory that is gone may be now. Only a few folders near the old place are looked at, and git is not started. */
import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, parse, relative, sep } from 'node:path'
import { isFolder } from '../files/projects.js'

/** Folders that are looked at beside the old place: a home folder has fewer. */
const MOST_FOLDERS = 500

/** The places that a directory may have moved to: the same name near by, or a clone of a repository of that name. */
export function newPlacesOf(gone: string): readonly string[] {
  const near = nearestFolder(gone)
  if (near === null) return []
  const name = basename(gone)
  // What stood below the first folder that is missing: `proj` of /home/me/work/proj, where `work` was renamed.
  const rest = relative(near, gone).split(sep).slice(1).join(sep)
  const beside = foldersIn(near).map(folder => join(near, folder))
  const moved = [
    join(dirname(near), name),
    ...beside.flatMap(folder => [join(folder, rest), join(folder, name)]),
  ]
  const clones = beside.filter(folder =>
    remotesOf(folder).some(url => repositoryOf(url) === name.toLowerCase()),
  )
  const places = [...moved.filter(place => basename(place) === name && isFolder(place)), ...clones]
  return [...new Set(places)].filter(place => place !== near)
}

/** The nearest folder above that is there; null where only the root of the disk is. */
function nearestFolder(gone: string): string | null {
  for (let path = dirname(gone); path !== parse(path).root; path = dirname(path))
    if (isFolder(path)) return path
  return null
}

function foldersIn(path: string): readonly string[] {
  try {
    const isVisible = (entry: Dirent): boolean => entry.isDirectory() && !entry.name.startsWith('.')
    const entries = readdirSync(path, { withFileTypes: true }).filter(isVisible)
    return entries.slice(0, MOST_FOLDERS).map(({ name }) => name)
  } catch {
    return []
  }
}

/** The addresses of a repository's remotes. */
function remotesOf(folder: string): readonly string[] {
  try {
    const config = readFileSync(join(folder, '.git', 'config'), 'utf8')
    return [...config.matchAll(/^\s*url\s*=\s*(.+?)\s*$/gm)].map(([, url = '']) => url)
  } catch {
    return []
  }
}

/** `proj` of `git@host:me/proj.git`. */
function repositoryOf(url: string): string {
  return (url.split(/[/:\\]/).at(-1) ?? '').replace(/\.git$/, '').toLowerCase()
}
