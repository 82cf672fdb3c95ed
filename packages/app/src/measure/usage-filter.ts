/** X4: which usage counts: a time, a project, a session. */
import type { Host } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import { scopeOf } from '../locate/project.js'
import { spanOf } from '../text/dates.js'

/** What to count; null is everything. */
export interface UsageFilter {
  readonly since: string | null
  readonly until: string | null
  readonly project: string | null
  readonly session: string | null
}

/** A message, or some that were added up. */
interface Owned {
  readonly project: string
  readonly session: string
}

/** The items that pass a filter. Throws `UserError` for names that nothing has. */
export async function chooseUsage<T extends Owned>(
  items: readonly T[],
  filter: UsageFilter,
  host: Host,
  firstOf: (item: T) => number | null,
): Promise<readonly T[]> {
  const inSession =
    filter.session === null ? inScope(items, filter, host) : await ofSession(items, filter, host)
  const [from, to] = cutsOf(filter)
  if (from === undefined || to === undefined) return inSession
  return inSession.filter(item => {
    // Messages without a time are on no day.
    const time = firstOf(item)
    return time !== null && time >= from && time < to
  })
}

/** The times that count, in milliseconds since 1970, the second one exclusive; empty for all. */
export function cutsOf(filter: UsageFilter): readonly [from: number, to: number] | readonly [] {
  const [from, to] = spanOf(filter)
  if (from === null && to === null) return []
  return [from ?? Number.NEGATIVE_INFINITY, to ?? Number.POSITIVE_INFINITY]
}

/** What counts without a session: the project that was named, or that of the working directory. */
function inScope<T extends Owned>(
  items: readonly T[],
  { project }: Pick<UsageFilter, 'project'>,
  host: Host,
): readonly T[] {
  const scope = scopeOf(project, host, { listed: items })
  return scope === null ? items : items.filter(item => scope.names.has(item.project))
}

/** The usage of a session: of one that has some, by its id, else of any that the word names. */
async function ofSession<T extends Owned>(
  items: readonly T[],
  { session, project }: UsageFilter,
  host: Host,
): Promise<readonly T[]> {
  const word = session ?? ''
  const inProject = project === null ? items : inScope(items, { project }, host)
  const id = inProject.some(item => item.session === word) ? word : await sessionCalled(word, host)
  const found = inProject.filter(item => item.session === id)
  if (found.length === 0)
    throw new UserError(
      `${word} has no usage${project === null ? '' : ` in ${project}`}. Run \`dagline usage --by session\` to list those that have.`,
    )
  return found
}

/** What finds sessions is loaded only where one is named. */
async function sessionCalled(word: string, host: Host): Promise<string> {
  const { sessionIdOf } = await import('../locate/ref.js')
  return sessionIdOf(word, host)
}
