/** What could not be read is never written: every read of every command that writes fails once. */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestHome } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { hashesBelow, inHome, named, runOnCopy } from './faulty-home.js'
import type { ReadFault } from './read-faults.js'
import { settle } from './rested.js'

/** Commands that write, with words for the conversation: `REF` is a prompt that was left, `LIVE` the last one. */
const EDITS: readonly (readonly string[])[] = [
  ['repair', 's2', '--yes'],
  ['repair', 's2', '--yes', '--in-place'],
  ['repair', 's2', '--yes', '--only', 'dangling-parent'],
  ['checkout', 's1'],
  ['checkout', 'latest'],
  ['checkout', 'REF'],
  ['checkout', 's1#agent-x'],
  ['fork', 'LIVE'],
  ['pick', 'REF', '--onto', 's1'],
  ['trim', 's1', '--outputs', '10', '--progress'],
  ['split', 's1', '--at', 'LIVE'],
  ['mv', '/home/dev/proj', '/srv/proj', '--yes', '--deep'],
]
/** A move that has begun asks each file again before its rename, and goes on from there when it is made again (M5). */
const ASKING = EDITS.filter(([command]) => command !== 'mv')
const FORMATS = ['html', 'md', 'json', 'jsonl', 'parquet']
const EXPORTS: readonly (readonly string[])[] = [
  ...FORMATS.map(format => ['export', 's1', '--branch', 'all', '--format', format, '--out', 'OUT/made']),
  ['export', 's1', '--format', 'md', '--redact', '--out', 'OUT/made'],
  ['export', 's1', '--format', 'md', '--out', '-'],
  ['export', '--project', 'proj', '--format', 'md', '--out', 'OUT/made'],
]

/** Runs a command once for every one of its reads, each time with that one failing. */
async function failEach(
  home: TestHome,
  given: readonly string[],
  fault: Pick<ReadFault, 'kind' | 'of'>,
): Promise<readonly string[]> {
  const words = named(home, given)
  const before = hashesBelow(home.projects)
  const well = await runOnCopy(home, words, { at: 0, ...fault })
  if (well.code !== 0) return [`without a fault: ${well.code} ${well.stderr}`]
  const wrong: string[] = []
  for (let at = 1; at <= well.reads; at++) {
    const { code, stderr, root, out } = await runOnCopy(home, words, { at, ...fault })
    const isSentence = /could not be read|was cut|\(EIO\)/.test(stderr) && !stderr.includes('internal error')
    if (code !== 1 || !isSentence) wrong.push(`read ${at} of ${well.reads}: exit ${code}, ${stderr}`)
    if (JSON.stringify(root) !== JSON.stringify(before)) wrong.push(`read ${at}: the root changed`)
    if (out.length > 0) wrong.push(`read ${at}: ${out} was left`)
  }
  return wrong
}

describe('a read that fails', () => {
  it.each(EDITS)('[E12] refuses the edit: %s %s %s %s', { timeout: 240_000 }, async (...words) => {
    await inHome(async home => {
      expect(await failEach(home, words, { kind: 'EIO' })).toEqual([])
      expect(await failEach(home, words, { kind: 'cut' })).toEqual([])
    })
  })

  it.each(ASKING)(
    '[E12] refuses the edit where a file cannot be asked for: %s %s %s %s',
    {
      timeout: 240_000,
    },
    async (...words) => {
      await inHome(async home => {
        expect(await failEach(home, words, { kind: 'EIO', of: 'stats' })).toEqual([])
      })
    },
  )

  it.each(EXPORTS)('[E12] refuses the export: %s %s %s %s %s %s', { timeout: 240_000 }, async (...words) => {
    await inHome(async home => {
      expect(await failEach(home, words, { kind: 'EIO' })).toEqual([])
      expect(await failEach(home, words, { kind: 'cut' })).toEqual([])
    })
  })

  it.each([
    ['repair', 's2', '--yes', '--in-place'],
    ['fork', 's2', '--dry-run'],
    ['trim', 's2', '--outputs', '10'],
    ['export', 's2', '--format', 'jsonl', '--out', 'OUT/made'],
  ])(
    '[E12] in the middle of a long transcript keeps all of its rows: %s %s %s',
    {
      timeout: 240_000,
    },
    async (...words) => {
      await inHome(async home => {
        lengthen(join(home.projects, '-home-dev-proj', 's2.jsonl'))
        expect(await failEach(home, words, { kind: 'EIO' })).toEqual([])
      })
    },
  )
})

/** Gives a transcript rows of three further megabytes: it takes several reads. */
function lengthen(path: string): void {
  const row = `${JSON.stringify({ type: 'mode', mode: 'x'.repeat(10_000) })}\n`
  appendFileSync(path, row.repeat(300))
  settle(path)
}
