import type { SyncStatus } from '@dagline/core'
import { expect, test } from 'vitest'
import { syncWords } from './top-bar.js'

const RUNNING: SyncStatus = {
  state: 'running',
  files: 9,
  filesDone: 4,
  bytes: 100,
  bytesDone: 45,
  message: null,
  unread: [],
}

test('says how far the index is, and how fast it gets on once that is known', () => {
  expect(syncWords({ status: RUNNING, pace: null })).toBe('indexing 45 %')
  expect(syncWords({ status: RUNNING, pace: 120_000_000 })).toBe('indexing 45 % · 120 MB/s')
  expect(syncWords({ status: { ...RUNNING, bytes: 0 }, pace: null })).toBe('indexing')
})

test('says nothing where there is nothing to say, and why it failed', () => {
  expect(syncWords(null)).toBeNull()
  expect(syncWords({ status: { ...RUNNING, state: 'done' }, pace: null })).toBeNull()
  expect(
    syncWords({ status: { ...RUNNING, state: 'failed', message: 'The disk is full.' }, pace: null }),
  ).toBe('The disk is full.')
})
