/** One session to one file or folder, searched again where it was redacted. */

import { createReadStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { plural } from '@dagline/core/format'
import { never } from '@dagline/core/model'
import type { Redactor } from '@dagline/core/redact'
import { UserError } from '../host/user-error.js'
import { type LastLook, lookThrough, lookThroughTables } from './check.js'
import type { ExportedSession } from './exported-session.js'
import { htmlPieces } from './html.js'
import { jsonPieces } from './json.js'
import { transcriptPieces } from './jsonl.js'
import type { Links } from './links.js'
import { markdownPieces } from './markdown.js'
import type { ExportOptions } from './options.js'
import { type TableRows, tableBytes, tableRows } from './parquet.js'
import { type Pieces, withTemporary, writePieces } from './write.js'

/** How sessions are exported. */
export interface ExportSettings {
  readonly options: ExportOptions
  readonly names: readonly string[]
  /** Null where nothing is replaced. */
  readonly redactor: Redactor | null
  readonly links: Links
}

/** Prints the pieces of a file, which is JSON or another text. */
export type Print = (pieces: Pieces, content: 'text' | 'json') => Promise<void>

/** What became of a session. */
export interface Written {
  readonly bytes: number
  readonly placeholders: readonly string[]
}

/** Writes a session. */
export async function writeSession(
  settings: ExportSettings,
  exported: ExportedSession,
  path: string,
): Promise<Written> {
  if (settings.options.format === 'parquet') return await writeTables(settings, exported, path)
  return await writeFile(settings, wholePieces(settings, exported), path)
}

/** Writes the pieces of a file; what was redacted is searched again before it counts. */
export async function writeFile(settings: ExportSettings, pieces: Pieces, path: string): Promise<Written> {
  const bytes = await writePieces(path, pieces)
  if (settings.redactor === null) return { bytes, placeholders: [] }
  return { bytes, placeholders: nothingLeft(lookThrough(path, settings.options, settings.names)) }
}

/** Prints the pieces of a file; what is searched again is in a file of its own until then. */
export async function printFile(settings: ExportSettings, pieces: Pieces, print: Print): Promise<Written> {
  const content = settings.options.format.startsWith('json') ? 'json' : 'text'
  if (settings.redactor === null) {
    await print(pieces, content)
    return { bytes: 0, placeholders: [] }
  }
  return await withTemporary(async path => {
    const written = await writeFile(settings, pieces, path)
    await print(createReadStream(path), content)
    return written
  })
}

/** The pieces of a session, and an error at their end where something could not be read. */
export async function* wholePieces(
  settings: ExportSettings,
  exported: ExportedSession,
): AsyncGenerator<string | Uint8Array> {
  for await (const piece of piecesOf(settings, exported)) yield piece
  exported.refuseUnread()
}

/** The pieces of a format that is one file. */
function piecesOf(
  { redactor, links, options: { format } }: ExportSettings,
  exported: ExportedSession,
): Pieces {
  switch (format) {
    case 'html':
      return htmlPieces(exported, redactor, links)
    case 'md':
      return markdownPieces(exported, redactor, links)
    case 'json':
      return jsonPieces(exported, redactor)
    case 'jsonl':
      return transcriptPieces(exported, redactor)
    case 'parquet':
      return []
    default:
      return never(format)
  }
}

async function writeTables(
  { options, names, redactor }: ExportSettings,
  exported: ExportedSession,
  path: string,
): Promise<Written> {
  const rows = (): Iterable<TableRows> => tableRows(exported, redactor)
  const placeholders = redactor === null ? [] : nothingLeft(lookThroughTables(rows(), options, names))
  const tables = tableBytes(rows())
  exported.refuseUnread()
  mkdirSync(path, { recursive: true })
  let bytes = 0
  for (const [name, table] of tables) bytes += await writePieces(join(path, `${name}.parquet`), [table])
  return { bytes, placeholders }
}

function nothingLeft({ left, placeholders }: LastLook): readonly string[] {
  if (left.length === 0) return placeholders
  const kinds = [...new Set(left)].join(', ')
  throw new UserError(
    `After redaction ${plural(left.length, 'likely secret')} would be left (${kinds}): nothing was written; please report it.`,
  )
}
