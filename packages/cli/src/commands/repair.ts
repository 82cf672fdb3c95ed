/** `dagline repair`: a session that a resume loads completely. */
import {
  coverageSentence,
  type EditReport,
  type RepairFailed,
  type RepairNeedless,
  UserError,
  unknownKind,
} from '@dagline/app'
import { canRepair, FAULT_KINDS } from '@dagline/core/faults'
import { plural, shortId } from '@dagline/core/format'
import { shellWord } from '@dagline/core/model'
import { type AddCommand, defineCommand, EDIT_OPTIONS, flag, list, type Values, YES } from '../command.js'
import type { Console } from '../console.js'
import { shared } from '../options.js'
import { ask } from '../output.js'
import { changeLines, goneLines, printReports } from '../print/edit.js'
import { canAsk } from '../terminal.js'

const OPTIONS = {
  ...EDIT_OPTIONS,
  only: list(...shared('only')),
  inPlace: flag('--in-place', 'repair the session itself; "dagline undo" restores the original'),
  yes: YES,
  acceptLoss: flag('--accept-loss', 'repair even if a resume loads less of the result than today'),
}

type RepairOptions = Values<typeof OPTIONS>

export const repairCommand: AddCommand = defineCommand({
  usage: 'repair <session>',
  description: 'Repair a session so that a resume loads all of it; writes a new session.',
  options: OPTIONS,
  examples: [
    'dagline repair latest --dry-run',
    'dagline repair 019c5be1 --yes',
    'dagline repair 019c5be1 --only dangling-parent --in-place',
    'dagline repair 019c5be1 --yes --json | jq -r .resume',
  ],
  run: async (console, [word = ''], options) => {
    checkConflicts(options)
    const { dryRun, yes, inPlace, acceptLoss } = options
    const isAsked = !dryRun && !yes
    const { edit } = console.history
    const result = await edit.repair(word, {
      only: options.only.map(repairableKind),
      inPlace,
      options,
      what: isAsked || dryRun ? 'check' : 'write',
      mayLose: isAsked || dryRun || acceptLoss,
    })
    if (result.state === 'needless') return await reportNeedless(console, result, options.only)
    if (result.state === 'failed') throw new UserError(failure(result, inPlace))
    if (!isAsked) return await printReports(console, [result.report])
    if (!(await isConfirmed(console, result.report, inPlace))) return console.note('Nothing was written.')
    await printReports(console, [await edit.write(result)], 'changes-were-shown')
  },
})

function checkConflicts({ inPlace, out, snapshot }: RepairOptions): void {
  if (inPlace && out !== null)
    throw new UserError('--in-place repairs the session where it is. Use either --in-place or --out.')
  // A process that has the file open would go on writing into the one that was replaced, and lose what it writes.
  if (inPlace && snapshot)
    throw new UserError(
      'A session that is in use can be copied, but not repaired in place. Run the command without --in-place.',
    )
}

function failure({ fault, isLess }: RepairFailed, inPlace: boolean): string {
  const check = `Nothing was written, because the check failed: ${fault}.`
  if (isLess)
    return `${check} Use --dry-run to see which entries would be lost, or --accept-loss to write it anyway.`
  return inPlace
    ? `${check} Run the command without --in-place: a copy can omit other branches.`
    : `${check} Please report it; \`dagline checkout\` may work in the meantime.`
}

function repairableKind(text: string): string {
  if (canRepair(text)) return text
  const other = FAULT_KINDS.find(({ id }) => id === text)
  if (other?.fix != null && !other.fix.startsWith('dagline repair'))
    throw new UserError(`repair does not fix ${text}. Run \`${other.fix}\`.`)
  const known = FAULT_KINDS.filter(({ id }) => canRepair(id)).map(({ id }) => id)
  if (other === undefined) throw unknownKind(text, known)
  throw new UserError(`repair does not fix ${text}. Give one of ${known.join(', ')}.`)
}

async function reportNeedless(
  console: Console,
  { session, file, loaded, together }: RepairNeedless,
  only: readonly string[],
): Promise<void> {
  if (together.length > 0) {
    const kinds = [...only, ...together].map(kind => `--only ${kind}`).join(' ')
    throw new UserError(
      `Nothing was written: ${only.join(', ')} follows from ${together.join(', ')} here, and is repaired with ${together.length === 1 ? 'it' : 'them'}. Run \`dagline repair ${shortId(session)} ${kinds}\`, or \`dagline repair ${shortId(session)}\` to repair everything.`,
    )
  }
  if (!console.options.json) {
    const loads = `A resume loads ${plural(loaded.length, 'entry', 'entries')} of it.`
    const what = only.length === 0 ? 'no problem' : `no problem of the kind ${only.join(', ')}`
    return await console.print([`Nothing to do: ${session} has ${what} that repair fixes. ${loads}`])
  }
  await console.printJson('repair', {
    session,
    file,
    from: { session, node: null },
    live: loaded,
    changes: [],
    reach: { before: loaded.length, after: loaded.length },
    resume: `claude --resume ${shellWord(session)}`,
    edit: null,
    gone: [],
  })
}

/** Shows what would be done, and asks. */
async function isConfirmed(console: Console, report: EditReport, inPlace: boolean): Promise<boolean> {
  if (!canAsk(console))
    throw new UserError(
      'Nothing was written: there is no terminal to ask on. Use --yes to write the repair, or --dry-run to preview it.',
    )
  await console.print(changeLines(console, report.plan.changes))
  console.note(coverageSentence(report))
  for (const line of goneLines(console, report)) console.note(line)
  if (report.gone.length > 0)
    return await ask('Write it anyway? A resume would load less of it than it loads today.', 'no')
  return inPlace
    ? await ask('Repair the session in place? `dagline undo` restores the original.', 'no')
    : await ask('Write a repaired copy? The original stays as it is.', 'yes')
}
