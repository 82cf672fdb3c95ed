/** Opens what the pages of a live history are made from. */

import { entryId } from '@dagline/core'
import {
  type ByteSource,
  type Labels,
  labelNamed,
  NO_LABELS,
  openPushedRanges,
  openRangeReader,
} from '@dagline/store'
import { openPushedReading, openReading } from '../contents/reading.js'
import type { ExportHtml, FindPersonal } from '../export/worker.js'
import { openLabels } from '../files/labels.js'
import { createGraphs } from '../graphs/indexed.js'
import type { Examine } from '../health/examiner.js'
import { UserError } from '../host/user-error.js'
import {
  createLiveIndex,
  type IndexedSession,
  type IndexSource,
  type LiveIndex,
  openLiveIndex,
} from '../index/live-index.js'
import { ambiguous } from '../text/ambiguous.js'
import { sessionsCalled } from './called.js'
import type { LiveContext, LiveSource, OpenSession } from './context.js'
import { createEvents } from './events.js'
import { createSheets } from './sheets.js'

/** What every live history is opened with. */
interface ContextOptions {
  /** Absolute paths of the folders with transcripts, as the index knows them. */
  readonly roots: readonly string[]
  /** The bytes of a file that is no longer on disk, by its absolute path. */
  readonly elsewhere?: (path: string) => ByteSource | null
  readonly now?: () => number
  /** Makes files of sessions. */
  readonly exportHtml?: ExportHtml | null
  /** Counts what a file of a session would tell. */
  readonly findPersonal?: FindPersonal | null
}

/** What a live history is opened from. */
export interface LiveOptions extends ContextOptions {
  /** The index file; it may not be there yet. */
  readonly index: string
  /** The bundled samples, because there is nothing else. */
  readonly isSample: boolean
  /** Where sessions were looked for; the roots unless given. */
  readonly looked?: readonly string[]
  /** The file with names, tags and notes. */
  readonly labels?: string | null
  /** Examines all sessions. */
  readonly examine?: Examine | null
  /** Receives the message about an index that was damaged. */
  readonly noteDamage?: (message: string) => void
}

/** What a history of pushed files is opened from: its index and their bytes, none of which are files of this machine. */
export interface PushedOptions extends ContextOptions {
  readonly source: IndexSource
  /** The bytes of a file by its absolute path in the index; null where there is none. */
  readonly elsewhere: (path: string) => ByteSource | null
  /** Is told which sessions an answer reads. */
  readonly onRead?: (read: SessionRead) => void
  /** The number of the person of a root. */
  readonly personOf?: (root: string) => number | null
  /** HU80: names, tags and notes; the same object while nothing of them changes. */
  readonly labels?: () => Labels
}

/** A session that was opened, or of which a search shows some words. */
interface SessionRead {
  readonly how: 'read' | 'search'
  readonly session: string
  readonly root: string
}

/** A context, to be closed after use. */
type OpenedContext = LiveSource & { readonly close: () => void }

/** Opens the index and all that hangs on it, as it is needed. `rebuild` is called where the index must be made again. */
export function openContext(served: LiveOptions, rebuild: () => void): OpenedContext {
  const { roots, isSample, noteDamage = () => {} } = served
  const live = openLiveIndex(served.index, roots, message => {
    if (message !== null) noteDamage(message)
    rebuild()
  })
  const ranges = openRangeReader(served.elsewhere)
  return contextOn(live, served, {
    isSample,
    isPushed: false,
    looked: served.looked ?? roots,
    ranges,
    reading: openReading(ranges, roots),
    ownerOf: () => null,
    labels: served.labels == null ? () => NO_LABELS : openLabels(served.labels),
  })
}

/** HU30: the same for pushed files: no path of them is looked up on this machine. */
export function openPushedContext(pushed: PushedOptions): OpenedContext & {
  readonly find: LiveIndex['find']
  /** HU50: the sessions that a word of a command means: all of one id. */
  readonly called: (word: string) => readonly IndexedSession[]
} {
  const { roots, elsewhere, onRead = () => {}, personOf = () => null, labels = () => NO_LABELS } = pushed
  const ranges = openPushedRanges(elsewhere)
  const live = createLiveIndex({ ...pushed.source, isPushed: true }, roots)
  const opened = contextOn(live, pushed, {
    isSample: false,
    isPushed: true,
    looked: [],
    ranges,
    reading: openPushedReading(ranges, roots, elsewhere),
    ownerOf: fact => {
      const root = live.rootOf(fact)
      return root === null ? null : personOf(root)
    },
    labels,
  })
  const note = <T extends IndexedSession>(session: T): T => {
    onRead({ how: 'read', session: session.fact.session, root: session.root })
    return session
  }
  const { factOf, graphOf, nodeOf } = opened.context
  const context: LiveContext = {
    ...opened.context,
    factOf: session => note(factOf(session)),
    graphOf: session => note(graphOf(session)),
    nodeOf: uuid => {
      const found = nodeOf(uuid)
      note(found.session)
      return found
    },
  }
  const called = (word: string): readonly IndexedSession[] =>
    sessionsCalled(labelNamed(labels(), word)?.session ?? word, live, uuid => nodeOf(uuid).session)
  return { ...opened, context, find: live.find, called }
}

type GivenParts = Pick<
  LiveContext,
  'isSample' | 'isPushed' | 'looked' | 'ranges' | 'reading' | 'labels' | 'ownerOf'
>

function contextOn(live: LiveIndex, options: ContextOptions, given: GivenParts): OpenedContext {
  const { ranges } = given
  const graphs = createGraphs()
  const open = (session: IndexedSession): OpenSession => ({ ...session, ...graphs.of(live.index(), session) })
  const context: LiveContext = {
    ...given,
    roots: options.roots,
    now: options.now ?? Date.now,
    index: live.index,
    rootIds: live.rootIds,
    sessions: live.sessions,
    usage: live.usage,
    factOf: session => onlyOne(session, live.find(session)),
    graphOf: session => open(onlyOne(session, live.find(session))),
    nodeOf: uuid => findNode(live, open, uuid),
    sheets: createSheets(live),
    events: createEvents(),
    exportHtml: options.exportHtml ?? null,
    findPersonal: options.findPersonal ?? null,
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
