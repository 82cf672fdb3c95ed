/** A temporary home for tests that need files on disk, and the memory that a process took. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TextFile } from './shape/expand.js'

/** A home folder as the CLI would have it. */
export interface TestHome {
  readonly dir: string
  /** The config folder, `<dir>/.claude`: a value for `CLAUDE_CONFIG_DIR`. */
  readonly config: string
  /** The projects root, below which the files are. */
  readonly projects: string
}

/** Writes the files below the projects root of a new home, lets `use` work with it, and removes it again. */
export async function withHome<T>(
  files: Iterable<TextFile>,
  use: (home: TestHome) => Promise<T> | T,
): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), 'dagline-'))
  const config = join(dir, '.claude')
  const projects = join(config, 'projects')
  try {
    await mkdir(projects, { recursive: true })
    for (const file of files) await writeBelow(projects, file)
    return await use({ dir, config, projects })
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/** The same files in a project folder: shapes have none. */
export function inProject(files: Iterable<TextFile>, project = '-home-dev-proj'): TextFile[] {
  return [...files].map(({ path, text }) => ({ path: `${project}/${path}`, text }))
}

async function writeBelow(root: string, { path, text }: TextFile): Promise<void> {
  const target = join(root, path)
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, text)
}

/**
 * A JavaScript expression, for a module of another process: the most memory that the process had resident, in KiB.
 * `process.resourceUsage().maxRSS` does not serve on Linux: a child inherits the peak of the process that started it.
 */
export const PEAK_MEMORY: string = `(
  process.platform === 'linux'
    ? Number(/VmHWM:\\s*(\\d+)/.exec(process.getBuiltinModule('node:fs').readFileSync('/proc/self/status'))[1])
    : process.resourceUsage().maxRSS
)`
