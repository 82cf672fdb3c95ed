/** Short but distinct names of projects. */
import { shortPath } from '@dagline/core/format'

/** A project and its working folder. */
interface NamedProject {
  readonly name: string
  readonly cwd: string | null
}

/** The last folders of each project, at least `fewest`, as many as make it distinct; else with the project's own name. */
export function projectNames(
  projects: readonly NamedProject[],
  fewest: 1 | 2 | 3 = 2,
): ReadonlyMap<string, string> {
  const pathOf = ({ name, cwd }: NamedProject): string => cwd ?? name
  const counts = [1, 2, 3, 4].filter(count => count >= fewest)
  // For each number of folders, how often each name occurs.
  const met = counts.map(count => countEach(projects.map(each => shortPath(pathOf(each), count))))
  return new Map(
    projects.map(project => {
      const path = pathOf(project)
      const parts = counts.find((count, at) => met[at]?.get(shortPath(path, count)) === 1)
      const short = shortPath(path, parts ?? fewest)
      return [project.name, parts === undefined ? `${short} (${project.name})` : short]
    }),
  )
}

function countEach(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** The options of a project filter. */
export function projectChoices(projects: readonly NamedProject[]): readonly (readonly [string, string])[] {
  const names = [...projectNames(projects)]
  return [['', 'all'], ...names.sort(([, a], [, b]) => (a < b ? -1 : 1))]
}
