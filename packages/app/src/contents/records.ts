/** The content of entries, read from their files by offset and length: the graph keeps locations, not texts. */

import type { Graph } from '@dagline/core'
import { type Summary, summarize, summarizeGone } from '@dagline/core/content'
import type { Json } from '@dagline/core/parse'
import type { Block } from '@dagline/core/protocol'
import { entryBlocks } from '@dagline/core/view'
import { openRangeReader } from '@dagline/store'
import { noteUnread } from '../files/unread.js'
import type { Host } from '../host/host.js'
import { openReading, readerOf } from './reading.js'
import type { Summaries } from './summaries.js'

/** Records of a graph, read from their files as they are asked for. */
export interface Contents {
  /** The record of a node; null where its file has changed or gone. */
  readonly record: (node: number) => Json | null
  /**
   * The blocks of its record, texts whole: also results that Claude Code put into files of their own. Null where the record
   * is null.
   */
  readonly blocks: (node: number) => readonly Block[] | null
  /** A node in one line, by the graph alone where its record is gone. */
  readonly summary: (node: number) => Summary
  /** The bytes of the row as text, whatever they are. */
  readonly raw: (node: number) => string | null
  /** Files of which something could not be read, by their paths, each with a message. */
  readonly unread: ReadonlyMap<string, string>
  readonly close: () => void
}

/** Opens the files of a graph as they are asked for; `taken` are summaries from the parsing of its rows. */
export function openContents(root: string, graph: Graph, taken?: Summaries): Contents {
  const ranges = openRangeReader()
  const reading = openReading(ranges, [root])
  const reader = readerOf(reading, { graph, root })
  const { record } = reader
  const blocks = (node: number): readonly Block[] | null => entryBlocks(graph, reader, node)
  const raw = (node: number): string | null => reading.raw({ graph, root }, node)
  const summary = (node: number): Summary => {
    const entry = graph.node(node)
    const before = taken?.find(entry.id, entry.file, entry.offset) ?? null
    if (before !== null) return before
    const json = record(node)
    return json === null ? summarizeGone(entry) : summarize(json)
  }
  return { raw, unread: ranges.unread, close: ranges.close, record, blocks, summary }
}

/** Contents that note what could not be read when they are closed: what was made without it is not all that was asked for. */
export function withNotes(contents: Contents, host: Host): Contents {
  const close = (): void => {
    contents.close()
    noteUnread(
      host,
      [...contents.unread].map(([path, message]) => ({ path, message, isInTheWay: true })),
    )
    if (contents.unread.size > 0) host.fail()
  }
  return { ...contents, close }
}
