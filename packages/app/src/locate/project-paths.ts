/** Where the work of projects was done: a project is named by its path, as the user knows it, and not by its folder. */
import { groupBy, isProjectFolder } from '@dagline/core/model'

interface SessionPlace {
  readonly project: string
  readonly cwd: string | null
}

/**
 * The working directories of projects, by the folders of their transcripts; without those that are not known. A session that
 * was checked out may name the folder of a colleague, so the one that the folder is named after comes first.
 */
export function projectPaths(sessions: readonly SessionPlace[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const [project, group] of groupBy(sessions, session => session.project)) {
    const [folder = ''] = project.split('@')
    const paths = group.flatMap(({ cwd }) => cwd ?? [])
    const path = paths.find(cwd => isProjectFolder(folder, cwd)) ?? paths[0]
    if (path !== undefined) found.set(project, path)
  }
  return found
}
