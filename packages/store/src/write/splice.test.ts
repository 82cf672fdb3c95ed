import { describe, expect, it } from 'vitest'
import { Splicer } from './splice.js'

function splice(text: string, fields: Readonly<Record<string, unknown>>, step: number): unknown {
  const pieces: Buffer[] = []
  const entries = Object.entries(fields).map(([name, value]) => [name, JSON.stringify(value)] as const)
  const splicer = new Splicer(new Map(entries), bytes => pieces.push(Buffer.from(bytes)))
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += step) splicer.write(bytes.subarray(at, at + step))
  return JSON.parse(Buffer.concat(pieces).toString())
}

const RECORD = {
  uuid: 'old',
  message: { uuid: 'inside', content: [{ text: 'a "quoted\\ {uuid: [", "uuid": ", }' }], n: -1.5e3 },
  'od"d': null,
  parentUuid: null,
  list: [1, { uuid: 'x' }, []],
  sessionId: 's',
  last: true,
}

describe('setting fields of a row that passes by', () => {
  it.each([1, 2, 3, 7, 64, 10_000])(
    '[P6] [E4] changes the outer fields and nothing else, in pieces of %i bytes',
    step => {
      const fields = { uuid: 'new', parentUuid: 'p', sessionId: 't', last: { a: [1] }, added: 'ü' }
      for (const text of [JSON.stringify(RECORD), JSON.stringify(RECORD, null, 1)])
        expect(splice(text, fields, step)).toEqual({ ...RECORD, ...fields })
    },
  )

  it('[E4] without fields gives the same bytes', () => {
    expect(splice(JSON.stringify(RECORD), {}, 5)).toEqual(RECORD)
  })
})
