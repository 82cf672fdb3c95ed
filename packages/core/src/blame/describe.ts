/** The evidence for a line, and the fate of a call, in a sentence. */
import { dayAndTime } from '../format/index.js'
import type { BlamedEdit, BlamedFile, BlamedLine } from '../protocol/blame.js'

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
  const isLeft = edit !== undefined && edit.status !== 'live' && edit.status !== 'copy'
  return isLeft ? ' Its branch was abandoned, but its change stayed in the file.' : ''
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
export function describeFate({ fate, status, present, written }: BlamedEdit): string {
  const branch = status === 'live' || status === 'copy' ? '' : 'on an abandoned branch; '
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
