import type {
  ArchivedSession,
  ArchiveStats,
  KeepResult,
  RestoredFile,
  SweptSession,
  VerifyResult,
} from '@dagline/app'
import { cleanLine } from '@dagline/core/content'
import { bytes, clock, dayAndTime, isoTime, plural, shortId } from '@dagline/core/format'
import type { Console } from '../console.js'
import { type Column, tableLines } from './table.js'

type Facts = readonly (readonly [string, unknown])[]

/** What one keeping came to. */
interface KeptFacts {
  readonly path: string
  readonly kept: KeepResult
  readonly figures: ArchiveStats
  readonly swept: readonly SweptSession[]
}

/** One keeping as JSON. */
export function keptFacts({ path, kept, figures, swept }: KeptFacts): Facts {
  const { diagnostics, ...counts } = kept
  return [
    ['dagline', 1],
    ['archive', path],
    ...Object.entries(counts),
    ['diagnostics', diagnostics.map(({ rule, file, message }) => ({ rule, file, message }))],
    ['sweptSoon', swept.map(sweptFacts)],
    ['holds', figureFacts(figures)],
  ]
}

/** One keeping for people; on one line, with the time, while watching. */
export function* keptLines({ kept, figures }: KeptFacts, now: number | null = null): Generator<string> {
  const { files, added, grown, replaced, unchanged } = kept
  const parts = [`${added} new`, `${grown} grown`, `${replaced} replaced`, `${unchanged} unchanged`]
  const what = `${plural(files, 'file')}: ${parts.filter(part => !part.startsWith('0 ')).join(', ') || 'nothing'}`
  const stored = kept.stored > 0 ? `; ${bytes(kept.stored)} stored` : ''
  if (now !== null) yield `${clock(now)}  ${what}${stored}`
  else {
    yield `${what}${stored}.`
    yield holdsLine(figures)
  }
}

function holdsLine({ sessions, bytes: size, disk }: ArchiveStats): string {
  const ratio = size > disk ? `, ${times(size, disk)} smaller` : ''
  return `The archive holds ${plural(sessions, 'session')}: ${bytes(size)} in ${bytes(disk)}${ratio}.`
}

function times(size: number, disk: number): string {
  return `${(size / Math.max(disk, 1)).toFixed(1)} times`
}

/** A check for people. */
export function* verifiedLines({ style }: Console, result: VerifyResult): Generator<string> {
  const { files, versions, blocks, faults, damagedBlocks, structure } = result
  const older = versions > files ? ` in ${plural(versions, 'version')}` : ''
  const what = `${plural(files, 'file')}${older}, ${bytes(result.bytes)}, ${plural(blocks, 'block')}`
  const isGood = faults.length + damagedBlocks.length + structure.length === 0
  if (isGood) yield style.good(`Every byte is as it was stored: ${what}.`)
  else yield `Checked ${what}.`
  for (const text of structure) yield style.bad(`structure: ${cleanLine(text)}`)
  for (const block of damagedBlocks) yield style.bad(`block ${block} is damaged`)
  for (const { place, version, message } of faults) {
    yield style.bad(`${cleanLine(place)}, version ${version}: ${message}`)
  }
}

/** A session that is swept soon, and whether the archive has it as it is. */
interface SweptAndKept extends SweptSession {
  readonly isKept: boolean
}

/** What `archive stats` found. */
interface StatsFacts {
  readonly path: string
  readonly figures: ArchiveStats
  readonly only: readonly ArchivedSession[]
  readonly swept: readonly SweptAndKept[]
}

/** The figures of an archive as JSON. */
export function statsFacts({ path, figures, only, swept }: StatsFacts): Facts {
  return [
    ['dagline', 1],
    ['archive', path],
    ...Object.entries(figureFacts(figures)),
    ['archivedOnly', { list: only.map(({ session, root, file }) => ({ session, root, file: file.path })) }],
    ['sweptSoon', { list: swept.map(each => ({ ...sweptFacts(each), kept: each.isKept })) }],
  ]
}

function figureFacts({ first, last, ...figures }: ArchiveStats): Readonly<Record<string, unknown>> {
  const { bytes: size, disk } = figures
  return { ...figures, saved: size - disk, first: isoTime(first), last: isoTime(last) }
}

function sweptFacts({
  session,
  root,
  path,
  bytes: size,
  due,
}: SweptSession): Readonly<Record<string, unknown>> {
  return { session, root, file: path, bytes: size, due: isoTime(due) }
}

/** The figures of an archive for people. */
export function* statsLines(console: Console, { path, figures, only, swept }: StatsFacts): Generator<string> {
  const { style, width } = console
  const line = (title: string, text: string): string => `${style.faint(title.padEnd(10))}${text}`
  const { bytes: size, disk, allBytes, different, versions, files } = figures
  yield line('archive', cleanLine(path))
  yield line('holds', `${plural(figures.sessions, 'session')}, ${plural(files, 'file')}, ${bytes(size)}`)
  yield line(
    'on disk',
    size > disk ? `${bytes(disk)}: ${times(size, disk)} smaller, ${bytes(size - disk)} saved` : bytes(disk),
  )
  if (allBytes > different)
    yield line('repeated', `${bytes(allBytes - different)} that stand in several files, stored once`)
  if (versions > files)
    yield line('earlier', `${plural(versions - files, 'version')} of files that were cut or replaced`)
  yield line('read', `${dayAndTime(figures.first)} to ${dayAndTime(figures.last)}`)
  yield line(
    'only here',
    `${plural(only.length, 'session')} that ${only.length === 1 ? 'is' : 'are'} no longer on disk`,
  )
  if (swept.length === 0) return
  yield ''
  yield 'Claude Code deletes these at its next start after the date:'
  yield* tableLines(swept, sweptColumns(console), { width, title: style.faint })
}

function sweptColumns({ style }: Console): readonly Column<SweptAndKept>[] {
  return [
    { title: 'session', text: ({ session }) => shortId(session), paint: style.id },
    { title: 'deleted after', text: ({ due }) => dayAndTime(due) },
    { title: 'size', text: row => bytes(row.bytes), side: 'left' },
    {
      title: 'archive',
      text: ({ isKept }) => (isKept ? 'safe' : 'not up to date'),
      paint: (text, { isKept }) => (isKept ? style.good(text) : style.bad(text)),
    },
    { title: 'file', text: ({ path }) => cleanLine(path), flexible: true },
  ]
}

/** What became of the files of a session, as JSON. */
export function restoredFacts(session: string, files: readonly RestoredFile[]): Facts {
  return [
    ['dagline', 1],
    ['session', session],
    [
      'files',
      {
        list: files.map(({ target, version, bytes: size, outcome, file }) => ({
          file: file.path,
          target,
          version,
          bytes: size,
          outcome,
        })),
      },
    ],
  ]
}

/** The same for people. */
export function* restoredLines({ style }: Console, files: readonly RestoredFile[]): Generator<string> {
  for (const { target, bytes: size, outcome } of files) {
    const text = OUTCOMES[outcome]
    yield `${outcome === 'differs' ? style.bad(text) : style.good(text)}  ${cleanLine(target)}  ${style.faint(bytes(size))}`
  }
}

const OUTCOMES: Readonly<Record<RestoredFile['outcome'], string>> = {
  written: 'written',
  same: 'is there',
  differs: 'differs ',
}
