import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { REDUCE_LIMITS, type ReduceLimits, RowReducer, reduceRow } from './reduce.js'

const TINY: ReduceLimits = { string: 12, keep: 7, depth: 3, items: 3, budget: 1_000_000 }

/** What the reduction promises, said plainly, on values instead of bytes. */
function referenceOf(value: unknown, limits: ReduceLimits, depth = 1): unknown {
  if (typeof value === 'string') return cutText(value, limits)
  if (typeof value === 'number') return JSON.stringify(value).length > limits.string ? null : value
  if (typeof value !== 'object' || value === null) return value
  if (depth > limits.depth) return null
  if (Array.isArray(value))
    return value.slice(0, limits.items).map(item => referenceOf(item, limits, depth + 1))
  const result = {}
  for (const [key, member] of Object.entries(value).slice(0, limits.items)) {
    const kept = referenceOf(member, limits, depth + 1)
    Object.defineProperty(result, cutText(key, limits), {
      value: kept,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return result
}

function cutText(text: string, limits: ReduceLimits): string {
  if (writtenBytes(text) <= limits.string) return text
  let kept = ''
  for (const character of text) {
    if (writtenBytes(kept + character) > limits.keep) break
    kept += character
  }
  return kept
}

function writtenBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2
}

function reduceText(text: string, limits: ReduceLimits = REDUCE_LIMITS): string {
  return reduceRow(Buffer.from(text), limits)
}

function reduceInPieces(bytes: Uint8Array, cuts: readonly number[], limits: ReduceLimits): string {
  const reducer = new RowReducer(limits)
  const places = [0, ...cuts.map(cut => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  for (let i = 1; i < places.length; i++) reducer.write(bytes, places[i - 1] ?? 0, places[i] ?? 0)
  return reducer.end()
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const anyJson = fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' })
const anyCuts = fc.array(fc.nat(), { maxLength: 6 })

describe('reduceRow', () => {
  it('[P6] gives what the plain reference gives, for any JSON', () => {
    fc.assert(
      fc.property(anyJson, value => {
        const reduced = JSON.parse(reduceText(JSON.stringify(value), TINY))
        expect(reduced).toEqual(referenceOf(JSON.parse(JSON.stringify(value)), TINY))
      }),
      { numRuns: 1000 },
    )
  })

  it('[P6] gives the same whatever the pieces, for any JSON and for any bytes', () => {
    const anyBytes = fc.oneof(
      anyJson.map(value => Buffer.from(JSON.stringify(value, null, 1))),
      fc.uint8Array({ maxLength: 200 }),
      fc
        .array(fc.constantFrom(...'{}[]",:\\ \n0u'), { maxLength: 200 })
        .map(parts => Buffer.from(parts.join(''))),
    )
    fc.assert(
      fc.property(anyBytes, anyCuts, (bytes, cuts) => {
        expect(reduceInPieces(bytes, cuts, TINY)).toBe(reduceRow(bytes, TINY))
      }),
      { numRuns: 1000 },
    )
  })

  it('[P5] damaged JSON stays damaged, sound JSON stays sound', () => {
    const edit = fc.record({
      at: fc.nat(),
      remove: fc.nat({ max: 3 }),
      insert: fc.constantFrom('', ...'{}[]",: \\01x'),
    })
    fc.assert(
      fc.property(anyJson, edit, (value, { at, remove, insert }) => {
        const text = JSON.stringify(value, null, 1)
        const place = at % (text.length + 1)
        const damaged = text.slice(0, place) + insert + text.slice(place + remove)
        expect(isJson(reduceText(damaged))).toBe(isJson(damaged))
      }),
      { numRuns: 2000 },
    )
  })

  it('[P6] cuts strings between characters, escapes and surrogate pairs', () => {
    const limits = { ...TINY, string: 8, keep: 4 }
    const cut = (text: string) => reduceText(`"${text}"`, limits)
    expect(cut('abcdefgh')).toBe('"abcdefgh"')
    expect(cut('abcdefghi')).toBe('"abcd"')
    expect(cut('abcéfghi')).toBe('"abc"')
    expect(cut('a😀bcdef')).toBe('"a"')
    expect(cut(String.raw`abc\nefghi`)).toBe('"abc"')
    expect(cut(String.raw`ab\"efghi`)).toBe(String.raw`"ab\""`)
    const wide = { ...TINY, string: 14, keep: 13 }
    expect(reduceText(String.raw`"ab\ud83d\ude00cd"`, wide)).toBe('"ab"')
    expect(reduceText(String.raw`"ab\ud83dcdefghij"`, wide)).toBe(String.raw`"ab\ud83dcdefg"`)
  })

  it('[P6] keeps a record’s ids behind a body of any size', () => {
    const item = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'x'.repeat(600) }
    const body = Array.from({ length: 100 }, () => ({ nested: Array.from({ length: 150 }, () => item) }))
    const record = { parentUuid: 'p', message: { content: body }, uuid: 'u', timestamp: 't' }
    const bytes = Buffer.from(JSON.stringify(record))
    const reduced = reduceRow(bytes)
    expect(reduced.length).toBeLessThan(REDUCE_LIMITS.budget + 10_000)
    expect(JSON.parse(reduced)).toMatchObject({ parentUuid: 'p', uuid: 'u', timestamp: 't' })
    expect(JSON.parse(reduced).message.content[0].nested[0].tool_use_id).toBe('toolu_1')
  })

  it('[P6] is bounded for input that is not JSON', () => {
    const budget = 1000
    const limits = { ...TINY, budget }
    for (const text of ['\0', 'x', '"', '[', ']', ',', '{"a":', '[1]', '"a" ', '1 ', '\\"', '{}']) {
      const reduced = reduceText(text.repeat(50_000), limits)
      expect(reduced.length, text).toBeLessThan(2 * budget)
    }
  })

  it('[P5] leaves records that share a row apart, and marks and NUL bytes in their places', () => {
    expect(reduceText('{"a":1} {"b":2}\r')).toBe('{"a":1}{"b":2}')
    expect(reduceText('\ufeff{"a":1}')).toBe('\ufeff{"a":1}')
    expect(reduceText('\0\0{"a":1}')).toBe('\0\0{"a":1}')
    expect(reduceText(`${'\0'.repeat(9999)}{"a":1}`)).toBe(`${'\0'.repeat(256)}{"a":1}`)
  })

  it('[P6] a number of hundreds of digits becomes null, other long words keep their beginning', () => {
    expect(reduceText(`{"n":${'9'.repeat(600)}}`)).toBe('{"n":null}')
    expect(reduceText(`{"n":${'nope'.repeat(200)}}`)).toBe(`{"n":${'nope'.repeat(64)}}`)
  })
})
