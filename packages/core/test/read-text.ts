/** A session's text, read and examined as the command does it. */
import { examine, type SessionHealth } from '../src/faults/index.js'
import { type Graph, type RawRow, startGraph, startRows } from '../src/index.js'
import { type FileExtras, gatherExtras } from '../src/resume/index.js'
import { factsOf } from './support.js'

export interface ReadText {
  readonly graph: Graph
  readonly path: string
  readonly extras: FileExtras
}

/** Reads the text of one session file; nothing is known of other files. */
export function readText(session: string, text: string): ReadText {
  const facts = factsOf(`${session}.jsonl`, [])
  const builder = startGraph()
  const { see, extras } = gatherExtras()
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
  return { graph: builder.build(), path: facts.path, extras: extras(null) }
}

/** Reads and examines it. */
export function examineText(session: string, text: string): ReadText & { readonly health: SessionHealth } {
  const read = readText(session, text)
  const [health] = examine(read.graph, { extras: new Map([[read.path, read.extras]]) })
  if (health === undefined) throw new Error(`${session} was not examined`)
  return { ...read, health }
}
