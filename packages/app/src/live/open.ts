/** Puts together what routes are given. */

import { entryId, type Graph } from '@dagline/core'
import { type ByteSource, openRangeReader, type SessionFact } from '@dagline/store'
import { openReading } from '../contents/reading.js'
import { createSheets } from '../contents/sheets.js'
import type { ExportHtml } from '../export/worker.js'
import { createGraphs } from '../graphs/indexed.js'
import type { Examine } from '../health/examiner.js'
import { UserError } from '../host/user-error.js'
import { type Library, openLibrary, type Shelf } from '../index/live-index.js'
import type { LiveContext, LiveSource, OpenSession } from './context.js'
import { createEvents } from './events.js'
import { openLabels } from './labels.js'

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
  /** The bytes of a file that is on disk no more, by its absolute path. */
  readonly elsewhere?: (place: string) => ByteSource | null
  readonly now?: () => number
  /** The file with names, tags and notes. */
  readonly labels?: string | null
  /** Makes files of sessions. */
  readonly exportHtml?: ExportHtml | null
  /** Examines all sessions. */
  readonly examine?: Examine | null
}

/** Opens the index and all that hangs on it, as it is needed. */
export function openContext(served: LiveOptions): LiveSource & { readonly close: () => void } {
  const { roots, isSample } = served
  const library = openLibrary(served.index, roots)
  const graphs = createGraphs()
  const spans = openRangeReader(served.elsewhere)
  const open = (shelf: Shelf): OpenSession => ({ ...shelf, ...graphs.of(library.index(), shelf) })
  const sheets = createSheets(library)
  const context: LiveContext = {
    roots,
    isSample,
    looked: served.looked ?? roots,
    now: served.now ?? Date.now,
    index: library.index,
    rootIds: library.rootIds,
    sessions: library.sessions,
    usage: library.usage,
    graphOf: session => open(onlyOne(session, library.find(session))),
    nodeOf: uuid => findNode(library, open, uuid),
    spans,
    reading: openReading(spans, roots),
    sheets,
    messagesOf: sheets.messagesOf,
    events: createEvents(),
    labels: openLabels(served.labels ?? null),
    exportHtml: served.exportHtml ?? null,
    examine: served.examine ?? null,
  }
  const refresh = (): void => {
    // A file that was replaced is another one under the same name.
    spans.close()
    library.refresh()
  }
  const close = (): void => {
    spans.close()
    graphs.clear()
    library.close()
  }
  return { context, refresh, close }
}

/** The session that was meant. One that is found under several roots is the one that was written to last. */
function onlyOne(asked: string, shelves: readonly Shelf[]): Shelf {
  const [first] = shelves
  const ids = [...new Set(shelves.map(({ fact }) => fact.session))]
  if (first === undefined) throw new UserError(`No session begins with ${asked}.`, 'no-session')
  if (ids.length === 1) return first
  const some = ids.slice(0, 4).join(', ')
  throw new UserError(
    `${ids.length} sessions begin with ${asked}: ${some}; give more of the id.`,
    'ambiguous',
  )
}

type Open = (shelf: Shelf) => OpenSession

/** By the sessions of the files that hold the uuid; agents beside sessions do not say whose they are. */
function findNode(library: Library, open: Open, asked: string): ReturnType<LiveContext['nodeOf']> {
  const uuid = onlyUuid(library, asked)
  const entries = library.index().entries(uuid)
  const named = [...new Set(entries.flatMap(({ session }) => session ?? []))]
  const shelves = [...named.flatMap(session => library.find(session)), ...strays(library, entries)]
  for (const shelf of shelves) {
    const { graph } = open(shelf)
    const node = graph.index(entryId(uuid))
    const session = node < 0 ? null : sessionShowing(graph, node)
    const fact = library.sessions().find(each => each.session === session && isIn(each, shelf))
    if (fact !== undefined) return { session: open({ ...shelf, fact }), node }
  }
  throw new UserError(`No entry with the uuid ${asked} belongs to a session that is shown here.`, 'no-entry')
}

function strays(library: Library, entries: readonly { readonly session: string | null }[]): readonly Shelf[] {
  return entries.some(({ session }) => session === null) ? library.strays() : []
}

function onlyUuid(library: Library, asked: string): string {
  const uuids = new Set(
    asked === ''
      ? []
      : library
          .index()
          .entries(asked)
          .map(({ uuid }) => uuid),
  )
  const [only] = uuids
  if (uuids.has(asked)) return asked
  if (only === undefined) throw new UserError(`No entry begins with ${asked}.`, 'no-entry')
  if (uuids.size === 1) return only
  throw new UserError(`${uuids.size} entries begin with ${asked}: give more of the uuid.`, 'ambiguous')
}

/** The session in whose sheet a node is. */
function sessionShowing(graph: Graph, node: number): string | null {
  const line = graph.lineOf(node)
  return graph.sessions().find(({ index }) => index === line?.domain.session)?.id ?? null
}

function isIn({ file }: SessionFact, { files }: Shelf): boolean {
  return files.some(({ path }) => path === file)
}
