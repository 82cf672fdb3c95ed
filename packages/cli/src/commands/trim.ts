/** `dagline trim`: a lighter copy of a session. */
import {
  carryOut,
  type EditWishes,
  makeSession,
  openEditedSession,
  planned,
  type ReadyEdit,
  readyEdit,
  refuseBusy,
  UserError,
} from '@dagline/app'
import { planTrim, type TrimWishes, trimsNothing } from '@dagline/core/edit'
import type { Console } from '../console.js'
import { printReports } from '../print/edit.js'

/** What the command was told; `outputs` is a number as it was typed. */
export interface TrimOptions extends EditWishes, Omit<TrimWishes, 'outputs'> {
  readonly outputs: string | null
}

/** Copies a session without what is to be left out. */
export async function trim(console: Console, word: string, wishes: TrimOptions): Promise<void> {
  const { images, thinking, progress } = wishes
  const outputs = outputsOf(wishes.outputs)
  if (outputs === null && !images && !thinking && !progress)
    throw new UserError('Nothing to trim was named: give --outputs N, --images, --thinking or --progress.')
  const ready = await prepare(console, word, wishes, { outputs, images, thinking, progress })
  const report = await carryOut(console, ready, wishes)
  if (console.options.json || !trimsNothing(report.plan, report.saved)) await printReports(console, [report])
  else await console.print([`Nothing to trim: ${word} has none of that. Nothing was written.`])
}

async function prepare(
  console: Console,
  word: string,
  wishes: EditWishes,
  trimmed: TrimWishes,
): Promise<ReadyEdit> {
  const edited = openEditedSession(word, console)
  const { loaded, source, file } = edited
  await refuseBusy(loaded, file, wishes)
  const plan = planned(planTrim(source, file, makeSession(wishes), trimmed))
  const before = source.graph.live(file.facts.path).length
  return readyEdit(console, { project: edited, plan, file, before }, wishes)
}

function outputsOf(text: string | null): number | null {
  if (text === null) return null
  const number = Number(text)
  if (!Number.isInteger(number) || number < 0)
    throw new UserError(`--outputs ${text} is no number of characters: give a whole one, such as 2000.`)
  return number
}
