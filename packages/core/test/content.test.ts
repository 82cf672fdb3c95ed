import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJson, type Json } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { messageText, readBlocks, summarize, textsOf, undisguised } from '../src/content/index.js'
import { parseRow } from '../src/index.js'
import type { Block } from '../src/protocol/index.js'
import { CONTENT_KINDS, type ContentKind, contentRows } from './content-kinds.js'

interface Read {
  readonly line: string
  readonly shown: string
  readonly found: readonly string[]
}

/** All kinds, each as its readers read it. */
const read: ReadonlyMap<string, Read> = new Map(
  contentRows('s1')
    .trimEnd()
    .split('\n')
    .map((text, at) => [CONTENT_KINDS[at]?.kind ?? '', readAll(text)]),
)

function readAll(text: string): Read {
  let all: Read = { line: '', shown: '', found: [] }
  parseRow({ row: 1, offset: 0, length: text.length, text, whole: true }, (json, record) => {
    all = {
      line: summarize(json, record).text,
      shown: readBlocks(json, 1000).map(textOf).join('\n'),
      found: textsOf(json, record).map(({ text: found }) => found),
    }
  })
  return all
}

/** Everything that a page gets of a block. */
function textOf(block: Block): string {
  return block.kind === 'thinking' && block.isHidden ? 'thinking' : JSON.stringify(block)
}

function readOf({ kind }: ContentKind): Read {
  return read.get(kind) ?? { line: '', shown: '', found: [] }
}

const kinds = CONTENT_KINDS.map(kind => [kind.kind, kind] as const)

describe('every kind of entry and block', () => {
  it.each(kinds)('[P12] %s has its text in a line, in its blocks and in the index', (_, kind) => {
    const { line, shown, found } = readOf(kind)
    const word = kind.word ?? kind.name ?? ''
    expect(line).toContain(word)
    expect(shown).toContain(word)
    expect(found.join('\n').includes(word)).toBe(kind.isSearched)
  })

  it.each(kinds.filter(([, { name }]) => name !== null))('[P12] %s is named', (_, kind) => {
    const { line, shown } = readOf(kind)
    expect(line).toContain(kind.name)
    expect(shown).toContain(kind.name)
  })

  it.each(kinds.filter(([kind]) => kind.startsWith('typed/') && kind !== 'typed/tool_result'))(
    '[P12] [X7] %s is named and has its text where messages are compared',
    (_, { record, word, name }) => {
      const text = messageText({ uuid: 'u', parentUuid: null, ...record })
      for (const part of [word, name]) expect(text).toContain(part ?? '')
    },
  )

  it('[H3] bytes and what only the API can read are not searched', () => {
    const all = [...read.values()].flatMap(({ found }) => found).join('\n')
    expect(all).not.toMatch(/iVBORw0KGgo|JVBERi0xLjQ|c2ln|c2VjcmV0|ZW5j/)
  })
})

describe('readers of records', () => {
  const packages = join(import.meta.dirname, '..', '..')

  it('[P12] no other package reads the fields of a record', () => {
    const found = ['app', 'cli', 'server', 'store', 'web'].flatMap(name =>
      [...sourcesBelow(join(packages, name, 'src'))].filter(([, text]) => READS_RECORD.test(text)),
    )
    expect(found.map(([path]) => path)).toEqual([])
  })
})

/** `record['message']`, `json.toolUseResult`: fields that only a record, or the message in one, has. */
const READS_RECORD =
  /\['(message|toolUseResult|parentUuid|attachment|subtype|isMeta)'\]|\.(toolUseResult|parentUuid|isMeta)\b/

function* sourcesBelow(folder: string): Generator<readonly [string, string]> {
  for (const { name, parentPath } of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const isSource = /\.tsx?$/.test(name) && !name.includes('.test.')
    if (isSource) yield [join(parentPath, name), readFileSync(join(parentPath, name), 'utf8')]
  }
}

describe('the table of kinds', () => {
  const fixtures = join(import.meta.dirname, '..', '..', '..', 'fixtures')

  it('has every kind that stands in a recording', () => {
    const known = new Set(CONTENT_KINDS.flatMap(({ record }) => kindsIn(record)))
    const recorded = new Set([...rowsBelow(fixtures)].filter(row => 'uuid' in row).flatMap(kindsIn))
    expect([...recorded].filter(kind => !known.has(kind))).toEqual([])
  })
})

function* rowsBelow(folder: string): Generator<Json> {
  for (const { name, parentPath } of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!name.endsWith('.jsonl')) continue
    for (const line of readFileSync(join(parentPath, name), 'utf8').split('\n')) yield* rowIn(line)
  }
}

function rowIn(line: string): readonly Json[] {
  try {
    const row: unknown = JSON.parse(line)
    return isJson(row) ? [row] : []
  } catch {
    return []
  }
}

/** `attachment/date`, `system/api_error`, `assistant>text`, `user>tool_result>image`. */
function kindsIn(row: Json): readonly string[] {
  const { type, subtype, attachment, data, message } = row
  const detail = [subtype, typeOf(attachment), typeOf(data)].find(name => typeof name === 'string')
  const own = detail === undefined ? `${type}` : `${type}/${detail}`
  const content = isJson(message) ? message['content'] : undefined
  const blocks = Array.isArray(content) ? content.filter(isJson) : []
  const inner = blocks.flatMap(({ type: outer, content: items }) =>
    Array.isArray(items) ? items.map(item => `${type}>${outer}>${typeOf(item)}`) : [],
  )
  return [own, ...blocks.map(block => `${type}>${typeOf(block)}`), ...inner]
}

function typeOf(value: unknown): unknown {
  return isJson(value) ? value['type'] : undefined
}

describe('a text for the page', () => {
  it.each([
    ['\u202etxt.exe', '⟨U+202E⟩txt.exe'],
    ['a\u2066b\u2069', 'a⟨U+2066⟩b⟨U+2069⟩'],
    [`Z${'\u0335'.repeat(400)}!`, `Z${'\u0335'.repeat(8)}⟨392 marks⟩!`],
    ['\u05d0\u200f \u0627\u064e\u0651 e\u0301', '\u05d0\u200f \u0627\u064e\u0651 e\u0301'],
  ])('[V6] names what would disguise it: %j', (text, shown) => {
    expect(undisguised(text)).toBe(shown)
    expect(JSON.parse(undisguised(JSON.stringify([text])))).toEqual([shown])
  })
})
