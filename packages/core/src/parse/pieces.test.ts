import { describe, expect, it } from 'vitest'
import { MOST_UNNAMED, piecesOf } from './pieces.js'
import { scanObject } from './scan.js'

const record = (id: string, text = 'hi'): string =>
  JSON.stringify({ parentUuid: null, type: 'user', uuid: id, message: { role: 'user', content: text } })

/** Uuids of the records, then the damaged pieces. */
function told(text: string): readonly unknown[] {
  const { records, damaged } = piecesOf(text)
  return [...records.map(({ uuid }) => uuid), ...damaged.map(({ start, end }) => text.slice(start, end))]
}

describe('pieces of a row', () => {
  it('[P9] all records of a row are read, however many', () => {
    const ids = Array.from({ length: 1000 }, (_, at) => `e${at}`)
    expect(told(ids.map(id => record(id)).join(''))).toEqual(ids)
  })

  it.each([
    ['in a text', '{"type":"user","text":"some te'],
    ['behind a backslash', '{"type":"user","text":"some\\'],
    ['in an escape', '{"type":"user","text":"some\\u00'],
    ['in a key', '{"type":"user","te'],
    ['behind a key', '{"type":"user","text"'],
    ['before a value', '{"type":"user","message":'],
    ['in a list', '{"type":"user","list":['],
    ['behind an item', '{"type":"user","list":[1,'],
    ['in a word', '{"type":"user","flag":tr'],
    ['in a number', '{"type":"user","count":-'],
    ['behind a number', '{"type":"user","count":12'],
    ['behind a value', '{"type":"user","message":{"a":1}'],
    ['behind a comma', '{"type":"user",'],
    ['behind the first brace', '{'],
    ['behind a text that ends with a brace', '{"type":"user","text":"if (a) {"'],
  ])('[P9] a record torn %s hides none of the records around it', (_, torn) => {
    const whole = ['e1', 'e2', 'e3', 'e4'].map(id => record(id))
    const [a = '', b = '', c = '', d = ''] = whole
    expect(told(`${a}${torn}${b}${c}${torn}${torn}${d}`)).toEqual([
      'e1',
      'e2',
      'e3',
      'e4',
      torn,
      `${torn}${torn}`,
    ])
  })

  it('[P9] an object without identity behind damage is a part of a torn record', () => {
    expect(told(`lost","message":{"role":"user"},"uuid":"e0"}${record('e1')}`)).toEqual([
      'e1',
      'lost","message":{"role":"user"},"uuid":"e0"}',
    ])
  })

  it('[P9] objects without identity are read up to a limit, and damage beyond it', () => {
    const { records, damaged } = piecesOf(`${'{}'.repeat(MOST_UNNAMED + 2)}${record('e1')}`)
    expect(records).toHaveLength(MOST_UNNAMED + 1)
    expect(damaged).toEqual([{ start: 2 * MOST_UNNAMED, end: 2 * MOST_UNNAMED + 4 }])
  })

  it('[P9] an object that is not closed at the end may go on', () => {
    expect(piecesOf(`${record('e1')}{"type":"user",`).open).not.toBeNull()
    expect(piecesOf('{').open).not.toBeNull()
    expect(piecesOf('{"type":"user","text":"cut').open).toBeNull()
    expect(piecesOf(record('e1')).open).toBeNull()
  })

  it.each([
    ['{"a":1}', 'closed'],
    ['{}', 'closed'],
    ['{"a":[],"b":{},"c":[1,-0.5e+3,true,false,null,"x\\u00e9\\n"]}', 'closed'],
    ['{"a":1', 'open'],
    ['{"a":[1,', 'open'],
    ['{"a":01}', 'invalid'],
    ['{"a":1,}', 'invalid'],
    ['{"a":[1,]}', 'invalid'],
    ['{"a" 1}', 'invalid'],
    ['{a:1}', 'invalid'],
    ['{"a":"\t"}', 'invalid'],
    ['{"a":"\\x"}', 'invalid'],
    ['{"a":]', 'invalid'],
    ['{"a":[}', 'invalid'],
    ['{"a":tru}', 'invalid'],
    ['{"a":nullx}', 'invalid'],
  ])('[P9] a scan ends where JSON ends: %s', (text, state) => {
    expect(scanObject(text, 0).state).toBe(state)
  })

  it.each([
    ['nested objects', '{"a":'.repeat(400_000)],
    ['nested objects that are closed', `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`],
    ['nested lists', '{"a":['.repeat(300_000)],
    ['torn texts', '{"a":"'.repeat(300_000)],
    ['empty objects', '{}'.repeat(1_000_000)],
    ['closed parts', `{"x":[${'{"type":"x"},'.repeat(200_000)}`],
    ['braces', '{'.repeat(2_000_000)],
    ['braces and spaces', '{ '.repeat(1_000_000)],
    ['quotes', '"'.repeat(2_000_000)],
    ['braces and quotes', '{"'.repeat(1_000_000)],
    ['digits', `{"a":${'1'.repeat(1_000_000)}`],
    ['texts that end with braces', `{"a":[${'"{",'.repeat(300_000)}`],
  ])('[P9] a row of two million characters takes no longer than its length asks: %s', (_, text) => {
    const { records } = piecesOf(`${text}\0${record('e1')}`)
    expect(records.at(-1)).toMatchObject({ uuid: 'e1' })
  })
})
