/** K13: `dagline archive`: keeps what Claude Code deletes. */

import { setImmediate } from 'node:timers/promises'
import {
  type Archive,
  archivedOnly,
  archivePath,
  archiveStats,
  type FoundRoot,
  findRoots,
  jsonLines,
  type KeepResult,
  nothingFound,
  openArchive,
  openArchiveWriter,
  type SweptSession,
  sweptWithin,
  UserError,
  type VerifyResult,
  verifyArchive,
  withArchive,
  workMeter,
} from '@dagline/app'
import { plural } from '@dagline/core/format'
import { type Command, Option } from 'commander'
import { type Action, command, finish } from '../command.js'
import type { Console } from '../console.js'
import { keptFacts, keptLines, statsFacts, statsLines, verifiedLines } from '../print/archive.js'
import { again } from '../terminal/repeat.js'

/** Adds `dagline archive`. */
export function addArchive(program: Command): void {
  const made = command(
    program,
    'archive [verify|stats|path...]',
    'Copy transcripts and sidecar files into the archive before Claude Code deletes them.',
  )
    .option('--watch', 'repeat until Ctrl-C')
    .addOption(new Option('--every <seconds>', 'interval of --watch in seconds').default('5'))
    .option('--archive <file>', 'archive file to use (default: archive.db in the XDG data folder)')
  const act: Action = async (console, words, options) => {
    await archive(console, words, {
      archive: typeof options['archive'] === 'string' ? options['archive'] : null,
      watch: options['watch'] === true,
      every: String(options['every']),
    })
  }
  finish(
    made,
    act,
    [
      'dagline archive',
      'dagline archive --watch',
      'dagline archive verify',
      'dagline archive stats',
      "dagline archive stats --json | jq '.sweptSoon[] | [.session, .due]'",
    ],
    ARCHIVE_WORDS,
  )
}

const ARCHIVE_WORDS = `
archive         copy what is new; older versions of files are kept, nothing is ever deleted
archive verify  check every byte of the archive
archive stats   show what the archive holds, and which sessions Claude Code deletes soon
`

/** What the command was told. */
interface ArchiveOptions {
  /** The archive's file; the usual one where null. */
  readonly archive: string | null
  readonly watch: boolean
  /** Seconds between two looks. */
  readonly every: string
}

/** Claude Code's cleaning is announced this many days before. */
const SOON_DAYS = 7

/** Runs `archive PATH...`, `archive verify` or `archive stats`. */
async function archive(console: Console, words: readonly string[], options: ArchiveOptions): Promise<void> {
  const path = options.archive ?? archivePath()
  const [word] = words
  if (word === 'verify' && words.length === 1) await verify(console, path)
  else if (word === 'stats' && words.length === 1) await stats(console, path)
  else if (options.watch) await keepOn(console, words, { ...options, archive: path })
  else await keepOnce(console, words, path)
}

async function keepOnce(console: Console, paths: readonly string[], path: string): Promise<void> {
  const roots = findRoots(paths, console)
  const result = await withArchive(
    () => openArchiveWriter(path),
    async open => {
      const kept = await keep(console, open.keep(roots))
      const figures = archiveStats(open)
      const facts = { path, kept, figures, swept: sweptSoon(roots) }
      await console.print(console.options.json ? jsonLines(keptFacts(facts)) : keptLines(facts))
      return kept
    },
  )
  if (result.files === 0) console.note(nothingFound(paths, console))
  noteSwept(console, sweptSoon(roots))
  refuseMissing(console, result, roots)
}

type Keeping = ReturnType<ReturnType<typeof openArchiveWriter>['keep']>

/** Gives way after each batch, so that a signal is heard. */
async function keep(console: Console, keeping: Keeping, isStopped = () => false): Promise<KeepResult> {
  const meter = workMeter(console, 'archiving', 'files')
  let step = keeping.next()
  while (step.done !== true) {
    const { files, ofFiles, bytes, ofBytes } = step.value
    meter.show({ done: files, of: ofFiles, bytes, ofBytes })
    await setImmediate()
    if (isStopped()) throw new Stopped()
    step = keeping.next()
  }
  meter.done()
  return step.value
}

/** The wish to end was heard in the middle of a long keeping: what is committed stays. */
class Stopped extends Error {}

async function keepOn(
  console: Console,
  paths: readonly string[],
  options: ArchiveOptions & { readonly archive: string },
): Promise<void> {
  const seconds = Number(options.every)
  if (!(seconds > 0))
    throw new UserError(`--every ${options.every} is not valid. Give a number of seconds above 0.`)
  console.note(`Watching; ends with Ctrl-C. The archive is ${options.archive}.`)
  noteSwept(console, sweptSoon(findRoots(paths, console)))
  const tell = onceEach(console)
  let isFirst = true
  await again(seconds * 1000, async isStopped => {
    try {
      await keepRound(console, paths, { path: options.archive, isStopped, tell })
    } catch (error) {
      if (error instanceof Stopped) return
      // A full disk or another writer passes: nothing is lost, and a later look takes what this one did not. What
      // goes wrong at the very first look is more likely to stay.
      if (isFirst || !(error instanceof UserError)) throw error
      tell(error.message)
    }
    isFirst = false
  })
}

/** A look every few seconds must not say the same every few seconds. */
function onceEach(console: Console): (text: string) => void {
  const said = new Set<string>()
  return text => {
    if (!said.has(text)) console.note(text)
    said.add(text)
  }
}

interface Round {
  readonly path: string
  readonly isStopped: () => boolean
  readonly tell: (text: string) => void
}

async function keepRound(console: Console, paths: readonly string[], round: Round): Promise<void> {
  const { path, isStopped, tell } = round
  const roots = findRoots(paths, console)
  await withArchive(
    () => openArchiveWriter(path),
    async open => {
      const kept = await keep(console, open.keep(roots), isStopped)
      for (const { file, message } of missing(kept, roots)) tell(`${file}: ${message}`)
      if (kept.added + kept.grown + kept.replaced === 0) return
      const facts = { path, kept, figures: archiveStats(open), swept: sweptSoon(roots) }
      const line = JSON.stringify(Object.fromEntries(keptFacts(facts)))
      await console.print(console.options.json ? [line] : keptLines(facts, Date.now()))
    },
  )
}

function sweptSoon(roots: readonly FoundRoot[]): readonly SweptSession[] {
  return sweptWithin(roots, SOON_DAYS, Date.now())
}

function noteSwept(console: Console, swept: readonly SweptSession[]): void {
  if (swept.length === 0) return
  const what = swept.length === 1 ? 'It is' : 'They are'
  console.note(
    `${plural(swept.length, 'session')} will be deleted by Claude Code within ${SOON_DAYS} days (cleanupPeriodDays). ${what} safe in the archive; \`dagline archive stats\` lists them.`,
  )
}

const MOST_NAMED = 5

/** Files that could not be read are missing in the archive: whoever relies on it must hear of it. */
function refuseMissing(console: Console, kept: KeepResult, roots: readonly FoundRoot[]): void {
  const all = missing(kept, roots)
  for (const { file, message } of all.slice(0, MOST_NAMED)) console.note(`${file}: ${message}`)
  const unreadable = all.filter(({ severity }) => severity === 'error').length
  if (unreadable > 0) {
    throw new UserError(`Not everything is in the archive: ${plural(unreadable, 'file')} could not be read.`)
  }
}

/** What is not in the archive as it is now. */
function missing(kept: KeepResult, roots: readonly FoundRoot[]): KeepResult['diagnostics'] {
  const found = [...roots.flatMap(({ diagnostics }) => diagnostics), ...kept.diagnostics]
  return found.filter(({ severity, rule }) => severity !== 'info' || rule === 'store/rewritten')
}

async function verify(console: Console, path: string): Promise<void> {
  const result = await withArchive(
    () => openArchive(path),
    open => verifyAll(console, open),
  )
  const { faults, damagedBlocks, structure } = result
  if (console.options.json) {
    await console.print(
      jsonLines([
        ['dagline', 1],
        ['archive', path],
        ...Object.entries({ ...result, faults: { list: faults } }),
      ]),
    )
  } else await console.print(verifiedLines(console, result))
  if (structure.length > 0) throw new UserError(BROKEN_FILE)
  if (faults.length + damagedBlocks.length > 0) throw new UserError(BROKEN_BLOCKS)
}

const BROKEN_BLOCKS =
  'The archive is damaged: run `dagline archive` while the originals are there, it stores them again; or take the archive from a backup.'

const BROKEN_FILE =
  'The archive is damaged: take it from a backup, or move it away and run `dagline archive` for a new one; what is whole in the old one comes back with `dagline restore --archive FILE`.'

async function verifyAll(console: Console, open: Archive): Promise<VerifyResult> {
  const meter = workMeter(console, 'checking', 'files')
  const checking = verifyArchive(open)
  let step = checking.next()
  while (step.done !== true) {
    const { versions, ofVersions, bytes, ofBytes } = step.value
    meter.show({ done: versions, of: ofVersions, bytes, ofBytes })
    await setImmediate()
    step = checking.next()
  }
  meter.done()
  return step.value
}

async function stats(console: Console, path: string): Promise<void> {
  const roots = findRoots([], console)
  await withArchive(
    () => openArchive(path),
    async open => {
      const listed = open.list()
      const facts = {
        path,
        figures: archiveStats(open),
        only: archivedOnly(open, roots),
        swept: sweptSoon(roots).map(session => ({ ...session, isKept: isKept(listed, session) })),
      }
      await console.print(console.options.json ? jsonLines(statsFacts(facts)) : statsLines(console, facts))
    },
  )
}

/** Whether the archive has the transcript as it is on disk. */
function isKept(files: ReturnType<Archive['list']>, swept: SweptSession): boolean {
  return files.some(
    ({ session, bytes, mtime }) =>
      session === swept.session && bytes === swept.bytes && mtime === swept.mtime,
  )
}
