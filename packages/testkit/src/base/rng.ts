/** A source of chance that is the same on every machine: no clock, no `Math.random`. */
export interface Rng {
  /** A number in [0, 1). */
  next(): number
  /** A whole number in 0..bound-1. */
  int(bound: number): number
  /** A whole number in low..high, both included. */
  between(low: number, high: number): number
  chance(probability: number): boolean
  /** One of the list, which must not be empty. */
  pick<T>(list: readonly T[]): T
  /** A key, as often as its weight says; null when all weights are zero. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K | null
  /** The same things in another order; the list itself stays as it is. */
  shuffle<T>(list: readonly T[]): T[]
  /** Lower-case hexadecimal digits. */
  hex(digits: number): string
  /** A version 4 uuid. */
  uuid(): string
}

/** Makes a source of chance from a seed: equal seeds give equal sequences. */
export function createRng(seed: number): Rng {
  const bits = createBits(seed)
  const next = (): number => bits() / 0x1_0000_0000
  const int = (bound: number): number => Math.floor(next() * bound)
  const hex = (digits: number): string => hexDigits(bits, digits)
  return {
    next,
    int,
    hex,
    between: (low, high) => low + int(high - low + 1),
    chance: probability => next() < probability,
    pick: list => pickFrom(list, int),
    weighted: weights => pickWeighted(weights, next()),
    shuffle: list => shuffled(list, int),
    uuid: () => uuidFrom(hex(32)),
  }
}

/** Small fast counter generator (sfc32): 128 bits of state, so that a million uuids never meet. */
function createBits(seed: number): () => number {
  let a = seed | 0
  let b = (seed / 0x1_0000_0000) | 0
  let c = 0x9e3779b9 | 0
  let counter = 1
  const bits = (): number => {
    const out = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + out) | 0
    return out >>> 0
  }
  // The first outputs of neighbouring seeds resemble each other.
  for (let round = 0; round < 15; round++) bits()
  return bits
}

/** All groups of four digits: generated sessions are full of uuids, and making their digits took a tenth of the time. */
const FOUR_DIGITS = Array.from({ length: 0x1_0000 }, (_, n) => n.toString(16).padStart(4, '0'))

function hexDigits(bits: () => number, digits: number): string {
  let text = ''
  while (text.length < digits) {
    const drawn = bits()
    text += `${FOUR_DIGITS[drawn >>> 16]}${FOUR_DIGITS[drawn & 0xffff]}`
  }
  return text.slice(0, digits)
}

function uuidFrom(hex: string): string {
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16)
  const groups = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, variant + hex.slice(17, 20)]
  return `${groups.join('-')}-${hex.slice(20, 32)}`
}

function pickFrom<T>(list: readonly T[], int: (bound: number) => number): T {
  if (list.length === 0) throw new RangeError('nothing to pick from: the list is empty')
  const [picked] = list.slice(int(list.length))
  return picked as T
}

function pickWeighted<K extends string>(weights: Readonly<Record<K, number>>, chance: number): K | null {
  const keys = Object.keys(weights) as K[]
  const total = keys.reduce((sum, key) => sum + weights[key], 0)
  let rest = chance * total
  for (const key of keys) {
    rest -= weights[key]
    if (rest < 0) return key
  }
  return null
}

function shuffled<T>(list: readonly T[], int: (bound: number) => number): T[] {
  const rest = [...list]
  const out: T[] = []
  while (rest.length > 0) out.push(...rest.splice(int(rest.length), 1))
  return out
}
