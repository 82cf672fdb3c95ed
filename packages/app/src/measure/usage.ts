/** Usage from transcripts: what every message cost, and whose it was. */
import { type UsageRow, uniqueMessages } from '@dagline/core/measure'
import type { Host } from '../host.js'
import { type IndexOptions, openIndexed } from '../index/open.js'
import { nothingFound, type Place } from '../locate/places.js'
import { runOnProjects } from '../workers/projects.js'

/** T3: the messages of all places, each once, also where projects repeat each other. */
export async function usageRows(places: readonly Place[], host: Host): Promise<readonly UsageRow[]> {
  const projects = await runOnProjects('measureProject', places, host)
  return projects.length === 1 ? (projects[0] ?? []) : uniqueMessages(projects.flat())
}

/** The messages of all roots, from the index. */
export async function usageOfRoots(host: Host, options: IndexOptions): Promise<readonly UsageRow[]> {
  const { index, roots, report, close } = await openIndexed(host, options)
  try {
    if (roots.length === 0 || report?.present === 0) host.note(nothingFound([], host))
    return index.usage(roots)
  } finally {
    close()
  }
}
