/** G7 within one file: entries that repeat earlier ones of the same file under new uuids. */
import * as t from './table.js'

/**
 * The entries of a list that repeat an earlier one of it, each with the first. Both may be copies of an entry elsewhere. A stamp
 * alone does not make one: the words must be the same, too.
 */
export function repeatsIn(table: t.Table, nodes: readonly number[]): ReadonlyMap<number, number> {
  const repeats = new Map<number, number>()
  if (!nodes.some(node => t.int(table.copyOf, node) !== t.none)) return repeats
  const firsts = new Map<number, number>()
  for (const node of nodes) {
    const copied = t.int(table.copyOf, node)
    const original = copied === t.none ? node : copied
    const first = firsts.get(original)
    if (first === undefined) firsts.set(original, node)
    else if (!t.marked(table, node, t.Stamped) || saysTheSame(table, node, first)) repeats.set(node, first)
  }
  return repeats
}

function saysTheSame(table: t.Table, a: number, b: number): boolean {
  const isKind =
    t.byte(table.kind, a) === t.byte(table.kind, b) && t.byte(table.says, a) === t.byte(table.says, b)
  const isText = t.real(table.print, a) === t.real(table.print, b)
  return isKind && isText && t.int(table.tool, a) === t.int(table.tool, b)
}
