/** K15, K16: `dagline archive forget` and `dagline archive hold`. */
import { type ForgetChoice, UserError } from '@dagline/app'
import { plural } from '@dagline/core/format'
import type { Console } from '../console.js'
import { ask } from '../output.js'
import { forgetFacts, forgetLines } from '../print/forget.js'
import { canAsk } from '../terminal.js'

/** The options of `archive` that forgetting and holding use. */
interface Options {
  readonly archive: string | null
  readonly again: string | null
  readonly olderThan: string | null
  readonly release: boolean
  readonly dryRun: boolean
  readonly yes: boolean
  readonly watch: boolean
  readonly hook: boolean
}

/** An option that has no meaning for an action is an error: `archive --dry-run` would otherwise archive. */
export function refuseStrayOptions(action: string | undefined, options: Options): void {
  const isOther = !['forget', 'hold', 'verify', 'stats'].includes(action ?? '')
  const stray = [
    [options.olderThan !== null && action !== 'forget', '--older-than', 'archive forget'],
    [options.dryRun && action !== 'forget', '--dry-run', 'archive forget'],
    [options.yes && action !== 'forget', '--yes', 'archive forget'],
    [options.release && action !== 'hold', '--release', 'archive hold SESSION'],
    [options.watch && !isOther, '--watch', 'archive [path...]'],
    [options.hook && !isOther, '--hook', 'archive'],
    [options.again !== null && (!isOther || options.watch || options.hook), '--again', 'archive [path...]'],
  ] as const
  for (const [isStray, option, command] of stray)
    if (isStray)
      throw new UserError(`${option} belongs to \`dagline ${command}\`. See \`dagline archive --help\`.`)
}

/** Shows what is forgotten, asks, and forgets it. */
export async function forget(console: Console, words: readonly string[], options: Options): Promise<void> {
  const { archive, dryRun } = options
  const choice = choiceOf(words, options.olderThan)
  const actions = console.history.archive
  const plan = await actions.forget(choice, { archive, dryRun: true })
  if (!console.options.json) await console.print(forgetLines(console, plan))
  const isWanted = !dryRun && plan.sessions.length > 0 && (options.yes || (await isConfirmed(console)))
  const report = isWanted ? await actions.forget(choice, { archive, dryRun: false }) : plan
  if (console.options.json) await console.printJson('archive', forgetFacts(report))
  if (report.traces !== null)
    throw new UserError(
      `The archive no longer lists what was forgotten, but unused pages of its file may still have some of the bytes: ${report.traces} Then run \`dagline archive\` to remove them.`,
    )
  if (report.isMade)
    console.note(
      `Forgot ${plural(report.sessions.length, 'session')}: what nothing else has is erased from the archive.`,
    )
  if (report.isMade && report.index !== null)
    throw new UserError(
      `${report.index} could not be deleted and may still have copies of texts. End other dagline processes, and delete it and the files beside it.`,
    )
  if (report.isMade && plan.index !== null)
    console.note('The index was deleted with its copies of texts. The next command makes it again.')
}

function choiceOf([word, ...more]: readonly string[], than: string | null): ForgetChoice {
  if (word !== undefined && more.length === 0 && than === null) return { kind: 'session', session: word }
  if (word === undefined && than !== null) return { kind: 'older', than }
  throw new UserError(
    'Give one session, as in `dagline archive forget SESSION`, or an age, as in `dagline archive forget --older-than 365d`.',
  )
}

async function isConfirmed(console: Console): Promise<boolean> {
  if (!canAsk(console))
    throw new UserError(
      'Nothing was forgotten: there is no terminal to ask on. Use --yes to forget, or --dry-run to preview it.',
    )
  const isAgreed = await ask('Forget this? It cannot be undone: the archive keeps no copy.', 'no')
  if (!isAgreed) console.note('Nothing was forgotten.')
  return isAgreed
}

/** Protects a session from being forgotten, or ends that. */
export async function hold(
  console: Console,
  [word, ...more]: readonly string[],
  { archive, release }: Options,
): Promise<void> {
  if (word === undefined || more.length > 0)
    throw new UserError('Give one session, as in `dagline archive hold SESSION`.')
  const { path, session, isHeld } = await console.history.archive.hold(word, { archive, release })
  if (console.options.json) await console.printJson('archive', { archive: path, session, held: isHeld })
  else
    await console.print([
      isHeld
        ? `Session ${session} is held: it cannot be forgotten until \`dagline archive hold ${session} --release\`.`
        : `Session ${session} is no longer held.`,
    ])
}
