/** The journal of edits: what was written, and how to take it back. */
import { type EditRecord, readJournal, undoEdit } from '@dagline/store'
import { inStore } from '../host/store-errors.js'

/** Takes back the last edit, or the one of a number. */
export function undoNumber(number: number | null): Promise<EditRecord> {
  return inStore(() => undoEdit(number, Date.now()))
}

/** What was edited, the oldest first. */
export function listEdits(): Promise<readonly EditRecord[]> {
  return inStore(() => readJournal())
}
