/** Verdicts of a batch whose graphs are built while its files are read, against graphs that are built from held rows. */
import { join } from 'node:path'
import { STYLE_NAMES } from '@dagline/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ReadJob } from '../src/db/facts.js'
import { discover } from '../src/files/discover.js'
import { byPath } from '../src/sync/disjoint-sets.js'
import type { GroupVerdict } from '../src/sync/judge.js'
import { presentFiles } from '../src/sync/plan.js'
import { Precomputation } from '../src/sync/precompute.js'
import { readFacts } from '../src/sync/read.js'
import { temporaryFolder } from './temporary.js'
import { aChange, type Change, World } from './world.js'

const runs = { numRuns: Number(process.env['DAGLINE_RUNS'] ?? 5), seed: 20_261_119 }

const aStory = fc.record({
  seed: fc.integer({ min: 1, max: 1_000_000 }),
  changes: fc.array(aChange, { maxLength: 6 }),
})

describe.each(STYLE_NAMES)('conversations as %s writes them', style => {
  it('[I1] are judged alike whether rows are held or not, and in whatever order files are read', () => {
    const folder = temporaryFolder()
    let nth = 0
    const check = ({ seed, changes }: { seed: number; changes: readonly Change[] }): void => {
      const world = new World(join(folder, String(nth++)))
      world.add(seed, { style, actions: 6 }, 1)
      for (const change of changes) world.apply(change)
      const jobs = jobsOf(world.root)
      const held = verdictsOn(jobs, Number.POSITIVE_INFINITY)
      expect(held.length).toBeGreaterThan(0)
      expect(verdictsOn(jobs, 0)).toEqual(held)
      expect(verdictsOn([...jobs].reverse(), 0)).toEqual(held)
      // Some files are in graphs, others are not.
      expect(verdictsOn(jobs, Math.max(...jobs.map(({ bytes }) => bytes)))).toEqual(held)
    }
    fc.assert(fc.property(aStory, check), runs)
  })
})

function jobsOf(root: string): readonly ReadJob[] {
  const present = discover([root])
    .flatMap(found => presentFiles(found, null))
    .sort(byPath)
  return present.map(({ root, path, project, facts, bytes }, file) => ({
    ...{ file: file + 1, root, path, project, facts, bytes },
    archive: null,
    from: null,
  }))
}

/** The verdicts on files of a batch, where those of so many bytes and more go into graphs at once. */
function verdictsOn(jobs: readonly ReadJob[], worthGraph: number): readonly GroupVerdict[] {
  const precomputation = new Precomputation(worthGraph)
  for (const job of jobs) {
    const end = readFacts(job, (chunk, rows) => precomputation.addChunk(job, chunk, rows))
    precomputation.endFile(job, end)
  }
  return [...precomputation.verdicts()].sort((a, b) => (a.files[0] ?? 0) - (b.files[0] ?? 0))
}
