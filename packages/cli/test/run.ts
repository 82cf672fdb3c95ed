/** Runs the real bundle as a process of its own. `npm run unit` builds it first. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expandShape, inProject, type TestHome, withHome } from '@dagline/testkit'

export const REPOSITORY: string = join(import.meta.dirname, '..', '..', '..')
/** A projects root with recordings of Claude Code. */
export const RECORDED: string = join(REPOSITORY, 'fixtures', 'recorded', 'projects')
/** What comes with the command. */
export const SAMPLES: string = join(REPOSITORY, 'fixtures', 'samples', 'projects')
export const BUNDLE: string = join(REPOSITORY, 'packages', 'cli', 'dist', 'dagline.js')

/** What a run came to. */
export interface Ran {
  readonly stdout: string
  readonly stderr: string
  readonly code: number | null
}

const CACHE = join(REPOSITORY, 'node_modules', '.cache', 'dagline')
/** A home folder without sessions, for all tests of a worker; `vitest.config.ts` removes what earlier runs have left. */
const HOME = join(CACHE, `home-${process.env['VITEST_POOL_ID']}`)

/** Compiled code of the bundle: a command starts a fifth sooner. */
const NODE_COMPILE_CACHE = join(CACHE, 'compiled')

/** An environment with nothing of the machine's own sessions in it. */
export function cleanEnv(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { PATH = '' } = process.env
  return { PATH, HOME, TZ: 'UTC', NODE_COMPILE_CACHE, ...more }
}

/** Runs `dagline` with the words. */
export function dagline(words: readonly string[], env: Readonly<Record<string, string>> = {}): Ran {
  const options = { env: cleanEnv(env), encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 } as const
  const { stdout, stderr, status } = spawnSync(process.execPath, [BUNDLE, ...words], options)
  return { stdout, stderr, code: status }
}

/** Runs on the recorded projects. */
export function onRecorded(...words: string[]): Ran {
  return dagline([...words, '--root', RECORDED])
}

/** The JSON that a run printed. */
// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
export function json(ran: Ran): any {
  return JSON.parse(ran.stdout)
}

/** Runs on a home that a shape describes. */
export async function onShape<T>(
  shape: string,
  use: (run: (...words: string[]) => Ran, home: TestHome) => T,
): Promise<T> {
  const { files, metas } = expandShape(shape)
  return await withHome(inProject([...files, ...metas]), home =>
    use((...words) => dagline(words, { CLAUDE_CONFIG_DIR: home.config, ...ownFolders(home) }), home),
  )
}

/** Folders for the index and the archive that go with the home. */
export function ownFolders(home: TestHome): Record<string, string> {
  return { XDG_CACHE_HOME: join(home.config, 'cache'), XDG_DATA_HOME: join(home.config, 'data') }
}

/** Text between newlines, so that an inline snapshot stands on lines of its own. */
export function block(text: string): string {
  return `\n${text}`
}
