/** The graph of a session's text, read as the command reads it, and what its contents say. */

import {
  type FileFacts,
  type FileId,
  fileId,
  type Graph,
  type RawRow,
  sessionId,
  startGraph,
  startRows,
} from '@dagline/core'
import { type Survey, startSurvey } from '@dagline/core/resume'

/** A session that was read. */
export interface ReadSession {
  readonly graph: Graph
  readonly path: FileId
  readonly survey: Survey
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
  const { see, survey } = startSurvey()
  const builder = startGraph()
  const rows = startRows(row => builder.addRow(facts, row), see)
  const lines = text.split('\n')
  const last = lines.pop() ?? ''
  let offset = 0
  const rawOf = (line: string, at: number): RawRow => {
    const raw = { row: at + 1, offset, length: Buffer.byteLength(line), text: line, whole: true }
    offset += raw.length + 1
    return raw
  }
  for (const [at, line] of lines.entries()) rows.take(rawOf(line, at))
  rows.end(last === '' ? null : rawOf(last, lines.length))
  builder.addFile(facts, Buffer.byteLength(text))
  return { graph: builder.build(), path, survey: survey() }
}
