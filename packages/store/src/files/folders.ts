/** Where Claude Code keeps its projects on this machine, and where dagline keeps its own files: never under `~/.claude`. */
import { homedir, userInfo } from 'node:os'
import { delimiter, isAbsolute, join, posix, resolve, win32 } from 'node:path'
import { type UserFolder, userFolder } from '@dagline/core/platform'
import { isFolder } from './walk.js'

/**
 * The projects roots: `projects` in each folder that `CLAUDE_CONFIG_DIR` lists (separated as in PATH, or by commas),
 * else those that `DAGLINE_ROOTS` lists, else the one in `~/.claude`. They need not exist.
 */
export function defaultRoots(
  env: Readonly<NodeJS.ProcessEnv> = process.env,
  home: string = homeFolder(),
): string[] {
  const folders = configFolders(env['CLAUDE_CONFIG_DIR'] ?? '')
  const roots = (env['DAGLINE_ROOTS'] ?? '').split(delimiter).filter(root => root !== '')
  if (folders.length === 0 && roots.length > 0) return [...new Set(roots)]
  const chosen = folders.length > 0 ? folders : [join(home, '.claude')]
  return [...new Set(chosen)].map(folder => join(folder, 'projects'))
}

function configFolders(text: string): string[] {
  // A folder's name may hold the separators; then it exists as it is written.
  if (isFolder(text)) return [text]
  return text
    .split(',')
    .flatMap(part => (isFolder(part.trim()) ? [part] : part.split(delimiter)))
    .map(part => part.trim())
    .filter(part => part !== '')
}

/** What decides where folders are. */
interface Environment {
  readonly env: Readonly<NodeJS.ProcessEnv>
  readonly home: string
  readonly platform: NodeJS.Platform
}

const here = (): Environment => ({ env: process.env, home: homeFolder(), platform: process.platform })

/** The home folder. A relative `HOME` would be another one in every working folder: then the system is asked. */
function homeFolder(): string {
  const home = homedir()
  if (isAbsolute(home)) return home
  try {
    return userInfo().homedir
  } catch {
    return resolve(home)
  }
}

/** Where the index lies. It may be deleted at any time: everything in it can be made again. */
export function cacheFolder(environment: Environment = here()): string {
  return ownFolder('cache', environment)
}

/** Where the archive, names, tags and notes lie: the user's own data. */
export function dataFolder(environment: Environment = here()): string {
  return ownFolder('data', environment)
}

/** Where the settings lie. */
export function configFolder(environment: Environment = here()): string {
  return ownFolder('config', environment)
}

function ownFolder(folder: UserFolder, environment: Environment): string {
  const { join: joinThere } = environment.platform === 'win32' ? win32 : posix
  return joinThere(...userFolder(folder, environment), 'dagline')
}
