/** From a plan to the rows of the new file, one after another; the caller brings the text of each source row. */
import { type EntryId, entryId } from '../model/ids.js'
import { carriedRecord } from '../parse/entries/progress.js'
import { asId, type Json } from '../parse/json.js'
import { objectIn } from '../parse/pieces.js'
import { recoverRow } from '../parse/recover.js'
import { isEntryRecord, recordsIn } from '../parse/row.js'
import { writeJson } from '../parse/write-json.js'
import { promptRecord } from './new-rows.js'
import { applyPatch, type Naming } from './patch.js'
import { DAMAGED_ROW, type EditPlan, type RowPatch } from './plan.js'
import { renamer } from './rename.js'
import { renameText } from './rename-text.js'
import { type Saved, startTrim } from './trim-content.js'

/** A text that is to be replaced wherever it stands in a row: a path that names the session's folder. */
export interface TextChange {
  readonly from: string
  readonly to: string
}

/** A row too long to hold: as it will be read, and the fields to set in its bytes, as JSON. */
export interface ReducedRow {
  readonly text: string
  readonly fields: ReadonlyMap<string, string>
}

/** Rows under way. */
export interface Renderer {
  /** The row at a position of the plan, without its newline; null where nothing is left of it. */
  readonly row: (position: number, source: string) => string | null
  /** The same for a row that was reduced because it is too long to hold: what is to be set in the row itself. */
  readonly reduced: (position: number, source: string) => ReducedRow | null
  /** Names of spilled results that the rows speak of. */
  readonly mentions: ReadonlySet<string>
  readonly saved: Saved
}

/** Starts at the first row of a plan; rows are to be asked for in order. */
export function startRender(plan: EditPlan, texts: readonly TextChange[] = []): Renderer {
  const naming = namingOf(plan)
  const trim = startTrim(plan)
  const mentions = new Set<string>()
  const isTouched = mentionsAny([...texts.map(({ from }) => from), SPILLED])
  const recordsOf = startRecords()
  let last: EntryId | null = null
  const patchOf = (position: number): RowPatch => {
    const patch = plan.rows.patches.get(position)
    if (plan.shape === 'tree') return patch ?? NOTHING
    return patch === undefined ? { parent: last } : { ...patch, parent: last }
  }
  const patched = (position: number, source: string): readonly [Json, Json] | null => {
    const { promptOf: tool, carried } = plan.rows.patches.get(position) ?? NOTHING
    const made = plan.rows.made.get(position)
    const nth = plan.rows.nth[position] ?? 0
    const copied =
      made ??
      (carried === undefined ? (recordsOf(source)[nth] ?? null) : carriedIn(recordsOf(source), carried))
    const record = tool === undefined || copied === null ? copied : promptRecord(copied, tool)
    if (record === null) return null
    const trimmed = made === undefined ? trim.record(record, position) : record
    // A row that is new is not a copy of anything.
    const names = made === undefined && tool === undefined ? naming : { ...naming, stamps: false }
    const result = applyPatch(trimmed, patchOf(position), names)
    if (result !== null && isEntryRecord(record)) last = asId(record.uuid, entryId)
    return result === null ? null : [record, result]
  }
  const whole = (position: number, source: string): string | null => {
    const [, after] = patched(position, source) ?? []
    return after === undefined ? null : writeJson(after)
  }
  const renamed = (position: number, source: string): string | null => {
    if (needsWhole(plan, position) || plan.rows.made.has(position)) return null
    const quick = renameText(source, naming, patchOf(position).parent)
    if (quick !== null) last = quick.id
    return quick?.text ?? null
  }
  return {
    mentions,
    saved: trim.saved,
    reduced: (position, source) => {
      const [before, after] = patched(position, source) ?? []
      return before === undefined || after === undefined ? null : fieldsOf(before, after)
    },
    row: (position, source) => {
      if ((plan.rows.nth[position] ?? 0) < 0) return damagedText(plan, position, source)
      const text = renamed(position, source) ?? whole(position, source)
      if (text === null || !isTouched(text)) return text
      if (text.includes(SPILLED)) noteMentions(text, mentions)
      return changeTexts(text, texts)
    },
  }
}

const NOTHING: RowPatch = {}

/** What is damaged of a row, as it stands there. */
function damagedText({ rows }: EditPlan, position: number, source: string): string {
  return rows.nth[position] === DAMAGED_ROW ? source : recoverRow(source).damaged.join('\n')
}

/** Whether a row must be held whole to be written: something inside its message changes, or fields go. */
export function needsWhole({ rows, trim }: EditPlan, position: number): boolean {
  if (trim !== null || (rows.nth[position] ?? 0) !== 0) return true
  const patch = rows.patches.get(position)
  if (patch === undefined) return false
  const { parent, keepsThoughts, ...inside } = patch
  return Object.keys(inside).length > 0
}

const SPILLED = 'tool-results'

/** Whether a text has one of several in it: most rows have none, and long texts are found quickest one by one. */
function mentionsAny(texts: readonly string[]): (text: string) => boolean {
  return text => texts.some(wanted => text.includes(wanted))
}

function changeTexts(text: string, texts: readonly TextChange[]): string {
  return texts.reduce((row, { from, to }) => (row.includes(from) ? row.replaceAll(from, to) : row), text)
}

/** The fields of a record that a patch has changed. */
function fieldsOf(before: Json, after: Json): ReducedRow {
  const changed = Object.entries(after).flatMap(([key, value]) => {
    const text = writeJson(value)
    return value === before[key] || writeJson(before[key]) === text ? [] : [[key, text] as const]
  })
  return { text: writeJson(after), fields: new Map(changed) }
}

/** Rows of a sidecar with the session's new name, and new names for its entries; all records of a row, and its damage. */
export function renderSidecarRow(plan: EditPlan, source: string, texts: readonly TextChange[]): string {
  const naming = namingOf(plan)
  const named = (record: Json): string => writeJson(applyPatch(record, NOTHING, naming) ?? record)
  return changeTexts(sidecarText(source, named), texts)
}

function sidecarText(source: string, named: (record: Json) => string): string {
  const whole = objectIn(source)
  if (whole !== null) return named(whole)
  const { objects, damaged } = recoverRow(source)
  // What is not a record stays as it is: an agent's file is copied, not repaired.
  return objects.length === 0 ? source : [...objects.map(named), ...damaged].join('\n')
}

function namingOf({ session, copies }: EditPlan): Naming {
  return { session, stamps: copies, rename: copies ? renamer(session) : entryId }
}

/** The records of a row. A plan asks for all records of a joined row one after another: it is read once. */
function startRecords(): (text: string) => readonly Json[] {
  let last: { readonly text: string; readonly records: readonly Json[] } = { text: '', records: [] }
  return text => {
    if (text !== last.text) last = { text, records: recordsIn(text) }
    return last.records
  }
}

/** A9: the message with a uuid that a progress row carries. */
function carriedIn(records: readonly Json[], id: string): Json | null {
  const carried = records.map(carriedRecord)
  return carried.find(record => record?.uuid === id) ?? null
}

function noteMentions(text: string, mentions: Set<string>): void {
  for (const [, name] of text.matchAll(/tool-results(?:\/|\\\\)([\w.@-]+)/g))
    if (name !== undefined) mentions.add(name)
}
