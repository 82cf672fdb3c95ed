/** X4: usage from the index, added up. */

import { gatherUsage, type UsageBucket } from '@dagline/core/measure'
import { type IndexStore, readBuckets, readDays } from '@dagline/store'
import { currentPrices } from '../host/prices.js'

/** The usage of some roots. Two roots may hold the same messages: then all messages are compared. */
export function bucketsOf(index: IndexStore, roots: readonly number[]): readonly UsageBucket[] {
  const [root] = roots
  if (root === undefined) return []
  return roots.length === 1
    ? readBuckets(index, root, currentPrices())
    : gatherUsage(index.usage(roots), currentPrices())
}

/** The same by day, project and model only; null where that is not kept, or not for these roots together. */
export function daysOf(index: IndexStore, roots: readonly number[]): readonly UsageBucket[] | null {
  const [root] = roots
  return root === undefined || roots.length > 1 ? null : readDays(index, root, currentPrices())
}
