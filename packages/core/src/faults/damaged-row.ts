import { none } from '../graph/nodes.js'
import type { Diagnostic, Severity } from '../model/diagnostic.js'
import { type FaultContext, type FaultKind, fromDiagnostics } from './fault.js'

const RULES = [
  'parse/not-json',
  'parse/not-an-object',
  'parse/joined-rows',
  'parse/nul-bytes',
  'parse/torn-row',
  'parse/bom',
]
/** A repair copies such bytes as they are. */
const KEPT_RULES = ['parse/invalid-utf8']

/** D6: rows that are not a whole record. */
export const damagedRow: FaultKind = {
  id: 'damaged-row',
  rule: 'D6',
  title: 'damaged rows',
  meaning:
    'A row is torn, joined with another, filled with NUL bytes or not JSON: a write was cut or collided.',
  cost: 'Claude Code leaves such rows out, and what hangs on them loses its parent.',
  remedy:
    'The repair writes the records that could be read on rows of their own; other bytes stay as they are.',
  fix: 'dagline repair SESSION',
  find: context => {
    const gone = new Set(context.file.damagedRows.filter(({ isWhole }) => isWhole).map(({ row }) => row))
    const found = fromDiagnostics(context, RULES, each => severityOf(each, context))
    const kept = fromDiagnostics(context, KEPT_RULES, ({ severity }) => severity)
    // Of a row without any record nothing can be brought back; what hung on it is found by itself.
    const withoutFix = found.map(each =>
      each.row !== null && gone.has(each.row) ? { ...each, fix: null } : each,
    )
    return [...withoutFix, ...kept.map(each => ({ ...each, fix: null }))]
  },
  stages: ['rows'],
  // Records are written one on a row, without what is damaged, in any case.
  repair: (draft, found) => {
    for (const { row, message, fix } of found) if (fix === undefined) draft.note(none, message, row)
  },
}

function severityOf({ rule, severity }: Diagnostic, { lost }: FaultContext): Severity | null {
  if (rule === 'parse/bom') return null
  if (rule === 'parse/torn-row') return 'warning'
  return lost.length > 0 && severity === 'warning' ? 'error' : severity
}
