/** Usage from transcripts: what every message cost, and whose it was. */

import type { Graph } from '@dagline/core'
import { readMessageUsage } from '@dagline/core/content'
import { assignUsage, type UsagePart, type UsageRow, uniqueMessages } from '@dagline/core/measure'
import { withCarried } from '@dagline/core/parse'
import { findProjectsOrNote, nothingFound, type ProjectLocation, projectName } from '../files/projects.js'
import { loadProject, type Meter, type SeeInFile } from '../graphs/project.js'
import { runOnProjects } from '../graphs/run.js'
import { everywhere, type Host } from '../host/host.js'
import { askIndex, type IndexOptions } from '../index/open.js'
import { pathsOf, sessionsNamed } from '../locate/ref.js'
import { chooseUsage, type UsageFilter } from './usage-filter.js'

/** The messages of all roots, from the index. */
async function messagesOfRoots(host: Host, options: IndexOptions): Promise<readonly UsageRow[]> {
  return await askIndex(host, options, ({ index, roots, report }) => {
    if (roots.length === 0 || report?.present === 0) host.note(nothingFound([], host))
    return index.usage(roots)
  })
}

/** The messages of some paths, or of all roots from the index, as far as a filter lets them through. */
export async function usageOf(
  host: Host,
  paths: readonly string[],
  options: IndexOptions & Partial<UsageFilter>,
): Promise<readonly UsageRow[]> {
  const named = sessionsNamed(paths, host)
  const isOfRoots = paths.length === 0 || named !== null
  const all = isOfRoots ? await messagesOfRoots(host, options) : await usageUnder(host, paths)
  const rows = named === null ? all : all.filter(row => named.has(row.session))
  const { since = null, until = null, project = null, session = null } = options
  const filter = { since, until, project, session }
  return await chooseUsage(rows, filter, paths.length === 0 ? host : everywhere(host), ({ time }) => time)
}

/** T3: the messages of some paths, each once, also where projects repeat each other. */
export async function usageUnder(host: Host, paths: readonly string[]): Promise<readonly UsageRow[]> {
  const locations = findProjectsOrNote(pathsOf(paths, host), host)
  const projects = await runOnProjects('measureProject', measureProject, locations, host)
  return projects.length === 1 ? (projects[0] ?? []) : uniqueMessages(projects.flat())
}

/** Reads a project and gives its messages, each once. */
export function measureProject(location: ProjectLocation, meter?: Meter): readonly UsageRow[] {
  const parts: UsagePart[] = []
  const see: SeeInFile = withCarried((json, record) => {
    const usage = readMessageUsage(json)
    if (usage === null) return
    const entry = record.kind === 'assistant' ? record : null
    parts.push({
      usage,
      entry: entry?.id ?? null,
      session: record.session,
      version: entry?.version ?? null,
    })
  })
  const { graph, project } = loadProject(location, meter, { see })
  const homes = homeFiles(graph)
  return assignUsage(graph, parts, session => projectName(project, homes.get(session) ?? null))
}

/** The file that is named by its session: where the session belongs. */
function homeFiles(graph: Graph): ReadonlyMap<string, string> {
  return new Map(
    graph
      .files()
      .flatMap(({ facts: { kind, session, path } }) =>
        kind === 'session' && session !== null ? [[session, path]] : [],
      ),
  )
}
