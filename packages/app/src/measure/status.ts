/** J4: measures what a status line shows. */
import { isoDay } from '@dagline/core/format'
import { blocksOf, tallyBuckets, type UsageBucket } from '@dagline/core/measure'
import type { Host } from '../host/host.js'
import { bucketsOf } from '../index/buckets.js'
import { askIndex, type IndexOptions } from '../index/open.js'
import { releaseStatus, type StatusFigures, writeStatus } from '../text/status-file.js'

/** Measures the figures of a session, and keeps them for its status line. */
export async function measureStatus(
  host: Host,
  session: string,
  options: IndexOptions,
): Promise<StatusFigures> {
  try {
    const figures = await askIndex(host, options, ({ index, roots }) => {
      const fact = index.sessions(roots).find(each => each.session === session)
      return figuresOf(bucketsOf(index, roots), session, { now: Date.now(), branches: fact?.branches ?? 0 })
    })
    writeStatus(session, figures)
    return figures
  } finally {
    releaseStatus(session)
  }
}

interface Known {
  readonly now: number
  readonly branches: number
}

function figuresOf(
  buckets: readonly UsageBucket[],
  session: string,
  { now, branches }: Known,
): StatusFigures {
  const costOf = (some: readonly UsageBucket[]): number | null =>
    tallyBuckets(some, 'day', isoDay).totals.cost
  const block = blocksOf(buckets, now).find(({ isActive }) => isActive)
  const today = isoDay(now)
  return {
    at: now,
    session: costOf(buckets.filter(bucket => bucket.session === session)),
    today: costOf(buckets.filter(({ first }) => first !== null && isoDay(first) === today)),
    block: block?.cost ?? null,
    blockEnd: block?.end ?? null,
    branches,
  }
}
