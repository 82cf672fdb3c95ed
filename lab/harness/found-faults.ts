/** Which kinds of faults the doctor has found in which classes: none may be missing in a whole run. */
import { FAULT_KINDS } from '@dagline/core/faults'
import type { Check } from '../checks/check.ts'
import type { Verdict } from './judge.ts'

/** Kinds that no case of the lab has. */
export function faultsNotMet(verdicts: readonly Verdict[], checks: readonly Check[]): readonly string[] {
  return FAULT_KINDS.map(({ id }) => id).filter(id => classesOf(id, verdicts, checks).size === 0)
}

/** A table: each kind, in how many cases it was found, and in which classes. */
export function faultLines(verdicts: readonly Verdict[], checks: readonly Check[]): readonly string[] {
  const lines = FAULT_KINDS.map(({ id }) => {
    const classes = classesOf(id, verdicts, checks)
    const count = [...classes.values()].reduce((sum, each) => sum + each, 0)
    return `| `.concat([`\`${id}\``, String(count), listed(classes)].join(' | '), ' |')
  })
  return ['| Fault | cases | most of them |', '|---|--:|---|', ...lines]
}

/** How often a fault was found in each class, most often first. */
function classesOf(
  id: string,
  verdicts: readonly Verdict[],
  checks: readonly Check[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const add = (kind: string): unknown => counts.set(kind, (counts.get(kind) ?? 0) + 1)
  for (const { faults, kind } of verdicts) if (faults.includes(id)) add(kind)
  for (const { faults = [], what } of checks) if (faults.includes(id)) add(what.split(':')[0] ?? what)
  return new Map([...counts].sort(([, a], [, b]) => b - a))
}

const SHOWN = 4

function listed(classes: ReadonlyMap<string, number>): string {
  const names = [...classes.keys()]
  const more = names.length - SHOWN
  return `${names.slice(0, SHOWN).join('; ')}${more > 0 ? `; and ${more} more` : ''}`
}
