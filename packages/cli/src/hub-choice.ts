/** HU48, HU53: which commands a hub answers, and what to do instead of the others. */
import { UserError } from '@dagline/app'
import type { CommonOptions } from './console.js'

/** Commands that are asked of a hub, or done with files of it. */
const WITH_HUB: ReadonlySet<string> = new Set([
  ...[
    'ls',
    'prompts',
    'agents',
    'files',
    'search',
    'usage',
    'stats',
    'doctor',
    'branches',
    'lessons',
    'tree',
  ],
  ...['log', 'show', 'timeline', 'context', 'diff', 'explain', 'graph', 'export'],
  ...['checkout', 'fork', 'pick', 'trim', 'split', 'name', 'tag', 'note'],
])

/** Why others are not, and what to do. */
const INSTEAD: Readonly<Record<string, string>> = {
  dagline: 'The hub has a page of its own: open its address in a browser, or run `dagline ls --hub`.',
  open: 'The hub has a page of its own: open its address in a browser.',
  serve: 'The hub has a page of its own: open its address in a browser.',
  tail: 'tail follows files of this machine. Open the session on the page of the hub to follow it there.',
  blame: 'blame needs the file and its repository: run it without --hub where the sessions ran.',
  commits: 'commits needs the repository: run it without --hub where the sessions ran.',
  repair:
    'repair changes sessions of this machine. Run `dagline checkout SESSION --hub` first, then repair the copy.',
  archive: 'The archive is on this machine. Run `dagline hub fetch` to write files of the hub into a folder.',
  restore: 'The archive is on this machine. Run `dagline hub fetch` to write files of the hub into a folder.',
}

/** Whether the options of a hub have a meaning for a command. */
export function takesHub(command: string): boolean {
  return command === 'hub' || WITH_HUB.has(command)
}

/** The hub that a command asks; null for this machine. Throws `UserError` where the command has no meaning with it. */
export function hubFor(command: string, { hub, root, person, machine }: CommonOptions): string | null {
  // `dagline hub` has the same options, and reads them by itself.
  if (command === 'hub') return null
  const filter = person !== null ? '--person' : machine !== null ? '--machine' : null
  if (hub === null && filter !== null)
    throw new UserError(`${filter} chooses sessions of a hub. Give --hub, too.`)
  if (hub === null) return null
  if (!WITH_HUB.has(command))
    throw new UserError(
      INSTEAD[command] ?? `${command} is about this machine, not about a hub. Run it without --hub.`,
    )
  if (root.length > 0) throw new UserError('--root and --hub are two places. Give one of them.')
  return hub
}

/** Whether a word is the address of a hub. */
const ADDRESS = /^[a-z][a-z0-9+.-]*:/i

/** `--hub` without an address means the hub of the settings: the word behind it is then one of the command. */
export function withHubOfSettings(words: readonly string[]): readonly string[] {
  return words.map((word, at) => (word === '--hub' && !ADDRESS.test(words[at + 1] ?? '') ? '--hub=' : word))
}
