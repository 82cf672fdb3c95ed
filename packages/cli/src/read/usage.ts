/** Usage from transcripts: what every message cost, and whose it was. */
import { type UsageRow, uniqueMessages } from '@dagline/core'
import type { Console } from '../console.js'
import { type IndexOptions, openIndexed } from './indexed.js'
import { nothingFound, type Place } from './places.js'
import { runTask } from './tasks.js'

/** T3: the messages of all places, each once, also where projects repeat each other. */
export async function usageRows(places: readonly Place[], console: Console): Promise<readonly UsageRow[]> {
  const projects = await runTask('measureProject', places, console)
  return projects.length === 1 ? (projects[0] ?? []) : uniqueMessages(projects.flat())
}

/** The messages of all roots, from the index. */
export async function usageOfRoots(console: Console, options: IndexOptions): Promise<readonly UsageRow[]> {
  const { index, roots, report, close } = await openIndexed(console, options)
  try {
    if (roots.length === 0 || report?.present === 0) console.note(nothingFound([], console))
    return index.usage(roots)
  } finally {
    close()
  }
}
