/** The messages of one project, read from its transcripts. */
import type { Graph } from '@dagline/core'
import { readMessageUsage } from '@dagline/core/content'
import { placeUsage, type UsagePart, type UsageRow } from '@dagline/core/measure'
import { withCarried } from '@dagline/core/parse'
import { type ProjectLocation, projectName } from '../files/projects.js'
import { loadProject, type Meter, type SeeInFile } from '../graphs/project.js'

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
  return placeUsage(graph, parts, session => projectName(project, homes.get(session) ?? null))
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
