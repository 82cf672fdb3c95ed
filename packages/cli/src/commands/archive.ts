/** K13, K15: `dagline archive`: keeps what Claude Code deletes. */
import { readFileSync } from 'node:fs'
import {
  type ArchiveCheck,
  archivePath,
  type KeepReport,
  SWEPT_SOON_DAYS,
  type SweptSession,
  UserError,
} from '@dagline/app'
import { plural } from '@dagline/core/format'
import {
  type AddCommand,
  ARCHIVE,
  DRY_RUN,
  defineCommand,
  flag,
  number,
  text,
  type Values,
  YES,
} from '../command.js'
import type { Console } from '../console.js'
import { shared } from '../options.js'
import { archiveStatsLines, keptFacts, keptLines, statsFacts, verifiedLines } from '../print/archive.js'
import { repeat } from '../terminal.js'
import { forget, hold, refuseStrayOptions } from './archive-forget.js'

const OPTIONS = {
  watch: flag(...shared('watch')),
  every: number('--every <seconds>', 'interval of --watch in seconds', {
    isValid: seconds => seconds > 0,
    expected: 'a number of seconds above 0',
    default: 5,
  }),
  archive: ARCHIVE,
  hook: flag('--hook', 'only the session of a hook event of Claude Code, read from stdin'),
  again: text('--again <session>', 'archive a session again that was forgotten'),
  olderThan: text('--older-than <date>', 'with forget: sessions unchanged since then: 365d, 1y, 2026-03-01'),
  release: flag('--release', 'with hold: the session may be forgotten again'),
  dryRun: DRY_RUN,
  yes: YES,
}

export const archiveCommand: AddCommand = defineCommand({
  usage: 'archive [verify|stats|forget|hold|path...]',
  description: 'Copy transcripts and sidecar files into the archive before Claude Code deletes them.',
  options: OPTIONS,
  examples: [
    'dagline archive',
    'dagline archive --watch',
    'dagline archive verify',
    'dagline archive stats',
    "dagline archive stats --json | jq '.sweptSoon[] | [.session, .due]'",
    'dagline archive forget 019c5be1 --dry-run',
    'dagline archive forget --older-than 365d --yes',
    'dagline archive hold 019c5be1',
  ],
  notes: `
archive                 copy what is new; older versions of files are kept, nothing is deleted
archive verify          check every byte of the archive
archive stats           show what the archive holds, and which sessions Claude Code deletes soon
archive forget SESSION  delete a session from the archive for good, in all versions; this cannot be undone
archive hold SESSION    protect a session from being forgotten, until --release
archive --hook          copy only the session of a hook event of Claude Code, as the plugin does

A forgotten session is not archived again, even if it continues, until --again SESSION. Rows that other
sessions also have stay. Only the archive and the index forget: transcripts on disk, exports, backups of edits
and copies of the archive stay. The index is deleted, and the next command makes it again.

To archive everything before it is deleted, run it automatically: every hour with cron, or at the end of every
session as a hook in ~/.claude/settings.json.

  0 * * * * dagline archive >/dev/null
  {"hooks": {"SessionEnd": [{"hooks": [{"type": "command", "command": "dagline archive --hook"}]}]}}
`,
  run: async (console, words, options) => {
    const actions = console.history.archive
    const word = words.length > 1 ? onlyWord(words) : words[0]
    refuseStrayOptions(words[0], options)
    if (words[0] === 'forget') await forget(console, words.slice(1), options)
    else if (words[0] === 'hold') await hold(console, words.slice(1), options)
    else if (word === 'verify') await printCheck(console, await actions.check(options.archive))
    else if (word === 'stats') {
      const report = await actions.describe(options.archive)
      if (console.options.json) await console.printJson('archive', statsFacts(report))
      else await console.print(archiveStatsLines(console, report))
    } else if (options.hook) await keepOnce(console, [hookTranscript()], options)
    else if (options.watch) await keepWatching(console, words, options)
    else await keepOnce(console, words, options)
  },
})

/** An action that takes no words of its own; one word alone is an action or a path. */
function onlyWord(words: readonly string[]): undefined {
  const [action, word = ''] = words
  if (action === 'verify' || action === 'stats')
    throw new UserError(`\`dagline archive ${action}\` takes no argument ${word}. Run it without.`)
  return undefined
}

/** K14: the transcript of the session that the event on standard input is about. */
function hookTranscript(): string {
  const path = process.stdin.isTTY ? null : transcriptOfEvent()
  if (path !== null) return path
  throw new UserError(
    'Standard input names no transcript. Run `dagline archive --hook` as a hook of Claude Code, or `dagline archive` for everything.',
  )
}

function transcriptOfEvent(): string | null {
  try {
    const path: unknown = JSON.parse(readFileSync(0, 'utf8'))?.transcript_path
    return typeof path === 'string' && path.endsWith('.jsonl') ? path : null
  } catch {
    // There is no standard input, or it is not JSON.
    return null
  }
}

async function keepOnce(
  console: Console,
  paths: readonly string[],
  { archive, again }: Pick<Values<typeof OPTIONS>, 'archive' | 'again'>,
): Promise<void> {
  const report = await console.history.archive.keep(paths, { archive, again })
  if (report === null) return
  if (console.options.json) await console.printJson('archive', keptFacts(report))
  else await console.print(keptLines(report))
  if (report.nothing !== null) console.note(report.nothing)
  noteSwept(console, report.swept)
  failIfMissing(console, report)
}

async function keepWatching(
  console: Console,
  paths: readonly string[],
  { archive, every }: Values<typeof OPTIONS>,
): Promise<void> {
  console.note(`Watching; press Ctrl-C to stop. The archive is ${archive ?? archivePath()}.`)
  noteSwept(console, await console.history.archive.sweptSoon(paths))
  const noteOnce = onceEach(console)
  let isFirst = true
  await repeat(every * 1000, async isStopped => {
    try {
      const report = await console.history.archive.keep(paths, { archive, isStopped })
      if (report !== null) await printRound(console, report, noteOnce)
    } catch (error) {
      // A full disk or another writer may pass, and a later round copies what this one did not. What fails in the
      // very first round is more likely to stay.
      if (isFirst || !(error instanceof UserError)) throw error
      noteOnce(error.message)
    }
    isFirst = false
  })
}

/** Rounds that are seconds apart must not repeat the same note. */
function onceEach(console: Console): (text: string) => void {
  const noted = new Set<string>()
  return text => {
    if (!noted.has(text)) console.note(text)
    noted.add(text)
  }
}

async function printRound(
  console: Console,
  report: KeepReport,
  noteOnce: (text: string) => void,
): Promise<void> {
  const { kept, missing } = report
  for (const { file, message } of missing) noteOnce(`${file}: ${message}`)
  if (kept.added + kept.grown + kept.replaced === 0) return
  if (console.options.json) await console.printJsonLines('archive', [keptFacts(report)])
  else await console.print(keptLines(report, Date.now()))
}

function noteSwept(console: Console, swept: readonly SweptSession[]): void {
  if (swept.length === 0) return
  const safe = swept.length === 1 ? 'It is' : 'They are'
  console.note(
    `Claude Code will delete ${plural(swept.length, 'session')} within ${SWEPT_SOON_DAYS} days (cleanupPeriodDays). ${safe} safe in the archive. Run \`dagline archive stats\` to list them.`,
  )
}

const MOST_NAMED = 5

/** Files that could not be read are missing in the archive: the command fails, although the others are in it. */
function failIfMissing(console: Console, { missing }: KeepReport): void {
  for (const { file, message } of missing.slice(0, MOST_NAMED)) console.note(`${file}: ${message}`)
  const unreadable = missing.filter(({ severity }) => severity === 'error').length
  if (unreadable > 0)
    throw new UserError(`Not everything is in the archive: ${plural(unreadable, 'file')} could not be read.`)
}

async function printCheck(console: Console, { path, ...result }: ArchiveCheck): Promise<void> {
  const { faults, damagedBlocks, structure } = result
  if (console.options.json)
    await console.printJson('archive', { archive: path, ...result, faults: { list: faults } })
  else await console.print(verifiedLines(console, result))
  if (structure.length > 0) throw new UserError(DAMAGED_FILE)
  if (faults.length + damagedBlocks.length > 0) throw new UserError(DAMAGED_BLOCKS)
}

const DAMAGED_BLOCKS =
  'The archive is damaged. Run `dagline archive` while the originals are there to store them again, or restore the archive from a backup.'

const DAMAGED_FILE =
  'The archive is damaged. Restore it from a backup, or move it away and run `dagline archive` for a new one; `dagline restore --archive FILE` reads what is whole in the old one.'
