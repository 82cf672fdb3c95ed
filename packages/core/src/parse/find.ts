/** Finds records by the locations of their rows. */
import { carriedRecord } from './entries/progress.js'
import type { Json } from './json.js'
import { recordsIn } from './row.js'

/** A record: its uuid and its row. */
export interface RecordLocation {
  /** What the location is valid for: a graph. */
  readonly within: object
  readonly file: string
  readonly offset: number
  readonly id: string
}

/** The record at a location; null where the row that `read` returns does not hold it. */
export type RecordFinder = (location: RecordLocation, read: () => string | null) => Json | null

/** Keeps the last row with several records, which is read once for all of them. */
export function createRecordFinder(): RecordFinder {
  let kept: { readonly location: RecordLocation; readonly records: ReadonlyMap<unknown, Json> } | null = null
  return (location, read) => {
    if (kept !== null && isSameRow(kept.location, location)) return kept.records.get(location.id) ?? null
    const records = recordsIn(read() ?? '').flatMap(withMessage)
    kept = records.length > 1 ? { location, records: byId(records) } : null
    const [first = null] = records
    return kept === null && first?.uuid === location.id ? first : (kept?.records.get(location.id) ?? null)
  }
}

/** A progress row has two ids: its own, and that of the subagent's message it carries. */
function withMessage(record: Json): readonly Json[] {
  const carried = record.type === 'progress' ? carriedRecord(record) : null
  return carried === null ? [record] : [record, carried]
}

function isSameRow(a: RecordLocation, b: RecordLocation): boolean {
  return a.within === b.within && a.offset === b.offset && a.file === b.file
}

/** The first of each uuid. */
function byId(records: readonly Json[]): ReadonlyMap<unknown, Json> {
  return new Map(records.toReversed().map(record => [record.uuid, record]))
}
