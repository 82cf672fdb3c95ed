/** E4: new names for copied entries. The same copy of the same entry always gets the same one: a plan needs no table of them. */

import { type EntryId, entryId } from '../model/ids.js'

/** All zeros is what the CLI writes where it means no entry. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

/** The uuid that an entry gets in a copied session. Equal arguments give equal uuids, others different ones. */
export function deriveId(session: string, id: string): EntryId {
  return renamer(session)(id)
}

/** The same for many entries of one session. */
export function renamer(session: string): (id: string) => EntryId {
  const start = stir(BEGIN, `${session}\u0000`)
  // Rows name their parent, which is nearly always the row before.
  let [last, before] = ['', '']
  let [lastMade, beforeMade] = [entryId(''), entryId('')]
  return id => {
    if (id === last) return lastMade
    if (id === before) return beforeMade
    if (id === NOBODY) return entryId(id)
    before = last
    beforeMade = lastMade
    last = id
    lastMade = entryId(uuidOf(stir(start, id)))
    return lastMade
  }
}

type Lanes = readonly [number, number, number, number]

const BEGIN: Lanes = [0x2545f491, 0x6c8e9cf5, 0x1b873593, 0x7feb352d]

/** Takes a text into the four lanes, each fed by the next. */
function stir(lanes: Lanes, text: string): Lanes {
  let [a, b, c, d] = lanes
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 0x9e3779b1) ^ (b >>> 15)
    b = Math.imul(b ^ code, 0x85ebca6b) ^ (c >>> 13)
    c = Math.imul(c ^ code, 0xc2b2ae35) ^ (d >>> 16)
    d = Math.imul(d ^ code, 0x27d4eb2f) ^ (a >>> 14)
  }
  return [a, b, c, d]
}

/** The form of a random uuid (version 4), as the recorder writes them. Every bit depends on every bit of all lanes. */
function uuidOf(lanes: Lanes): string {
  let [a, b, c, d] = lanes
  for (let round = 0; round < 3; round++) {
    a = mix(a + d)
    b = mix(b + a)
    c = mix(c + b)
    d = mix(d + c)
  }
  return written(a, (b & ~0xf000) | 0x4000, (c & 0x3fffffff) | 0x80000000, d)
}

function mix(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x7feb352d)
  const twice = Math.imul(once ^ (once >>> 15), 0x846ca68b)
  return twice ^ (twice >>> 16)
}

/** All digits at once: a text that is put together from pieces is slow to make and slow to write. */
function written(a: number, b: number, c: number, d: number): string {
  // biome-ignore format: four lanes of eight digits
  return String.fromCharCode(
    digit(a >>> 28), digit(a >>> 24), digit(a >>> 20), digit(a >>> 16), digit(a >>> 12), digit(a >>> 8), digit(a >>> 4), digit(a), DASH,
    digit(b >>> 28), digit(b >>> 24), digit(b >>> 20), digit(b >>> 16), DASH, digit(b >>> 12), digit(b >>> 8), digit(b >>> 4), digit(b), DASH,
    digit(c >>> 28), digit(c >>> 24), digit(c >>> 20), digit(c >>> 16), DASH, digit(c >>> 12), digit(c >>> 8), digit(c >>> 4), digit(c),
    digit(d >>> 28), digit(d >>> 24), digit(d >>> 20), digit(d >>> 16), digit(d >>> 12), digit(d >>> 8), digit(d >>> 4), digit(d),
  )
}

const DASH = 0x2d

/** The character of the lowest four bits. */
function digit(value: number): number {
  const low = value & 15
  return low < 10 ? 0x30 + low : 0x57 + low
}
