/** One session to one file or folder, searched again where it was redacted. */

import { createReadStream, mkdirSync } from 'node:fs'
import { never } from '@dagline/core/model'
import type { Redactor } from '@dagline/core/redact'
import { type LastLook, lookThrough, lookThroughTexts } from './check.js'
import type { ExportedSession } from './exported-session.js'
import { htmlPieces } from './html.js'
import { jsonPieces } from './json.js'
import { transcriptPieces } from './jsonl.js'
import type { Links } from './links.js'
import { markdownPieces } from './markdown.js'
import type { ExportOptions, Format } from './options.js'
import { otelPieces } from './otel.js'
import { type CountsFor, sessionTables, textsIn, writeParquet } from './parquet.js'
import { type Pieces, withTemporary, writePieces } from './write.js'

/** How sessions are exported. */
export interface ExportSettings {
  readonly options: ExportOptions
  readonly names: readonly string[]
  /** Null where nothing is replaced. */
  readonly redactor: Redactor | null
  readonly links: Links
  /** Which rows of tables count for a session; null for all of them. */
  readonly countsFor: CountsFor | null
}

/** Prints the pieces of a file, which is JSON or another text. */
export type Print = (pieces: Pieces, content: 'text' | 'json') => Promise<void>

/** What became of a session. */
export interface Written {
  readonly bytes: number
  readonly placeholders: readonly string[]
  /** The kinds of what looks like a secret still, and is in none of the texts. */
  readonly left: readonly string[]
}

/** Writes a session. */
export async function writeSession(
  settings: ExportSettings,
  exported: ExportedSession,
  path: string,
): Promise<Written> {
  if (settings.options.format === 'parquet') return await writeTables(settings, exported, path)
  return await writeFile(settings, () => wholePieces(settings, exported), path)
}

/** Writes the pieces of a file; what was redacted is searched again before it counts. */
export async function writeFile(
  { redactor, options }: ExportSettings,
  pieces: () => Pieces,
  path: string,
): Promise<Written> {
  return await untilClean(redactor, {
    write: () => writePieces(path, pieces()),
    look: known => lookThrough(path, options.format, known),
  })
}

/** Prints the pieces of a file; what is searched again is in a file of its own until then. */
export async function printFile(
  settings: ExportSettings,
  pieces: () => Pieces,
  print: Print,
): Promise<Written> {
  const content = isJson(settings.options.format) ? 'json' : 'text'
  if (settings.redactor === null) {
    await print(pieces(), content)
    return { bytes: 0, placeholders: [], left: [] }
  }
  return await withTemporary(async path => {
    const written = await writeFile(settings, pieces, path)
    await print(createReadStream(path), content)
    return written
  })
}

function isJson(format: Format): boolean {
  return format.startsWith('json') || format === 'otel'
}

interface Attempt {
  readonly write: () => Promise<number>
  readonly look: (redactor: Redactor) => Promise<LastLook>
}

/** R2: how often what is left is replaced, before the texts that contain it are left out. */
const REPLACED = 2

/** Writes until the last look finds nothing. What it finds is replaced as well, then left out; that is never the end. */
export async function untilClean(redactor: Redactor | null, { write, look }: Attempt): Promise<Written> {
  for (let attempt = 0; ; attempt++) {
    const bytes = await write()
    if (redactor === null) return { bytes, placeholders: [], left: [] }
    const { left, placeholders } = await look(redactor)
    if (left.length === 0 || attempt > REPLACED)
      return { bytes, placeholders, left: left.map(({ kind }) => kind) }
    if (attempt < REPLACED) for (const { kind, text } of left) redactor.add(kind, text)
    else redactor.omit(left.flatMap(({ text }) => fragmentsOf(text)))
  }
}

/** The parts of a text that can be inside of one text of the export: it may begin in one and end in another. */
function fragmentsOf(text: string): readonly string[] {
  return text.split(/["\\\n,:{}[\]]+/).filter(part => part.trim().length >= 4 && !/^\s*redacted/.test(part))
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
    case 'otel':
      return otelPieces(exported, redactor)
    case 'parquet':
      return []
    default:
      return never(format)
  }
}

async function writeTables(
  { redactor, countsFor }: ExportSettings,
  exported: ExportedSession,
  path: string,
): Promise<Written> {
  const { placeholders, left } = await untilClean(redactor, {
    write: async () => 0,
    look: known => lookThroughTexts(textsIn(sessionTables(exported, known, countsFor)), known),
  })
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const bytes = writeParquet(sessionTables(exported, redactor, countsFor), path)
  exported.refuseUnread()
  return { bytes, placeholders, left }
}
