/** How a session came from another, in words for people. */

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
