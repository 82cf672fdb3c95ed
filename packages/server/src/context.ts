/** What every route is given: the index, the graphs of sessions, and what their rows say. */
import type { Graph, Json, UsageRow } from '@dagline/core'
import type { IndexStore, KnownFile, Labels, SessionFact, Spans } from '@dagline/store'
import type { Hono } from 'hono'
import type { Events } from './events.js'
import type { Examine } from './examining.js'
import type { ExportHtml } from './exporting.js'
import type { Growth } from './graphs.js'
import type { Sheets } from './sheets.js'

/** A graph, and where its files are. */
export interface ReadGraph {
  /** To be asked at once: when its files have grown, the next call of `graphOf` takes its storage over. */
  readonly graph: Graph
  /** Absolute path of the folder that the paths of files are relative to. */
  readonly root: string
}

/** A session with the graph of all files that have something in common with it. */
export interface OpenSession extends ReadGraph {
  readonly fact: SessionFact
  readonly files: readonly KnownFile[]
  /** Says another thing whenever the graph is another one. */
  readonly version: string
  /** How it came from the graph before; null where it was built anew. */
  readonly grown: Growth | null
}

/** The row of a file, as a place or as what stands there. */
export interface Reading {
  /** The record of a node; null where its file has changed or gone. */
  readonly record: (session: ReadGraph, node: number) => Json | null
  /** The bytes of its row as text. */
  readonly raw: (session: ReadGraph, node: number) => string | null
  /** A whole file below the session's root, as text; null where it is none, lies elsewhere or is too large. */
  readonly file: (session: ReadGraph, path: string) => string | null
}

export interface ServerContext {
  /** Absolute paths of the folders that are served. */
  readonly roots: readonly string[]
  readonly isSample: boolean
  /** Where sessions were looked for. */
  readonly looked: readonly string[]
  /** The folder with the built page. */
  readonly page: string
  readonly now: () => number
  /** The index, open for reading. Throws `Refused` while there is none. Ask for it in every request: it may be another. */
  readonly index: () => IndexStore
  /** The numbers of the roots in the index, for its questions. */
  readonly rootIds: () => readonly number[]
  /** All sessions of the roots, the newest first; read once for each state of the index. */
  readonly sessions: () => readonly SessionFact[]
  /** What every message of the roots cost; read once for each state of the index. */
  readonly usage: () => readonly UsageRow[]
  /** A session by its id or a unique beginning of it. Throws `Refused` where there is none. */
  readonly graphOf: (session: string) => OpenSession
  /** The session that shows a node, and the node in its graph. Throws `Refused` where there is none. */
  readonly nodeOf: (uuid: string) => { readonly session: OpenSession; readonly node: number }
  /** For the index's own search, which knows places only. */
  readonly spans: Spans
  readonly reading: Reading
  readonly sheets: Sheets
  /** What the messages of a session's files cost, by their ids. */
  readonly messagesOf: Sheets['messagesOf']
  readonly events: Events
  /** Names, tags and notes, as they are right now. */
  readonly labels: () => Labels
  /** Makes files of sessions; null where nobody said how. */
  readonly exportHtml: ExportHtml | null
  /** Examines all sessions; null where nobody said how. */
  readonly examine: Examine | null
}

/** Adds some routes. */
export type AddRoutes = (app: Hono, context: ServerContext) => void
