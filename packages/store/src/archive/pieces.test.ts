import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ByteSource } from '../files/source.js'
import { type Cut, cutPieces, PART } from './pieces.js'

/** Bytes that are handed out a few at a time, as a slow disk may do. */
function sourceOf(bytes: Buffer, most: number): ByteSource {
  return {
    size: bytes.length,
    mtime: 0,
    inode: 0,
    read: (buffer, offset, length, position) => {
      const got = bytes.subarray(position, position + Math.min(length, most))
      buffer.set(got, offset)
      return got.length
    },
    close: () => {},
  }
}

function cut(bytes: Buffer, options: Partial<Cut> = {}, most = 1000): string[] {
  const whole = { from: 0, to: bytes.length, rows: true, ...options }
  // A piece holds until the next one only.
  return Array.from(cutPieces(sourceOf(bytes, most), whole), piece => piece.toString('latin1'))
}

describe('cutPieces', () => {
  it('[K2] cuts at rows, newlines included', () => {
    expect(cut(Buffer.from('a\n\nbc\r\nd'))).toEqual(['a\n', '\n', 'bc\r\n', 'd'])
    expect(cut(Buffer.from(''))).toEqual([])
  })

  it('[K2] the pieces of any bytes are the bytes, wherever it begins and ends and however they come', () => {
    const bytes = fc.array(fc.constantFrom('\n', 'x', 'row\n', '\r\n'), { maxLength: 60 })
    fc.assert(
      fc.property(
        bytes,
        fc.nat(40),
        fc.nat(40),
        fc.integer({ min: 1, max: 9 }),
        (parts, from, length, most) => {
          const all = Buffer.from(parts.join(''))
          const range = { from: Math.min(from, all.length), to: Math.min(from + length, all.length) }
          const pieces = cut(all, range, most)
          expect(pieces.join('')).toBe(all.toString('latin1', range.from, range.to))
          expect(pieces.slice(0, -1).filter(piece => piece.indexOf('\n') !== piece.length - 1)).toEqual([])
        },
      ),
    )
  })

  it('[K12] cuts a long row into parts that are counted from its start', () => {
    const long = Buffer.concat([
      Buffer.from('short\n'),
      Buffer.alloc(2.5 * PART, 'y'),
      Buffer.from('\nend\n'),
    ])
    const lengths = cut(long, {}, 100_000).map(piece => piece.length)
    expect(lengths).toEqual([6, PART, PART, PART / 2 + 1, 4])
  })

  it('[K2] cuts what has no rows into parts alone', () => {
    expect(cut(Buffer.alloc(PART + 3, '\n'), { rows: false }, 100_000).map(piece => piece.length)).toEqual([
      PART,
      3,
    ])
  })

  it('[K5] ends where a file ends that has become shorter', () => {
    expect(cut(Buffer.from('a\nb'), { to: 100 })).toEqual(['a\n', 'b'])
  })
})
