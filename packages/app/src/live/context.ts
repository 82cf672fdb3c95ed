/** What the parts of a live history share: the index, the graphs of sessions, and what their rows say. */

import type { KnownFile, Labels, RangeReader, SessionFact } from '@dagline/store'
import type { ReadGraph, Reading } from '../contents/reading.js'
import type { ExportHtml, FindPersonal } from '../export/worker.js'
import type { Growth } from '../graphs/indexed.js'
import type { IndexedSession, LiveIndex } from '../index/live-index.js'
import type { Events } from './events.js'
import type { Sheets } from './sheets.js'

/** A session with the graph of all files that have something in common with it. */
export interface OpenSession extends ReadGraph {
  readonly fact: SessionFact
  readonly files: readonly KnownFile[]
  /** Differs whenever the graph does. */
  readonly version: string
  /** How it came from the graph before; null where it was built from the start. */
  readonly grown: Growth | null
}

export interface LiveContext extends Pick<LiveIndex, 'index' | 'rootIds' | 'sessions' | 'usage'> {
  /** Absolute paths of the folders that are served. */
  readonly roots: readonly string[]
  readonly isSample: boolean
  /** The files were pushed here, and none of them is on the disk of this machine. */
  readonly isPushed: boolean
  /** Where sessions were looked for. */
  readonly looked: readonly string[]
  readonly now: () => number
  /** A session by its id or a unique beginning of it. Throws `UserError` where there is none. */
  readonly graphOf: (session: string) => OpenSession
  /** The same without its graph, which takes time to make. */
  readonly factOf: (session: string) => IndexedSession
  /** HU60: the number of the person whose session it is, on a hub; null at home. */
  readonly ownerOf: (fact: SessionFact) => number | null
  /** The session that shows a node, and the node in its graph. Throws `UserError` where there is none. */
  readonly nodeOf: (uuid: string) => { readonly session: OpenSession; readonly node: number }
  /** For the index's own search, which knows locations only. */
  readonly ranges: RangeReader
  readonly reading: Reading
  readonly sheets: Sheets
  readonly events: Events
  /** Names, tags and notes, as they are right now. */
  readonly labels: () => Labels
  /** Makes HTML files of sessions; null where the history cannot. */
  readonly exportHtml: ExportHtml | null
  /** Counts what a file of a session would tell about its author. */
  readonly findPersonal: FindPersonal | null
}

/** A context whose index changes. */
export interface LiveSource {
  readonly context: LiveContext
  /** The index has changed: what was read from it is read again. */
  readonly refresh: () => void
}
