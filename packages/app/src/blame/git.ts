/**
 * What git knows of files. git is started with fixed arguments and without a shell; it takes no locks, asks nothing, fetches
 * nothing, and runs no program that a repository names. Where there is no git or no repository, the answers are empty.
 */
import { execFile } from 'node:child_process'
import type { BlamedCommit } from '@dagline/core/protocol'

const LARGEST = 64 * 1024 * 1024
const LONGEST = 30_000
/** The newest commits of a file that are looked at. */
const MOST_COMMITS = 200

/** What git prints; null where it fails. */
async function runGit(folder: string, args: readonly string[]): Promise<string | null> {
  return (await readGit(folder, args, ''))?.toString('utf8') ?? null
}

async function readGit(folder: string, args: readonly string[], input: string): Promise<Buffer | null> {
  const settings = ['core.fsmonitor=false', 'core.quotePath=false', 'core.hooksPath=/dev/null']
  const options = settings.flatMap(setting => ['-c', setting])
  return await new Promise(resolve => {
    const child = execFile(
      'git',
      ['-C', folder, '--no-pager', ...options, ...args],
      { env: gitEnvironment(), encoding: 'buffer', maxBuffer: LARGEST, timeout: LONGEST, windowsHide: true },
      (error, stdout) => resolve(error === null ? stdout : null),
    )
    // git may end before it has read everything.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}

/** The environment without what points git to another repository, or to programs. */
function gitEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))
  return {
    ...Object.fromEntries(kept),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    LC_ALL: 'C',
  }
}

/** A file as a commit has it. */
export interface CommittedVersion {
  readonly time: number
  /** Its path in the repository then. */
  readonly path: string
  readonly content: string
}

/** A commit has seconds only: it comes behind everything in its second. */
function endOfSecond(seconds: number): number {
  return seconds * 1000 + 999
}

/** The versions of a file in the commits of the present branch, under all names that it had. */
export async function committedVersions(top: string, path: string): Promise<readonly CommittedVersion[]> {
  const logOf = (name: string): Promise<string | null> =>
    runGit(top, [
      ...['log', '--follow', `--max-count=${MOST_COMMITS}`, '--no-ext-diff', '--no-textconv'],
      ...['--format=%x01%H %ct', '--name-only', '--', name],
    ])
  const log = await logOf(path)
  const old = log === '' ? await stagedFrom(top, path) : null
  const commits = (old === null ? (log ?? '') : ((await logOf(old)) ?? '')).split('\u0001').flatMap(part => {
    const [, hash, seconds, name] = /^([0-9a-f]+) (\d+)\n+(.+)\n/.exec(part) ?? []
    if (hash === undefined || name === undefined) return []
    return [{ hash, time: endOfSecond(Number(seconds)), path: name }]
  })
  const contents = await blobsOf(
    top,
    commits.map(commit => `${commit.hash}:${commit.path}`),
  )
  return commits.flatMap(({ time, path: name }, nth) => {
    const content = contents[nth]
    return content == null ? [] : [{ time, path: name, content }]
  })
}

/** The path that a file has in the last commit, where it was renamed since with `git mv`; null where it was not. */
async function stagedFrom(top: string, path: string): Promise<string | null> {
  const renames = await runGit(top, [
    ...['diff', '--cached', '--find-renames', '--diff-filter=R', '--name-status', '-z'],
    ...['--no-ext-diff', '--no-textconv', 'HEAD'],
  ])
  // Each rename is `R100`, the old name and the new one.
  const parts = (renames ?? '').split('\0')
  const at = parts.findIndex((part, nth) => nth % 3 === 2 && part === path)
  return parts[at - 1] ?? null
}

/** The texts of some objects, in their order; null for one that is missing or has no text. */
export async function blobsOf(top: string, names: readonly string[]): Promise<readonly (string | null)[]> {
  if (names.length === 0) return []
  // A name with a line break would be two questions.
  const asked = names.map(name => (name.includes('\n') ? '-' : name))
  const bytes = (await readGit(top, ['cat-file', '--batch'], `${asked.join('\n')}\n`)) ?? Buffer.alloc(0)
  const texts: (string | null)[] = []
  for (let at = 0; at < bytes.length && texts.length < names.length; ) {
    const end = bytes.indexOf('\n', at)
    const [, type, size] = /^\S+ (\w+) (\d+)$/.exec(bytes.toString('utf8', at, end)) ?? []
    at = end + 1
    if (size === undefined) {
      texts.push(null)
      continue
    }
    const text = bytes.toString('utf8', at, at + Number(size))
    texts.push(type === 'blob' && !text.includes('\0') ? text : null)
    at += Number(size) + 1
  }
  return texts
}

/** The commit of each line of a file, and the commits; a line that is not committed has none. */
export interface GitBlame {
  readonly commits: readonly BlamedCommit[]
  readonly lines: readonly (number | null)[]
}

/** What `git blame` says of a file as it is on disk. */
export async function gitBlame(top: string, path: string): Promise<GitBlame> {
  const printed = await runGit(top, ['blame', '--porcelain', '--no-textconv', '--', path])
  const commits = new Map<string, BlamedCommit & { readonly nth: number }>()
  const lines: (number | null)[] = []
  let present = ''
  let facts = new Map<string, string>()
  for (const row of (printed ?? '').split('\n')) {
    const [, hash] = /^([0-9a-f]{40,64}) \d+ \d+/.exec(row) ?? []
    if (hash !== undefined && present === '') present = hash
    else if (row.startsWith('\t')) {
      if (!commits.has(present) && !/^0+$/.test(present))
        commits.set(present, { nth: commits.size, ...commitOf(present, facts) })
      lines.push(commits.get(present)?.nth ?? null)
      present = ''
      facts = new Map()
    } else facts.set(row.slice(0, row.indexOf(' ')), row.slice(row.indexOf(' ') + 1))
  }
  return { commits: [...commits.values()].map(({ nth, ...commit }) => commit), lines }
}

function commitOf(hash: string, facts: ReadonlyMap<string, string>): BlamedCommit {
  const seconds = Number(facts.get('author-time') ?? Number.NaN)
  return {
    hash,
    author: facts.get('author') ?? '',
    time: Number.isFinite(seconds) ? seconds * 1000 : null,
    subject: facts.get('summary') ?? '',
  }
}

/** A commit with the lines that it added. */
export interface CommitDiff extends BlamedCommit {
  /** The end of the second in which it was made. */
  readonly made: number
  readonly files: readonly AddedLines[]
}

/** The lines of a file that a commit added, by their numbers from 1. */
export interface AddedLines {
  readonly path: string
  /** Its path before, where the commit renamed it. */
  readonly old: string | null
  readonly added: readonly number[]
}

/** The commits that a revision or a range `A..B` names, the newest first; at most so many. Null where it names none. */
export async function commitsNamed(
  folder: string,
  rev: string,
  most: number,
): Promise<readonly string[] | null> {
  const walk = rev.includes('..') ? [`--max-count=${most}`] : ['--no-walk']
  const printed = await runGit(folder, ['rev-list', ...walk, '--end-of-options', rev, '--'])
  return printed === null ? null : printed.split('\n').filter(hash => hash !== '')
}

/** What a commit added, compared with its first parent. Binary files are left out. */
export async function commitDiff(folder: string, hash: string): Promise<CommitDiff | null> {
  const printed = await runGit(folder, [
    ...['show', '--first-parent', '-m', '--find-renames', '--unified=0', '--no-color', '--no-ext-diff'],
    ...[
      '--no-textconv',
      '--src-prefix=a/',
      '--dst-prefix=b/',
      '--format=%H%x00%an%x00%ct%x00%s%x00',
      hash,
      '--',
    ],
  ])
  const [id, author, seconds, subject, ...diff] = (printed ?? '').split('\0')
  if (id === undefined || author === undefined || seconds === undefined || subject === undefined) return null
  const time = Number(seconds) * 1000
  return {
    hash: id,
    author,
    time,
    made: endOfSecond(Number(seconds)),
    subject,
    files: addedIn(diff.join('\0')),
  }
}

function addedIn(diff: string): readonly AddedLines[] {
  const files: (AddedLines & { readonly added: number[] })[] = []
  let old: string | null = null
  let left = 0
  for (const row of diff.split('\n')) {
    // Lines of a hunk may look like the head of a file.
    if (left > 0 && /^[-+\\]/.test(row)) {
      if (!row.startsWith('\\')) left--
      continue
    }
    const [, side, path] = /^(---|\+\+\+) (?:[ab]\/(.*?)|\/dev\/null)\t?$/.exec(row) ?? []
    if (side === '---') old = path ?? null
    if (side === '+++' && path !== undefined) files.push({ path, old: old === path ? null : old, added: [] })
    const [, removed = '1', from, count = '1'] = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(row) ?? []
    if (from === undefined) continue
    left = Number(removed) + Number(count)
    for (let nth = 0; nth < Number(count); nth++) files.at(-1)?.added.push(Number(from) + nth)
  }
  return files
}
