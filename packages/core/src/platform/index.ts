/**
 * What differs between systems. Every rule takes the name of the system (`process.platform`), so that each can be tried on
 * any machine; docs/PLATFORMS.md lists them.
 */
import { isProjectFolder } from '../model/source.js'

/** A path of Windows: with a drive letter, or of a share. Transcripts of Windows are read on other systems, too. */
export function isWindowsPath(path: string): boolean {
  return /^(?:[A-Za-z]:[\\/]|\\\\[^\\]|[A-Za-z]:$)/.test(path)
}

/**
 * O5: what two names of one file have in common. Windows and macOS ignore case; Windows takes both slashes and has long forms of
 * paths (`\\?\C:\`); macOS takes both forms of an accented letter. No separator is at the end, but for a root.
 */
export function pathKey(path: string, platform: string): string {
  if (platform === 'win32' || isWindowsPath(path)) return windowsKey(path)
  const plain = path.length > 1 ? path.replace(/\/+$/, '') || '/' : path
  return platform === 'darwin' ? plain.normalize('NFC').toLowerCase() : plain
}

function windowsKey(path: string): string {
  const plain = path
    .replaceAll('/', '\\')
    .replace(/^\\\\\?\\UNC\\/i, '\\\\')
    .replace(/^\\\\\?\\/, '')
  const key = plain.replace(/\\+$/, '').toLowerCase()
  return /^[a-z]:$/.test(key) ? `${key}\\` : key
}

/** Whether two absolute paths name the same file or folder. */
export function isSamePath(a: string, b: string, platform: string): boolean {
  return a === b || pathKey(a, platform) === pathKey(b, platform)
}

/** Whether an absolute path is that of a folder, or lies below it. */
export function isWithinPath(path: string, folder: string, platform: string): boolean {
  const [inner, outer] = [pathKey(path, platform), pathKey(folder, platform)]
  if (inner === outer) return true
  const isWindows = platform === 'win32' || isWindowsPath(folder)
  const separator = isWindows ? '\\' : '/'
  return inner.startsWith(outer.endsWith(separator) ? outer : outer + separator)
}

/**
 * Whether a folder of transcripts is that of a working directory. O5: where case does not matter in paths, it does not in the
 * names of their folders: a terminal may begin in `c:\` and Claude Code in `C:\`.
 */
export function isFolderOf(name: string, path: string, platform: string): boolean {
  const isCaseless = platform === 'win32' || platform === 'darwin' || isWindowsPath(path)
  return isCaseless ? isProjectFolder(name.toLowerCase(), path.toLowerCase()) : isProjectFolder(name, path)
}

/** Names of devices, with any extension: Windows opens the device. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i
const NOT_IN_WINDOWS = /[<>:"/\\|?*\p{Cc}]|[. ]$/u

/** Whether a file can have a name. Elsewhere than on Windows every name that was read from a disk can be written. */
export function isFileName(name: string, platform: string): boolean {
  if (name === '' || name === '.' || name === '..') return false
  return platform !== 'win32' || !(DEVICE.test(name) || NOT_IN_WINDOWS.test(name))
}

/** O6: a name that every system takes: the same everywhere, so that files which link to each other can be passed on. */
export function portableName(name: string): string {
  const plain = name
    .replace(/[^\w.-]/g, '_')
    .replace(/^\.+/, '')
    .replace(/\.+$/, '')
  return DEVICE.test(plain) ? `_${plain}` : plain
}

/** Errors of a rename on Windows while another program, such as a virus scanner, has the file open for a moment. */
const MOMENTARY: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'EBUSY'])
const MOST_RETRIES = 10

/** O7: how many milliseconds to wait before a rename that failed is tried again; null where it has failed for good. */
export function renamePause(code: string | null, retries: number, platform: string): number | null {
  if (platform !== 'win32' || code === null || !MOMENTARY.has(code) || retries >= MOST_RETRIES) return null
  return Math.min(200, 10 * 2 ** retries)
}

type Environment = Readonly<Record<string, string | undefined>>

/** Whether what is sent to a host stays on this machine. IPv6 addresses may be in brackets, as in a URL. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || /^(?:::1|\[::1\]|127(?:\.\d{1,3}){3})$/.test(host)
}

/** The command that opens an address in a browser; null where there is no screen. */
export function browserCommand(
  url: string,
  platform: string,
  env: Environment,
): readonly [program: string, ...words: string[]] | null {
  if (platform === 'darwin') return ['open', url]
  // Not `cmd /c start`: the shell would end the command at a `&` of the address.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url]
  if (env['WSL_DISTRO_NAME'] !== undefined) return ['wslview', url]
  const hasScreen = ['DISPLAY', 'WAYLAND_DISPLAY', 'BROWSER'].some(name => Boolean(env[name]))
  return hasScreen ? ['xdg-open', url] : null
}

/** Which of the user's folders: one that may be emptied, one for data, or one for settings. */
export type UserFolder = 'cache' | 'data' | 'config'

const XDG: Readonly<Record<UserFolder, string>> = {
  cache: 'XDG_CACHE_HOME',
  data: 'XDG_DATA_HOME',
  config: 'XDG_CONFIG_HOME',
}
const WINDOWS: Readonly<Record<UserFolder, string>> = {
  cache: 'LOCALAPPDATA',
  data: 'APPDATA',
  config: 'APPDATA',
}
const BELOW_HOME: Readonly<Record<UserFolder, Readonly<Record<string, readonly string[]>>>> = {
  cache: { darwin: ['Library', 'Caches'], win32: ['AppData', 'Local'], other: ['.cache'] },
  data: {
    darwin: ['Library', 'Application Support'],
    win32: ['AppData', 'Roaming'],
    other: ['.local', 'share'],
  },
  config: {
    darwin: ['Library', 'Application Support'],
    win32: ['AppData', 'Roaming'],
    other: ['.config'],
  },
}

/** Where a user's folder is: one part, or the parts below the home folder. */
export function userFolder(
  folder: UserFolder,
  { env, home, platform }: { readonly env: Environment; readonly home: string; readonly platform: string },
): readonly string[] {
  const variables = platform === 'win32' ? [XDG[folder], WINDOWS[folder]] : [XDG[folder]]
  const given = variables.map(name => env[name] ?? '').find(path => isUsable(path, platform))
  if (given !== undefined) return [given]
  const known = BELOW_HOME[folder]
  return [home, ...(known[platform] ?? known['other'] ?? [])]
}

/** XDG says that a relative path is to be ignored. So is one below /proc, where Node never ends making folders. */
function isUsable(path: string, platform: string): boolean {
  if (platform === 'win32') return isWindowsPath(path)
  return path.startsWith('/') && !/^\/proc(?:\/|$)/.test(path)
}
