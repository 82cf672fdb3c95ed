/** Lines that are known again: in earlier versions, and by what calls wrote whose place is not known. */
import type { FileChange } from '../model/file-change.js'
import { matchLines, NO_LINE, onceIn } from './match.js'
import { editOrigin, isTelling, type LineOrigin, linesOf, unixText, type Version } from './version.js'

/** Z2: origins of lines that came back, or from another copy: a block is known by a telling line that both have once. */
export function fromVersions(
  versions: readonly Version[],
  lines: readonly string[],
  known: readonly (LineOrigin | null)[],
): readonly (LineOrigin | null)[] {
  const found = [...known]
  const places = onceIn(lines)
  const wanted = new Map<string, number>()
  for (const [text, at] of places)
    if (at !== NO_LINE && found[at] === null && isTelling(text)) wanted.set(text, at)
  for (const version of versions.toReversed()) {
    if (wanted.size === 0) break
    if (!version.lines.some(text => wanted.has(text))) continue
    for (const [text, place] of onceIn(version.lines)) {
      const at = place === NO_LINE ? undefined : wanted.get(text)
      if (at !== undefined) takeBlock({ lines, found }, at, version, place)
    }
    for (const [text, at] of wanted) if (found[at] !== null) wanted.delete(text)
  }
  return found
}

/** Takes the origins of a block of lines from a version, as far as the lines are the same and have none yet. */
function takeBlock(
  { lines, found }: { readonly lines: readonly string[]; readonly found: (LineOrigin | null)[] },
  at: number,
  version: Version,
  place: number,
): void {
  const take = (offset: number): boolean => {
    const origin = version.origins[place + offset]
    const isSame = lines[at + offset] === version.lines[place + offset]
    if (origin === undefined || !isSame || found[at + offset] !== null) return false
    found[at + offset] = origin
    return true
  }
  for (let offset = 0; take(offset); ) offset++
  for (let offset = -1; take(offset); ) offset--
}

/** A call whose place in the file is not known. */
export interface UnplacedEdit {
  readonly edit: number
  readonly track: string
  /** What it wrote. */
  readonly added: readonly AddedText[]
  /** No later version of its copy is known yet. */
  isOpen: boolean
}

/** A line that a call wrote, or the beginning or end of one. */
interface AddedText {
  readonly text: string
  readonly isIn: (line: string) => boolean
}

/** A call of which only the texts are known. */
export function unplacedEdit(
  { edit, track }: Pick<UnplacedEdit, 'edit' | 'track'>,
  change: Exclude<FileChange, { kind: 'seen' }>,
): UnplacedEdit {
  return { edit, track, added: addedTexts(change), isOpen: true }
}

function addedTexts(change: Exclude<FileChange, { kind: 'seen' }>): readonly AddedText[] {
  switch (change.kind) {
    case 'cell':
      return change.lines.map(text => ({ text, isIn: line => bareLine(line) === bareLine(text) }))
    case 'replace':
      return change.replacements.flatMap(each => insertedTexts(each.old, each.new))
    default:
      return linesOf(change.content).map(text => ({ text, isIn: line => line === text }))
  }
}

/** The first and the last line of a text may be parts of lines of the file. */
function insertedTexts(old: string, inserted: string): readonly AddedText[] {
  const lines = unixText(inserted).split('\n')
  const matched = matchLines(unixText(old).split('\n'), lines)
  const last = lines.length - 1
  return lines.flatMap((text, nth): readonly AddedText[] => {
    if (matched[nth] !== NO_LINE || text === '') return []
    if (nth > 0 && nth < last) return [{ text, isIn: line => line === text }]
    if (nth > 0) return [{ text, isIn: line => line.startsWith(text) }]
    return [{ text, isIn: line => (last === 0 ? line.includes(text) : line.endsWith(text)) }]
  })
}

/** A line of a notebook, without indentation and comma. */
function bareLine(line: string): string {
  return line.trim().replace(/,$/, '')
}

/** The origin of a line that only calls without a known place can have written; null where none of them did. */
export function fromUnplaced(
  unplaced: readonly UnplacedEdit[],
  track: string,
  lines: readonly string[],
  nth: number,
): LineOrigin | null {
  const line = lines[nth] ?? ''
  const calls = unplaced.filter(({ added }) => added.some(({ isIn }) => isIn(line)))
  const [only] = calls
  if (only === undefined) return null
  const isWhole = only.added.some(({ text }) => bareLine(text) === bareLine(line))
  const isOnce = isTelling(line) && lines.filter(each => each === line).length === 1
  return calls.length === 1 && only.isOpen && only.track === track && isWhole && isOnce
    ? editOrigin(only.edit, 'found')
    : { kind: 'undecided', edits: calls.map(({ edit }) => edit) }
}
