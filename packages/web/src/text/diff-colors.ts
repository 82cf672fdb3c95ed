/** Syntax colors of a diff: the file before and the file after are highlighted as a whole, and shown by lines. */
import type { DiffRow } from './diff-rows.js'
import { highlight, type Piece } from './highlight.js'

/** A row of a diff, and the pieces of its line. */
export interface ColoredRow {
  readonly row: DiffRow
  readonly pieces: readonly (Piece & { readonly isChanged: boolean })[]
}

/** Highlights the rows of a diff. Comments and texts may span several of them. */
export function colorRows(rows: readonly DiffRow[], language: string): readonly ColoredRow[] {
  const before = linesOf(rows, 'removed', language)
  const after = linesOf(rows, 'added', language)
  return rows.map((row, at) => {
    const pieces = (row.kind === 'removed' ? before : after)[at] ?? []
    return { row, pieces: row.part === null ? pieces.map(unchanged) : splitAt(pieces, row.part) }
  })
}

/** By the number of a row, the pieces of its line in one of the two files; empty where that file lacks it. */
function linesOf(
  rows: readonly DiffRow[],
  own: 'removed' | 'added',
  language: string,
): readonly (readonly Piece[])[] {
  const text = rows.map(row => (row.kind === own || row.kind === 'same' ? row.text : '')).join('\n')
  const lines: Piece[][] = [[]]
  for (const { text: piece, scope } of highlight(text, language)) {
    const [first = '', ...rest] = piece.split('\n')
    if (first !== '') lines.at(-1)?.push({ text: first, scope })
    for (const part of rest) lines.push(part === '' ? [] : [{ text: part, scope }])
  }
  return lines
}

function unchanged(piece: Piece): ColoredRow['pieces'][number] {
  return { ...piece, isChanged: false }
}

/** Cuts pieces at the ends of the part that differs. */
function splitAt(pieces: readonly Piece[], [from, to]: readonly [number, number]): ColoredRow['pieces'] {
  let start = 0
  return pieces.flatMap(({ text, scope }) => {
    const at = start
    start += text.length
    const [a, b] = [from, to].map(edge => Math.min(text.length, Math.max(0, edge - at)))
    const cut = [
      { text: text.slice(0, a), scope, isChanged: false },
      { text: text.slice(a, b), scope, isChanged: true },
      { text: text.slice(b), scope, isChanged: false },
    ]
    return cut.filter(part => part.text !== '')
  })
}
