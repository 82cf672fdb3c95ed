import { afterEach, expect, test, vi } from 'vitest'
import { findPostgres } from './postgres.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

test('a folder of programs that is given counts, and no other', () => {
  vi.stubEnv('POSTGRES', '/no/such/folder')
  expect(findPostgres()).toBeNull()
})
