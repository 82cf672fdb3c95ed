/** Changes to a file as rows: removed lines, added lines, and unchanged lines around them. */
import { diffArrays } from 'diff'

export interface DiffRow {
  readonly kind: 'same' | 'removed' | 'added' | 'gap'
  readonly text: string
  /** Line numbers before and after; null where the line does not exist. */
  readonly before: number | null
  readonly after: number | null
  /** The range that differs from the row it replaces; null for the whole row. */
  readonly part: readonly [number, number] | null
}

/** A hunk as Claude Code records it (`structuredPatch`). */
export interface Hunk {
  readonly oldStart: number
  readonly newStart: number
  /** Each begins with a blank, `-` or `+`. */
  readonly lines: readonly string[]
}

/** Lines of context around a change. */
const AROUND = 3

/** Rows of recorded hunks, with a gap between them. */
export function rowsOfHunks(hunks: readonly Hunk[]): readonly DiffRow[] {
  return hunks.flatMap((hunk, at) => [...(at === 0 ? [] : [GAP]), ...rowsOfHunk(hunk)])
}

/** Rows of two texts; line numbers count from `first`. */
export function rowsOfTexts(before: string, after: string, first: number = 1): readonly DiffRow[] {
  const lines = diffArrays(linesOf(before), linesOf(after)).flatMap(change =>
    change.value.map(line => `${change.removed ? '-' : change.added ? '+' : ' '}${line}`),
  )
  return fold(rowsOfHunk({ oldStart: first, newStart: first, lines }))
}

/** The number of removed and added lines. */
export function countChanges(rows: readonly DiffRow[]): { readonly removed: number; readonly added: number } {
  const count = (kind: DiffRow['kind']): number => rows.filter(row => row.kind === kind).length
  return { removed: count('removed'), added: count('added') }
}

const GAP: DiffRow = { kind: 'gap', text: '', before: null, after: null, part: null }

function linesOf(text: string): string[] {
  if (text === '') return []
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}

function rowsOfHunk({ oldStart, newStart, lines }: Hunk): DiffRow[] {
  let before = oldStart
  let after = newStart
  const rows = lines
    .filter(line => !line.startsWith('\\'))
    .map((line): DiffRow => {
      const text = line.slice(1)
      if (line[0] === '-') return { kind: 'removed', text, before: before++, after: null, part: null }
      if (line[0] === '+') return { kind: 'added', text, before: null, after: after++, part: null }
      return { kind: 'same', text, before: before++, after: after++, part: null }
    })
  return markParts(rows)
}

/** Where as many lines were added as removed, they are compared one by one. */
function markParts(rows: readonly DiffRow[]): DiffRow[] {
  const marked = [...rows]
  let at = 0
  while (at < rows.length) {
    const removed = runOf(rows, at, 'removed')
    const added = runOf(rows, at + removed, 'added')
    if (removed > 0 && removed === added) {
      for (let step = 0; step < removed; step++) markPair(marked, at + step, at + removed + step)
    }
    at += Math.max(1, removed + added)
  }
  return marked
}

function runOf(rows: readonly DiffRow[], from: number, kind: DiffRow['kind']): number {
  let length = 0
  while (rows[from + length]?.kind === kind) length++
  return length
}

function markPair(rows: DiffRow[], removed: number, added: number): void {
  const [left, right] = [rows[removed], rows[added]]
  if (left === undefined || right === undefined) return
  const head = sameHead(left.text, right.text)
  const tail = sameTail(left.text.slice(head), right.text.slice(head))
  // Lines that share next to nothing are not versions of each other.
  if ((head + tail) * 3 < Math.max(left.text.length, right.text.length)) return
  rows[removed] = { ...left, part: [head, left.text.length - tail] }
  rows[added] = { ...right, part: [head, right.text.length - tail] }
}

function sameHead(left: string, right: string): number {
  const most = Math.min(left.length, right.length)
  let at = 0
  while (at < most && left[at] === right[at]) at++
  return at
}

function sameTail(left: string, right: string): number {
  const most = Math.min(left.length, right.length)
  let at = 0
  while (at < most && left[left.length - 1 - at] === right[right.length - 1 - at]) at++
  return at
}

/** Omits rows that are far from any change. */
function fold(rows: readonly DiffRow[]): readonly DiffRow[] {
  const near = rows.map(() => false)
  rows.forEach((row, at) => {
    if (row.kind !== 'same') near.fill(true, Math.max(0, at - AROUND), at + AROUND + 1)
  })
  return rows.flatMap((row, at) => (near[at] ? [row] : near[at - 1] || at === 0 ? [GAP] : []))
}
