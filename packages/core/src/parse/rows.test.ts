import { describe, expect, it } from 'vitest'
import type { ParsedRow } from '../model/row.js'
import type { RawRow } from '../model/source.js'
import { MOST_WAITING, parseTranscript, startRows } from './rows.js'

const json = (id: string, text = 'hi'): object => ({
  parentUuid: null,
  type: 'user',
  uuid: id,
  message: { role: 'user', content: [{ type: 'text', text }] },
})
const compact = (id: string, text?: string): string => JSON.stringify(json(id, text))
const pretty = (id: string, text?: string): string => JSON.stringify(json(id, text), null, 2)

/** The rows of a text as the store hands them over, and the last one where no newline ends it. */
function rawRows(text: string): { readonly rows: readonly RawRow[]; readonly last: RawRow | null } {
  let offset = 0
  const rows = text.split('\n').map((row, at): RawRow => {
    const length = Buffer.byteLength(row)
    const raw = { row: at + 1, offset, length, text: row.replace(/\r$/, ''), whole: true }
    offset += length + 1
    return raw
  })
  const last = rows.pop() ?? null
  return { rows, last: last?.text === '' ? null : last }
}

interface Read {
  readonly parsed: readonly ParsedRow[]
  readonly waiting: number
}

function read(text: string): Read {
  const parsed: ParsedRow[] = []
  const rows = startRows(row => parsed.push(row))
  const { rows: given, last } = rawRows(text)
  for (const row of given) rows.take(row)
  const waiting = rows.waiting().length
  rows.end(last)
  return { parsed, waiting }
}

/** `2-13:e1,e2!` rows, uuids of their records, and `!` where something beside them is damaged. */
function told(text: string): string {
  return read(text)
    .parsed.map(({ row, rows = 1, state, records, pieces }) => {
      const range = rows === 1 ? `${row}` : `${row}-${row + rows - 1}`
      const ids = records.map(record => ('id' in record ? record.id : record.kind)).join()
      return `${range}:${state === 'entry' ? ids : state}${pieces === undefined ? '' : '!'}`
    })
    .join(' ')
}

describe('records over several rows', () => {
  it.each([
    ['as an editor writes it', `${compact('e1')}\n${pretty('e2')}\n${compact('e3')}\n`, '1:e1 2-15:e2 16:e3'],
    ['with CRLF', `${pretty('e1').replaceAll('\n', '\r\n')}\r\n${compact('e2')}\n`, '1-14:e1 15:e2'],
    ['with blank rows', `${pretty('e1').replace('\n', '\n\n \n')}\n`, '1-16:e1'],
    ['with braces in texts', `${pretty('e1', '}{ " { [')}\n`, '1-14:e1'],
    ['broken before a comma', `${compact('e1').replace(',"uuid"', '\n,"uuid"')}\n`, '1-2:e1'],
    ['two of them', `${pretty('e1')}\n${pretty('e2')}\n`, '1-14:e1 15-28:e2'],
    ['at the end, without a newline', `${compact('e1')}\n${pretty('e2')}`, '1:e1 2-15:e2'],
    ['with NUL bytes', `${pretty('e1').replace('\n', '\n\0\0')}\n`, '1-14:e1'],
    ['joined with one like it', `${pretty('e1')}${pretty('e2')}\n${compact('e3')}\n`, '1-27:e1,e2 28:e3'],
    ['joined with a row', `${compact('e1')}${pretty('e2')}${compact('e3')}\n`, '1-14:e1,e2,e3'],
    ['behind a torn text', `{"type":"user","text":"cut${pretty('e1')}\n`, '1-14:e1!'],
    ['with something behind', `${pretty('e1')} xyz\n${compact('e2')}\n`, '1-14:e1! 15:e2'],
  ])('[P10] are read as one: %s', (_, text, wanted) => {
    expect(told(text)).toBe(wanted)
  })

  it.each([
    ['a row torn outside of a text', `{"type":"user",\n${compact('e1')}\n`, '1:damaged 2:e1'],
    ['a row torn before a value', `{"a":\n${compact('e1')}\n${compact('e2')}\n`, '1:damaged 2:e1 3:e2'],
    ['a row torn in a list', `{"a":[\n${compact('e1')}\n${compact('e2')}\n`, '1:damaged 2:e1 3:e2'],
    ['a row torn in a text', `{"a":"cut {\n${compact('e1')}\n`, '1:damaged 2:e1'],
    [
      'the end is missing',
      `{\n"type": "user",\n"a": 1\n${compact('e1')}\n`,
      '1:damaged 2:damaged 3:damaged 4:e1',
    ],
    [
      'another one takes the place of a value',
      `{\n"a": [\n${pretty('e1')}\n${pretty('e2')}\n`,
      '1:damaged 2:damaged 3-16:e1 17-30:e2',
    ],
    ['torn behind another', `${pretty('e1')}{\n"a": 1\n${compact('e2')}\n`, '1-14:e1! 15:damaged 16:e2'],
    ['nothing follows', `{\n"a": 1\n`, '1:damaged 2:damaged'],
    ['rows of braces', '{\n'.repeat(4), '1:damaged 2:damaged 3:damaged 4:damaged'],
  ])('[P10] what is not closed is damaged, and hides nothing: %s', (_, text, wanted) => {
    expect(told(text)).toBe(wanted)
  })

  it('[P10] the location of the record is that of all its rows', () => {
    const text = `${compact('e1')}\r\n${pretty('grüße')}\n`
    const [, row] = read(text).parsed
    const bytes = Buffer.from(text)
    const { offset = 0, length = 0 } = row?.records[0]?.source ?? {}
    expect(bytes.subarray(offset, offset + length).toString()).toBe(pretty('grüße'))
    expect(row?.diagnostics.map(({ rule }) => rule)).toEqual(['parse/multi-row'])
  })

  it('[P10] rows wait for the rest of their record', () => {
    expect(read(`${compact('e1')}\n${pretty('e2')}\n`).waiting).toBe(0)
    expect(read(`${compact('e1')}\n${pretty('e2').slice(0, -2)}\n`).waiting).toBe(13)
  })

  it('[P10] a record that is too long to hold is damaged, row by row', () => {
    const parts = Array.from({ length: 20 }, (_, at) => `"a${at}": "${'x'.repeat(MOST_WAITING / 18)}",`)
    const { parsed } = read(`{\n${parts.join('\n')}\n"z": 1}\n${compact('e1')}\n`)
    expect(parsed.at(-1)?.records).toMatchObject([{ id: 'e1' }])
    expect(parsed.reduce((sum, { rows = 1 }) => sum + rows, 0)).toBe(23)
  })

  it.each([
    ['nested', '{"a":[\n'.repeat(50_000)],
    ['nested in rows of their own', '{\n"a":\n'.repeat(30_000)],
    ['closed and opened', `{\n${'}{\n'.repeat(50_000)}`],
    ['keys', `{\n${'"a": {"b": 1},\n'.repeat(30_000)}`],
  ])('[P10] many rows that wait cost what their length asks: %s', (_, text) => {
    const { parsed } = read(`${text}\n!\n${compact('e1')}\n`)
    expect(parsed.at(-1)?.records).toMatchObject([{ id: 'e1' }])
    const rows = text.split('\n').length + 2
    expect(parsed.reduce((sum, { rows = 1 }) => sum + rows, 0)).toBe(rows)
  })
})

describe('a whole transcript as text', () => {
  it.each([
    ['with a newline at the end', `${compact('e1')}\n${compact('e2')}\n`],
    ['without one', `${compact('e1')}\n${compact('e2')}`],
    ['cut within the last row', `${compact('e1')}\n${compact('e2').slice(0, -9)}`],
    ['with CRLF and JSON over several rows', `${compact('e1')}\r\n${pretty('e2')}\r\n`],
    ['beyond ASCII', `${compact('e1', 'é€ 🙂')}\n\n${compact('e2')}\n`],
    ['empty', ''],
  ])('[P1] gives the same rows as the file: %s', (_, text) => {
    expect(parseTranscript(text)).toEqual(read(text).parsed)
  })
})
