/** The versions of all copies of a file, one after the other. */
import type { FileChange, Replacement } from '../model/file-change.js'
import { countByEdit, type WrittenLines } from './fates.js'
import { matchLines, NO_LINE } from './match.js'
import { fromUnplaced, fromVersions, type UnplacedEdit, unplacedEdit } from './recognise.js'
import { replaceIn } from './replace.js'
import { editOrigin, type LineOrigin, linesOf, textOf, unixText, type Version } from './version.js'

/** What is known while events are added in the order of time. */
interface Replay {
  /** What each copy was last, as far as it is known. */
  readonly current: Map<string, Version>
  /** All that is known, of all copies. */
  readonly versions: Version[]
  /** Calls whose place in their copy is not known. */
  readonly unplaced: UnplacedEdit[]
  readonly written: Map<number, WrittenLines>
}

/** A copy, and when; null for now. */
interface Moment {
  readonly track: string
  readonly time: number | null
}

/** An event: its number, its copy and its time. */
interface EditMoment extends Moment {
  readonly edit: number
}

/** Nothing is known yet. */
export function createReplay(): Replay {
  return { current: new Map(), versions: [], unplaced: [], written: new Map() }
}

/** Adds an event. */
export function addChange(replay: Replay, at: EditMoment, change: FileChange): void {
  if (change.kind === 'seen') {
    reachContent(replay, at, change.content)
    return
  }
  const written: WrittenLines = { track: at.track, count: 0, replaced: 0, undone: 0, isPlaced: true }
  replay.written.set(at.edit, written)
  const after = afterChange(replay, at, change)
  // Where the file before a call is not recorded, it may have differed from what is known, and so may what the call wrote.
  const isKnown = change.kind !== 'cell' && change.before !== null
  const unplaced = isKnown ? null : unplacedEdit(at, change)
  if (unplaced !== null) replay.unplaced.push(unplaced)
  if (after === null) {
    written.count = unplaced?.added.length ?? 0
    written.isPlaced = false
    return
  }
  countLost(replay, after.base, after.origins, 'replaced')
  written.count = after.origins.filter(origin => origin === after.origin).length
  written.isPlaced = after.origin.kind === 'edit'
  keepVersion(replay, at, after)
}

/** A copy has this content, whatever happened to it since it was known last. */
export function reachContent(replay: Replay, at: Moment, content: string): Version {
  const before = replay.current.get(at.track)
  const text = textOf(content)
  if (before?.text === text) return keepVersion(replay, at, before)
  const lines = linesOf(content)
  const same = replay.versions.findLast(version => version.text === text)
  const origins = same?.origins ?? recognise(replay, at, lines)
  countLost(replay, before, origins, 'undone')
  for (const call of replay.unplaced) if (call.track === at.track) call.isOpen = false
  return keepVersion(replay, at, { lines, origins })
}

/** Lines that no recorded call left like this: each keeps the origin that it has in a known version. */
function recognise(replay: Replay, { track, time }: Moment, lines: readonly string[]): readonly LineOrigin[] {
  const before = replay.current.get(track)
  const known = inherit(before ?? replay.versions.at(-1), lines)
  const outside: LineOrigin = { kind: 'outside', after: before?.time ?? null, before: time }
  return fromVersions(replay.versions, lines, known).map(
    (origin, nth) => origin ?? fromUnplaced(replay.unplaced, track, lines, nth) ?? outside,
  )
}

/** The origin of each line in a version before; null for a line that is not in it. */
function inherit(base: Version | undefined, lines: readonly string[]): readonly (LineOrigin | null)[] {
  const matched = matchLines(base?.lines ?? [], lines)
  return lines.map((_, nth) => base?.origins[matched[nth] ?? NO_LINE] ?? null)
}

/** The file after a change, and the origin of what is new in it. */
interface AfterChange extends Pick<Version, 'lines' | 'origins'> {
  readonly base: Version | undefined
  readonly origin: LineOrigin
}

/** The file after a change; null where it is not known on what the change was made. */
function afterChange(
  replay: Replay,
  at: EditMoment,
  change: Exclude<FileChange, { kind: 'seen' }>,
): AfterChange | null {
  switch (change.kind) {
    case 'write':
      return afterWrite(replay, at, change)
    case 'replace':
      return afterReplace(replay, at, change)
    default:
      return null
  }
}

function afterWrite(
  replay: Replay,
  at: EditMoment,
  { content, before }: FileChange & { readonly kind: 'write' },
): AfterChange {
  const base = before === null ? replay.current.get(at.track) : reachContent(replay, at, before)
  // The content may repeat lines that were there: without the file before the call nobody can tell.
  const origin: LineOrigin =
    before === null ? { kind: 'undecided', edits: [at.edit] } : editOrigin(at.edit, 'changed')
  const lines = linesOf(content)
  return { base, origin, lines, origins: inherit(base, lines).map(known => known ?? origin) }
}

function afterReplace(
  replay: Replay,
  at: EditMoment,
  { replacements, before }: FileChange & { readonly kind: 'replace' },
): AfterChange | null {
  const origin = editOrigin(at.edit, before === null ? 'placed' : 'changed')
  const bases =
    before === null
      ? [replay.current.get(at.track), ...replay.versions.toReversed()]
      : [reachContent(replay, at, before)]
  // The latest version on which the call can have been made.
  for (const base of bases) {
    const after =
      base === undefined ? null : replaceEach(base, replacements, { origin, isGuess: before === null })
    if (after !== null) return { base, origin, ...after }
  }
  return null
}

/** A version after replacements; null where one of them cannot have been made on it. */
function replaceEach(
  base: Version,
  replacements: readonly Replacement[],
  { origin, isGuess }: { readonly origin: LineOrigin; readonly isGuess: boolean },
): Pick<Version, 'lines' | 'origins'> | null {
  // The text ends with a line break: behind it is an empty line that may be replaced, too.
  let lines: readonly string[] = [...base.lines, '']
  let origins: readonly LineOrigin[] = [...base.origins, origin]
  for (const { old, new: inserted, isAll } of replacements) {
    const places = replaceIn(lines.join('\n'), { old: unixText(old), new: unixText(inserted), isAll })
    if (places === null) return null
    // Lines that the call left as they are cannot be new: then it was made on another version.
    const left = new Set(linesOf(old))
    const [nextLines, nextOrigins] = [[...lines], [...origins]]
    for (const place of places) {
      const matched = matchLines(lines.slice(place.from, place.from + place.count), place.lines)
      const taken = place.lines.map((_, nth) => {
        const known = matched[nth] === NO_LINE ? undefined : origins[place.from + (matched[nth] ?? 0)]
        return known ?? origin
      })
      const isLeft = (line: string, nth: number): boolean => taken[nth] === origin && left.has(line)
      if (isGuess && place.lines.some(isLeft)) return null
      nextLines.splice(place.from, place.count, ...place.lines)
      nextOrigins.splice(place.from, place.count, ...taken)
    }
    lines = nextLines
    origins = nextOrigins
  }
  const end = lines.at(-1) === '' ? -1 : lines.length
  return { lines: lines.slice(0, end), origins: origins.slice(0, end) }
}

function keepVersion(
  replay: Replay,
  { track, time }: Moment,
  { lines, origins }: Pick<Version, 'lines' | 'origins'>,
): Version {
  const version = { track, time, text: lines.join('\n'), lines, origins }
  replay.current.set(track, version)
  if (replay.versions.at(-1)?.text !== version.text) replay.versions.push(version)
  return version
}

/** Counts the lines of calls that a version had, and the next one has not. */
function countLost(
  { written }: Replay,
  base: Version | undefined,
  after: readonly LineOrigin[],
  how: 'replaced' | 'undone',
): void {
  const left = countByEdit(after)
  for (const [edit, before] of countByEdit(base?.origins ?? [])) {
    const lines = written.get(edit)
    if (lines !== undefined) lines[how] += Math.max(0, before - (left.get(edit) ?? 0))
  }
}
