/** Where dagline keeps things on this machine: never under `~/.claude`. */
import { homedir } from 'node:os'
import { join } from 'node:path'

/** What decides where folders are. */
export interface Surroundings {
  readonly env: Readonly<NodeJS.ProcessEnv>
  readonly home: string
  readonly platform: NodeJS.Platform
}

const here = (): Surroundings => ({ env: process.env, home: homedir(), platform: process.platform })

/** Where the index lies. It may be deleted at any time: everything in it can be made again. */
export function cacheFolder(surroundings: Surroundings = here()): string {
  return join(base('XDG_CACHE_HOME', CACHES, surroundings), 'dagline')
}

/** Where the archive, names, tags and notes lie: the user's own data. */
export function dataFolder(surroundings: Surroundings = here()): string {
  return join(base('XDG_DATA_HOME', DATA, surroundings), 'dagline')
}

type Defaults = Readonly<Record<'darwin' | 'win32' | 'other', readonly string[]>>

const CACHES: Defaults = {
  darwin: ['Library', 'Caches'],
  win32: ['AppData', 'Local'],
  other: ['.cache'],
}

const DATA: Defaults = {
  darwin: ['Library', 'Application Support'],
  win32: ['AppData', 'Roaming'],
  other: ['.local', 'share'],
}

/** XDG says that a relative path is to be ignored. */
function base(variable: string, defaults: Defaults, { env, home, platform }: Surroundings): string {
  const given = env[variable] ?? ''
  if (given.startsWith('/') || /^[A-Za-z]:[\\/]/.test(given)) return given
  const usual = platform === 'darwin' || platform === 'win32' ? platform : 'other'
  return join(home, ...defaults[usual])
}
