/** A session as a transcript again: the rows of what was selected, as they stand in their files. */
import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { entryId, type PutRow, type RawRow, type SeeRecord } from '@dagline/core'
import { writeJson } from '@dagline/core/parse'
import type { Redactor } from '@dagline/core/redact'
import { notWhole, parseTranscript, readingSource } from '@dagline/store'
import type { ExportedSession } from './exported-session.js'

/** A row that is exported: where it stands, what it says, and the records in it. */
interface TranscriptRow {
  readonly row: number
  /** The entries that stand on it; none where it holds notes only. */
  readonly nodes: readonly string[]
  readonly raw: RawRow
  readonly records: readonly unknown[]
  /** P9: damaged pieces stand beside the records. */
  readonly isDamaged: boolean
}

/** A selected row as it will be written. */
interface Output {
  readonly offset: number
  readonly length: number
  /** Null where the bytes of the file are written. */
  readonly text: string | null
}

/** The rows, each with its newline; bytes where nothing was replaced. */
export function* transcriptPieces(
  exported: ExportedSession,
  redactor: Redactor | null,
): Generator<string | Uint8Array> {
  const home = homeOf(exported)
  const here = new Set<string>()
  const output: Output[] = []
  eachTranscriptRow(exported, row => {
    for (const id of row.nodes) here.add(id)
    output.push({ offset: row.raw.offset, length: row.raw.length, text: redacted(row, redactor) })
  })
  yield* sharedRows(exported, redactor, here)
  if (home !== null) yield* ownRows(join(exported.loaded.root, home), output)
}

function* ownRows(path: string, output: readonly Output[]): Generator<string | Uint8Array> {
  const file = readingSource(path, () => openSync(path, 'r'))
  try {
    for (const row of output) {
      yield row.text ?? bytesOf(path, file, row)
      yield '\n'
    }
  } finally {
    closeSync(file)
  }
}

/**
 * Goes through the rows of the session's own file that were selected. Notes, which are on no line, belong to it always.
 * Rows are not collected: the parsed records of a whole file take many times its size.
 */
export function eachTranscriptRow(exported: ExportedSession, use: (row: TranscriptRow) => void): void {
  const home = homeOf(exported)
  if (home === null) return
  const { sheet, loaded } = exported
  const selected = new Set([...sheet.rows.node, ...sheet.also.map(([, id]) => id)])
  let records: unknown[] = []
  let ids: string[] = []
  const see: SeeRecord = (json, record) => {
    records.push(json)
    if ('id' in record) ids.push(`${record.id}`)
    if (record.kind === 'progress' && record.carried !== null) ids.push(`${record.carried.id}`)
  }
  const put: PutRow = ({ pieces = 0 }, raw) => {
    const isChosen = ids.length === 0 || ids.some(id => selected.has(id))
    if (records.length > 0 && isChosen) use({ row: raw.row, nodes: ids, raw, records, isDamaged: pieces > 0 })
    records = []
    ids = []
  }
  const { result, diagnostics, finish } = parseTranscript(loaded.root, home, put, { see })
  if (result === null)
    throw notWhole(join(loaded.root, home), diagnostics[0]?.message.replace(/\.$/, '') ?? '')
  finish()
}

/** The file in which the session goes on. */
function homeOf({ loaded, session }: ExportedSession): string | null {
  return loaded.graph.currentFile(session.id)?.facts.path ?? null
}

/** History that stands in the file of another session, or of this one in another folder, before the current file's rows. */
function* sharedRows(
  exported: ExportedSession,
  redactor: Redactor | null,
  here: ReadonlySet<string>,
): Generator<string> {
  const { sheet, loaded, session, record } = exported
  const transcripts = session.files.filter(({ facts }) => facts.kind === 'session')
  const paths = new Set<string>(transcripts.map(({ facts }) => facts.path))
  for (const [row, id] of sheet.rows.node.entries()) {
    const isShared = sheet.lines[sheet.rows.line[row] ?? -1]?.isShared === true
    const node = loaded.graph.index(entryId(id))
    if (node === null || here.has(id) || (!isShared && !paths.has(loaded.graph.node(node).file))) continue
    const json = record(node)
    if (json !== null) yield `${writeJson(redactor === null ? json : redactor.value(json))}\n`
  }
}

/**
 * The row with placeholders; null where nothing was replaced. A row that is too long to hold is always written again, and one
 * with damaged pieces is redacted as text: the pieces may hold secrets, too.
 */
function redacted({ raw, records, isDamaged }: TranscriptRow, redactor: Redactor | null): string | null {
  if (redactor === null) return null
  const made = records.map(record => redactor.value(record))
  if (isDamaged && raw.whole) return redactor.text(raw.text)
  const isSame = raw.whole && made.every((record, at) => record === records[at])
  return isSame ? null : made.map(record => writeJson(record)).join('')
}

function bytesOf(path: string, file: number, { offset, length }: Output): Uint8Array {
  const bytes = new Uint8Array(length)
  let done = 0
  while (done < length) {
    const read = readingSource(path, () => readSync(file, bytes, done, length - done, offset + done))
    if (read === 0) throw notWhole(path, 'it was cut while it was read')
    done += read
  }
  return bytes
}
