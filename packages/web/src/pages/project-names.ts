/** Short names of projects that can still be told apart. */
import { shortPath } from '../parts/format.js'

/** A project, and the folder that its sessions worked in. */
export interface NamedProject {
  readonly name: string
  readonly cwd: string | null
}

/** The last folders of each, as many as it takes; where folders are the same, the project's own name stands beside. */
export function projectNames(projects: readonly NamedProject[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const { name, cwd } of projects) {
    const path = cwd ?? name
    const others = projects.filter(each => each.name !== name).map(each => each.cwd ?? each.name)
    const parts = [2, 3, 4].find(count =>
      others.every(other => shortPath(other, count) !== shortPath(path, count)),
    )
    names.set(name, parts === undefined ? `${shortPath(path)} (${name})` : shortPath(path, parts))
  }
  return names
}

/** The choices of a filter. */
export function projectChoices(projects: readonly NamedProject[]): readonly (readonly [string, string])[] {
  const names = [...projectNames(projects)]
  return [['', 'all'], ...names.sort(([, a], [, b]) => (a < b ? -1 : 1))]
}
