/**
 * U5: options that several commands have: one name has one form and one meaning everywhere. A command may add what it
 * means there.
 */
const SHARED = {
  all: ['-a, --all', 'leave nothing out'],
  archive: ['--archive <file>', 'archive file to use (default: archive.db in the XDG data folder)'],
  at: ['--at <point>', 'the point of the session'],
  branch: ['--branch <which>', 'which branches'],
  context: ['-C, --context [count]', 'also so many before and after each'],
  dryRun: ['--dry-run', 'check everything, but write nothing'],
  file: ['--file <path>', 'only what touched this file; the end of its path suffices'],
  index: ['--index <file>', 'index file to use (default: in the cache folder)'],
  jsonl: ['--jsonl', 'print JSON, one object on each line'],
  limit: ['-n, --limit <count>', 'print at most so many'],
  live: ['--live', 'only what the next request would carry'],
  noOpen: ['--no-open', 'do not open the browser'],
  only: ['--only <kind>', 'only problems of this kind; may be repeated'],
  out: ['-o, --out <path>', 'where to write'],
  port: ['--port <number>', 'port of the viewer'],
  project: [
    '-p, --project <project>',
    'only this project: a path, the name of its folder, a part of either, or "." for the one here',
  ],
  remove: ['--remove', 'remove instead of adding'],
  session: [
    '--session <session>',
    'only this session: an id or a unique prefix of one, "latest", a name or a path',
  ],
  since: ['-s, --since <date>', 'only from this time: 2026-03, 2026-03-01, 30d, yesterday, "last month"'],
  sort: ['--sort <key>', 'order of what is printed'],
  title: ['--title <text>', 'title of the new session'],
  tree: ['--tree', 'all sessions of its tree: those it continues, and those that continue it'],
  until: ['-u, --until <date>', 'only up to this time; includes the whole day or month'],
  watch: ['-w, --watch', 'repeat until Ctrl-C'],
  yes: ['-y, --yes', 'do not ask for confirmation'],
} as const

/** Branches by their status. */
export const BRANCHES = ['live', 'abandoned', 'all'] as const

/** The flags of a shared option and its help, with what it means for a command. */
export function shared(name: keyof typeof SHARED, detail = ''): readonly [flags: string, help: string] {
  const [flags, meaning] = SHARED[name]
  return [flags, detail === '' ? meaning : `${meaning}${detail}`]
}
