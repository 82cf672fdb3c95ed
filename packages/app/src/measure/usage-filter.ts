/** X4: which usage counts: a time, a project, a session. */
import { UserError } from '../host/user-error.js'
import { ambiguous } from '../text/ambiguous.js'
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

/** When the first and the last message of an item were sent. */
interface Times<T> {
  readonly firstOf: (item: T) => number | null
  readonly lastOf: (item: T) => number | null
}

/** The items that pass a filter. Throws `UserError` for names that nothing has. */
export function chooseUsage<T extends Owned>(
  items: readonly T[],
  filter: UsageFilter,
  { firstOf, lastOf }: Times<T>,
): readonly T[] {
  const { project, session } = filter
  const inProject = project === null ? items : ofProject(items, project)
  const inSession = session === null ? inProject : ofSession(inProject, session, lastOf)
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

function ofProject<T extends Owned>(items: readonly T[], name: string): readonly T[] {
  const wanted = name.toLowerCase()
  const names = new Set(items.map(({ project }) => project))
  const chosen = names.has(name)
    ? new Set([name])
    : new Set([...names].filter(each => each.toLowerCase().includes(wanted)))
  if (chosen.size === 0 && items.length > 0)
    throw new UserError(
      `No project with usage has ${name} in its name. Run \`dagline usage --by project\` to list them.`,
    )
  return items.filter(({ project }) => chosen.has(project))
}

function ofSession<T extends Owned>(
  items: readonly T[],
  word: string,
  lastOf: Times<T>['lastOf'],
): readonly T[] {
  if (items.length === 0) return items
  const ids = [...new Set(items.map(({ session }) => session))]
  const near =
    word === 'latest'
      ? [latest(items, lastOf)]
      : ids.includes(word)
        ? [word]
        : ids.filter(id => id.startsWith(word))
  const [id] = near
  if (near.length > 1) throw new UserError(ambiguous(word, near, 'sessions'))
  if (id === undefined)
    throw new UserError(
      `No session with usage begins with ${word}. Run \`dagline usage --by session --json\` to list them.`,
    )
  return items.filter(({ session }) => session === id)
}

function latest<T extends Owned>(items: readonly T[], lastOf: Times<T>['lastOf']): string {
  return items.reduce((last, item) => ((lastOf(item) ?? 0) > (lastOf(last) ?? 0) ? item : last)).session
}
