/** New names for copied entries. The same copy of the same entry always gets the same one: a plan needs no table of them. */

/** All zeros is what the CLI writes where it means no entry. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

/** The uuid that an entry gets in a copied session. Equal arguments give equal uuids, others different ones. */
export function deriveId(session: string, id: string): string {
  return renamer(session)(id)
}

/** The same for many entries of one session. */
export function renamer(session: string): (id: string) => string {
  const start = stir([0x2545f491, 0x6c8e9cf5, 0x1b873593, 0x7feb352d], `${session}\u0000`)
  // Rows name their parent, which is nearly always one of the last rows.
  const recent = new Map<string, string>()
  return id => {
    if (id === NOBODY) return id
    const known = recent.get(id)
    if (known !== undefined) return known
    const made = uuidOf(blend(stir(start, id)))
    if (recent.size >= 64) recent.clear()
    recent.set(id, made)
    return made
  }
}

type Lanes = readonly [number, number, number, number]

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

/** Every bit of the result depends on every bit of all lanes. */
function blend([a, b, c, d]: Lanes): Lanes {
  let [w, x, y, z] = [a, b, c, d]
  for (let round = 0; round < 3; round++) {
    w = mix(w + z)
    x = mix(x + w)
    y = mix(y + x)
    z = mix(z + y)
  }
  return [w, x, y, z]
}

function mix(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x7feb352d)
  const twice = Math.imul(once ^ (once >>> 15), 0x846ca68b)
  return twice ^ (twice >>> 16)
}

/** The form of a random uuid (version 4), as the recorder writes them. */
function uuidOf([a, b, c, d]: Lanes): string {
  const version = (b & ~0xf000) | 0x4000
  const variant = (c & 0x3fffffff) | 0x80000000
  return `${half(a >>> 16)}${half(a)}-${half(version >>> 16)}-${half(version)}-${half(variant >>> 16)}-${half(variant)}${half(d >>> 16)}${half(d)}`
}

/** The lowest 16 bits in four digits. */
function half(value: number): string {
  return `${PAIRS[(value >>> 8) & 0xff] ?? ''}${PAIRS[value & 0xff] ?? ''}`
}

const PAIRS: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
