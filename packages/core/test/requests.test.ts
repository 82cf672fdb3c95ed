/**
 * Every recorded request, not only the last: the transcript is cut before each reply, and what is live then is what the
 * request carried, in its order.
 */
import { listRecordings, type Recording } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { liveIds, prefixBuilder, recordingDirs } from './recorded.js'
import { compareRequests, isForgotten, type RequestDifference } from './requests.js'

describe.each(recordingDirs)('requests in %s', dir => {
  it.each(listRecordings(dir).map(recording => [recording.name, recording] as const))(
    '[L3] %s: before every reply, live is what the request carried',
    (_, recording) => {
      expect(wrongRequests(recording)).toEqual([])
    },
  )
})

/** One sentence for each request that differs, without those that no reader of the file can know. */
function wrongRequests(recording: Recording): readonly string[] {
  const buildBefore = prefixBuilder(recording)
  const differences = compareRequests(recording, ({ file, row }) => liveIds(buildBefore(file, row), file))
  return differences
    .filter(difference => !isUnknowable(recording, difference))
    .map(({ n, file, row, missing, extra, order }) => {
      const counts = `missing ${missing.length}, extra ${extra.length}, order ${order.length > 0 ? 'differs' : 'same'}`
      return `request ${n}, ${file.split('/').at(-1)} before row ${row}: ${counts}`
    })
}

/**
 * The release itself forgot something; or the last reply broke off, which nothing in the file tells: it may as well be
 * still under way. docs/LIMITS.md lists both.
 */
function isUnknowable(
  recording: Recording,
  { file, reply, missing, extra, order, brokenOff }: RequestDifference,
): boolean {
  if (missing.length + order.length > 0) return false
  return extra.every(uuid => brokenOff.includes(uuid)) || isForgotten(recording, file, reply, extra)
}
