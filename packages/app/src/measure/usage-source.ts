/**
 * X10: where the figures of usage come from. An index that is up to date answers every question. Where there is none, or it
 * lags far behind, a pass over the transcripts answers what needs no graph, and leaves the index as it is.
 */
import { existsSync } from 'node:fs'
import { gatherUsage, type UsageBucket } from '@dagline/core/measure'
import {
  type Archive,
  archivePath,
  bytesBehind,
  type FoundRoot,
  type IndexStore,
  openIndex,
  type PresentFile,
  StoreError,
} from '@dagline/store'
import { withEngine } from '../host/engine.js'
import type { Host } from '../host/host.js'
import { currentPrices } from '../host/prices.js'
import { openArchiveIfAny, type PresentRoot, presentRoots } from '../index/archive.js'
import { bucketsOf, daysOf } from '../index/buckets.js'
import type { IndexOptions } from '../index/open.js'
import { usualIndex } from '../index/path.js'

/** Which figures are wanted. */
interface UsageQuestion extends IndexOptions {
  /** Whether sessions, subagents or branches matter, which only the graph knows. */
  readonly needsGraph: boolean
  /** Whether sums of days are as good as any: neither the hour matters nor what only the graph knows. */
  readonly byDay: boolean
  /** Times that no bucket may lie on both sides of. */
  readonly cuts: readonly number[]
  /** What was found below the roots. */
  readonly found: readonly FoundRoot[]
}

/** A sync costs about ten times as much for each byte as the pass does. */
const SYNC_COST = 10

/** The usage of all roots. */
export async function usageOfRoots(host: Host, question: UsageQuestion): Promise<readonly UsageBucket[]> {
  // HU49: days are those of the command's time zone, which a hub does not know.
  if (host.pushed !== undefined)
    return usageIn(host.pushed.index, host.pushed.roots, { ...question, byDay: false })
  const archive = openArchiveIfAny(archivePath(), host.note)
  try {
    // An index that is up to date has answered before optimised code is ready.
    const known = await withEngine('brief', async () => readKnown(archive, question))
    if (typeof known.current !== 'number') return known.current
    const bytes = known.files.reduce((sum, file) => sum + file.bytes, 0)
    if (!question.needsGraph && known.current * SYNC_COST > bytes) {
      const { readUsageParts } = await import('./usage-pass.js')
      return gatherUsage(readUsageParts(host, known.files, archive), currentPrices(), question.cuts)
    }
  } finally {
    archive?.close()
  }
  const { askIndex } = await import('../index/open.js')
  return await askIndex(host, question, ({ index, roots }) => usageIn(index, roots, question))
}

interface Known {
  readonly files: readonly PresentFile[]
  /** The usage, where the index is up to date; else how many bytes it lags behind. */
  readonly current: readonly UsageBucket[] | number
}

/** What is there, and what the index knows of it. */
function readKnown(archive: Archive | null, question: UsageQuestion): Known {
  const roots = presentRoots(question.found, archive)
  const files = roots.flatMap(root => root.files)
  const path = question.index ?? usualIndex()
  return {
    files,
    current: existsSync(path) ? readCurrent(path, roots, question) : Number.POSITIVE_INFINITY,
  }
}

/**
 * The usage from an index that is up to date; else how many bytes it lags behind. One that cannot be read, or is damaged,
 * knows nothing. Nothing is written, and no lock is taken.
 */
function readCurrent(
  path: string,
  roots: readonly PresentRoot[],
  question: UsageQuestion,
): readonly UsageBucket[] | number {
  let index: IndexStore | null = null
  try {
    const opened = openIndex(path, { readOnly: true })
    index = opened
    const behind = roots.reduce((sum, { root, files }) => sum + bytesBehind(opened, root, files), 0)
    if (behind > 0) return behind
    const ids = roots.flatMap(({ root }) => opened.findRoot(root) ?? [])
    return usageIn(opened, ids, question)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return Number.POSITIVE_INFINITY
  } finally {
    index?.close()
  }
}

/** The usage of some roots of an index, from the coarsest sums that answer the question. */
function usageIn(
  index: IndexStore,
  roots: readonly number[],
  { byDay, cuts }: Pick<UsageQuestion, 'byDay' | 'cuts'>,
): readonly UsageBucket[] {
  const isCut = ({ first, last }: UsageBucket): boolean =>
    first !== null && last !== null && cuts.some(cut => first < cut && cut <= last)
  const days = byDay ? daysOf(index, roots) : null
  if (days?.some(isCut) === false) return days
  const buckets = bucketsOf(index, roots)
  return buckets.some(isCut) ? gatherUsage(index.usage(roots), currentPrices(), cuts) : buckets
}
