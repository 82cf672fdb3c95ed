/** HU49, HU54: what a hub counted and measured, added up where it was asked for. */
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
  const parts: StatsPart[] = []
  for (let after: number | null = 0; after !== null; ) {
    const part: StatsPart = await ask(after)
    parts.push(part)
    after = part.next
  }
  return joinParts(parts)
}
