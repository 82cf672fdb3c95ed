/** A session that is exported: its sheet and what its rows say, redacted where that was asked for. */
import { createHash } from 'node:crypto'
import { entriesIn, type FileRecord, type Graph, type Session } from '@dagline/core'
import { readMessageUsage, readResults } from '@dagline/core/content'
import { addUsage, createPricer, type MessageUsage } from '@dagline/core/measure'
import { asObject, type Json } from '@dagline/core/parse'
import type { Block, RowContent, Sheet } from '@dagline/core/protocol'
import type { Redactor } from '@dagline/core/redact'
import { makeSheet, readSpilled, rowContents } from '@dagline/core/view'
import { failureOf, notWhole, openRangeReader } from '@dagline/store'
import { openReading, type Reading, readerOf } from '../contents/reading.js'
import { projectName } from '../files/projects.js'
import { allDiagnostics, type LoadedProject } from '../graphs/project.js'
import type { WholeProject } from '../graphs/unread.js'
import { currentPrices } from '../host/prices.js'
import { chooseRows } from './choice.js'
import type { ExportOptions } from './options.js'
import { partOf } from './part.js'

/** Texts in an exported file are whole up to this many characters: the rest cannot be loaded later. */
const LONGEST_TEXT = 400_000

export interface ExportedSession {
  readonly loaded: WholeProject
  readonly session: Session
  /** Whether calls and results are selected. */
  readonly hasTools: boolean
  /** Whether all rows of the session are selected. */
  readonly isWhole: boolean
  /** The selected rows only, as they stand in the transcript. */
  readonly sheet: Sheet
  /** What the messages cost, by their ids. */
  readonly messages: ReadonlyMap<string, MessageUsage>
  /** The record of a node as it stands in the transcript. */
  readonly record: (node: number) => Json | null
  /** What a result that was put beside the transcript says; null where the row has none. */
  readonly spilled: (node: number) => readonly string[]
  /** What rows say, `to` not included. */
  readonly contents: (from: number, to: number, redactor: Redactor | null) => readonly RowContent[]
  /** Throws `StoreError` where something that was asked for could not be read: what was made of it is not whole. */
  readonly refuseUnread: () => void
  readonly close: () => void
}

/** Gets a session ready for export. */
export function openExportedSession(
  loaded: WholeProject,
  session: Session,
  options: ExportOptions,
): ExportedSession {
  const { graph, root } = loaded
  const ranges = openRangeReader()
  const beside = new Map<string, string>()
  const plain = openReading(ranges, [root], (path, error) =>
    beside.set(path, failureOf(error, path, 'file').message),
  )
  const record = remembered(graph, node => plain.record({ graph, root }, node))
  const reading: Reading = { ...plain, record: (_, node) => record(node) }
  const messages = messagesOf(graph, session, record)
  const whole = sheetOf(loaded, session, messages)
  const part = partOf(whole, chooseRows(whole, graph, options), options.tools)
  const sheet = options.branch === 'all' ? part : datedByRows(part)
  return {
    loaded,
    session,
    hasTools: options.tools,
    isWhole: part.rows.node.length === whole.rows.node.length,
    sheet,
    messages,
    record,
    spilled: node => spilledBy(reading, { graph, root }, node),
    contents: (from, to, redactor) => {
      const read = redactor === null ? reading : redactedReading(reading, redactor)
      const reader = readerOf(read, { graph, root })
      const made = rowContents(
        graph,
        sheet,
        { from, to },
        {
          reader,
          messages,
          prices: currentPrices(),
          limit: LONGEST_TEXT,
        },
      )
      return made.map((content, at) => shownOf(content, sheet, from + at, options.tools))
    },
    refuseUnread: () => {
      for (const [path, message] of [...ranges.unread, ...beside])
        throw notWhole(path, message.replace(/\.$/, ''))
    },
    close: ranges.close,
  }
}

/** A part begins and ends with its own rows, not with those of the session. */
function datedByRows(sheet: Sheet): Sheet {
  let { first, last } = { first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY }
  for (const time of sheet.rows.time) {
    if (time === null) continue
    first = Math.min(first, time)
    last = Math.max(last, time)
  }
  return first > last ? sheet : { ...sheet, session: { ...sheet.session, first, last } }
}

/** Characters of records that are kept: they are asked for again when results are joined with their calls. */
const MOST_KEPT = 8 * 1024 * 1024

function remembered(graph: Graph, read: (node: number) => Json | null): (node: number) => Json | null {
  const known = new Map<number, Json | null>()
  let kept = 0
  return node => {
    const before = known.get(node)
    if (before !== undefined) return before
    const made = read(node)
    kept += graph.node(node).length
    if (kept > MOST_KEPT) {
      known.clear()
      kept = 0
    }
    known.set(node, made)
    return made
  }
}

/** T3: what each message of the session's files cost, once. */
function messagesOf(
  graph: Graph,
  session: Session,
  record: (node: number) => Json | null,
): ReadonlyMap<string, MessageUsage> {
  const messages = new Map<string, MessageUsage>()
  for (const file of transcriptsOf(graph, session))
    for (const node of entriesIn(file)) {
      const json = graph.node(node).message === null ? null : record(node)
      addUsage(messages, json === null ? null : readMessageUsage(json))
    }
  return messages
}

/** The transcripts of a session and of its subagents. */
export function transcriptsOf(graph: Graph, session: Session): readonly FileRecord[] {
  const own = new Set(session.files.map(({ facts }) => facts.path))
  return graph.files().filter(({ facts, nodes: [first] }) => {
    if (facts.kind === 'session') return own.has(facts.path)
    // Before 2.1, files of subagents lie beside those of sessions, and their entries name the session.
    return own.has(facts.path) || (first !== undefined && graph.node(first).session === session.id)
  })
}

function sheetOf(
  loaded: LoadedProject,
  session: Session,
  messages: ReadonlyMap<string, MessageUsage>,
): Sheet {
  const { graph, project } = loaded
  const home = graph.currentFile(session.id)
  const states = session.files.map(({ facts, bytes }) => `${facts.path} ${bytes}`)
  return makeSheet(graph, session.id, {
    project: projectName(project, home?.facts.path ?? null),
    title: session.title,
    archivedOnly: false,
    version: createHash('sha256').update(states.join('\n')).digest('hex').slice(0, 16),
    usageOf: message => messages.get(message) ?? null,
    costOf: createPricer(currentPrices()),
    titleOf: id => graph.session(id)?.title ?? null,
    diagnostics: allDiagnostics(loaded),
  })
}

function redactedReading(reading: Reading, redactor: Redactor): Reading {
  return {
    ...reading,
    record: (session, node) => {
      const json = reading.record(session, node)
      return json === null ? null : (asObject(redactor.value(json)) ?? json)
    },
    file: (session, path) => {
      const text = reading.file(session, path)
      return text === null ? null : redactor.text(text)
    },
  }
}

/** Results that were put beside the transcript. */
function spilledBy(
  reading: Reading,
  where: { readonly graph: Graph; readonly root: string },
  node: number,
): readonly string[] {
  const json = reading.record(where, node)
  const results = json === null ? [] : [...readResults(json, 0).values()]
  return results.flatMap(({ spilled }) =>
    spilled === null ? [] : (readSpilled(where.graph, readerOf(reading, where), node, spilled) ?? []),
  )
}

/** A row as it is exported: a result that stands with its call is there already, and calls may be unwanted. */
function shownOf(content: RowContent, { rows }: Sheet, row: number, tools: boolean): RowContent {
  const isJoined = (rows.joins[row] ?? 0) > 0
  const isWanted = ({ kind }: Block): boolean =>
    (tools || (kind !== 'call' && kind !== 'result')) && !(isJoined && kind === 'result')
  return content.blocks.every(isWanted) ? content : { ...content, blocks: content.blocks.filter(isWanted) }
}
