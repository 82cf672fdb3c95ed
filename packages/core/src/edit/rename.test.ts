import { describe, expect, it } from 'vitest'
import { deriveId } from './rename.js'

describe('new names', () => {
  it('[E4] are uuids, the same for the same copy of the same entry, and others for others', () => {
    const ids = new Set<string>()
    for (let session = 0; session < 20; session++)
      for (let entry = 0; entry < 2000; entry++) ids.add(deriveId(`s${session}`, `e${entry}`))
    expect(ids.size).toBe(40_000)
    expect(deriveId('s1', 'e1')).toBe(deriveId('s1', 'e1'))
    for (const id of [...ids].slice(0, 200))
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it('[E4] what names nobody stays so', () => {
    const nobody = '00000000-0000-0000-0000-000000000000'
    expect(deriveId('s1', nobody)).toBe(nobody)
  })

  it('[E4] where one name ends and the other begins makes a difference', () => {
    expect(deriveId('a', 'bc')).not.toBe(deriveId('ab', 'c'))
  })
})
