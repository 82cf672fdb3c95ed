/** The rows that end a new session: what the client keeps of its state, and the title, as the SDK's fork writes them. */
import { asObject } from '../parse/json.js'
import type { RowList } from './plan.js'
import { deriveId } from './rename.js'
import { type EditMake, type EditSource, notePlace } from './source.js'

/** Notes of the client's state that a copy takes over, the last of each. */
const CARRIED = ['atis-latch', 'tools-used']

/** Adds the last notes of the client's state that stand in a file. */
export function addState(source: EditSource, path: string, rows: RowList): void {
  const { surveys, graph } = source
  const notes = surveys.get(path)?.notes ?? []
  const file = graph.files().find(({ facts }) => facts.path === path)
  if (file === undefined) return
  for (const type of CARRIED) {
    const last = notes.findLast(note => note.type === type)
    if (last !== undefined) rows.add(notePlace(source, file.facts.path, last))
  }
}

/** Adds the title. */
export function addTitle(rows: RowList, { session, now }: EditMake, title: string): void {
  const record = asObject({
    type: 'custom-title',
    sessionId: session,
    customTitle: title,
    uuid: deriveId(session, 'title'),
    timestamp: new Date(now).toISOString(),
  })
  if (record !== null) rows.addNew(record)
}
