/** What came of an edit, in sentences: the same in the terminal and on the page. */
import type { EditPlan } from '@dagline/core/edit'
import { count, plural, shortId } from '@dagline/core/format'
import type { EditRecord } from '@dagline/store'
import type { EditReport } from './run.js'

/** What was done, by command. */
export const EDIT_DONE: Readonly<Record<EditPlan['command'], string>> = {
  repair: 'Repaired',
  checkout: 'Checked out',
  fork: 'Forked',
  pick: 'Picked',
  trim: 'Trimmed',
  split: 'Split',
}

/** How much a resume loads before and after a repair, and how much of any other new session. */
export function coverageSentence({
  plan,
  reach: { before, after },
  coverage,
}: Pick<EditReport, 'plan' | 'reach' | 'coverage'>): string {
  if (coverage !== null) return repairSentence(coverage)
  const now = plural(after, 'entry', 'entries')
  return plan.command === 'repair'
    ? `A resume loads ${now} of the result; today it loads ${count(before)}.`
    : `A resume loads ${now}.`
}

/** D23: in the numbers of `doctor`, which counts the conversation and not what a repair adds. */
function repairSentence({ now, after, possible, added }: NonNullable<EditReport['coverage']>): string {
  const more = added === 0 ? '' : `, and ${count(added)} that the repair adds`
  const loads = `${count(after)} of ${plural(possible, 'entry', 'entries')} of the conversation`
  return `A resume loads ${loads}${more}; today it loads ${count(now)}.`
}

/** So many ids are named. */
const NAMED = 3

/** Entries that a resume loads today, but not from the result; null where there are none. `mark` paints an id. */
export function goneSentence(
  { gone }: Pick<EditReport, 'gone'>,
  mark: (id: string) => string = id => id,
): string | null {
  if (gone.length === 0) return null
  const some = gone.slice(0, NAMED).map(id => mark(shortId(id)))
  const more = gone.length > NAMED ? ` and ${count(gone.length - NAMED)} more` : ''
  return `${plural(gone.length, 'entry', 'entries')} that it loads today will not be loaded: ${some.join(', ')}${more}. They stay in the original.`
}

/** An edit as people know it from `dagline history`: `edit 3 (repair of 019c5be1)`. */
export function editName({ number, command, from, move }: EditRecord): string {
  return `edit ${number} (${command} of ${move?.from ?? shortId(from)})`
}

/** What undoing an edit does to files: `1 file restored, 2 files removed`. */
export function undoneText({ files, move }: Pick<EditRecord, 'files' | 'move'>): string {
  const restored = files.filter(({ backup }) => backup !== null).length
  const removed = files.length - restored
  const moved = move?.files.length ?? 0
  return [
    ...(moved > 0 ? [`${plural(moved, 'file')} moved back, byte for byte`] : []),
    ...(restored > 0 ? [`${plural(restored, 'file')} restored`] : []),
    ...(removed > 0 ? [`${plural(removed, 'file')} removed`] : []),
  ].join(', ')
}
