/** What is said of a hit of a search: whether it is live, and what became of its branch. */

/**
 * At most one label, about the session that the text is listed under: `live` where its branch is, else what became of
 * the branch. `live` is whether any conversation carries it: on a branch that was left, that is another session's.
 */
export function statusLabels(live: boolean, status: string | null): readonly string[] {
  if (status === null || status === 'live') return live ? ['live'] : []
  if (live) return [`${status} here, live in another session`]
  return [status === 'abandoned' ? 'abandoned branch' : status]
}
