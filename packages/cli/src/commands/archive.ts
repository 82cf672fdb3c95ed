/** K13: `dagline archive`: keeps what Claude Code deletes. */

import {
  type ArchiveCheck,
  type ArchiveReport,
  jsonLines,
  type KeepReport,
  SWEPT_SOON_DAYS,
  type SweptSession,
  UserError,
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

/** Runs `archive PATH...`, `archive verify` or `archive stats`. */
async function archive(console: Console, words: readonly string[], options: ArchiveOptions): Promise<void> {
  const actions = console.history.archive
  const [word] = words
  if (word === 'verify' && words.length === 1) await printCheck(console, await actions.check(options.archive))
  else if (word === 'stats' && words.length === 1)
    await printReport(console, await actions.describe(options.archive))
  else if (options.watch) await keepOn(console, words, options)
  else await keepOnce(console, words, options)
}

async function keepOnce(
  console: Console,
  paths: readonly string[],
  { archive }: ArchiveOptions,
): Promise<void> {
  const report = await console.history.archive.keep(paths, { archive })
  if (report === null) return
  await console.print(console.options.json ? jsonLines(keptFacts(report)) : keptLines(report))
  if (report.nothing !== null) console.note(report.nothing)
  noteSwept(console, report.swept)
  refuseMissing(console, report)
}

async function keepOn(console: Console, paths: readonly string[], options: ArchiveOptions): Promise<void> {
  const seconds = Number(options.every)
  if (!(seconds > 0))
    throw new UserError(`--every ${options.every} is not valid. Give a number of seconds above 0.`)
  console.note('Watching; ends with Ctrl-C.')
  noteSwept(console, await console.history.archive.sweptSoon(paths))
  const tell = onceEach(console)
  let isFirst = true
  await again(seconds * 1000, async isStopped => {
    try {
      const report = await console.history.archive.keep(paths, { archive: options.archive, isStopped })
      if (report !== null) await printRound(console, report, tell)
    } catch (error) {
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

async function printRound(console: Console, report: KeepReport, tell: (text: string) => void): Promise<void> {
  const { kept, missing } = report
  for (const { file, message } of missing) tell(`${file}: ${message}`)
  if (kept.added + kept.grown + kept.replaced === 0) return
  const line = JSON.stringify(Object.fromEntries(keptFacts(report)))
  await console.print(console.options.json ? [line] : keptLines(report, Date.now()))
}

function noteSwept(console: Console, swept: readonly SweptSession[]): void {
  if (swept.length === 0) return
  const what = swept.length === 1 ? 'It is' : 'They are'
  console.note(
    `${plural(swept.length, 'session')} will be deleted by Claude Code within ${SWEPT_SOON_DAYS} days (cleanupPeriodDays). ${what} safe in the archive; \`dagline archive stats\` lists them.`,
  )
}

const MOST_NAMED = 5

/** Files that could not be read are missing in the archive: whoever relies on it must hear of it. */
function refuseMissing(console: Console, { missing }: KeepReport): void {
  for (const { file, message } of missing.slice(0, MOST_NAMED)) console.note(`${file}: ${message}`)
  const unreadable = missing.filter(({ severity }) => severity === 'error').length
  if (unreadable > 0) {
    throw new UserError(`Not everything is in the archive: ${plural(unreadable, 'file')} could not be read.`)
  }
}

async function printCheck(console: Console, { path, ...result }: ArchiveCheck): Promise<void> {
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

async function printReport(console: Console, report: ArchiveReport): Promise<void> {
  await console.print(console.options.json ? jsonLines(statsFacts(report)) : statsLines(console, report))
}
