/** `dagline history`: what was edited, and what can be taken back. */
import { jsonLines } from '@dagline/app'
import type { Command } from 'commander'
import { type Action, command, finish } from '../command.js'
import type { Console } from '../console.js'
import { historyFacts, historyLines } from '../print/edit.js'

/** Adds `dagline history`. */
export function addHistory(program: Command): void {
  const made = command(program, 'history', 'List edits, and which of them can be undone.')
  const act: Action = async console => {
    await history(console)
  }
  finish(made, act, ['dagline history', "dagline history --json | jq '.edits[-1]'"])
}

/** Lists the edits. */
async function history(console: Console): Promise<void> {
  const edits = await console.history.edit.list()
  if (console.options.json) await console.print(jsonLines(historyFacts(edits)))
  else if (edits.length === 0) await console.print(['Nothing was edited yet.'])
  else await console.print(historyLines(console, edits))
}
