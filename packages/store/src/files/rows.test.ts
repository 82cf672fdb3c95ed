import { isUtf8 } from 'node:buffer'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import type { RawRow } from '@dagline/core'
import { reduceRow, splitRows } from '@dagline/core/files'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { temporaryFile } from '../../test/temporary.js'
import { type ReadOptions, type ReadResult, readRows } from './rows.js'

interface ReadAll {
  readonly rows: readonly RawRow[]
  readonly result: ReadResult
}

function readAll(path: string, options: ReadOptions = {}): ReadAll {
  const rows: RawRow[] = []
  const result = readRows(path, row => rows.push(...apart(row)), options)
  return { rows, result }
}

/** Blank rows that come as one, one by one. */
function apart({ rows = 1, ...raw }: RawRow): readonly RawRow[] {
  if (rows > 1) expect(raw).toMatchObject({ text: '', length: rows - 1 })
  if (rows === 1) return [raw]
  return Array.from({ length: rows }, (_, at) => ({
    ...raw,
    row: raw.row + at,
    offset: raw.offset + at,
    length: 0,
  }))
}

/** Rows by the plain definition: what stands between newlines. */
function referenceRows(bytes: Buffer, giant: number): RawRow[] {
  const rows: RawRow[] = []
  let offset = 0
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, offset)) {
    const whole = end - offset <= giant
    const textEnd = end > offset && bytes[end - 1] === 13 ? end - 1 : end
    const text = whole ? bytes.toString('utf8', offset, textEnd) : reduceRow(bytes.subarray(offset, end))
    const crlf = end > offset && bytes[end - 1] === 13 ? { crlf: true as const } : {}
    const invalid = whole && !isUtf8(bytes.subarray(offset, textEnd)) ? { invalidUtf8: true as const } : {}
    rows.push({ row: rows.length + 1, offset, length: end - offset, text, whole, ...crlf, ...invalid })
    offset = end + 1
  }
  return rows
}

function bytesOf(path: string, row: RawRow): string {
  return readFileSync(path).toString('latin1', row.offset, row.offset + row.length)
}

const anyFile = fc
  .array(
    fc.oneof(
      fc.constantFrom('\n', '\r\n', '\n\n', '\r', '\0', '\ufeff', '{"a":"é😀"}', '{"uuid":"x"}{"uuid":"y"}'),
      fc.string({ maxLength: 40 }),
      fc.json({ maxDepth: 2 }),
    ),
    { maxLength: 30 },
  )
  .map(parts => Buffer.from(parts.join('')))
const anyBytes = fc.oneof(
  anyFile,
  fc.uint8Array({ maxLength: 300 }).map(bytes => Buffer.from(bytes)),
)
const anyOptions = fc.record({
  chunk: fc.integer({ min: 1, max: 70 }),
  giant: fc.integer({ min: 0, max: 60 }),
})

describe('readRows', () => {
  it('[P1] finds every row of any bytes at its exact place, whatever the chunks', () => {
    const path = temporaryFile('')
    fc.assert(
      fc.property(anyBytes, anyOptions, (bytes, options) => {
        writeFileSync(path, bytes)
        const { rows, result } = readAll(path, options)
        const expected = referenceRows(bytes, options.giant)
        expect(rows).toEqual(expected)
        expect(result.rows).toBe(expected.length)
        expect(result.bytes + (result.pending?.length ?? 0)).toBe(bytes.length)
        expect(result.next).toEqual({ offset: result.bytes, row: expected.length + 1 })
      }),
      { numRuns: 500 },
    )
  })

  it('[P1] the core splits bytes that arrive in chunks into the same rows', () => {
    const path = temporaryFile('')
    fc.assert(
      fc.property(anyBytes, anyOptions, (bytes, { chunk, giant }) => {
        writeFileSync(path, bytes)
        const { rows, result } = readAll(path, { giant })
        const split: RawRow[] = []
        const splitter = splitRows(row => split.push(...apart(row)), giant)
        for (let at = 0; at < bytes.length; at += chunk) splitter.write(bytes.subarray(at, at + chunk))
        expect(splitter.end()).toEqual({
          bytes: bytes.length,
          pending: result.pending,
          crlf: result.crlf,
          invalidUtf8: result.invalidUtf8,
        })
        expect(split).toEqual(rows)
      }),
      { numRuns: 500 },
    )
  })

  it('[P1] reading in two parts equals reading whole', () => {
    const path = temporaryFile('')
    fc.assert(
      fc.property(anyBytes, fc.nat(), anyOptions, (bytes, at, options) => {
        const cut = at % (bytes.length + 1)
        writeFileSync(path, bytes)
        const whole = readAll(path, options)
        writeFileSync(path, bytes.subarray(0, cut))
        const first = readAll(path, options)
        appendFileSync(path, bytes.subarray(cut))
        const second = readAll(path, { ...options, from: first.result.next })
        expect([...first.rows, ...second.rows]).toEqual(whole.rows)
        expect(second.result.next).toEqual(whole.result.next)
        expect(second.result.pending).toEqual(whole.result.pending)
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['a lost newline', '{"a":1}{"b":2}\n{"c":3}\n'],
    ['NUL bytes', '{"a":1}\n\0\0\0\0{"b":2}\n'],
    ['a byte order mark', '\ufeff{"a":1}\n{"b":2}\n'],
    ['CRLF', '{"a":1}\r\n\r\n{"b":2}\r\n'],
    ['blank rows', '\n\n{"a":1}\n  \n{"b":2}\n\n'],
    ['characters of one to four bytes', '{"a":"aé€😀"}\n{"b":2}\n'],
    ['bytes that are not UTF-8', Buffer.from('7b2261223a22ff80227d0a7b7d0a', 'hex')],
    ['a cut character', Buffer.from('7b2261223a22f09f980a7b7d0a', 'hex')],
  ])('[P1] offset and length give back the bytes of every row: %s', (_, content) => {
    const path = temporaryFile(content)
    const { rows } = readAll(path)
    const lines = readFileSync(path).toString('latin1').split('\n').slice(0, -1)
    expect(rows.map(row => bytesOf(path, row))).toEqual(lines)
    expect(rows.map(row => row.row)).toEqual(lines.map((_, index) => index + 1))
  })

  it('[P1] a million blank rows come in a few pieces, and each counts', () => {
    const path = temporaryFile(`${'\n'.repeat(1_000_000)}{}\n`)
    const rows: RawRow[] = []
    const { rows: count } = readRows(path, row => rows.push(row))
    expect(count).toBe(1_000_001)
    expect(rows.length).toBeLessThan(10)
    expect(rows.at(-1)).toMatchObject({ row: 1_000_001, offset: 1_000_000, text: '{}' })
  })

  it('[P5] leaves carriage returns out of the text and counts them', () => {
    const { rows, result } = readAll(temporaryFile('a\nb\r\n\r\nc\rd\n'))
    expect(rows.map(row => row.text)).toEqual(['a', 'b', '', 'c\rd'])
    expect(rows.map(row => row.length)).toEqual([1, 2, 1, 3])
    expect(result.crlf).toEqual({ count: 2, row: 2 })
  })

  it('[P5] leaves marks and NUL bytes to the parser', () => {
    const { rows } = readAll(temporaryFile('\ufeffa\n\0\0b\n'))
    expect(rows.map(row => row.text)).toEqual(['\ufeffa', '\0\0b'])
    expect(rows.map(row => row.length)).toEqual([4, 3])
  })

  it('[P5] tells bytes that are not UTF-8 from a replacement character that was written', () => {
    const bytes = Buffer.concat([
      Buffer.from('{"a":"\ufffd"}\n{"a":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}\n'),
    ])
    const { rows, result } = readAll(temporaryFile(bytes))
    expect(rows.map(row => row.text)).toEqual(['{"a":"\ufffd"}', '{"a":"\ufffd("}'])
    expect(result.invalidUtf8).toEqual({ count: 1, row: 2 })
  })

  it('[P5] holds back a row that no newline ends, and reads it when its rest arrives', () => {
    const path = temporaryFile('{"a":1}\n{"b":')
    const first = readAll(path)
    expect(first.rows).toHaveLength(1)
    expect(first.result.pending).toEqual({ row: 2, offset: 8, length: 5, text: '{"b":', whole: true })
    appendFileSync(path, '2}\n')
    const second = readAll(path, { from: first.result.next })
    expect(second.rows).toEqual([{ row: 2, offset: 8, length: 7, text: '{"b":2}', whole: true }])
    expect(second.result.pending).toBeNull()
  })

  it('[P5] an empty file has no row, a file of one newline has one', () => {
    expect(readAll(temporaryFile('')).result).toMatchObject({ rows: 0, bytes: 0, pending: null })
    expect(readAll(temporaryFile('\n')).result).toMatchObject({ rows: 1, bytes: 1, pending: null })
  })

  it('[P6] reduces a giant row, also where no newline ends it', () => {
    const record = JSON.stringify({ uuid: 'u', text: 'x'.repeat(5000), last: 'z' })
    const { rows, result } = readAll(temporaryFile(`${record}\n{}\n${record}`), { giant: 1000, chunk: 64 })
    const reduced = JSON.stringify({ uuid: 'u', text: 'x'.repeat(256), last: 'z' })
    const { length } = record
    expect(rows).toEqual([
      { row: 1, offset: 0, length, text: reduced, whole: false },
      { row: 2, offset: length + 1, length: 2, text: '{}', whole: true },
    ])
    expect(result.pending).toEqual({ row: 3, offset: length + 4, length, text: reduced, whole: false })
  })

  it('passes on what its caller throws', () => {
    const path = temporaryFile('a\nb\n')
    const stop = () => {
      throw new RangeError('enough')
    }
    expect(() => readRows(path, stop)).toThrow(RangeError)
  })
})
