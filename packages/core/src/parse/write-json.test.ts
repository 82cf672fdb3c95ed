import { describe, expect, it } from 'vitest'
import { writeJson } from './write-json.js'

const DEPTH = 100_000

const nested = (inner: string): string => `${'{"a":['.repeat(DEPTH)}${inner}${']}'.repeat(DEPTH)}`

describe('JSON as it is written', () => {
  it('[E11] is that of the engine, at any depth', () => {
    const text = nested('{"b":null,"c":[1,"\\u0000\\"",true],"d":{},"e":[]}')
    expect(writeJson(JSON.parse(text)) === text).toBe(true)
  })

  it('[E11] leaves out what is undefined, as the engine does', () => {
    const deep: unknown = JSON.parse(nested('1'))
    expect(writeJson({ a: undefined, b: [undefined], deep }).startsWith('{"b":[null],"deep":{"a":[')).toBe(
      true,
    )
  })
})
