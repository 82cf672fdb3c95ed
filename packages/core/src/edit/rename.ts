/** New names for copied entries. The same copy of the same entry always gets the same one: a plan needs no table of them. */

/** All zeros is what the CLI writes where it means no entry. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

/** The uuid that an entry gets in a copied session. Equal arguments give equal uuids, others different ones. */
export function deriveId(session: string, id: string): string {
  if (id === NOBODY) return id
  const lanes = Int32Array.of(0x2545f491, 0x6c8e9cf5, 0x1b873593, 0x7feb352d)
  stir(lanes, session)
  stir(lanes, '\u0000')
  stir(lanes, id)
  for (let round = 0; round < 3; round++) blend(lanes)
  const hex = [...lanes].map(lane => (lane >>> 0).toString(16).padStart(8, '0')).join('')
  // The form of a random uuid (version 4), as the recorder writes them.
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}

function stir(lanes: Int32Array, text: string): void {
  let [a = 0, b = 0, c = 0, d = 0] = lanes
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 0x9e3779b1) ^ (b >>> 15)
    b = Math.imul(b ^ code, 0x85ebca6b) ^ (c >>> 13)
    c = Math.imul(c ^ code, 0xc2b2ae35) ^ (d >>> 16)
    d = Math.imul(d ^ code, 0x27d4eb2f) ^ (a >>> 14)
  }
  lanes.set([a, b, c, d])
}

function blend(lanes: Int32Array): void {
  let carry = 0
  for (let lane = 0; lane < 4; lane++) {
    let mixed = (lanes[lane] ?? 0) + carry
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b)
    carry = mixed ^ (mixed >>> 16)
    lanes[lane] = carry
  }
  lanes[0] = (lanes[0] ?? 0) ^ carry
}
