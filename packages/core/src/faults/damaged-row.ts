import type { Draft } from '../edit/draft.js'
import { readingDiagnostics } from '../graph/nodes.js'
import type { Diagnostic, Severity } from '../model/diagnostic.js'
import { type FaultKind, fromDiagnostics } from './fault.js'

const RULES = [
  'parse/not-json',
  'parse/not-an-object',
  'parse/joined-rows',
  'parse/nul-bytes',
  'parse/torn-row',
  'parse/invalid-utf8',
]

/** D6: rows that are not a whole record. */
export const damagedRow: FaultKind = {
  id: 'damaged-row',
  title: 'damaged rows',
  meaning:
    'A row is torn, joined with another, filled with NUL bytes or no JSON: a write was cut or collided.',
  cost: 'Claude Code leaves such rows out, and what hangs on them loses its parent.',
  fix: 'dagline repair SESSION',
  find: context => {
    const gone = new Set(context.file.damagedRows.filter(({ isWhole }) => isWhole).map(({ row }) => row))
    const found = fromDiagnostics(context, RULES, each => severityOf(each, context.lost.length > 0))
    // Of a row without any record nothing can be brought back; what hung on it is found by itself.
    return found.map(each => (each.row !== null && gone.has(each.row) ? { ...each, fix: null } : each))
  },
  repairs: [{ stage: 'rows', change: noteDamage }],
}

function severityOf({ rule, severity }: Diagnostic, isLosing: boolean): Severity {
  if (rule === 'parse/torn-row') return 'warning'
  return isLosing && severity === 'warning' && rule !== 'parse/invalid-utf8' ? 'error' : severity
}

/** Rows with several records are taken apart when they are written. Of a row without any nothing can be brought back. */
function noteDamage(draft: Draft): void {
  if (!draft.wants('damaged-row')) return
  const { file, graph } = draft
  const lost = new Set(file.damagedRows.filter(({ isWhole }) => isWhole).map(({ row }) => row))
  for (const { rule, file: path, row, message } of readingDiagnostics(graph)) {
    if (path !== file.facts.path || !REPAIRED.has(rule) || (row !== null && lost.has(row))) continue
    draft.changes.push({ what: 'damaged-row', node: null, row, why: message })
  }
}

const REPAIRED: ReadonlySet<string> = new Set([
  ...RULES.filter(rule => rule !== 'parse/invalid-utf8'),
  'parse/bom',
])
