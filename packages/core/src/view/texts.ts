/** Short texts about sessions and search hits. */

const ORIGINS: Readonly<Record<string, string>> = {
  resume: 'Resumed from',
  fork: 'Forked from',
  branch: 'Branched from',
  background: 'Sent to the background from',
}

/** What stands before the name of the session that another comes from: `Forked from`. */
export function originLabel(how: string): string {
  return ORIGINS[how] ?? 'Goes on from'
}

/** `live`, `abandoned`, `taken back`, `retried` or `copy`. */
export function statusLabel(status: string): string {
  return status === 'retry' ? 'retried' : status.replace('-', ' ')
}

/**
 * What is said of a search hit: at most one label, about the session that lists the text. `live` says whether any
 * conversation carries the text: on an abandoned branch, that is the conversation of another session.
 */
export function statusLabels(live: boolean, status: string | null): readonly string[] {
  if (status === null || status === 'live') return live ? ['live'] : []
  if (live) return [`${statusLabel(status)} here, live in another session`]
  return [status === 'abandoned' ? 'abandoned branch' : statusLabel(status)]
}
