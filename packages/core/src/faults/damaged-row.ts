import type { Diagnostic, Severity } from '../model/diagnostic.js'
import { type FaultKind, findingsOf } from './fault.js'

const RULES = [
  'parse/not-json',
  'parse/not-an-object',
  'parse/joined-rows',
  'parse/nul-bytes',
  'parse/torn-row',
  'parse/invalid-utf8',
]

/** D6: rows that are no whole record. */
export const damagedRow: FaultKind = {
  id: 'damaged-row',
  title: 'damaged rows',
  meaning:
    'A row is torn, joined with another, filled with NUL bytes or no JSON: a write was cut or collided.',
  cost: 'Claude Code leaves such rows out, and what hangs on them loses its parent.',
  fix: 'dagline repair SESSION',
  find: patient => {
    const gone = new Set(patient.file.damagedRows.filter(({ isWhole }) => isWhole).map(({ row }) => row))
    const found = findingsOf(patient, RULES, each => severityOf(each, patient.lost.length > 0))
    // Of a row without any record nothing can be brought back; what hung on it is found by itself.
    return found.map(each => (each.row !== null && gone.has(each.row) ? { ...each, fix: null } : each))
  },
}

function severityOf({ rule, severity }: Diagnostic, isLosing: boolean): Severity {
  if (rule === 'parse/torn-row') return 'warning'
  return isLosing && severity === 'warning' && rule !== 'parse/invalid-utf8' ? 'error' : severity
}
