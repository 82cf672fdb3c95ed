/** Z1: a file, line by line, with the prompts behind its lines. */
import { readFileSync, statSync } from 'node:fs'
import { type Attribution, attributeLines, type FileEvent, type LineOrigin } from '@dagline/core/blame'
import type { BlamedEdit, BlamedFile, BlamedLine } from '@dagline/core/protocol'
import { UserError } from '../host/user-error.js'
import { type CallOrigin, callsFor } from './calls.js'
import { type AskedPath, askedPath, copiesOf, versionsInGit } from './copies.js'
import { type CommittedVersion, type GitBlame, gitBlame } from './git.js'
import type { BlameSource } from './source.js'

/** A larger file is not read. */
const LARGEST = 16 * 1024 * 1024

/** What is known of a file before sessions are asked: what is on disk, and what git knows. */
interface FileState {
  readonly asked: AskedPath
  /** Null where it is not on disk. */
  readonly content: string | null
  readonly versions: readonly CommittedVersion[]
  readonly blame: GitBlame
}

/** Reads a file, and asks git about it. Throws `UserError` where it is not a file with text. */
export async function readFileState(typed: string): Promise<FileState> {
  const asked = askedPath(typed)
  const content = contentOf(asked)
  const { repository } = asked
  const [versions, blame] = await Promise.all([
    versionsInGit(asked),
    repository === null || content === null
      ? { commits: [], lines: [] }
      : gitBlame(repository.top, repository.path),
  ])
  return { asked, content, versions, blame }
}

function contentOf({ path, real }: AskedPath): string | null {
  const stats = statSync(real, { throwIfNoEntry: false })
  if (stats === undefined) return null
  if (!stats.isFile())
    throw new UserError(`${path} is not a file. Give the path of a file that sessions changed.`)
  if (stats.size > LARGEST) throw new UserError(`${path} is larger than 16 MB: its lines are not attributed.`)
  const text = readFileSync(real, 'utf8')
  if (text.includes('\0')) throw new UserError(`${path} is not a text file: its lines cannot be attributed.`)
  return text
}

/** Z1: attributes the lines of a file. Throws `UserError` where nothing is known of it. */
export function blameFile(source: BlameSource, { asked, content, versions, blame }: FileState): BlamedFile {
  const names = [...new Set(versions.map(({ path }) => path))]
  const calls = callsFor(source, copiesOf(source, asked, names))
  const committed = versions.map(
    ({ time, content: text }): FileEvent => ({
      track: COMMITS,
      time,
      change: { kind: 'seen', content: text },
    }),
  )
  if (content === null && calls.events.length === 0)
    throw new UserError(
      `${asked.path} does not exist, and no session changed it. Run \`dagline files\` to list the files that sessions changed.`,
      'no-entry',
    )
  const attribution = attributeLines([...calls.events, ...committed], { track: asked.real, content })
  const edits = editsOf(attribution, calls.origins)
  return {
    path: asked.path,
    source: content === null ? 'sessions' : 'disk',
    lines: attribution.lines.map(({ text, origin }, nth) => ({
      line: nth + 1,
      text,
      ...lineFacts(origin, edits.numbers),
      commit: origin.kind === 'outside' ? (blame.lines[nth] ?? null) : null,
    })),
    edits: edits.list,
    failed: calls.failed,
    commits: blame.commits,
  }
}

/** The versions in git are a copy of their own: what is committed need not be on disk. */
const COMMITS = 'git'

interface ListedEdits {
  readonly list: readonly BlamedEdit[]
  /** The number in the list of each event. */
  readonly numbers: ReadonlyMap<number, number>
}

/** The calls in the order of time. */
function editsOf({ edits }: Attribution, origins: readonly (CallOrigin | null)[]): ListedEdits {
  const list: BlamedEdit[] = []
  const numbers = new Map<number, number>()
  for (const { edit, fate, written, present } of edits) {
    const origin = origins[edit] ?? null
    if (origin === null) continue
    numbers.set(edit, list.length)
    list.push({ ...origin, fate, written, present })
  }
  return { list, numbers }
}

function lineFacts(
  origin: LineOrigin,
  numbers: ReadonlyMap<number, number>,
): Pick<BlamedLine, 'origin' | 'edits' | 'evidence' | 'after' | 'before'> {
  const none = { origin: origin.kind, edits: [], evidence: null, after: null, before: null }
  const numberOf = (edit: number): readonly number[] => [numbers.get(edit) ?? []].flat()
  switch (origin.kind) {
    case 'edit':
      return { ...none, edits: numberOf(origin.edit), evidence: origin.evidence }
    case 'undecided':
      return { ...none, edits: origin.edits.flatMap(numberOf) }
    default:
      return { ...none, after: origin.after, before: origin.before }
  }
}
