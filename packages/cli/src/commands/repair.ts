/** `dagline repair`: a session that a resume loads all of. */

import type { EditOptions } from '@dagline/app'
import { type EditReport, jsonLines, type RepairFailed, type RepairNeedless, UserError } from '@dagline/app'
import { canRepair, FAULT_KINDS } from '@dagline/core/faults'
import { plural } from '@dagline/core/format'
import { type Command, Option } from 'commander'
import { type Action, collect, command, editOptions, finish, withEditOptions } from '../command.js'
import type { Console } from '../console.js'
import { changeLines, goneLines, printReports, reachLine } from '../print/edit.js'
import { ask, canAsk } from '../terminal/ask.js'

/** Adds `dagline repair`. */
export function addRepair(program: Command): void {
  const only = new Option('--only <kind>', 'repair only problems of this kind; may be repeated')
  const made = withEditOptions(
    command(
      program,
      'repair <session>',
      'Repair a session so that a resume loads all of it; writes a new session.',
    ),
  )
    .addOption(only.argParser(collect))
    .option('--in-place', 'repair the session itself; "dagline undo" restores the original')
    .option('-y, --yes', 'do not ask for confirmation')
    .option('--accept-loss', 'repair even if a resume loads less of the result than today')
  const act: Action = async (console, [session = ''], options) => {
    await repair(console, session, {
      ...editOptions(options),
      only: Array.isArray(options['only']) ? options['only'].map(String) : [],
      inPlace: options['inPlace'] === true,
      yes: options['yes'] === true,
      acceptLoss: options['acceptLoss'] === true,
    })
  }
  finish(made, act, [
    'dagline repair latest --dry-run',
    'dagline repair 4539d2d0 --yes',
    'dagline repair 4539d2d0 --only dangling-parent --in-place',
    'dagline repair 4539d2d0 --yes --json | jq -r .resume',
  ])
}

/** What the command was told. */
interface RepairOptions extends EditOptions {
  readonly only: readonly string[]
  readonly inPlace: boolean
  readonly yes: boolean
  /** A result of which a resume loads less than it loads today is written, too. */
  readonly acceptLoss: boolean
}

/** Repairs a session: a new one beside it, or with `--in-place` the session itself. */
async function repair(console: Console, word: string, options: RepairOptions): Promise<void> {
  refuseMixed(options)
  const { dryRun, yes, inPlace, acceptLoss } = options
  const isAsked = !dryRun && !yes
  const { edit } = console.history
  const result = await edit.repair(word, {
    only: options.only.map(kindOf),
    inPlace,
    options,
    what: isAsked || dryRun ? 'check' : 'write',
    mayLose: isAsked || dryRun || acceptLoss,
  })
  if (result.state === 'needless') return await tellNeedless(console, result)
  if (result.state === 'failed') throw new UserError(refusalOf(result, options))
  if (!isAsked) return await printReports(console, [result.report])
  if (!(await isAgreed(console, result.report, options))) return console.note('Nothing was written.')
  await printReports(console, [await edit.write(result)], 'changes-were-shown')
}

function refuseMixed({ inPlace, out, snapshot }: RepairOptions): void {
  if (inPlace && out !== null)
    throw new UserError('--in-place repairs the session where it is. Use either --in-place or --out.')
  // Whoever has the file open would go on writing into the one that was replaced, and nobody would ever read that.
  if (inPlace && snapshot)
    throw new UserError(
      'A session that is in use can be copied, but not repaired in place. Run the command without --in-place.',
    )
}

function refusalOf({ fault, isLess }: RepairFailed, { inPlace }: RepairOptions): string {
  return `Nothing was written, because the check failed: ${fault}; ${adviceFor(isLess, inPlace)}.`
}

function adviceFor(isLess: boolean, inPlace: boolean): string {
  if (isLess) return '--dry-run shows which, and --accept-loss writes it all the same'
  return inPlace
    ? 'leave --in-place away, since a copy can leave other branches out'
    : 'please report it, and use `dagline checkout` meanwhile'
}

function kindOf(text: string): string {
  if (canRepair(text)) return text
  const other = FAULT_KINDS.find(({ id }) => id === text)
  if (other?.fix != null && !other.fix.startsWith('dagline repair'))
    throw new UserError(`repair does not fix ${text}. Run \`${other.fix}\`.`)
  const known = FAULT_KINDS.filter(({ id }) => canRepair(id)).map(({ id }) => id)
  throw new UserError(`There is no kind of problem ${text}. Kinds: ${known.join(', ')}.`)
}

async function tellNeedless(console: Console, { session, file, loaded }: RepairNeedless): Promise<void> {
  if (!console.options.json) {
    const loads = `A resume loads ${plural(loaded.length, 'message')} of it.`
    await console.print([`Nothing to do: ${session} has no fault that repair fixes. ${loads}`])
    return
  }
  await console.print(
    jsonLines([
      ['dagline', 1],
      ['session', session],
      ['file', file],
      ['from', { session, node: null }],
      ['live', loaded],
      ['changes', []],
      ['reach', { before: loaded.length, after: loaded.length }],
      ['resume', `claude --resume ${session}`],
      ['edit', null],
      ['gone', []],
    ]),
  )
}

/** Shows what will be done and asks; without a terminal `--yes` answers. */
async function isAgreed(console: Console, report: EditReport, { inPlace }: RepairOptions): Promise<boolean> {
  if (!canAsk(console))
    throw new UserError('There is nobody to ask: --yes writes it, --dry-run shows what would be done.')
  await console.print(changeLines(console, report.plan.changes))
  console.note(reachLine(report))
  for (const line of goneLines(console, report)) console.note(line)
  if (report.gone.length > 0)
    return await ask('Write it all the same? A resume would load less of it than it loads today.', 'no')
  return inPlace
    ? await ask('Repair the session in place? `dagline undo` restores the original.', 'no')
    : await ask('Write a repaired copy? The original stays as it is.', 'yes')
}
