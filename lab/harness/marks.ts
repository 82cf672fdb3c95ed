/**
 * Marks: every text of a session gets a number that no other text has, so that a request says by itself which entries
 * it carries, also where two entries say the same. Texts that Claude Code knows by their exact words stay as they are
 * and are matched by them.
 */
import { blocksOf, type Json, objectOf, objectsIn, parseJson, textIn } from '@dagline/testkit'

/** What a row of a marked session can be known by. */
export interface MarkedEntry {
  readonly uuid: string
  readonly type: 'user' | 'assistant'
  readonly row: number
  /** The number in its texts; zero where it has none. */
  readonly mark: number
  /** Tool ids, exact words and images: `call:ID`, `result:ID`, `text:WORDS`, `image:DATA`. */
  readonly keys: readonly string[]
}

/** A session whose entries are marked. */
export interface MarkedSession {
  readonly text: string
  readonly entries: readonly MarkedEntry[]
}

const MARK = /⟦(\d+)⟧/g
const KNOWN_WORDS =
  /^\s*(\[Request interrupted|No response requested\.|\(no content\)|\[Tool |Continue from where)/

/** Marks the rows that are whole. Broken ones are left byte for byte; what was marked before they broke is known. */
export function markSession(text: string): MarkedSession {
  const rows = text.split('\n')
  const isMarked = rows.some(row => marksIn(row).length > 0)
  const marked = isMarked ? rows : rows.map((row, at) => markRow(row, at + 1))
  return {
    text: marked.join('\n'),
    entries: wholeRows(marked).flatMap(([row, at]) => entriesOn(row, at + 1)),
  }
}

/** Rows with their places, those over several lines as one. */
function wholeRows(lines: readonly string[]): readonly (readonly [string, number])[] {
  const rows: [string, number][] = []
  for (let at = 0; at < lines.length; at++) {
    const end = lines[at] === '{' ? lines.indexOf('}', at) : at
    const last = end < 0 ? at : end
    rows.push([lines.slice(at, last + 1).join('\n'), at])
    at = last
  }
  return rows
}

/** The row with marks in its texts. */
export function markRow(row: string, number: number): string {
  const json = parseJson(row)
  const message = objectOf(json?.['message'])
  if (json === null || message === null || (json['type'] !== 'user' && json['type'] !== 'assistant'))
    return row
  return JSON.stringify({
    ...json,
    message: { ...message, content: markContent(message['content'], number) },
  })
}

function markContent(content: unknown, number: number): unknown {
  if (typeof content === 'string') return markText(content, number)
  return Array.isArray(content) ? content.map(block => markBlock(objectOf(block) ?? {}, number)) : content
}

function markBlock(block: Json, number: number): Json {
  switch (block['type']) {
    case 'text':
      return { ...block, text: markText(textIn(block, 'text') ?? '', number) }
    case 'thinking':
      return { ...block, thinking: markText(textIn(block, 'thinking') ?? '', number) }
    case 'tool_result':
      return { ...block, content: markContent(block['content'], number) }
    default:
      return block
  }
}

function markText(text: string, number: number): string {
  return text.trim() === '' || KNOWN_WORDS.test(text) ? text : `${text} ⟦${number}⟧`
}

/** The marks in a text, in order. */
export function marksIn(text: string): readonly number[] {
  return [...text.matchAll(MARK)].map(match => Number(match[1]))
}

/** The records of a row, also of one that joins several or has NUL bytes. */
function recordsOn(row: string): readonly Json[] {
  const whole = parseJson(row)
  if (whole !== null) return [whole]
  const plain = row.replaceAll('\0', '')
  const cuts = [...plain.matchAll(/\}\{/g)].map(match => match.index + 1)
  const edges = [0, ...cuts, plain.length]
  const pieces = edges.slice(1).map((end, at) => parseJson(plain.slice(edges[at] ?? 0, end)))
  return pieces.filter(piece => piece !== null)
}

function entriesOn(row: string, number: number): readonly MarkedEntry[] {
  return recordsOn(row).flatMap(json => {
    const uuid = textIn(json, 'uuid')
    const type = json['type']
    if (uuid === null || (type !== 'user' && type !== 'assistant')) return []
    const blocks = blocksOf(objectOf(json['message'])?.['content'])
    const mark = blocks.flatMap(block => marksIn(wordsOf(block))).at(-1) ?? 0
    return [{ uuid, type, row: number, mark, keys: blocks.flatMap(block => keysOf(block, type)) }]
  })
}

/** All words of a block. */
export function wordsOf(block: Json): string {
  const inner = block['type'] === 'tool_result' ? block['content'] : null
  if (inner !== null) return blocksOf(inner).map(wordsOf).join('\n')
  return textIn(block, 'text') ?? textIn(block, 'thinking') ?? ''
}

/** What a block without a mark is known by. */
export function keysOf(block: Json, role: string): readonly string[] {
  switch (block['type']) {
    case 'tool_use':
      return [`call:${String(block['id'])}`]
    case 'tool_result':
      return [`result:${String(block['tool_use_id'])}`]
    case 'text':
      return [`text:${role}:${wordsOf(block).replace(/\s+/g, ' ').trim()}`]
    case 'thinking':
      return [`thinking:${textIn(block, 'thinking') ?? textIn(block, 'signature') ?? ''}`]
    case 'image':
    case 'document':
      return [`image:${textIn(objectOf(block['source']), 'data')?.slice(-64) ?? ''}`]
    default:
      return objectsIn(block, 'content').flatMap(inner => keysOf(inner, role))
  }
}
