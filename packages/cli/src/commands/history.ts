/** `dagline history`: what was edited, and what can be taken back. */
import { inStore, jsonLines } from '@dagline/app'
import { readJournal } from '@dagline/store'
import type { Console } from '../console.js'
import { historyFacts, historyLines } from '../print/edit.js'

/** Lists the edits. */
export async function history(console: Console): Promise<void> {
  const edits = await inStore(() => readJournal())
  if (console.options.json) await console.print(jsonLines(historyFacts(edits)))
  else if (edits.length === 0) await console.print(['Nothing was edited yet.'])
  else await console.print(historyLines(console, edits))
}
