/** `dagline trim`: a lighter copy of a session. */
import { type TrimOptions, UserError } from '@dagline/app'
import { trimsNothing } from '@dagline/core/edit'
import type { Command } from 'commander'
import { type Action, command, editOptions, finish, textIn, withEditOptions } from '../command.js'
import type { Console } from '../console.js'
import { printReports } from '../print/edit.js'

/** Adds `dagline trim`. */
export function addTrim(program: Command): void {
  const made = withEditOptions(
    command(
      program,
      'trim <session>',
      'Copy a session with less in it: shorter outputs, no images, no thinking.',
    ),
  )
    .option('--outputs <chars>', 'shorten tool results to this many characters')
    .option('--images', 'omit images')
    .option('--thinking', 'omit thinking, except in the last turn')
    .option('--progress', 'omit progress entries')
  const act: Action = async (console, [session = ''], options) => {
    await trim(console, session, {
      ...editOptions(options),
      outputs: outputsOf(textIn(options, 'outputs')),
      images: options['images'] === true,
      thinking: options['thinking'] === true,
      progress: options['progress'] === true,
    })
  }
  finish(made, act, [
    'dagline trim latest --outputs 2000',
    'dagline trim 4539d2d0 --images --thinking --dry-run',
    'dagline trim 4539d2d0 --outputs 500 --json | jq .saved',
  ])
}

/** Copies a session without what is to be left out. */
async function trim(console: Console, session: string, options: TrimOptions): Promise<void> {
  const report = await console.history.edit.trim(session, options)
  if (console.options.json || !trimsNothing(report.plan, report.saved)) await printReports(console, [report])
  else await console.print([`Nothing to trim: ${session} has none of that. Nothing was written.`])
}

function outputsOf(text: string | null): number | null {
  if (text === null) return null
  const number = Number(text)
  if (!Number.isInteger(number) || number < 0)
    throw new UserError(`--outputs ${text} is not valid. Give a number of characters, for example 2000.`)
  return number
}
