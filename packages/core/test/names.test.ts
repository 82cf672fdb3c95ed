import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createNames, find, hashOf, intern, type Names, nameOf } from '../src/graph/names.js'

/** Strings that a hash or an object could stumble over. */
const odd = fc.constantFrom(
  '',
  ' ',
  '__proto__',
  'constructor',
  'toString',
  '\u0000',
  '\ud800',
  '\udc00\ud800',
  'é',
  'e\u0301',
  'x'.repeat(128),
  'x'.repeat(129),
  `${'x'.repeat(64)}a${'x'.repeat(64)}`,
  `${'x'.repeat(64)}b${'x'.repeat(64)}`,
)

/** Long texts that differ only in the middle, which the hash does not look at: they all collide. */
const colliding = fc.nat(50).map(n => `${'h'.repeat(64)}${String(n).padStart(40, '-')}${'t'.repeat(64)}`)
const strings = fc.oneof(odd, colliding, fc.string({ unit: 'binary' }), fc.uuid(), fc.nat(300).map(String))

function interned(list: readonly string[]): Names {
  const names = createNames()
  for (const name of list) intern(names, name)
  return names
}

describe('names', () => {
  it('[G8] property: intern and find answer as a plain Map does', () => {
    fc.assert(
      fc.property(
        fc.array(strings, { maxLength: 400 }),
        fc.array(strings, { maxLength: 50 }),
        (list, asked) => {
          const names = createNames()
          const map = new Map<string, number>()
          for (const name of list) {
            const known = map.get(name) ?? map.size
            map.set(name, known)
            expect(intern(names, name)).toBe(known)
          }
          expect(names.list).toEqual([...map.keys()])
          for (const name of [...list, ...asked]) expect(find(names, name)).toBe(map.get(name) ?? -1)
          for (const [name, index] of map) expect(nameOf(names, index)).toBe(name)
        },
      ),
    )
  })

  it('[G8] texts that collide are still told apart, over several growths', () => {
    const texts = Array.from(
      { length: 2000 },
      (_, i) => `${'h'.repeat(64)}${String(i).padStart(40, '-')}${'t'.repeat(64)}`,
    )
    expect(new Set(texts.map(hashOf)).size).toBe(1)
    const names = interned(texts)
    expect(texts.map(text => find(names, text))).toEqual(texts.map((_, i) => i))
  })

  it('[G8] a hundred thousand uuids, each found again', () => {
    const uuids = Array.from(
      { length: 100_000 },
      (_, i) => `${i.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`,
    )
    const names = interned(uuids)
    expect(uuids.every((uuid, i) => find(names, uuid) === i)).toBe(true)
    expect(find(names, 'absent')).toBe(-1)
  })

  it('[G8] hashes of uuids spread: few meet in as many slots', () => {
    const uuids = Array.from(
      { length: 10_000 },
      (_, i) => `00000000-0000-4000-8000-${i.toString(16).padStart(12, '0')}`,
    )
    const slots = new Set(uuids.map(uuid => hashOf(uuid) & 0x7fff))
    expect(slots.size).toBeGreaterThan(7500)
  })

  it('[P7] names of Object.prototype are names like any other', () => {
    const names = interned(['a'])
    expect(['__proto__', 'constructor', 'hasOwnProperty'].map(name => find(names, name))).toEqual([
      -1, -1, -1,
    ])
    expect(intern(names, '__proto__')).toBe(1)
    expect(find(names, '__proto__')).toBe(1)
  })

  it('[G8] a number that was never given has no name', () => {
    expect(nameOf(createNames(), 7)).toBe('')
  })
})
