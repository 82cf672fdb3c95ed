/** `dagline blame`: which session, turn and prompt wrote the lines of a file. */

import { existsSync } from 'node:fs'
import { UserError } from '@dagline/app'
import { describeSource } from '@dagline/core/blame'
import { type AddCommand, defineCommand, INDEX } from '../command.js'
import { unreadField } from '../console.js'
import { blameFacts, blameLines, lineCard } from '../print/blame.js'

export const blameCommand: AddCommand = defineCommand({
  usage: 'blame <file>',
  description:
    'Show which session, turn and prompt wrote each line of a file: FILE, FILE:LINE or FILE:FROM-TO.',
  notes: `
Lines are matched by content against what sessions recorded, in all worktrees of the repository and
under earlier names of the file. A line that no recorded call wrote has no prompt; git names its commit.
`,
  options: { index: INDEX },
  examples: [
    'dagline blame src/total.ts',
    'dagline blame src/total.ts:4',
    'dagline blame src/total.ts:4 --json | jq ".edits[.lines[0].edits[0]].prompt"',
  ],
  run: async (console, [typed = ''], { index }) => {
    const { path, from, to } = readTarget(typed)
    const file = await console.history.blame(path, { index })
    if (to !== Number.POSITIVE_INFINITY && from > file.lines.length)
      throw new UserError(`${path} has no line ${from}. Give a line from 1 to ${file.lines.length}.`)
    const note = describeSource(file)
    if (note !== null) console.note(note)
    const lines = file.lines.slice(from - 1, to)
    const [only] = lines
    if (console.options.json)
      await console.printJson('blame', { ...blameFacts({ ...file, lines }), ...unreadField(console) })
    else if (from === to && only !== undefined) await console.print(lineCard(console, file, only))
    else await console.page(() => blameLines(console, file, lines))
  },
})

/** A file, and which of its lines. */
interface Target {
  readonly path: string
  readonly from: number
  readonly to: number
}

/** A colon may be a part of the name: what is there as a whole is a file. */
function readTarget(typed: string): Target {
  const all = { path: typed, from: 1, to: Number.POSITIVE_INFINITY }
  const [, path, first, last = first] = /^(.+):(\d+)(?:-(\d+))?$/.exec(typed) ?? []
  if (typed === '') throw new UserError('The FILE is empty. Give the path of a file.')
  if (path === undefined || existsSync(typed)) return all
  const [from, to] = [Number(first), Number(last)]
  if (from < 1 || to < from)
    throw new UserError(
      `${typed.slice(path.length + 1)} is not a line or a range of lines. Give FILE:LINE or FILE:FROM-TO; the first line is 1.`,
    )
  return { path, from, to }
}
