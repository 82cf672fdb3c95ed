/**
 * Mutants by seed: transcripts with bytes that nobody writes and values that nobody expects, beside the corruptions that were
 * met. Each has ids of its own, so that many can be read from one root.
 */
import { isJson, type Json, parseJson } from '../base/json.js'
import { createRng, type Rng } from '../base/rng.js'
import { corruptBySeed, type SessionText } from './session.js'

/** A transcript that no reader expects. */
export interface Mutant {
  readonly seed: number
  readonly kinds: readonly string[]
  readonly session: string
  readonly bytes: Uint8Array
}

/** The mutant of a seed: in turns a known corruption, changed bytes and changed values, or some of them together. */
export function mutantBySeed(sources: readonly SessionText[], seed: number): Mutant {
  const rng = createRng(seed)
  const corrupted = corruptBySeed(sources, seed)
  const { session, kinds, text, original } = corrupted
  const steps = STEPS[seed % STEPS.length] ?? []
  const names: string[] = steps.includes('corrupt') ? [...kinds] : []
  let bytes: Uint8Array = Buffer.from(steps.includes('corrupt') ? text : original, 'utf8')
  if (steps.includes('value')) {
    const kind = rng.pick(Object.keys(VALUES))
    const rows = Buffer.from(bytes).toString('utf8').split('\n')
    bytes = Buffer.from(mutateRows(rows, kind, rng).join('\n'), 'utf8')
    names.push(kind)
  }
  if (steps.includes('bytes')) {
    const kind = rng.pick(Object.keys(BYTES))
    bytes = BYTES[kind]?.(bytes, rng, Buffer.from(rng.pick(sources).text, 'utf8')) ?? bytes
    names.push(kind)
  }
  const renamed = (id: string): string => id.replace(UUID_START, seed.toString(16).padStart(4, '0'))
  return { seed, kinds: names, session: renamed(session), bytes: replaceIds(bytes, renamed) }
}

const STEPS: readonly (readonly ('corrupt' | 'value' | 'bytes')[])[] = [
  ['corrupt'],
  ['value'],
  ['bytes'],
  ['value'],
  ['corrupt', 'value'],
  ['value', 'bytes'],
]

const UUID_START = /\b[0-9a-f]{4}(?=[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b)/g

/** Latin-1 has a character for every byte: what is not text survives. */
function replaceIds(bytes: Uint8Array, renamed: (id: string) => string): Uint8Array {
  return Buffer.from(renamed(Buffer.from(bytes).toString('latin1')), 'latin1')
}

type MutateBytes = (bytes: Uint8Array, rng: Rng, other: Uint8Array) => Uint8Array

/** A part of at most so many bytes: its start and end. */
function partOf(bytes: Uint8Array, rng: Rng, most = 2000): readonly [number, number] {
  const start = rng.int(Math.max(1, bytes.length))
  return [start, Math.min(bytes.length, start + rng.between(1, most))]
}

function spliced(bytes: Uint8Array, start: number, end: number, put: Uint8Array | string): Uint8Array {
  return Buffer.concat([bytes.subarray(0, start), Buffer.from(put), bytes.subarray(end)])
}

const BYTES: Readonly<Record<string, MutateBytes>> = {
  'bits flipped': (bytes, rng) => {
    const changed = Uint8Array.from(bytes)
    for (let left = rng.between(1, 200); left > 0; left--) {
      const at = rng.int(changed.length)
      changed[at] = (changed[at] ?? 0) ^ (1 << rng.int(8))
    }
    return changed
  },
  'bytes at random': (bytes, rng) => {
    const [start, end] = partOf(bytes, rng)
    return spliced(
      bytes,
      start,
      end,
      Uint8Array.from({ length: end - start }, () => rng.int(256)),
    )
  },
  'part deleted': (bytes, rng) => spliced(bytes, ...partOf(bytes, rng), ''),
  'part repeated': (bytes, rng) => {
    const [start, end] = partOf(bytes, rng)
    const again = Array.from({ length: rng.between(2, 40) }, () => bytes.subarray(start, end))
    return spliced(bytes, start, end, Buffer.concat(again))
  },
  'part of another session': (bytes, rng, other) => {
    const [start, end] = partOf(other, rng, 20_000)
    return spliced(bytes, ...partOf(bytes, rng), other.subarray(start, end))
  },
  'newlines removed': (bytes, rng) => bytes.filter(byte => byte !== 10 || rng.chance(0.5)),
  'newlines added': (bytes, rng) => {
    let changed = bytes
    for (let left = rng.between(1, 50); left > 0; left--) {
      const at = rng.int(changed.length)
      changed = spliced(changed, at, at, rng.pick(['\n', '\r\n', '\r', '\n\n\n']))
    }
    return changed
  },
  'brackets added': (bytes, rng) => {
    const at = rng.int(bytes.length)
    return spliced(
      bytes,
      at,
      at,
      rng.pick(['{"', '[', ']', '}', '{"a":', '"', '\\']).repeat(rng.between(1, 3000)),
    )
  },
  'invalid UTF-8': (bytes, rng) => {
    const at = rng.int(bytes.length)
    return spliced(
      bytes,
      at,
      at,
      Uint8Array.from(rng.pick([[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf8, 0x88]])),
    )
  },
  'nothing left': () => new Uint8Array(),
  'no newline at all': bytes => bytes.filter(byte => byte !== 10),
}

const ODD: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  0.1,
  2 ** 53,
  '',
  ' ',
  'x',
  '\u0000',
  '\ud800',
  '__proto__',
  '../../../etc/passwd',
  '9999-99-99T99:99:99Z',
  '-271821-04-20T00:00:00.000Z',
  '+275760-09-13T00:00:00.001Z',
  [],
  [null],
  [[[[]]]],
  {},
  { type: null },
  { __proto__: null, constructor: 1, toString: 'x' },
]

/** What takes the place of a value somewhere in a row. */
const VALUES: Readonly<Record<string, (value: unknown, rng: Rng) => unknown>> = {
  'value of another type': (_, rng) => rng.pick(ODD),
  'value in a list': value => [value, value],
  'value in an object': value => ({ value }),
  'value as text': value => JSON.stringify(value) ?? '',
  'value removed': () => undefined,
  'deep value': () => DEEP,
  'long list': (value, rng) => Array.from({ length: rng.between(100, 5000) }, () => value),
  'long text': (_, rng) =>
    rng.pick(['a', 'é', '😀', '\\', '"', '<', ' x']).repeat(rng.between(1000, 200_000)),
  'value of another row': (value, rng) =>
    typeof value === 'string' ? value.slice(rng.int(value.length + 1)) : value,
}

/** The fields by which rows are linked and judged: chance alone would seldom meet them. */
const TELLING = [
  'uuid',
  'parentUuid',
  'logicalParentUuid',
  'sessionId',
  'timestamp',
  'type',
  'subtype',
  'isSidechain',
  'message',
  'content',
  'agentId',
  'toolUseResult',
  'compactMetadata',
  'usage',
  'id',
  'tool_use_id',
  'name',
  'input',
  'version',
  'cwd',
  'isMeta',
]

/** Puts odd values into some rows. */
function mutateRows(rows: readonly string[], kind: string, rng: Rng): readonly string[] {
  const change = VALUES[kind]
  const most = kind.startsWith('long') || kind.startsWith('deep') ? 2 : Math.max(1, rng.int(rows.length))
  const chosen = new Set(rng.shuffle([...rows.keys()]).slice(0, most))
  return rows.map((row, at) => {
    const json = chosen.has(at) ? parseJson(row) : null
    if (json === null || change === undefined) return row
    mutateIn(json, value => change(value, rng), rng)
    return JSON.stringify(json).replaceAll(DEEP_TEXT, () => nested(rng))
  })
}

/** Stands for a value that is nested too deep for `JSON.stringify`. */
const DEEP = '\u0000deep'
const DEEP_TEXT = JSON.stringify(DEEP)

function nested(rng: Rng): string {
  const depth = rng.between(10, rng.pick([3000, 40_000]))
  const [open, close] = rng.pick([
    ['[', ']'],
    ['{"a":', '}'],
  ] as const)
  return `${open.repeat(depth)}1${close.repeat(depth)}`
}

/** Changes one field of an object, or of one inside of it. */
function mutateIn(json: Json, change: (value: unknown) => unknown, rng: Rng): void {
  const keys = Object.keys(json)
  const telling = keys.filter(key => TELLING.includes(key))
  const key =
    telling.length > 0 && rng.chance(0.7) ? rng.pick(telling) : keys.length > 0 ? rng.pick(keys) : 'x'
  const value = json[key]
  const inner = Array.isArray(value) ? value.filter(isJson) : isJson(value) ? [value] : []
  if (inner.length > 0 && rng.chance(0.7)) mutateIn(rng.pick(inner), change, rng)
  else json[key] = change(value)
}
