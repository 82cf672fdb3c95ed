import { afterEach, expect, test, vi } from 'vitest'
import { findEngine } from './engines.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

test('a Python that is given counts, and no other; an empty one switches its engines off', () => {
  vi.stubEnv('DAGLINE_PYTHON', '/some/python')
  expect(findEngine('spark')).toBe('/some/python')
  vi.stubEnv('DAGLINE_PYTHON', '')
  expect(findEngine('clickhouse')).toBeNull()
})

test('an engine whose installation was cut off is not there', () => {
  vi.stubEnv('DAGLINE_PYTHON', undefined)
  vi.stubEnv('XDG_CACHE_HOME', '/no/such/folder')
  expect(findEngine('clickhouse')).toBeNull()
})
