/** What blame and commits say in words, once for every face: evidence of a line, fate of a call, sums of a file and a commit. */
import { dayAndTime, plural } from '../format/index.js'
import type { BlamedEdit, BlamedFile, BlamedLine, CommitSessions } from '../protocol/blame.js'

/** Where the lines of a file come from, in numbers: `12 lines by 2 sessions, 3 by no recorded call`. */
export function describeOrigins({ lines, edits, failed }: BlamedFile): string {
  const counted = (origin: BlamedLine['origin']): number =>
    lines.filter(line => line.origin === origin).length
  const sessions = new Set(edits.filter(({ present }) => present > 0).map(({ session }) => session))
  return [
    `${plural(counted('edit'), 'line')} by ${plural(sessions.size, 'session')}`,
    ...otherOrigins(counted('outside'), counted('undecided')),
    ...(failed > 0 ? [`${plural(failed, 'call')} failed and changed nothing`] : []),
  ].join(', ')
}

/** Where the lines that a commit added come from, in numbers. */
export function describeAdded({ added, outside, undecided, skipped }: CommitSessions): string {
  return [
    `${plural(added, 'line')} added`,
    ...otherOrigins(outside, undecided),
    ...(skipped > 0 ? [`${plural(skipped, 'file')} not read (too large or not text)`] : []),
  ].join(', ')
}

function otherOrigins(outside: number, undecided: number): readonly string[] {
  return [
    ...(outside > 0 ? [`${outside} by no recorded call`] : []),
    ...(undecided > 0 ? [`${undecided} undecided`] : []),
  ]
}

/** Z3: the calls that are listed as not in the file: none of their lines is there, and no later call replaced them. */
export function absentEdits(edits: readonly BlamedEdit[]): readonly BlamedEdit[] {
  return edits.filter(({ fate }) => fate === 'undone' || fate === 'elsewhere')
}

/** Z3: whether a call is on a branch that was abandoned. */
export function isAbandonedEdit({ status }: BlamedEdit): boolean {
  return status !== 'live' && status !== 'copy'
}

/** What to say where the file is not on disk; null where it is. */
export function describeSource({ source }: Pick<BlamedFile, 'source'>): string | null {
  return source === 'disk'
    ? null
    : 'The file is not on disk. These lines are the last ones that sessions recorded.'
}

/** Why a line is attributed as it is. */
export function describeLine(
  line: BlamedLine,
  { edits, source }: Pick<BlamedFile, 'edits' | 'source'>,
): string {
  const [first] = line.edits
  const edit = first === undefined ? undefined : edits[first]
  if (line.origin === 'edit') return `${evidenceOf(line, edit)}${branchNote(edit)}`
  if (line.origin === 'undecided') {
    const calls = line.edits.length === 1 ? 'A call' : `${line.edits.length} calls`
    return `${calls} wrote such a line, but what the file held before is not recorded.`
  }
  return outsideNote(line, source)
}

function evidenceOf({ evidence }: BlamedLine, edit: BlamedEdit | undefined): string {
  const tool = edit?.tool ?? 'The call'
  if (evidence === 'changed') return `${tool} added the line: the file was recorded before and after it.`
  if (evidence === 'placed') return `${tool} added the line next to text that the version before it has.`
  return `${tool} wrote a line with this text, which the file has once.`
}

/** A call on a branch that was abandoned may have stayed on disk. */
function branchNote(edit: BlamedEdit | undefined): string {
  return edit !== undefined && isAbandonedEdit(edit)
    ? ' Its branch was abandoned, but its change stayed in the file.'
    : ''
}

function outsideNote({ after, before }: BlamedLine, source: BlamedFile['source']): string {
  const words = 'No recorded call wrote it'
  if (after === null && before === null) return `${words}, and no session knows the file.`
  if (after === null)
    return `${words}: it was there when a session first saw the file, ${dayAndTime(before)}.`
  const until = before === null ? (source === 'disk' ? 'now' : 'the last version') : dayAndTime(before)
  return `${words}: it appeared between ${dayAndTime(after)} and ${until}, by hand or by a command.`
}

/** Z3: what became of the lines of a call. */
export function describeFate(edit: BlamedEdit): string {
  const { fate, present, written } = edit
  const branch = isAbandonedEdit(edit) ? 'on an abandoned branch; ' : ''
  switch (fate) {
    case 'present':
      return `${branch}${present} of ${written} lines are in the file`
    case 'replaced':
      return `${branch}later calls replaced its lines`
    case 'undone':
      return `${branch}undone: its lines are not in the file`
    case 'elsewhere':
      return `${branch}in another checkout: its lines never reached this file`
    case 'removed':
      return `${branch}it only removed lines`
    default:
      return `${branch}not known: the file before it is not recorded`
  }
}
