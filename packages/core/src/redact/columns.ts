/** R6: secrets in tables: what stands below a column of such a name, in Markdown, in the output of databases and in CSV. */
import type { Found, Match, SecretRule } from './anchors.js'
import { isChosen } from './likely.js'
import { isSecretValue, type NameKind, nameKind } from './names.js'

/** The longest line and the most rows that are examined. */
const LINE_MOST = 400
const ROWS_MOST = 100

/** Values below a header that calls its column `password`, `api_key` or the like. */
export const COLUMNS: SecretRule = {
  kinds: ['password', 'secret', 'token', 'api-key'],
  words: ['passw', 'secret', 'token', 'api_key', 'apikey', 'api key'],
  matchAt: (text, at) => {
    const header = lineAt(text, lineStart(text, at))
    const separator = separatorOf(header.text)
    if (separator === null) return header.end
    const cells = cellsOf(header, separator)
    const columns = cells.flatMap(({ text: name }, column) => {
      const kind = /^[\w .+-]{1,40}$/.test(name) ? nameKind(name.replace(/[ +]/g, '_')) : null
      return kind === null ? [] : [{ column, kind }]
    })
    return columns.length === 0
      ? header.end
      : valuesBelow(text, header, { separator, columns, width: cells.length })
  },
}

/** `INSERT INTO users (name, password) VALUES ('ada', '...')`. */
const INSERT = /^insert into[ \t]{1,4}[\w."`[\]]{1,80}[ \t]{0,4}\(([^()]{1,400})\)\s{0,8}values\s{0,8}/i
const VALUES = /\(((?:'[^'\\\n]{0,300}'|[^()'\n]){1,400})\)\s{0,4},?\s{0,8}/y
const VALUE = /\s{0,8}(?:'([^']*)'|[^,]+)/g

/** Values of columns with such names that a statement inserts. */
export const INSERTS: SecretRule = {
  kinds: COLUMNS.kinds,
  words: ['insert into '],
  matchAt: (text, at) => {
    const [lead, names = ''] = INSERT.exec(text.slice(at, at + INSERT_MOST)) ?? []
    if (lead === undefined) return null
    const kinds = names.split(',').map(name => nameKind(name.replace(/[\s"`[\]]/g, '')))
    if (kinds.every(kind => kind === null)) return null
    const found: Found[] = []
    VALUES.lastIndex = at + lead.length
    let until = VALUES.lastIndex
    for (let row = 0; row < ROWS_MOST; row++) {
      const match = VALUES.exec(text)
      if (match === null) break
      found.push(...insertedIn(match[1] ?? '', match.index + 1, kinds))
      until = VALUES.lastIndex
    }
    return { found, until }
  },
}

const INSERT_MOST = 600

function insertedIn(row: string, start: number, kinds: readonly (NameKind | null)[]): readonly Found[] {
  return [...row.matchAll(VALUE)].flatMap(({ 0: whole, 1: text, index }, column) => {
    const kind = kinds[column] ?? null
    if (kind === null || text === undefined || !isSecretCell(kind, text)) return []
    const from = start + index + whole.length - text.length - 1
    return [{ kind, start: from, end: from + text.length }]
  })
}

interface Line {
  readonly start: number
  readonly end: number
  readonly text: string
}

function lineStart(text: string, at: number): number {
  const from = Math.max(0, at - LINE_MOST)
  return from + text.slice(from, at).lastIndexOf('\n') + 1
}

function lineAt(text: string, start: number): Line {
  const near = text.slice(start, start + LINE_MOST)
  const length = near.search(/\r?\n/)
  const line = length < 0 ? near : near.slice(0, length)
  return { start, end: start + Math.max(1, line.length), text: line }
}

/** The separator of a header's cells; null where the line is not a header. */
function separatorOf(line: string): string | null {
  if (line.includes('|')) return '|'
  return [',', ';', '\t'].find(each => isHeader(line.split(each))) ?? null
}

/** Names only; before the first one may be what a listing, a difference or a sentence puts there. */
function isHeader([first = '', ...others]: readonly string[]): boolean {
  return others.length > 0 && /[\w.-]["'`]?\s{0,4}$/.test(first) && others.every(cell => HEADING.test(cell))
}

const HEADING = /^\s{0,4}["'`]?[\w .+-]{1,40}["'`]?\s{0,4}$/

/** The cells without the blanks and quotes around them, and without what stands before a name. */
function cellsOf(line: Line, separator: string): readonly Line[] {
  let from = line.start
  return line.text.split(separator).map(cell => {
    const start = from + (LEAD.exec(cell)?.[0].length ?? 0)
    const text = line.text.slice(start - line.start, from + cell.length - line.start).replace(/[\s"'`]+$/, '')
    from += cell.length + 1
    return { start, end: start + text.length, text }
  })
}

/** A line number, a mark of a difference, brackets of data, the name of a field in an address. */
const LEAD =
  /^(?:\s*\d+→|[^\n]{0,80}[[{(:"'`](?=[ .-]{0,2}\w[\w .-]{0,40}["'`]?$)|\w{1,8}=(?=[\w .+-]{1,40}$)|\+)?[\s"'`]*/

interface Table {
  readonly separator: string
  readonly columns: readonly { readonly column: number; readonly kind: NameKind }[]
  readonly width: number
}

function valuesBelow(text: string, header: Line, { separator, columns, width }: Table): Match {
  const found: Found[] = []
  let until = header.end
  for (let row = 0; row < ROWS_MOST; row++) {
    const start = text.indexOf('\n', until) + 1
    if (start === 0 || start > until + 2) break
    const line = lineAt(text, start)
    const isRule = /^\s*(?:\d+→)?[\s|:+=-]{3,}$/.test(line.text)
    const cells = cellsOf(line, separator)
    if (!isRule && cells.length < width) break
    until = line.end
    for (const { column, kind } of isRule ? [] : columns) {
      const cell = cells[column]
      if (cell !== undefined && isSecretCell(kind, cell.text))
        found.push({ kind, start: cell.start, end: cell.end })
    }
  }
  return { found, until }
}

/** Tables of documents have types and words below such names. */
function isSecretCell(kind: NameKind, text: string): boolean {
  if (/\s/.test(text) || (kind === 'password' && !isChosen(text))) return false
  return isSecretValue(kind, { text, isQuoted: true, isSetting: true, isVariable: false })
}
