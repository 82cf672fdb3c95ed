import { describe, expect, it } from 'vitest'
import { chainOf, makePack, NO_CHAIN, openPack, sha256 } from './pack.js'

const pieces = ['one\n', 'two\n', 'x'.repeat(5000), '\u0000\n'].map(text => Buffer.from(text))
const pack = makePack(pieces.map(sha256), pieces)

describe('packs', () => {
  it('gives the pieces back, and is smaller than they are', () => {
    expect(openPack(pack)).toEqual(pieces)
    expect(pack.data.length).toBeLessThan(pack.bytes)
  })

  it('is refused where a piece does not have its hash, or lengths do not add up', () => {
    const { hashes, lengths } = pack
    expect(openPack({ ...pack, hashes: hashes.toReversed() })).toBe(null)
    expect(openPack({ ...pack, hashes: hashes.slice(1), lengths: lengths.slice(1) })).toBe(null)
    expect(openPack({ ...pack, lengths: [...lengths.slice(0, -1), 0] })).toBe(null)
    expect(openPack({ ...pack, bytes: pack.bytes - 1 })).toBe(null)
    expect(openPack({ ...pack, codec: 'later' })).toBe(null)
    expect(openPack({ ...pack, data: pack.data.subarray(0, -3) })).toBe(null)
  })

  it('names bytes by a chain that goes on', () => {
    const hashes = pieces.map(sha256)
    const whole = chainOf(NO_CHAIN, hashes)
    expect(chainOf(chainOf(NO_CHAIN, hashes.slice(0, 2)), hashes.slice(2))).toEqual(whole)
    expect(chainOf(NO_CHAIN, hashes.toReversed())).not.toEqual(whole)
    expect(chainOf(NO_CHAIN, [])).toEqual(NO_CHAIN)
  })
})
