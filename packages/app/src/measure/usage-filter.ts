/** Which messages `usage` counts: by time, project and session. */
import type { UsageRow } from '@dagline/core/measure'
import { UserError } from '../host/user-error.js'
import { ambiguous } from '../locate/session.js'
import { timeOf } from '../text/dates.js'

/** What to count; null is everything. */
export interface UsageFilter {
  readonly since: string | null
  readonly until: string | null
  readonly project: string | null
  readonly session: string | null
}

/** The rows that were asked for. Refuses names that nothing has. */
export function chooseRows(rows: readonly UsageRow[], choice: UsageFilter): readonly UsageRow[] {
  const { project, session } = choice
  const inProject = project === null ? rows : ofProject(rows, project)
  const inSession = session === null ? inProject : ofSession(inProject, session)
  return within(inSession, choice)
}

function ofProject(rows: readonly UsageRow[], name: string): readonly UsageRow[] {
  const wanted = name.toLowerCase()
  const names = new Set(rows.map(row => row.project))
  const chosen = names.has(name)
    ? new Set([name])
    : new Set([...names].filter(each => each.toLowerCase().includes(wanted)))
  if (chosen.size === 0 && rows.length > 0)
    throw new UserError(
      `No project with usage has ${name} in its name. Run \`dagline usage --by project\` to list them.`,
    )
  return rows.filter(row => chosen.has(row.project))
}

function ofSession(rows: readonly UsageRow[], word: string): readonly UsageRow[] {
  if (rows.length === 0) return rows
  const ids = [...new Set(rows.map(row => row.session))]
  const near =
    word === 'latest' ? [latest(rows)] : ids.includes(word) ? [word] : ids.filter(id => id.startsWith(word))
  const [id] = near
  if (near.length > 1) throw new UserError(ambiguous(word, near, 'sessions'))
  if (id === undefined)
    throw new UserError(
      `No session with usage begins with ${word}. Run \`dagline usage --by session --json\` to list them.`,
    )
  return rows.filter(row => row.session === id)
}

function latest(rows: readonly UsageRow[]): string {
  return rows.reduce((last, row) => ((row.time ?? 0) > (last.time ?? 0) ? row : last)).session
}

/** Messages without a time are on no day. */
function within(rows: readonly UsageRow[], { since, until }: UsageFilter): readonly UsageRow[] {
  if (since === null && until === null) return rows
  const from = timeOf(since, false) ?? Number.NEGATIVE_INFINITY
  const to = timeOf(until, true) ?? Number.POSITIVE_INFINITY
  return rows.filter(({ time }) => time !== null && time >= from && time < to)
}
