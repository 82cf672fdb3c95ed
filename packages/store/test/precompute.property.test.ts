/** Verdicts of a batch whose graphs are built while its files are read, against graphs that are built from its packed rows. */
import { join } from 'node:path'
import { unpackRows } from '@dagline/core/parse'
import { STYLE_NAMES } from '@dagline/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ReadJob } from '../src/db/facts.js'
import { discover } from '../src/files/discover.js'
import { readBatchHere } from '../src/sync/batch.js'
import { type GroupFile, type GroupVerdict, judgeGroup } from '../src/sync/judge.js'
import { presentFiles } from '../src/sync/plan.js'
import { temporaryFolder } from './temporary.js'
import { aChange, type Change, World } from './world.js'

const runs = { numRuns: Number(process.env['DAGLINE_RUNS'] ?? 5), seed: 20_261_119 }

const aStory = fc.record({
  seed: fc.integer({ min: 1, max: 1_000_000 }),
  changes: fc.array(aChange, { maxLength: 6 }),
})

describe.each(STYLE_NAMES)('conversations as %s writes them', style => {
  it('[I1] are judged alike whether their rows are held or not, and in whatever order files are given', async () => {
    const folder = temporaryFolder()
    let nth = 0
    const check = async ({ seed, changes }: { seed: number; changes: readonly Change[] }) => {
      const world = new World(join(folder, String(nth++)))
      world.add(seed, { style, actions: 6 }, 1)
      for (const change of changes) world.apply(change)
      const jobs = jobsOf(world.root)
      const forward = await verdictsOn(jobs)
      expect(forward.length).toBeGreaterThan(0)
      for (const { built, given } of forward) expect(given).toEqual(built)
      expect((await verdictsOn([...jobs].reverse())).map(({ given }) => given)).toEqual(
        forward.map(({ given }) => given),
      )
    }
    await fc.assert(fc.asyncProperty(aStory, check), runs)
  })
})

function jobsOf(root: string): readonly ReadJob[] {
  const present = discover([root]).flatMap(found => presentFiles(found, null))
  return present.map(({ root, path, project, facts, bytes }, file) => ({
    ...{ file: file + 1, root, path, project, facts, bytes },
    archive: null,
    from: null,
  }))
}

/** Each verdict on files of a batch, with the one from the rows that were sent. */
async function verdictsOn(
  jobs: readonly ReadJob[],
): Promise<readonly { readonly given: GroupVerdict; readonly built: GroupVerdict }[]> {
  const rows = new Map<number, string[]>()
  const files = new Map<number, GroupFile>()
  const verdicts: GroupVerdict[] = []
  await readBatchHere(
    jobs.map((job, at) => [at, job] as const),
    {
      first: 0,
      chunk: (at, chunk) => void rows.set(at, [...(rows.get(at) ?? []), chunk.rows]),
      end: (at, { bytes, diagnostics }) => {
        const job = jobs[at]
        if (job !== undefined)
          files.set(job.file, { ...job, id: job.file, bytes, diagnostics, isArchived: false })
      },
      verdict: verdict => void verdicts.push(verdict),
      isStopped: () => false,
    },
    async () => {},
  )
  return verdicts
    .map(given => {
      const members = given.files.flatMap(id => files.get(id) ?? [])
      const rowsOf = ({ id }: GroupFile) =>
        (rows.get(jobs.findIndex(({ file }) => file === id)) ?? []).flatMap(unpackRows)
      return { given, built: judgeGroup(members.map(file => ({ file, rows: rowsOf(file) }))) }
    })
    .sort((a, b) => (a.given.files[0] ?? 0) - (b.given.files[0] ?? 0))
}
