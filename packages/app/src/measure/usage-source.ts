/**
 * X10: where the figures of usage come from. An index that is up to date answers every question. Where there is none, or it
 * lags far behind, a pass over the transcripts answers what needs no graph, and leaves the index as it is.
 */
import { existsSync } from 'node:fs'
import { gatherUsage, type UsageBucket } from '@dagline/core/measure'
import {
  type Archive,
  allPresent,
  archivePath,
  bytesBehind,
  type FoundRoot,
  type IndexStore,
  openIndex,
  type PresentFile,
  StoreError,
} from '@dagline/store'
import { findRoots, nothingFound } from '../files/projects.js'
import type { Host } from '../host/host.js'
import { openArchiveIfAny } from '../index/archive.js'
import { archivedParts, askIndex, type IndexOptions, usualIndex } from '../index/open.js'
import { readUsageParts } from './usage-pass.js'

/** Which figures are wanted. */
interface UsageQuestion extends IndexOptions {
  /** Whether sessions, subagents or branches matter, which only the graph knows. */
  readonly needsGraph: boolean
  /** Times that no bucket may lie on both sides of. */
  readonly cuts: readonly number[]
}

/** A sync costs about ten times as much for each byte as the pass does. */
const SYNC_COST = 10

/** The usage of all roots. */
export async function usageOfRoots(host: Host, question: UsageQuestion): Promise<readonly UsageBucket[]> {
  const found = findRoots([], host)
  const archive = openArchiveIfAny(archivePath(), host.note)
  try {
    const roots = rootsWith(found, archive)
    const files = roots.flatMap(root => root.files)
    if (files.length === 0) host.note(nothingFound([], host))
    const path = question.index ?? usualIndex()
    const behind = existsSync(path) ? readBehind(path, roots) : Number.POSITIVE_INFINITY
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    if (!question.needsGraph && behind * SYNC_COST > bytes)
      return gatherUsage(readUsageParts(host, files, archive), question.cuts)
    return await usageFromIndex(host, { ...question, found })
  } finally {
    archive?.close()
  }
}

interface PresentRoot {
  readonly root: string
  readonly files: readonly PresentFile[]
}

function rootsWith(found: readonly FoundRoot[], archive: Archive | null): readonly PresentRoot[] {
  const archived = archivedParts(found, archive)
  return found.map(root => ({ root: root.root, files: allPresent(root, archived(root)) }))
}

/** How many bytes an index lags behind. One that cannot be opened knows nothing. */
function readBehind(path: string, roots: readonly PresentRoot[]): number {
  let index: IndexStore | null = null
  try {
    const opened = openIndex(path, { readOnly: true })
    index = opened
    return roots.reduce((sum, { root, files }) => sum + bytesBehind(opened, root, files), 0)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return Number.POSITIVE_INFINITY
  } finally {
    index?.close()
  }
}

async function usageFromIndex(host: Host, question: UsageQuestion): Promise<readonly UsageBucket[]> {
  return await askIndex(host, question, ({ index, roots }) => gatherUsage(index.usage(roots), question.cuts))
}
