import { counted, type DiskFaultKind, findingInFile } from './fault.js'

const SOON = 7

/** D12: sessions that Claude Code is about to delete. */
export const sweptSoon: DiskFaultKind = {
  id: 'swept-soon',
  rule: 'D12',
  title: 'about to be deleted',
  meaning: 'Claude Code deletes transcripts that were not written to for some time (`cleanupPeriodDays`).',
  cost: 'The session is gone for good after that, unless it is in the archive.',
  remedy:
    '`dagline archive` keeps a copy; `cleanupPeriodDays` in the settings of Claude Code keeps the session longer.',
  fix: 'dagline archive',
  find: ({ survey: { disk } }) => {
    const days = disk?.daysLeft ?? null
    if (days === null || days > SOON) return []
    const when = days <= 0 ? 'at its next start' : `in ${counted(Math.ceil(days), 'day')}`
    return [findingInFile('warning', `Claude Code deletes it ${when}.`)]
  },
}
