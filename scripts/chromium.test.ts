import { afterEach, expect, test, vi } from 'vitest'
import { findChromium } from './chromium.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

test('a path that is given counts, and no other', () => {
  vi.stubEnv('CHROMIUM', process.execPath)
  expect(findChromium()).toBe(process.execPath)
  vi.stubEnv('CHROMIUM', '/no/such/browser')
  expect(findChromium()).toBeNull()
})
