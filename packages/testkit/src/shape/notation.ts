/** Reads the text of a shape (see shape.ts for the notation) into lines of tokens. No uuids and no JSON rows yet. */
import { type Json, parseJson } from '../base/json.js'

/** A call or an answer in `[...]`: `t1`, `t1:Task`, `t1:Task>x`, and `t1!` for an answer that is an error. */
export interface ToolMark {
  readonly id: string
  readonly name: string
  /** The agent (or inline prompt) that the call spawns, or that the answer names. */
  readonly agent: string | null
  readonly error: boolean
}

/** When: later or earlier than the clock by `shift` milliseconds, or at the instant of another token. */
type TimeMark = { readonly shift: number } | { readonly same: string }

/** One node of a shape as written. `parent` and `logical` are undefined where the text says nothing. */
export interface ShapeToken {
  readonly token: string
  readonly sidechain: boolean
  readonly message: string | null
  readonly parent: string | null | undefined
  readonly logical: string | null | undefined
  readonly tools: readonly ToolMark[]
  readonly preserved: { readonly tokens: readonly string[]; readonly anchor: string | null } | null
  readonly time: TimeMark | null
  readonly text: string | null
  readonly extra: Json | null
}

/** Where a line writes: a session's file, or one of its agents' (in its folder, or beside it in the older layout). */
export interface ShapePlace {
  readonly session: string
  readonly agent: string | null
  readonly beside: boolean
}

/** A line of a shape: nodes in a chain, one raw row, or an agent's sidecar. */
export type ShapeLine =
  | {
      readonly kind: 'nodes'
      readonly at: ShapePlace
      readonly after: string | null
      readonly nodes: readonly ShapeToken[]
    }
  | { readonly kind: 'raw'; readonly at: ShapePlace; readonly text: string }
  | { readonly kind: 'meta'; readonly at: ShapePlace; readonly text: string }

/** Kinds of nodes, by their letter. */
const SHAPE_KINDS = 'uarckshpxdmloieyqvnf'

const ID = `(?:[${SHAPE_KINDS}]\\d+|\\?\\w+)'*`
const FILE = '([A-Za-z]\\w*)(?:([/+])([\\w-]+))?\\s*:'
const LINE_START = new RegExp(`^\\s*${FILE}`)
const LINE_BREAK = new RegExp(`\\n| / (?=\\s*${FILE})`)
const CONTINUE = new RegExp(`^\\s*(${ID})\\s*>`)
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Reads all lines of a shape. Throws `RangeError` where the text is not in the notation. */
export function readShape(text: string): ShapeLine[] {
  const lines = splitLines(text).filter(line => line.trim() !== '' && !line.trim().startsWith('#'))
  return lines.map(readLine)
}

function splitLines(text: string): string[] {
  const out: string[] = []
  let rest = text
  for (let found = LINE_BREAK.exec(rest); found; found = LINE_BREAK.exec(rest)) {
    out.push(rest.slice(0, found.index))
    rest = rest.slice(found.index + found[0].length)
  }
  return [...out, rest]
}

function readLine(line: string): ShapeLine {
  const start = LINE_START.exec(line)
  if (!start) throw new RangeError(`shape line has no file: ${line}`)
  const at = { session: start[1] ?? '', agent: start[3] ?? null, beside: start[2] === '+' }
  const body = line.slice(start[0].length).trim()
  if (body.startsWith('!')) return { kind: 'raw', at, text: body.slice(1).trim() }
  if (body.startsWith('meta ')) return { kind: 'meta', at, text: body.slice(5).trim() }
  const after = CONTINUE.exec(body)
  const nodes = readNodes(after ? body.slice(after[0].length) : body)
  return { kind: 'nodes', at, after: after?.[1] ?? null, nodes }
}

/** A place in a text, moved on by the readers below. */
interface Cursor {
  readonly text: string
  at: number
}

function readNodes(text: string): ShapeToken[] {
  const cursor: Cursor = { text, at: 0 }
  const nodes: ShapeToken[] = []
  for (;;) {
    take(cursor, '\\s*')
    if (cursor.at >= text.length || text.charAt(cursor.at) === '#') return nodes
    nodes.push(readNode(cursor))
  }
}

/** The suffixes of a token, in any order. */
type Marks = { -readonly [K in keyof Omit<ShapeToken, 'token' | 'sidechain'>]: ShapeToken[K] }

function readNode(cursor: Cursor): ShapeToken {
  const sidechain = take(cursor, '~') !== null
  const token = needId(cursor)
  const marks: Marks = {
    message: null,
    parent: undefined,
    logical: undefined,
    tools: [],
    preserved: null,
    time: null,
    text: null,
    extra: null,
  }
  while (cursor.at < cursor.text.length && !/\s/.test(cursor.text.charAt(cursor.at))) readMark(cursor, marks)
  return { token, sidechain, ...marks }
}

function readMark(cursor: Cursor, marks: Marks): void {
  if (take(cursor, '=')) marks.message = needId(cursor)
  else if (take(cursor, '<')) marks.parent = take(cursor, '-') ? null : needId(cursor)
  else if (take(cursor, '\\^')) marks.logical = take(cursor, '-') ? null : needId(cursor)
  else if (take(cursor, '@')) marks.time = readTime(cursor)
  else if (take(cursor, '\\[')) marks.tools = readTools(need(cursor, '[^\\]]*\\]').slice(0, -1))
  else if (take(cursor, '\\{')) marks.preserved = readPreserved(need(cursor, '[^}]*\\}').slice(0, -1))
  else if (take(cursor, '\\+(?=\\{)')) marks.extra = readExtra(cursor)
  else marks.text = String(JSON.parse(need(cursor, '"(?:[^"\\\\]|\\\\.)*"')))
}

function readTime(cursor: Cursor): TimeMark {
  if (take(cursor, '=')) return { same: needId(cursor) }
  const sign = need(cursor, '[+-]') === '-' ? -1 : 1
  const amount = Number(need(cursor, '\\d+'))
  return { shift: sign * amount * (UNITS[need(cursor, 'ms|s|m|h|d')] ?? 0) }
}

function readTools(list: string): ToolMark[] {
  return list.split(',').map(mark => {
    const found = /^\s*(\w+)(!?)(?::(\w+))?(?:>~?([\w'-]+))?\s*$/.exec(mark)
    if (!found) throw new RangeError(`tool mark not understood: ${mark}`)
    return { id: found[1] ?? '', name: found[3] ?? 'Bash', agent: found[4] ?? null, error: found[2] === '!' }
  })
}

function readPreserved(list: string): ShapeToken['preserved'] {
  const [tokens = '', anchor] = list.split(';')
  const ids = tokens.split(',').map(id => id.trim())
  return { tokens: ids.filter(id => id !== ''), anchor: anchor?.trim() ?? null }
}

/** JSON after `+`, up to its closing brace: the shortest part that parses. */
function readExtra(cursor: Cursor): Json {
  const { text, at } = cursor
  for (let end = text.indexOf('}', at); end >= 0; end = text.indexOf('}', end + 1)) {
    const json = parseJson(text.slice(at, end + 1))
    if (!json) continue
    cursor.at = end + 1
    return json
  }
  throw new RangeError(`no JSON object after +: ${text.slice(at)}`)
}

function take(cursor: Cursor, pattern: string): string | null {
  const sticky = new RegExp(pattern, 'y')
  sticky.lastIndex = cursor.at
  const found = sticky.exec(cursor.text)
  if (!found) return null
  cursor.at += found[0].length
  return found[0]
}

function need(cursor: Cursor, pattern: string): string {
  const found = take(cursor, pattern)
  if (found === null) throw new RangeError(`shape not understood at: ${cursor.text.slice(cursor.at)}`)
  return found
}

function needId(cursor: Cursor): string {
  return need(cursor, ID)
}
