/** The archive, as text and as JSON. */
import type {
  ArchivedSession,
  ArchiveStats,
  KeepResult,
  MarkedSession,
  RestoredFile,
  SweptSession,
  VerifyResult,
} from '@dagline/app'
import { cleanLine } from '@dagline/core/content'
import { bytes, clock, dayAndTime, isoTime, plural, shortId } from '@dagline/core/format'
import type { Console } from '../console.js'
import type { ArchiveFiguresJson, ArchiveStatsJson, KeptJson, SweptJson } from '../json/changes.js'
import type { JsonFields, Printable } from '../json/fields.js'
import { type Column, tableLines } from './table.js'

/** What one run of `archive` did. */
interface Kept {
  readonly path: string
  readonly kept: KeepResult
  readonly figures: ArchiveStats
  readonly swept: readonly SweptSession[]
}

export function keptFacts({ path, kept: { diagnostics, ...counts }, figures, swept }: Kept): KeptJson {
  return {
    archive: path,
    ...counts,
    diagnostics: diagnostics.map(({ rule, file, message }) => ({ rule, file, message })),
    sweptSoon: swept.map(sweptFacts),
    holds: figureFacts(figures),
  }
}

/** What `archive` did; while watching, on one line with the time. */
export function* keptLines({ kept, figures }: Kept, now: number | null = null): Generator<string> {
  const { files, added, grown, replaced, unchanged, forgotten } = kept
  const changed = [`${added} new`, `${grown} grown`, `${replaced} replaced`]
  const parts = [...changed, `${unchanged} unchanged`, `${forgotten} of forgotten sessions`]
  const what = `${plural(files, 'file')}: ${parts.filter(part => !part.startsWith('0 ')).join(', ') || 'nothing'}`
  const stored = kept.stored > 0 ? `; ${bytes(kept.stored)} stored` : ''
  if (now !== null) yield `${clock(now)}  ${what}${stored}`
  else {
    yield `${what}${stored}.`
    yield `The archive holds ${plural(figures.sessions, 'session')}: ${bytes(figures.bytes)} in ${diskText(figures, ', ')}.`
  }
}

/** `1.8 MB, 6.8 times smaller`. */
function diskText({ bytes: size, disk }: ArchiveStats, joint: string): string {
  return size > disk
    ? `${bytes(disk)}${joint}${(size / Math.max(disk, 1)).toFixed(1)} times smaller`
    : bytes(disk)
}

export function* verifiedLines({ style }: Console, result: VerifyResult): Generator<string> {
  const { files, versions, blocks, faults, damagedBlocks, structure } = result
  const older = versions > files ? ` in ${plural(versions, 'version')}` : ''
  const what = `${plural(files, 'file')}${older}, ${bytes(result.bytes)}, ${plural(blocks, 'block')}`
  const isGood = faults.length + damagedBlocks.length + structure.length === 0
  yield isGood ? style.good(`The archive is intact: ${what}.`) : `Checked ${what}.`
  for (const text of structure) yield style.bad(`structure: ${cleanLine(text)}`)
  for (const block of damagedBlocks) yield style.bad(`block ${block} is damaged`)
  for (const { place, version, message } of faults)
    yield style.bad(`${cleanLine(place)}, version ${version}: ${message}`)
}

/** A session that is deleted soon, and whether the archive has it as it is. */
interface SweptAndKept extends SweptSession {
  readonly isKept: boolean
}

/** What `archive stats` found. */
interface ArchiveContents {
  readonly path: string
  readonly figures: ArchiveStats
  /** Sessions that are no longer on disk. */
  readonly only: readonly ArchivedSession[]
  readonly forgotten: readonly MarkedSession[]
  readonly held: readonly MarkedSession[]
  readonly swept: readonly SweptAndKept[]
}

export function statsFacts({
  path,
  figures,
  only,
  swept,
  ...marked
}: ArchiveContents): Printable<ArchiveStatsJson> {
  return {
    archive: path,
    ...figureFacts(figures),
    archivedOnly: { list: only.map(({ session, root, file }) => ({ session, root, file: file.path })) },
    forgotten: marked.forgotten.map(markedFacts),
    held: marked.held.map(markedFacts),
    sweptSoon: { list: swept.map(each => ({ ...sweptFacts(each), kept: each.isKept })) },
  }
}

function markedFacts({ session, since }: MarkedSession): { session: string; since: string | null } {
  return { session, since: isoTime(since) }
}

function figureFacts({ first, last, ...figures }: ArchiveStats): ArchiveFiguresJson {
  return { ...figures, saved: figures.bytes - figures.disk, first: isoTime(first), last: isoTime(last) }
}

function sweptFacts({ session, root, path, bytes: size, due }: SweptSession): SweptJson {
  return { session, root, file: path, bytes: size, due: isoTime(due) }
}

export function* archiveStatsLines(
  console: Console,
  { path, figures, only, swept, forgotten, held }: ArchiveContents,
): Generator<string> {
  const { style } = console
  const line = (title: string, text: string): string => `${style.faint(title.padEnd(10))}${text}`
  const { bytes: size, disk, allBytes, different, versions, files } = figures
  yield line('archive', cleanLine(path))
  yield line('holds', `${plural(figures.sessions, 'session')}, ${plural(files, 'file')}, ${bytes(size)}`)
  yield line('on disk', diskText(figures, ': ') + (size > disk ? `, ${bytes(size - disk)} saved` : ''))
  if (allBytes > different)
    yield line('repeated', `${bytes(allBytes - different)} that are in several files, stored once`)
  if (versions > files)
    yield line('earlier', `${plural(versions - files, 'version')} of files that were cut or replaced`)
  yield line('read', `${dayAndTime(figures.first)} to ${dayAndTime(figures.last)}`)
  yield line(
    'only here',
    plural(only.length, 'session that is no longer on disk', 'sessions that are no longer on disk'),
  )
  if (held.length > 0) yield line('held', markedText(held))
  if (forgotten.length > 0) yield line('forgotten', markedText(forgotten))
  if (swept.length === 0) return
  yield ''
  yield 'Claude Code deletes these at its next start after the date:'
  yield* tableLines(swept, sweptColumns(console), console)
}

function markedText(marked: readonly MarkedSession[]): string {
  return `${plural(marked.length, 'session')}: ${marked.map(({ session }) => shortId(session)).join(', ')}`
}

function sweptColumns({ style }: Console): readonly Column<SweptAndKept>[] {
  return [
    { title: 'session', text: ({ session }) => shortId(session), paint: style.id },
    { title: 'deleted after', text: ({ due }) => dayAndTime(due) },
    { title: 'size', text: row => bytes(row.bytes), align: 'right' },
    {
      title: 'archive',
      text: ({ isKept }) => (isKept ? 'safe' : 'not up to date'),
      paint: (text, { isKept }) => (isKept ? style.good(text) : style.bad(text)),
    },
    { title: 'file', text: ({ path }) => cleanLine(path), flexible: true },
  ]
}

export function restoredFacts(session: string, restored: readonly RestoredFile[]): JsonFields<'restore'> {
  const list = restored.map(({ target, version, bytes: size, outcome, file }) => ({
    file: file.path,
    target,
    version,
    bytes: size,
    outcome,
  }))
  return { session, files: { list } }
}

export function* restoredLines({ style }: Console, restored: readonly RestoredFile[]): Generator<string> {
  for (const { target, bytes: size, outcome } of restored) {
    const text = OUTCOMES[outcome]
    yield `${outcome === 'differs' ? style.bad(text) : style.good(text)}  ${cleanLine(target)}  ${style.faint(bytes(size))}`
  }
}

const OUTCOMES: Readonly<Record<RestoredFile['outcome'], string>> = {
  written: 'written',
  same: 'present',
  differs: 'differs',
}
