/** The rows that end a new session: what the client keeps of its state, and the title, as the SDK's fork writes them. */
import type { Graph } from '../graph/graph.js'
import { fileOf, none, timeOf } from '../graph/nodes.js'
import { asObject } from '../parse/json.js'
import type { RowList } from './plan.js'
import { deriveId } from './rename.js'
import { type EditMake, type EditSource, isoTimeOf, notePlace } from './source.js'

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

/** Where a new file ends. */
interface EndOfFile {
  /** The last that is said: its uuid in the source, or that of a row that is made. */
  readonly leaf: string
  /** The last entry of the source that is said. */
  readonly last: number
  /** All entries that are written, in the order of rows. */
  readonly nodes: readonly number[]
  /** Whether an entry is the last that is said, or hangs below it. */
  readonly isAtEnd: (node: number) => boolean
}

/**
 * Releases up to 2.1.41 end at the latest time, of equal ones at the first; later ones at the last row. Where one of them does
 * not lead to the last that is said, a notice of the time of writing is hung on that.
 */
export function addEnd(rows: RowList, source: EditSource, { session, now }: EditMake, end: EndOfFile): void {
  const { graph } = source
  const latest = latestOf(graph, end.nodes)
  if (latest !== none && end.isAtEnd(latest) && end.isAtEnd(end.nodes.at(-1) ?? none)) return
  const time = latest === none ? now : Math.max(now, timeOf(graph, latest) + 1)
  const timestamp = isoTimeOf(time) ?? isoTimeOf(now)
  const record = asObject({
    parentUuid: end.leaf,
    isSidechain: false,
    userType: 'external',
    cwd: fileOf(graph, end.last).cwd ?? '',
    sessionId: session,
    version: source.graph.node(end.last).version,
    type: 'system',
    subtype: 'informational',
    content: 'Copied by dagline. The conversation goes on from here.',
    isMeta: false,
    level: 'info',
    uuid: deriveId(session, 'end'),
    timestamp,
  })
  if (record !== null) rows.addNew(record)
}

/** The first of the entries with the latest time; none where none has a time. */
function latestOf(graph: Graph, nodes: readonly number[]): number {
  let latest = none
  for (const node of nodes) {
    const time = timeOf(graph, node)
    if (!Number.isNaN(time) && (latest === none || time > timeOf(graph, latest))) latest = node
  }
  return latest
}
