/** What entries of an opened project say. Bytes are read when they are asked for, so every answer is a promise. */

import { type Summary, summarize, summarizeGone } from '../content/summary.js'
import { REDUCE_LIMITS, RowReducer } from '../files/reduce.js'
import { GIANT_ROW } from '../files/split.js'
import { decodeUtf8 } from '../files/utf8.js'
import type { Graph } from '../graph/graph.js'
import { createPricer } from '../measure/cost.js'
import { LIST_PRICES } from '../measure/prices.js'
import type { MessageUsage } from '../model/billing.js'
import type { Diagnostic } from '../model/diagnostic.js'
import type { SessionId } from '../model/ids.js'
import { createRecordFinder } from '../parse/find.js'
import type { Json } from '../parse/json.js'
import type { Block, RowContent } from '../protocol/content.js'
import type { Sheet } from '../protocol/sheet.js'
import { entryBlocks, type RecordReader, type RowRange, rowContents } from '../view/row-contents.js'
import { makeSheet } from '../view/sheet.js'
import type { OpenFile } from './source.js'

/** The contents of a project's entries. */
export interface EntryContents {
  /** The record of a node, whatever the state of its row; null where its file cannot be read any more. */
  readonly record: (node: number) => Promise<Json | null>
  /** The bytes of its row as text. Of a row over 16 MiB long strings are cut. */
  readonly raw: (node: number) => Promise<string | null>
  /** The blocks of its record, texts whole: also results that Claude Code put into files of their own. */
  readonly blocks: (node: number) => Promise<readonly Block[] | null>
  /** A node in one line, by the graph alone where its file cannot be read any more. */
  readonly summary: (node: number) => Promise<Summary>
  /** The title of a session: the one that people gave, or else the one in its rows. */
  readonly titleOf: (session: SessionId) => string | null
  /** A session as rows for a page (`foldSheet`, `layOutLanes`), with what its lines and turns cost. */
  readonly sheet: (session: SessionId) => Sheet
  /** The contents of rows of a sheet, calls joined with their results and subagents. */
  readonly contents: (sheet: Sheet, rows: RowRange, limit?: number) => Promise<readonly RowContent[]>
}

/** What contents are read from. */
interface Source {
  readonly path: string
  readonly graph: Graph
  readonly files: ReadonlyMap<string, OpenFile>
  readonly usage: ReadonlyMap<string, MessageUsage>
  readonly diagnostics: readonly Diagnostic[]
}

/** The contents of a project. */
export function openEntries({ path, graph, files, usage, diagnostics }: Source): EntryContents {
  const find = createRecordFinder()
  const raw = async (node: number): Promise<string | null> => {
    const { file, offset, length } = graph.node(node)
    return await readRow(files.get(file), offset, offset + length)
  }
  const record = async (node: number): Promise<Json | null> => {
    const { file, offset } = graph.node(node)
    const text = await raw(node)
    return find({ within: graph, file, offset, id: graph.id(node) }, () => text)
  }
  const reading = { record, file: async (name: string) => await readWhole(files.get(name)) }
  const titleOf = (session: SessionId): string | null => graph.session(session)?.title ?? null
  const versionOf = (session: SessionId): string =>
    `${graph.session(session)?.files.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0}`
  return {
    raw,
    record,
    titleOf,
    blocks: async node => await readingAhead(reading, reader => entryBlocks(graph, reader, node)),
    summary: async node => {
      const json = await record(node)
      return json === null ? summarizeGone(graph.node(node)) : summarize(json)
    },
    sheet: session =>
      makeSheet(graph, session, {
        project: path,
        title: titleOf(session),
        archivedOnly: false,
        version: versionOf(session),
        usageOf: message => usage.get(message) ?? null,
        costOf: createPricer(LIST_PRICES),
        titleOf,
        diagnostics,
      }),
    contents: async (sheet, rows, limit) =>
      await readingAhead(reading, reader =>
        rowContents(graph, sheet, rows, {
          prices: LIST_PRICES,
          reader,
          messages: usage,
          ...(limit === undefined ? {} : { limit }),
        }),
      ),
  }
}

/** Reads as `RecordReader`, later. */
interface AsyncReader {
  readonly record: (node: number) => Promise<Json | null>
  readonly file: (path: string) => Promise<string | null>
}

/**
 * Does work that reads records at once, with a reader that cannot: what the work asks for and is not there yet is read, and
 * the work is done again. A call asks for its result, and a result for its call: three times are enough for all.
 */
async function readingAhead<T>(reading: AsyncReader, work: (reader: RecordReader) => T): Promise<T> {
  const records = new Map<number, Json | null>()
  const files = new Map<string, string | null>()
  for (;;) {
    const [nodes, paths] = [new Set<number>(), new Set<string>()]
    const done = work({ record: taken(records, nodes), file: taken(files, paths) })
    if (nodes.size + paths.size === 0) return done
    for (const node of nodes) records.set(node, await reading.record(node))
    for (const path of paths) files.set(path, await reading.file(path))
  }
}

function taken<K, V>(known: ReadonlyMap<K, V | null>, missing: Set<K>): (key: K) => V | null {
  return key => {
    const value = known.get(key)
    if (value === undefined) missing.add(key)
    return value ?? null
  }
}

/** A result in a file of its own that is larger is not read; in bytes. */
const LARGEST_RESULT = 32 * 1024 * 1024

async function readWhole(file: OpenFile | undefined): Promise<string | null> {
  if (file === undefined || file.size > LARGEST_RESULT) return null
  try {
    return decodeUtf8(await file.read(0, file.size))
  } catch {
    return null
  }
}

/** Bytes of a giant row that are read at a time. */
const PIECE = 4 * 1024 * 1024

/** A row as text; null where it cannot be read. P6: one that is too large to hold is reduced. */
async function readRow(file: OpenFile | undefined, start: number, end: number): Promise<string | null> {
  if (file === undefined || end > file.size) return null
  try {
    if (end - start <= GIANT_ROW) return decodeUtf8(await file.read(start, end))
    const reducer = new RowReducer(REDUCE_LIMITS)
    for (let at = start; at < end; at += PIECE) {
      const piece = await file.read(at, Math.min(at + PIECE, end))
      reducer.write(piece, 0, piece.length)
    }
    return reducer.end()
  } catch {
    return null
  }
}
