/**
 * Rows against a plain model: a text is put together from records and damage, so that it is known which records stand
 * in it. Every one of them is read, in its order, and every byte belongs to a row.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ParsedRow } from '../src/index.js'
import { piecesOf } from '../src/parse/pieces.js'
import { parseTranscript } from '../src/parse/rows.js'

/** A piece of a text: a record that must be found, or something else. */
interface Token {
  readonly text: string
  /** The uuid of the record; null for damage and white space. */
  readonly id: string | null
}

/** Texts with all that a reader could take for the structure around them. */
const texts = fc.stringMatching(/^[{}[\]":,\\a-z0 é💥]{0,12}$/u)

const records = fc
  .record({ text: texts, key: texts, deep: fc.nat(3), isNote: fc.boolean(), count: fc.integer() })
  .map(({ text, key, deep, isNote, count }) => {
    let content: unknown = [{ type: 'text', text }]
    for (let level = 0; level < deep; level++) content = { [`${key}${level}`]: [content, count] }
    const rest = { message: { role: 'user', content }, flag: true, none: null }
    return isNote
      ? (id: string) => ({ type: 'title', sessionId: id, ...rest })
      : (id: string) => ({ parentUuid: null, type: 'user', uuid: id, ...rest })
  })

const idOf = (json: object): string =>
  'uuid' in json ? String(json.uuid) : 'sessionId' in json ? String(json.sessionId) : ''

/** JSON allows this character nowhere. Without it the beginning of a torn record and the end of another make a whole one. */
const BREAK = '\u0001'

/** A record that lost its end or its beginning. */
const torn = fc.tuple(records, fc.nat(), fc.boolean()).map(([make, at, isEnd]) => {
  const text = JSON.stringify(make('lost'))
  const cut = 1 + (at % (text.length - 1))
  return isEnd ? `${BREAK}${text.slice(cut)}` : text.slice(0, cut)
})

const damage = fc.oneof(
  torn,
  fc.stringMatching(/^[{}[\]":,\\a-z]{0,6}$/).map(text => `${BREAK}${text}`),
)

/** What may stand on one row, in order. */
const rowTokens = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: records.map(make => ({ make })) },
    { weight: 2, arbitrary: damage.map(text => ({ text })) },
    fc.constantFrom(' ', '\t', '  ').map(text => ({ text })),
  ),
  { maxLength: 6 },
)

type Given =
  | { readonly make: (id: string) => object; readonly isPretty?: boolean }
  | { readonly text: string }

/** Gives each record an id of its own. */
function tokensOf(given: readonly Given[]): readonly Token[] {
  return given.map((each, at) => {
    if ('text' in each) return { text: each.text, id: null }
    return { text: JSON.stringify(each.make(`e${at}`), null, each.isPretty === true ? 2 : 0), id: `e${at}` }
  })
}

const idsIn = (tokens: readonly Token[]): readonly string[] => tokens.flatMap(({ id }) => id ?? [])

/** What a text holds beside the damaged pieces. */
function withoutDamage(text: string, damaged: ReturnType<typeof piecesOf>['damaged']): string {
  const ends = [0, ...damaged.map(({ end }) => end)]
  const starts = [...damaged.map(({ start }) => start), text.length]
  return ends.map((end, at) => text.slice(end, starts[at])).join('')
}

const withoutSpace = (text: string): string => text.replaceAll(/\s/g, '')

/** A file: rows as above with NUL bytes between and in them, blank rows, and records over several rows. */
const fileRows = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.tuple(rowTokens, fc.nat()).map(([given, nul]) => ({ given, nul })) },
    { weight: 2, arbitrary: records.map(make => ({ given: [{ make, isPretty: true }], nul: 0 })) },
    fc.constantFrom('', ' ').map(text => ({ given: [{ text }], nul: 0 })),
  ),
  { maxLength: 8 },
)

const idsOf = (parsed: readonly ParsedRow[]): readonly string[] =>
  parsed.flatMap(({ records }) =>
    records.flatMap((record): readonly string[] =>
      'id' in record ? [record.id] : record.session === null ? [] : [record.session],
    ),
  )

describe('rows of records and damage', () => {
  it('[P9] every record of a row is found in its order, and everything else is damaged', () => {
    fc.assert(
      fc.property(rowTokens, given => {
        const tokens = tokensOf(given)
        const text = tokens.map(token => token.text).join('')
        const { records: found, damaged } = piecesOf(text)
        expect(found.map(idOf)).toEqual(idsIn(tokens))
        const left = withoutSpace(withoutDamage(text, damaged))
        expect(left).toBe(withoutSpace(found.map(json => JSON.stringify(json)).join('')))
      }),
    )
  })

  it('[P1] [P5] [P9] [P10] every record of a file is found in its order, and every byte belongs to a row', () => {
    fc.assert(
      fc.property(fileRows, fc.boolean(), (made, hasEnd) => {
        const tokens = tokensOf(made.flatMap(({ given }) => given))
        let at = 0
        const rows = made.map(({ given, nul }) => {
          const row = given.map(() => tokens[at++]?.text ?? '').join('')
          const cut = nul % (row.length + 1)
          return nul % 3 === 0 ? row : `${row.slice(0, cut)}\0\0${row.slice(cut)}`
        })
        const text = `${rows.join('\n')}${hasEnd ? '\n' : ''}`
        const parsed = parseTranscript(text)
        expect(idsOf(parsed)).toEqual(idsIn(tokens))
        expectAllBytes(text, parsed)
      }),
    )
  })
})

/** P1: rows follow each other without a gap, from the first byte to the last. */
function expectAllBytes(text: string, parsed: readonly ParsedRow[]): void {
  let [row, offset] = [1, 0]
  for (const each of parsed) {
    expect(each.row).toBe(row)
    row += each.rows ?? 1
    offset += each.length + 1
    expect(each.state === 'entry').toBe(each.records.length > 0)
  }
  const size = Buffer.byteLength(text)
  expect(offset).toBe(text === '' || text.endsWith('\n') ? size : size + 1)
}
