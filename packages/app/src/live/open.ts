/** Opens what the pages of a live history are made from. */

import { entryId } from '@dagline/core'
import { type ByteSource, NO_LABELS, openRangeReader } from '@dagline/store'
import { openReading } from '../contents/reading.js'
import type { ExportHtml, FindPersonal } from '../export/worker.js'
import { openLabels } from '../files/labels.js'
import { createGraphs } from '../graphs/indexed.js'
import type { Examine } from '../health/examiner.js'
import { UserError } from '../host/user-error.js'
import { type IndexedSession, type LiveIndex, openLiveIndex } from '../index/live-index.js'
import { ambiguous } from '../text/ambiguous.js'
import type { LiveContext, LiveSource, OpenSession } from './context.js'
import { createEvents } from './events.js'
import { createSheets } from './sheets.js'

/** What a live history is opened from. */
export interface LiveOptions {
  /** The index file; it may not be there yet. */
  readonly index: string
  /** Absolute paths of the folders with transcripts, as the index knows them. */
  readonly roots: readonly string[]
  /** The bundled samples, because there is nothing else. */
  readonly isSample: boolean
  /** Where sessions were looked for; the roots unless given. */
  readonly looked?: readonly string[]
  /** The bytes of a file that is no longer on disk, by its absolute path. */
  readonly elsewhere?: (path: string) => ByteSource | null
  readonly now?: () => number
  /** The file with names, tags and notes. */
  readonly labels?: string | null
  /** Makes files of sessions. */
  readonly exportHtml?: ExportHtml | null
  /** Counts what a file of a session would tell. */
  readonly findPersonal?: FindPersonal | null
  /** Examines all sessions. */
  readonly examine?: Examine | null
  /** Receives the message about an index that was damaged. */
  readonly noteDamage?: (message: string) => void
}

/** Opens the index and all that hangs on it, as it is needed. `rebuild` is called where the index must be made again. */
export function openContext(
  served: LiveOptions,
  rebuild: () => void,
): LiveSource & { readonly close: () => void } {
  const { roots, isSample, noteDamage = () => {} } = served
  const live = openLiveIndex(served.index, roots, message => {
    if (message !== null) noteDamage(message)
    rebuild()
  })
  const graphs = createGraphs()
  const ranges = openRangeReader(served.elsewhere)
  const open = (session: IndexedSession): OpenSession => ({ ...session, ...graphs.of(live.index(), session) })
  const sheets = createSheets(live)
  const context: LiveContext = {
    roots,
    isSample,
    looked: served.looked ?? roots,
    now: served.now ?? Date.now,
    index: live.index,
    rootIds: live.rootIds,
    sessions: live.sessions,
    usage: live.usage,
    graphOf: session => open(onlyOne(session, live.find(session))),
    nodeOf: uuid => findNode(live, open, uuid),
    ranges,
    reading: openReading(ranges, roots),
    sheets,
    events: createEvents(),
    labels: served.labels == null ? () => NO_LABELS : openLabels(served.labels),
    exportHtml: served.exportHtml ?? null,
    findPersonal: served.findPersonal ?? null,
  }
  const refresh = (): void => {
    // A file that was replaced is another one under the same name.
    ranges.close()
    live.refresh()
  }
  const close = (): void => {
    ranges.close()
    graphs.clear()
    live.close()
  }
  return { context, refresh, close }
}

/** The session that was meant. One that is found under several roots is the one that was written to last. */
function onlyOne(asked: string, sessions: readonly IndexedSession[]): IndexedSession {
  const [first] = sessions
  const ids = [...new Set(sessions.map(({ fact }) => fact.session))]
  if (first === undefined) throw new UserError(`No session begins with ${asked}.`, 'no-session')
  if (ids.length === 1) return first
  throw new UserError(ambiguous(asked, ids, 'sessions'), 'ambiguous')
}

type Open = (session: IndexedSession) => OpenSession

/** By the sessions of the files that hold the uuid; agents beside sessions do not say whose they are. */
function findNode(live: LiveIndex, open: Open, asked: string): ReturnType<LiveContext['nodeOf']> {
  const uuid = onlyUuid(live, asked)
  const entries = live.index().locate('uuid', uuid)
  const named = [...new Set(entries.flatMap(({ session }) => session ?? []))]
  const strays = entries.some(({ session }) => session === null) ? live.strays() : []
  const candidates = [...named.flatMap(session => live.find(session)), ...strays]
  for (const candidate of candidates) {
    const { graph } = open(candidate)
    const node = graph.index(entryId(uuid))
    const session = node === null ? null : graph.lineOf(node)?.domain.session
    const paths = new Set(candidate.files.map(({ path }) => path))
    const fact = live.sessions().find(each => each.session === session && paths.has(each.file ?? ''))
    if (node !== null && fact !== undefined) return { session: open({ ...candidate, fact }), node }
  }
  throw new UserError(`No entry with the uuid ${asked} belongs to a session that is shown here.`, 'no-entry')
}

function onlyUuid(live: LiveIndex, asked: string): string {
  const entries = asked === '' ? [] : live.index().locate('uuid', asked)
  const uuids = new Set(entries.map(({ id }) => id))
  const [only] = uuids
  if (uuids.has(asked)) return asked
  if (only === undefined) throw new UserError(`No entry begins with ${asked}.`, 'no-entry')
  if (uuids.size === 1) return only
  throw new UserError(`${uuids.size} entries begin with ${asked}: give more of the uuid.`, 'ambiguous')
}
