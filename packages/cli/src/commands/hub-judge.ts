/** `dagline hub judge`: brings the index of a hub up to date with what was pushed. */
import { UserError } from '@dagline/app'
import { plural } from '@dagline/core/format'
import { findHub, isDatabase, judgeOnce, runJudge } from '@dagline/hub'
import type { Console } from '../console.js'
import type { HubOptions } from './hub.js'

export async function judgeHub(
  console: Console,
  words: readonly string[],
  { hub, once }: HubOptions,
): Promise<void> {
  const database = findHub(hub) ?? ''
  if (words.length > 0 || !isDatabase(database))
    throw new UserError('Give the database of a hub: `dagline hub judge --hub postgres://user@host/dagline`.')
  if (once) {
    const persons = await judgeOnce({ database, onFailure: ({ message }) => console.note(message) })
    if (console.options.json) await console.printJson('hub', { action: 'judge', persons })
    else
      await console.print([
        persons === 0 ? 'Everything was judged.' : `Judged ${plural(persons, 'person', 'persons')}.`,
      ])
    return
  }
  console.note('Judging what is pushed; press Ctrl-C to stop.')
  await runJudge({
    database,
    onJudged: ({ report }) =>
      console.note(`Judged ${plural(report.read, 'file')}, ${plural(report.judged, 'file group')}.`),
    onFailure: ({ message }) => console.note(message),
  })
}
