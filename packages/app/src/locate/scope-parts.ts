/** The parts of projects that an answer is about. Apart from the resolver, which is loaded for every answer. */
import { type OpenedParts, openParts } from '../graphs/answers.js'
import type { Host } from '../host/host.js'
import type { IndexOptions } from '../index/open.js'
import { isInScope, type ProjectScope } from './project.js'

/** Opens the parts of the projects in a scope; of all projects without one. */
export async function openPartsIn(
  scope: ProjectScope | null,
  host: Host,
  options: IndexOptions,
): Promise<OpenedParts> {
  const opened = await openParts(host, options)
  if (scope === null) return opened
  return { ...opened, projects: opened.projects.filter(({ location }) => isInScope(location, scope)) }
}
