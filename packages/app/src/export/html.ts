/** A session as one page that needs nothing else: script, style and data in one file (see core's protocol/file.ts). */

import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { constants, deflateRaw } from 'node:zlib'
import { cleanLine } from '@dagline/core/content'
import { withEllipsis } from '@dagline/core/model'
import {
  FILE_CHUNK_ROWS,
  FILE_DATA_TYPE,
  FILE_PAGES_ID,
  FILE_SESSIONS_ID,
  type FilePages,
  type FileSession,
  fileChunkId,
  fileSheetId,
  type Sheet,
} from '@dagline/core/protocol'
import type { Redactor } from '@dagline/core/redact'
import { UserError } from '../host/user-error.js'
import { VERSION } from '../text/version.js'
import type { ExportedSession } from './exported-session.js'
import type { Links } from './links.js'

const compress = promisify(deflateRaw)

/** Chunks that are being compressed while the next one is made. */
const MOST_WAITING = 4

/** The page, piece by piece. What a transcript says stands in it only as base64, but for the title, which is escaped. */
export async function* htmlPieces(
  exported: ExportedSession,
  redactor: Redactor | null,
  links: Links,
): AsyncGenerator<string> {
  yield startOf(nameOf(exported, redactor))
  yield* sessionPieces(exported, redactor, 0)
  const pages = pagesOf(exported.sheet, links)
  if (Object.keys(pages).length > 0) yield dataElement(FILE_PAGES_ID, await pack(pages), null)
  yield endOf()
}

/** One page with several sessions, each of which is opened, written and closed before the next. */
export async function* htmlTree(
  title: string,
  sessions: AsyncIterable<{ readonly exported: ExportedSession; readonly listed: FileSession }>,
  redactor: Redactor | null,
): AsyncGenerator<string> {
  yield startOf(title)
  const list: FileSession[] = []
  for await (const { exported, listed } of sessions) {
    yield* sessionPieces(exported, redactor, list.length)
    list.push(listed)
  }
  yield dataElement(FILE_SESSIONS_ID, await pack(list), null)
  yield endOf()
}

/** The data of one session. */
async function* sessionPieces(
  exported: ExportedSession,
  redactor: Redactor | null,
  number: number,
): AsyncGenerator<string> {
  const { sheet } = exported
  const shown = redactor === null ? sheet : redactor.value(sheet)
  yield dataElement(fileSheetId(number), await pack(shown), null)
  const waiting: Promise<string>[] = []
  const rows = sheet.rows.node.length
  for (let from = 0; from < rows; from += FILE_CHUNK_ROWS) {
    const to = Math.min(rows, from + FILE_CHUNK_ROWS)
    const contents = exported.contents(from, to, redactor)
    const id = fileChunkId(from / FILE_CHUNK_ROWS, number)
    waiting.push(pack(contents).then(packed => dataElement(id, packed, to - from)))
    if (waiting.length >= MOST_WAITING) yield (await waiting.shift()) ?? ''
  }
  for (const element of waiting) yield await element
}

function startOf(title: string): string {
  return pageHead(title, pageFile('file.js'), pageFile('file.css')) + BODY
}

function endOf(): string {
  return `<script type="module">${pageFile('file.js')}</script>\n</body>\n</html>\n`
}

/** S2: the pages of sessions that this one comes from or that go on from it. */
function pagesOf({ session, junctions }: Sheet, links: Links): FilePages {
  const others = [session.parent?.session ?? '', ...junctions.map(junction => junction.session)]
  return Object.fromEntries(
    others.flatMap(other => {
      const address = other === '' ? null : links.to(other, null)
      return address === null ? [] : [[other, address]]
    }),
  )
}

/** Characters of a title that a heading shows. */
const LONGEST_NAME = 200

/** What the page is called: the title, else the first words that were typed. */
export function nameOf({ sheet }: ExportedSession, redactor: Redactor | null): string {
  const { title, id } = sheet.session
  const text = title ?? sheet.lines.find(line => line.kind === 'trunk')?.words ?? id
  const name = cleanLine(redactor === null ? text : redactor.text(text))
  return withEllipsis(name, LONGEST_NAME)
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": '#39',
}

/** Text for a page: nothing in it is markup. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&${ENTITIES[character]};`)
}

/** What may run and be shown in a page, by the hashes of what stands in it. */
function policyOf(script: string | null, style: string): string {
  const scripts = script === null ? '' : `script-src '${hashOf(script)}'; `
  return `default-src 'none'; ${scripts}style-src '${hashOf(style)}'; img-src data:; base-uri 'none'; form-action 'none'`
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

/** The beginning of a page, up to its body. */
export function pageHead(title: string, script: string | null, style: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(script, style)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="dagline ${VERSION}">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
`
}

const BODY = `<div id="page"></div>
<noscript>This page shows a conversation with a script that stands in it. Allow it to run, or ask for the Markdown.</noscript>
`

function dataElement(id: string, packed: string, rows: number | null): string {
  const attributes = rows === null ? '' : ` data-rows="${rows}"`
  return `<script type="${FILE_DATA_TYPE}" id="${id}"${attributes}>${packed}</script>\n`
}

async function pack(value: unknown): Promise<string> {
  const bytes = Buffer.from(JSON.stringify(value), 'utf8')
  const packed = await compress(bytes, { level: constants.Z_DEFAULT_COMPRESSION })
  return packed.toString('base64')
}

const FOLDERS = ['./page/', '../../../cli/dist/page/']

/** A file of the built page, such that it can stand inside its element. */
function pageFile(name: 'file.js' | 'file.css'): string {
  const path = FOLDERS.map(folder => fileURLToPath(new URL(folder + name, import.meta.url))).find(existsSync)
  if (path === undefined)
    throw new UserError(
      'The page is not built, so there is nothing to put into the file: run `npm run bundle`.',
    )
  const text = readFileSync(path, 'utf8')
  // The builder keeps the ends of elements out of its output; whatever else makes this file must too.
  if (/<\/(?:script|style)|<!--/i.test(text)) return text.replace(/<(?=\/(?:script|style)|!--)/gi, '\\x3c')
  return text
}
