/** HU56: the health of pushed sessions is that which the doctor finds at home, as far as transcripts alone tell. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasResumeProblem } from '@dagline/core/faults'
import type { HealthPage } from '@dagline/core/protocol'
import { corruptedSessions, sessionTexts, type TextFile } from '@dagline/testkit'
import { expect, it, vi } from 'vitest'
import { checkout } from '../src/edits/edits.js'
import { repairSession } from '../src/edits/repair.js'
import { type Examined, examineAt } from '../src/health/examine.js'
import { openHistory } from '../src/history.js'
import { silentHost } from '../src/host/host.js'
import type { HealthPart } from '../src/live/pushed-health.js'
import type { PushedHistory } from '../src/live-history.js'
import { withPushed } from './pushed-home.js'

const COUNT = 80

/** Each in a project of its own: several have the same ids. */
const CORRUPTED: readonly TextFile[] = [
  ...corruptedSessions(sessionTexts('fixtures/recordings'), { count: COUNT }),
].map(({ seed, session, text }) => ({ path: `-seed-${seed}/${session}.jsonl`, text }))

/** What only the disk of a machine shows. */
const OF_DISK = new Set(['wrong-folder', 'missing-folder', 'missing-output', 'swept-soon'])

/** Commands are other ones on a hub. */
function comparable(all: readonly Examined[]) {
  return all
    .map(({ faults, ...health }) => ({
      ...health,
      faults: faults.filter(({ id }) => !OF_DISK.has(id)).map(({ fix: _, ...fault }) => fault),
    }))
    .sort((a, b) => (a.file < b.file ? -1 : 1))
}

async function askPart(history: PushedHistory, after: number): Promise<HealthPart> {
  return (await history.answer({ kind: 'health', projects: [], after })).value as HealthPart
}

async function partsOf(history: PushedHistory): Promise<readonly HealthPart[]> {
  const parts: HealthPart[] = []
  for (let after: number | null = 0; after !== null; after = parts.at(-1)?.next ?? null)
    parts.push(await askPart(history, after))
  return parts
}

async function sessionsOf(history: PushedHistory): Promise<readonly Examined[]> {
  return (await partsOf(history)).flatMap(({ sessions }) => sessions)
}

/** The page, once everything was examined. */
async function examinedPage(history: PushedHistory): Promise<HealthPage> {
  await expect.poll(() => history.health(), { timeout: 120_000 }).toMatchObject({ isExamining: false })
  const page = history.health()
  expect(page.failure).toBeNull()
  return page
}

it('[HU56] corrupted sessions get the coverage and the problems that the doctor finds at home', {
  timeout: 300_000,
}, async () => {
  await withPushed(CORRUPTED, async ({ history, root }) => {
    const home = openHistory({ roots: [root], index: join(root, '..', 'home.db') })
    const here = await home.health()
    home.close()
    const there = await sessionsOf(history)
    expect(here.filter(hasResumeProblem).length).toBeGreaterThan(COUNT / 4)
    expect(comparable(there)).toEqual(comparable(here))
    expect(there.flatMap(({ faults }) => faults).filter(({ id }) => OF_DISK.has(id))).toEqual([])
    // The page shows their sums.
    const page = await examinedPage(history)
    expect(page.troubled).toBe(here.filter(hasResumeProblem).length)
    expect(page.sessions).toBe(here.length)
    const sum = (pick: (health: Examined) => number): number =>
      here.reduce((total, health) => total + pick(health), 0)
    expect(page.reach).toEqual({
      now: sum(({ coverage }) => coverage.now),
      possible: sum(({ coverage }) => coverage.possible),
    })
    expect(page.kinds.map(({ fix }) => fix).filter(fix => fix?.includes('repair'))).toEqual([])
  })
})

it('[HU56] the commands that are named work on a hub, and bring all that is possible', {
  timeout: 300_000,
}, async () => {
  await withPushed(CORRUPTED, async ({ history, root }) => {
    const found = await sessionsOf(history)
    const fixes = found.flatMap(({ faults }) => faults.flatMap(({ fix }) => fix ?? []))
    for (const fix of fixes)
      expect(fix).toMatch(
        /^dagline (?:checkout|branches|export|trim) [0-9a-f]{8}\S*.* --hub$|^claude update$/,
      )
    const host = silentHost([root])
    const wrong: string[] = []
    let made = 0
    for (const { file, faults } of found) {
      const fix = faults.find(({ effect, fix }) => effect !== 'none' && fix !== null)?.fix ?? null
      if (fix?.startsWith('dagline checkout') !== true) continue
      made++
      vi.stubEnv('XDG_DATA_HOME', join(root, '..', 'data', String(made)))
      const options = { out: null, title: null, snapshot: true, dryRun: false, at: null }
      const copy = await checkout(host, join(root, file), options)
      const [health] = await examineAt(copy.path, host, { index: null })
      if (health === undefined || !hasResumeProblem(health)) continue
      // What was copied with it is repaired as at home.
      const task = { host, word: copy.path, only: [], inPlace: false, options, mayLose: false }
      const repair = await repairSession({ ...task, what: 'write' })
      const { after = 0, possible = 1 } = repair.state === 'done' ? (repair.report.coverage ?? {}) : {}
      if (after < possible) wrong.push(`${file}: ${JSON.stringify(health.coverage)} ${repair.state}`)
    }
    vi.unstubAllEnvs()
    expect(made).toBeGreaterThan(COUNT / 8)
    expect(wrong).toEqual([])
  })
})

/** A call without its result, and a second session beside it. */
const SHAPE = 's1: u1 a1[t1] u2 a2\ns2: u4 a4[t2] u5 a5'

it('[HU56] answers in parts that add up, each group once', async () => {
  let [time, tick] = [0, 0]
  await withPushed(
    SHAPE,
    async ({ history }) => {
      tick = 2000
      const parts = await partsOf(history)
      tick = 0
      expect(parts.map(({ done, of }) => [done, of])).toEqual([
        [1, 2],
        [2, 2],
      ])
      expect(parts.flatMap(({ sessions }) => sessions.map(({ session }) => session))).toEqual(['s1', 's2'])
      expect((await askPart(history, 0)).sessions).toHaveLength(2)
    },
    () => (time += tick),
  )
})

it('[HU56] a page waits for nothing, and is read again only where files have changed', async () => {
  await withPushed(SHAPE, async ({ history, root, files, read, sync }) => {
    const first = history.health()
    expect([first.isExamining, first.troubled]).toEqual([true, null])
    expect((await examinedPage(history)).sessions).toBe(2)
    read.length = 0
    history.refresh()
    expect((await examinedPage(history)).sessions).toBe(2)
    await sessionsOf(history)
    expect(read).toEqual([])
    const [one] = files
    if (one === undefined) throw new RangeError('no file')
    writeFileSync(join(root, one.path), one.text.split('\n').slice(0, 2).join('\n'))
    await sync()
    history.refresh()
    // What is known of the others is shown meanwhile.
    expect(history.health()).toMatchObject({ isExamining: true, sessions: 1 })
    await examinedPage(history)
    expect(read).toEqual([join(root, one.path)])
  })
})

it('[HU56] a history that was closed reads no more', async () => {
  await withPushed(CORRUPTED, async ({ history, read }) => {
    history.health()
    history.close()
    const before = read.length
    await new Promise(resolve => setImmediate(() => setImmediate(resolve)))
    expect(read.length).toBe(before)
  })
})

it('[HU56] a file that cannot be read is named, and its session is not called healthy', async () => {
  await withPushed(
    SHAPE,
    async ({ history }) => {
      const { sessions, unread } = await askPart(history, 0)
      expect(sessions.map(({ session }) => session)).toEqual(['s1'])
      expect(unread).toMatchObject([{ file: expect.stringContaining('s2'), message: expect.any(String) }])
    },
    Date.now,
    path => path.includes('s2'),
  )
})
