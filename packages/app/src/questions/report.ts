/** HU49, HU54, HU56: what a hub counted and measured, added up where it was asked for. */
import type { Host } from '../host/host.js'
import type { HealthPart } from '../live/pushed-health.js'
import type { MeasuredStats } from '../measure/stats.js'
import type { GatheredUsage, UsageReport, UsageReportOptions } from '../measure/usage-report.js'
import type { StatsPart } from './stats.js'

/** A report of what was counted for these options. Adding up is loaded only where something was counted. */
export async function sumUsage(gathered: GatheredUsage, options: UsageReportOptions): Promise<UsageReport> {
  const { reportOf } = await import('../measure/usage-report.js')
  return reportOf(gathered, options)
}

/** Asks for part after part, and adds them up. */
export async function sumStats(ask: (after: number) => Promise<StatsPart>): Promise<MeasuredStats> {
  const { joinParts } = await import('./stats.js')
  return joinParts(await allParts(ask))
}

/** Asks for part after part. Returns the sessions by project and file, as at home; what could not be read is noted. */
export async function gatherHealth(
  host: Host,
  ask: (after: number) => Promise<HealthPart>,
): Promise<HealthPart['sessions']> {
  const { noteUnread } = await import('../files/unread.js')
  const parts = await allParts(ask)
  const unread = parts.flatMap(part => part.unread)
  noteUnread(
    host,
    unread.map(({ file, message }) => ({ path: file, message, isInTheWay: false })),
  )
  return parts.flatMap(({ sessions }) => sessions).toSorted(byLocation)
}

type Examined = HealthPart['sessions'][number]

function byLocation(a: Examined, b: Examined): number {
  const [one, other] = a.project === b.project ? [a.file, b.file] : [a.project, b.project]
  return one < other ? -1 : one > other ? 1 : 0
}

/** All parts of an answer: each says which comes next. */
async function allParts<Part extends { readonly next: number | null }>(
  ask: (after: number) => Promise<Part>,
): Promise<readonly Part[]> {
  const parts: Part[] = []
  for (let after: number | null = 0; after !== null; ) {
    const part: Part = await ask(after)
    parts.push(part)
    after = part.next
  }
  return parts
}
