import type { SyncStatus } from '@dagline/core/protocol'
import { expect, test } from 'vitest'
import { syncText } from './top-bar.js'

const RUNNING: SyncStatus = {
  state: 'running',
  bytes: 100,
  bytesDone: 45,
  message: null,
  unread: [],
}

test('shows the progress of the index, its speed and the time left once they are known', () => {
  expect(syncText({ status: RUNNING, pace: null })).toBe('indexing 45 %')
  const large = { ...RUNNING, bytes: 2e9, bytesDone: 9e8 }
  expect(syncText({ status: large, pace: 1e8 })).toBe('indexing 45 % · 100 MB/s · 11 s left')
  expect(syncText({ status: RUNNING, pace: 0 })).toBe('indexing 45 %')
  expect(syncText({ status: { ...RUNNING, bytes: 0 }, pace: null })).toBe('indexing')
})

test('shows nothing while the index is up to date, and the reason of a failure', () => {
  expect(syncText(null)).toBeNull()
  expect(syncText({ status: { ...RUNNING, state: 'done' }, pace: null })).toBeNull()
  expect(
    syncText({ status: { ...RUNNING, state: 'failed', message: 'The disk is full.' }, pace: null }),
  ).toBe('The disk is full.')
})
