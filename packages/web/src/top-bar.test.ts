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

test('shows the progress of the index, and its speed once that is known', () => {
  expect(syncText({ status: RUNNING, pace: null })).toBe('indexing 45 %')
  expect(syncText({ status: RUNNING, pace: 120_000_000 })).toBe('indexing 45 % · 120 MB/s')
  expect(syncText({ status: { ...RUNNING, bytes: 0 }, pace: null })).toBe('indexing')
})

test('shows nothing while the index is up to date, and the reason of a failure', () => {
  expect(syncText(null)).toBeNull()
  expect(syncText({ status: { ...RUNNING, state: 'done' }, pace: null })).toBeNull()
  expect(
    syncText({ status: { ...RUNNING, state: 'failed', message: 'The disk is full.' }, pace: null }),
  ).toBe('The disk is full.')
})
