/** Usage from transcripts: what every message cost, and whose it was. */

import { type UsageRow, uniqueMessages } from '@dagline/core/measure'
import { findProjectsOrNote, nothingFound, type ProjectLocation } from '../files/projects.js'
import { runOnProjects } from '../graphs/run.js'
import type { Host } from '../host/host.js'
import { type IndexOptions, openIndexed } from '../index/open.js'
import { pathsOf } from '../locate/session.js'
import { chooseRows, type UsageFilter } from './usage-filter.js'
import { measureProject } from './usage-task.js'

/** T3: the messages of all locations, each once, also where projects repeat each other. */
async function usageRows(locations: readonly ProjectLocation[], host: Host): Promise<readonly UsageRow[]> {
  const projects = await runOnProjects('measureProject', measureProject, locations, host)
  return projects.length === 1 ? (projects[0] ?? []) : uniqueMessages(projects.flat())
}

/** The messages of all roots, from the index. */
async function usageOfRoots(host: Host, options: IndexOptions): Promise<readonly UsageRow[]> {
  const { index, roots, report, close } = await openIndexed(host, options)
  try {
    if (roots.length === 0 || report?.present === 0) host.note(nothingFound([], host))
    return index.usage(roots)
  } finally {
    close()
  }
}

/** The messages of some paths, or of all roots from the index, as far as a filter lets them through. */
export async function usageOf(
  host: Host,
  paths: readonly string[],
  options: IndexOptions & Partial<UsageFilter>,
): Promise<readonly UsageRow[]> {
  const rows = paths.length === 0 ? await usageOfRoots(host, options) : await usageUnder(host, paths)
  const { since = null, until = null, project = null, session = null } = options
  return chooseRows(rows, { since, until, project, session })
}

async function usageUnder(host: Host, paths: readonly string[]): Promise<readonly UsageRow[]> {
  return await usageRows(findProjectsOrNote(pathsOf(paths, host), host), host)
}
