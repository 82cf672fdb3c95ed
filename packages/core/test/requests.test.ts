/**
 * Every recorded request, not only the last: the transcript is cut before each reply, and what is live then is what the
 * request carried, in its order.
 */
import { compareRequests, isForgotten, listRecordings, type Recording } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { liveIds, prefixBuilder, recordingDirs } from './recorded.js'

describe.each(recordingDirs)('requests in %s', dir => {
  it.each(listRecordings(dir).map(recording => [recording.name, recording] as const))(
    '[L3] %s: before every reply, live is what the request carried',
    (_, recording) => {
      expect(wrongRequests(recording)).toEqual([])
    },
  )
})

/** One sentence for each request that differs, without those where the release itself forgot something. */
function wrongRequests(recording: Recording): readonly string[] {
  const buildBefore = prefixBuilder(recording)
  const differences = compareRequests(recording, ({ file, row }) => liveIds(buildBefore(file, row), file))
  return differences.flatMap(({ n, file, row, reply, missing, extra, order }) => {
    const isRight = missing.length + order.length === 0 && isForgotten(recording, file, reply, extra)
    if (isRight) return []
    const counts = `missing ${missing.length}, extra ${extra.length}, order ${order.length > 0 ? 'differs' : 'same'}`
    return [`request ${n}, ${file.split('/').at(-1)} before row ${row}: ${counts}`]
  })
}
