import { join } from 'node:path'
import type { ParsedRow } from '@dagline/core'
import { addDamage } from '@dagline/core/files'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { temporaryFolder, writeFiles } from '../../test/temporary.js'
import { parseTranscript } from './parse.js'
import { readTranscript } from './transcript.js'

const ignore = () => {}

describe('readTranscript', () => {
  it('[P8] a file that vanished after it was listed is a diagnostic', () => {
    const { result, diagnostics } = readTranscript(temporaryFolder(), 'gone.jsonl', ignore)
    expect(result).toBeNull()
    expect(diagnostics).toMatchObject([{ rule: 'store/vanished', severity: 'warning', file: 'gone.jsonl' }])
  })

  it('[P8] a file that cannot be read is a diagnostic without the machine’s paths', () => {
    const root = temporaryFolder()
    writeFiles(root, { 'x.jsonl/inside': '' })
    const { result, diagnostics } = readTranscript(root, 'x.jsonl', ignore)
    expect(result).toBeNull()
    expect(diagnostics).toMatchObject([
      { rule: 'store/unreadable', message: expect.stringContaining('it is a folder') },
    ])
    expect(JSON.stringify(diagnostics)).not.toContain(root)
  })

  it('[P5] repaired line ends and bytes are reported once per file', () => {
    const root = temporaryFolder()
    writeFiles(root, { 'x.jsonl': Buffer.from('{}\n{}\r\n"\xff"\r\n', 'latin1') })
    const { diagnostics } = readTranscript(root, 'x.jsonl', ignore)
    expect(diagnostics.map(({ rule, row }) => [rule, row])).toEqual([
      ['parse/crlf', 2],
      ['parse/invalid-utf8', 3],
    ])
  })

  it('does not take what its caller throws for a fault of the file', () => {
    const root = temporaryFolder()
    writeFiles(root, { 'x.jsonl': '{}\n' })
    const stop = () => {
      throw new RangeError(join('any', 'thing'))
    }
    expect(() => readTranscript(root, 'x.jsonl', stop)).toThrow(RangeError)
  })
})

const record = (id: string): object => ({
  parentUuid: null,
  type: 'user',
  uuid: id,
  message: { content: id },
})
const compact = (id: string): string => `${JSON.stringify(record(id))}\n`
const pretty = (id: string): string => `${JSON.stringify(record(id), null, 2)}\n`

/** What is read of a file up to some bytes, and then, as one that goes on, up to its end. */
function readTwice(text: Buffer, cut: number): readonly unknown[] {
  const root = temporaryFolder()
  const rows: ParsedRow[] = []
  const put = (row: ParsedRow): number => rows.push(row)
  writeFiles(root, { 'x.jsonl': text.subarray(0, cut) })
  const { result: first } = parseTranscript(root, 'x.jsonl', put)
  writeFiles(root, { 'x.jsonl': text })
  const { result: second, finish } = parseTranscript(
    root,
    'x.jsonl',
    put,
    first === null ? {} : { from: first.next },
  )
  const [before, after] = [first?.settled, second?.settled]
  const damage = before === undefined || after === undefined ? null : addDamage(before, after)
  const size = (second?.next.offset ?? 0) + (second?.pending?.length ?? 0)
  finish()
  return [told(rows), damage, size, second?.next]
}

/** State, ids, rows and places; blank rows one by one. */
function told(rows: readonly ParsedRow[]): readonly string[] {
  return rows.flatMap(({ row, rows: count = 1, state, records, diagnostics }) => {
    if (state === 'blank') return Array.from({ length: count }, (_, at) => `${row + at} blank`)
    const ids = records.map(
      each => `${'id' in each ? each.id : each.kind} ${each.source.offset}+${each.source.length}`,
    )
    return [`${row} ${count} ${state} ${ids.join()} ${diagnostics.map(({ rule }) => rule).join()}`]
  })
}

const anyRows = fc
  .array(
    fc.oneof(
      fc.nat(9).map(id => compact(`e${id}`)),
      fc.nat(9).map(id => pretty(`e${id}`)),
      fc.nat(9).map(id => pretty(`e${id}`).replaceAll('\n', '\r\n')),
      fc.tuple(fc.nat(9), fc.nat(60)).map(([id, at]) => pretty(`e${id}`).slice(0, at)),
      fc.tuple(fc.nat(9), fc.nat(60)).map(([id, at]) => `${compact(`e${id}`).slice(0, at)}\n`),
      fc.constantFrom(
        '\n',
        '\n\n\n',
        '\r\n',
        ' \n',
        '\0',
        '{\n',
        '}\n',
        '{"a":[\n',
        '{"a":\n',
        '\u00e9',
        '!\n',
        '{',
        '"',
      ),
    ),
    { maxLength: 12 },
  )
  .map(parts => Buffer.from(parts.join('')))

describe('parseTranscript', () => {
  it('[P10] reading on after any byte says what reading the whole file says', () => {
    fc.assert(
      fc.property(anyRows, fc.nat(), (text, at) => {
        expect(readTwice(text, at % (text.length + 1))).toEqual(readTwice(text, 0))
      }),
      { numRuns: 300 },
    )
  })

  it('[P10] a record that is not complete waits, and is read when its rest has come', () => {
    const root = temporaryFolder()
    const rows: ParsedRow[] = []
    const put = (row: ParsedRow): number => rows.push(row)
    writeFiles(root, { 'x.jsonl': compact('e1') + pretty('e2').slice(0, -3) })
    const { result } = parseTranscript(root, 'x.jsonl', put)
    expect(rows).toHaveLength(1)
    expect(result).toMatchObject({ rows: 1, next: { row: 2, offset: compact('e1').length } })
    writeFiles(root, { 'x.jsonl': compact('e1') + pretty('e2') + compact('e3') })
    parseTranscript(root, 'x.jsonl', put, { from: result?.next ?? { row: 1, offset: 0 } })
    expect(rows.map(({ row, rows: count = 1 }) => [row, count])).toEqual([
      [1, 1],
      [2, 8],
      [10, 1],
    ])
  })

  it('[P10] a reading in parts does not end within a record', () => {
    const root = temporaryFolder()
    writeFiles(root, { 'x.jsonl': compact('e1') + pretty('e2') + compact('e3') })
    const rows: ParsedRow[] = []
    let [from, parts] = [{ row: 1, offset: 0 }, 0]
    for (let isEnd = false; !isEnd; parts++) {
      const { result } = parseTranscript(root, 'x.jsonl', row => rows.push(row), {
        from,
        most: 10,
        chunk: 16,
      })
      ;({ next: from, isEnd } = result ?? { next: from, isEnd: true })
    }
    expect(parts).toBeGreaterThan(2)
    expect(rows.map(({ row }) => row)).toEqual([1, 2, 10])
  })
})
