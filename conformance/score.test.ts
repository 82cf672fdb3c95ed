/** The scorer itself: it passes a reader that is right, and can fail one that is not. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listRecordings } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { isForgotten } from '../packages/core/test/requests.ts'

const ROOT = join(import.meta.dirname, '..')
const RECORDINGS = ['recordings', 'conformance'].flatMap(name => listRecordings(join(ROOT, 'fixtures', name)))
/** One recording for each kind of shape, of several releases; `npm run conformance` tries all. */
const SOME = [
  '2.1.325/s13_rewind',
  '2.1.325/s06',
  '2.1.325/s09',
  '2.1.325/s12_fork',
  '1.0.66/s05',
  '2.1.75/s15',
]

function score(reader: string, ...options: readonly string[]) {
  const only = SOME.flatMap(name => ['--only', name])
  const words = [join(ROOT, 'conformance/score.js'), '--reader', reader, ...only, ...options]
  return spawnSync(process.execPath, words, { encoding: 'utf8', cwd: ROOT })
}

describe('the conformance suite', () => {
  it('finds dagline right in every recording', () => {
    const { status, stdout, stderr } = score('dagline', '--json')
    expect(stderr).toBe('')
    const { recordings, all } = JSON.parse(stdout)
    expect(recordings).toBe(SOME.length)
    expect(all).toMatchObject({ strict: all.sessions, lenient: all.sessions, atCall: all.subagents, lost: 0 })
    expect(all).toMatchObject({ missing: 0, shownAbandoned: 0, subagentsRight: all.subagentFiles })
    expect(status).toBe(0)
  })

  it('finds a flat list wrong: abandoned entries are live, and subagents have no call', () => {
    const { status, stdout } = score('flat')
    expect(status).toBe(1)
    expect(stdout).toContain('has 4 that were not sent (7e083490-9b53-451f-88a5-e5642c1df1c3)')
    expect(stdout).toMatch(/abandoned shown as live {7}4 of 4/)
    expect(stdout).toMatch(/subagents at their call {7}0 of [1-9]/)
  })

  it('says what is wrong with an answer, and skips a reader that is not installed', () => {
    const broken = score(`"${process.execPath}" -e "console.log('[]')"`)
    expect([broken.status, broken.stderr]).toEqual([
      2,
      '1.0.66/s05_subagent: The answer does not keep the contract.\n',
    ])
    const crashed = score(`"${process.execPath}" -e "throw new Error('no such folder')"`)
    expect([crashed.status, crashed.stderr]).toEqual([
      2,
      '1.0.66/s05_subagent: the reader ended with exit code 1. Error: no such folder\n',
    ])
    const absent = score(`"${process.execPath}" -e "console.error('x is not installed.'); process.exit(69)"`)
    expect([absent.status, absent.stderr]).toEqual([
      69,
      '1.0.66/s05_subagent: skipped: x is not installed.\n',
    ])
  })

  it('leaves out only what the release itself forgot', () => {
    const { forgotten } = JSON.parse(readFileSync(join(ROOT, 'conformance/limits.json'), 'utf8'))
    for (const [name, files] of Object.entries<Record<string, readonly string[]>>(forgotten)) {
      const recording = RECORDINGS.find(each => each.name === name)
      for (const [path, uuids] of Object.entries(files)) {
        const end = recording?.truth.live[path]?.live.at(-1) ?? ''
        expect([name, recording !== undefined && isForgotten(recording, path, end, uuids)]).toEqual([
          name,
          true,
        ])
      }
    }
  })

  it('has stored results that count all recordings, with dagline right in all', () => {
    const results: readonly { reader: string; recordings: number; all: Record<string, number> }[] =
      JSON.parse(readFileSync(join(ROOT, 'conformance/results.json'), 'utf8'))
    // One recording has no trace of what happened in its file (limits.json).
    const count = RECORDINGS.length - 1
    expect(results.map(({ recordings }) => recordings)).toEqual(results.map(() => count))
    const own = results.find(({ reader }) => reader.startsWith('dagline'))?.all
    expect(own).toMatchObject({
      strict: own?.sessions,
      lost: 0,
      missing: 0,
      shownAbandoned: 0,
      atCall: own?.subagents,
    })
  })
})
