/** Z3: what became of the lines that a call wrote. */
import type { EditFate } from '../model/file-change.js'
import type { LineOrigin } from './version.js'

/** A call that changed the file. */
export interface EditSummary {
  /** Its number among the events. */
  readonly edit: number
  readonly fate: EditFate
  /** Lines that it wrote, and how many of them are in the file. */
  readonly written: number
  readonly present: number
}

/** What is known of the lines that a call wrote. */
export interface WrittenLines {
  readonly track: string
  count: number
  /** How many of them later calls replaced, and how many vanished without a call. */
  replaced: number
  undone: number
  /** False where it is not known which lines it wrote, or where. */
  isPlaced: boolean
}

/** The calls in the order of time, and how many of their lines are among those with the given origins. */
export function summarizeEdits(
  written: ReadonlyMap<number, WrittenLines>,
  track: string,
  origins: readonly LineOrigin[],
): readonly EditSummary[] {
  const counts = countByEdit(origins)
  return [...written].map(([edit, lines]) => {
    const present = counts.get(edit) ?? 0
    return { edit, fate: fateOf(lines, present, track), written: Math.max(lines.count, present), present }
  })
}

function fateOf(lines: WrittenLines, present: number, asked: string): EditFate {
  const { count, replaced, undone, isPlaced, track } = lines
  if (present > 0) return 'present'
  if (!isPlaced) return 'unplaced'
  if (count === 0) return 'removed'
  if (track !== asked) return 'elsewhere'
  return replaced > undone ? 'replaced' : 'undone'
}

/** How many lines each call wrote. */
export function countByEdit(origins: readonly LineOrigin[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const origin of origins)
    if (origin.kind === 'edit') counts.set(origin.edit, (counts.get(origin.edit) ?? 0) + 1)
  return counts
}
