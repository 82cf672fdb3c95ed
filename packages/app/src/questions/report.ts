/** HU49: what a hub counted, added up here: days and hours are those of this machine. */
import type { GatheredUsage, UsageReport, UsageReportOptions } from '../measure/usage-report.js'

/** A report of what was counted for these options. Adding up is loaded only where something was counted. */
export async function sumUsage(gathered: GatheredUsage, options: UsageReportOptions): Promise<UsageReport> {
  const { reportOf } = await import('../measure/usage-report.js')
  return reportOf(gathered, options)
}
