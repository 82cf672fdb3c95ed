/** The graph of a session's text, read as the command reads it, and what its contents say. */
import {
  type FileExtras,
  type FileFacts,
  fileId,
  type Graph,
  gatherExtras,
  parseLastRow,
  parseRow,
  sessionId,
  startGraph,
} from '@dagline/core'

/** A session that was read. */
export interface ReadSession {
  readonly graph: Graph
  readonly path: string
  readonly extras: FileExtras
}

/** Reads the text of a session's file. */
export function readSession(session: string, text: string): ReadSession {
  const path = fileId(`-lab/${session}.jsonl`)
  const facts: FileFacts = {
    path,
    kind: 'session',
    session: sessionId(session),
    agent: null,
    run: null,
    meta: null,
  }
  const { see, extras } = gatherExtras()
  const builder = startGraph()
  const rows = text.split('\n')
  let offset = 0
  for (const [at, row] of rows.entries()) {
    const isLast = at === rows.length - 1
    if (isLast && row === '') break
    const raw = { row: at + 1, offset, length: Buffer.byteLength(row), text: row, whole: true }
    builder.addRow(facts, isLast ? parseLastRow(raw, see) : parseRow(raw, see))
    offset += raw.length + 1
  }
  builder.addFile(facts, Buffer.byteLength(text))
  return { graph: builder.build(), path, extras: extras(null) }
}
