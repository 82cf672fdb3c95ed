/** Opening an address in the user's browser. */
import { spawn } from 'node:child_process'

/** Opens an address. Where that fails nothing is said: the address is printed anyway. */
export function openBrowser(url: string): void {
  const command = commandFor(url, process.platform, process.env)
  if (command === null) return
  const [program, ...words] = command
  const child = spawn(program, words, { stdio: 'ignore', detached: true })
  child.once('error', () => {})
  child.unref()
}

type Words = readonly [program: string, ...words: string[]]

/** What opens an address on a platform; null where there is no screen to open it on. */
export function commandFor(
  url: string,
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): Words | null {
  if (platform === 'darwin') return ['open', url]
  // `start` takes the first quoted word for the title of a window.
  if (platform === 'win32') return ['cmd', '/c', 'start', '""', url]
  if (env['WSL_DISTRO_NAME'] !== undefined) return ['wslview', url]
  const hasScreen = ['DISPLAY', 'WAYLAND_DISPLAY', 'BROWSER'].some(name => Boolean(env[name]))
  return hasScreen ? ['xdg-open', url] : null
}
