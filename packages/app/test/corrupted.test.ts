/**
 * A thousand sessions on disk, corrupted by seed. One pass examines each, follows the command that is named, repairs it, and
 * reads the result again; the tests below it say what must hold of all of them.
 */

import { createHash } from 'node:crypto'
import { readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { hasResumeProblem, loadableIn, type SessionHealth } from '@dagline/core/faults'
import { loadedBy } from '@dagline/core/resume'
import {
  type CorruptedSession,
  corruptedSessions,
  sessionTexts,
  type TestHome,
  withHome,
} from '@dagline/testkit'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type ReadSession, readSession } from '../../../lab/harness/graph.ts'
import { checkout } from '../src/edits/edits.js'
import {
  type RepairDone,
  type RepairFailed,
  type RepairNeedless,
  repairSession,
} from '../src/edits/repair.js'
import type { EditReport } from '../src/edits/run.js'
import { examineAt } from '../src/health/examine.js'
import { type Host, silentHost } from '../src/host/host.js'
import { UserError } from '../src/host/user-error.js'

const COUNT = 1000
/** Repairs that no strategy can make; `docs/LIMITS.md` names their number. */
const MOST_REFUSED = 2

/** Repairs that keep the copy of an entry that has lost its signature; `docs/LIMITS.md` names their number, too. */
const MOST_OTHER = 1

/** What was seen of all sessions: sentences, each with its seed, by what they contradict. */
interface Seen {
  readonly wrong: Readonly<Record<Matter, readonly string[]>>
  readonly ill: number
  readonly refused: readonly string[]
  readonly asking: readonly string[]
}

const MATTERS = ['examination', 'numbers', 'command', 'loss', 'promise', 'original'] as const
type Matter = (typeof MATTERS)[number]

describe(`of ${COUNT} corrupted sessions`, () => {
  let seen: Seen
  beforeAll(async () => {
    seen = await seeAll()
  }, 1_200_000)

  it('[D2] [D13] what the doctor says of each holds together', () => {
    expect(seen.wrong.examination).toEqual([])
    // Neither everything nor nothing: most corruptions cost something, and many do not.
    expect(seen.ill).toBeGreaterThan(COUNT / 4)
    expect(seen.ill).toBeLessThan((COUNT * 3) / 4)
  })

  it('[D13] the command that the doctor names for an ill one works, and brings all that is possible', () => {
    expect(seen.wrong.command).toEqual([])
  })

  it('[D23] a repair gives what the doctor promised, in the same numbers', () => {
    expect(seen.wrong.numbers.length, seen.wrong.numbers.join('\n')).toBeLessThanOrEqual(MOST_OTHER)
  })

  it('[E14] no repair loads less than today without asking', () => expect(seen.wrong.loss).toEqual([]))

  it('[E13] every repair loads what it promises, read again', () => expect(seen.wrong.promise).toEqual([]))

  it('[E1] [E12] no original changes', () => expect(seen.wrong.original).toEqual([]))

  it('[E13] hardly a repair is refused by its own check', () => {
    expect(seen.refused.length, seen.refused.join('\n')).toBeLessThanOrEqual(MOST_REFUSED)
  })

  it('[D13] the doctor names no repair that asks', () => expect(seen.asking).toEqual([]))
})

function seeAll(): Promise<Seen> {
  const sessions = [...corruptedSessions(sessionTexts('fixtures/recordings'), { count: COUNT })]
  const files = sessions.map(each => ({ path: pathOf(each), text: each.text }))
  return withHome(files, async home => {
    try {
      // Nobody has written to them for long.
      for (const { path } of files) utimesSync(join(home.projects, path), 0, 0)
      return await seeIn(home, sessions)
    } finally {
      vi.unstubAllEnvs()
    }
  })
}

/** Each is alone in its project, and read alone: several have the same ids. */
function pathOf({ seed, session }: CorruptedSession): string {
  return `-seed-${seed}/${session}.jsonl`
}

async function seeIn({ dir, projects }: TestHome, sessions: readonly CorruptedSession[]): Promise<Seen> {
  const host = silentHost([projects])
  const wrong: Record<Matter, string[]> = {
    examination: [],
    numbers: [],
    command: [],
    loss: [],
    promise: [],
    original: [],
  }
  const [refused, asking]: [string[], string[]] = [[], []]
  let ill = 0
  for (const session of sessions) {
    const path = join(projects, pathOf(session))
    // Each edit reads the whole journal: a journal for each session keeps that short.
    vi.stubEnv('XDG_DATA_HOME', join(dir, 'data', String(session.seed)))
    const [health] = await orRefused(examineAt(path, host, { index: null }), () => [])
    if (health === undefined) continue
    const label = `seed ${session.seed}, ${session.name} (${session.kinds.join(', ')})`
    const found = await see(session, health, path, host)
    if (hasResumeProblem(health)) ill++
    for (const matter of MATTERS)
      for (const what of found.wrong[matter] ?? []) wrong[matter].push(`${label}: ${what}`)
    if (found.refused !== null) refused.push(`${label}: ${found.refused}`)
    if (found.isAsking) asking.push(label)
  }
  return { wrong, ill, refused, asking }
}

interface SeenOne {
  readonly wrong: Partial<Record<Matter, readonly string[]>>
  /** Why no strategy of repair holds; null where one does, or nothing is to be done. */
  readonly refused: string | null
  /** The doctor names a repair that asks. */
  readonly isAsking: boolean
}

type Repair = RepairDone | RepairFailed | RepairNeedless

/** As a snapshot: whether a process has a session open is asked of all processes of the machine, which takes longest. */
const AS_IT_IS = { out: null, title: null, snapshot: true, dryRun: false }

async function see(
  { session, text }: CorruptedSession,
  health: SessionHealth,
  path: string,
  host: Host,
): Promise<SeenOne> {
  const repair = await repairOf(host, path)
  const fix = hasResumeProblem(health) ? fixOf(health) : null
  const isLess = repair.state === 'failed' && repair.isLess
  return {
    wrong: {
      examination: contradictions(readSession(session, text), health),
      command: hasResumeProblem(health) ? await deadEnds(host, path, fix, repair) : [],
      ...(repair.state === 'done' ? judgeRepair(repair.report) : {}),
      numbers: repair.state === 'done' ? otherNumbers(health, repair.report) : [],
      original: hashOf(readFileSync(path)) === hashOf(text) ? [] : ['the original is another'],
    },
    // Where there is no conversation, the command says so.
    refused: repair.state === 'failed' && !isLess && health.coverage.possible > 0 ? repair.fault : null,
    isAsking: isLess && fix?.startsWith('dagline repair') === true && !fix.endsWith('--accept-loss'),
  }
}

async function repairOf(host: Host, path: string): Promise<Repair> {
  const task = { host, word: path, only: [], inPlace: false, options: AS_IT_IS, mayLose: false }
  return await orRefused(
    repairSession({ ...task, what: 'write' }),
    (fault): RepairFailed => ({ state: 'failed', fault, isLess: false }),
  )
}

/** What was done, or what is to be said where it was refused with a sentence. */
async function orRefused<T, R>(work: Promise<T>, refusal: (sentence: string) => R): Promise<T | R> {
  try {
    return await work
  } catch (error) {
    if (error instanceof UserError) return refusal(error.message)
    throw error
  }
}

/** The command of the first fault with an effect that names one. */
function fixOf({ faults }: SessionHealth): string | null {
  return faults.find(({ effect, fix }) => effect !== 'none' && fix !== null)?.fix ?? null
}

/** Follows the doctor's word; a sentence where that leads nowhere. */
async function deadEnds(
  host: Host,
  path: string,
  fix: string | null,
  repair: Repair,
): Promise<readonly string[]> {
  if (fix?.startsWith('dagline repair') !== true) {
    const made = checkout(host, path, { ...AS_IT_IS, at: null })
    return await orRefused(
      made.then(() => []),
      sentence => [`${fix}: ${sentence}`],
    )
  }
  if (repair.state === 'needless') return [`${fix}: nothing to do`]
  return repair.state === 'done' || fix.endsWith('--accept-loss') ? [] : [`${fix}: ${repair.fault}`]
}

/** What a repair says otherwise than the doctor said before it. */
function otherNumbers(
  { coverage: { now, possible } }: SessionHealth,
  { coverage }: EditReport,
): readonly string[] {
  const promised = JSON.stringify([now, possible, possible])
  const given = JSON.stringify([coverage?.now, coverage?.possible, coverage?.after])
  return promised === given ? [] : [`the doctor says ${promised}, the repair ${given}`]
}

/** Nothing is lost in silence, and a fresh reading loads what was promised. */
function judgeRepair({ gone, live, path, plan }: EditReport): Partial<Record<Matter, readonly string[]>> {
  const { graph, path: file, survey } = readSession(plan.session, readFileSync(path, 'utf8'))
  const loaded = loadedBy(graph, file, { survey }).nodes.map(node => graph.id(node))
  return {
    loss: gone.length === 0 ? [] : [`${gone.length} entries go`],
    promise: loaded.join() === live.join() ? [] : [`${live.length} promised, ${loaded.length} loaded`],
  }
}

/** What does not hold of an examination. */
function contradictions({ graph, path, survey }: ReadSession, health: SessionHealth): readonly string[] {
  const { coverage, faults } = health
  const loaded = new Set(loadedBy(graph, path, { survey }).nodes.map(node => graph.originalOf(node)))
  const reachable = loadableIn(graph, path, survey)
  const now = reachable.filter(node => loaded.has(graph.originalOf(node)) || loaded.has(node)).length
  const errors = faults.filter(({ severity }) => severity === 'error')
  const isLosing = coverage.now < coverage.possible
  return [
    ...(coverage.possible === reachable.length
      ? []
      : [`${coverage.possible} possible, ${reachable.length} live`]),
    ...(coverage.now === now ? [] : [`says ${coverage.now} of ${coverage.possible}, the model loads ${now}`]),
    ...(isLosing === faults.some(({ effect }) => effect === 'loss')
      ? []
      : ['loss without a fault, or a fault without']),
    ...(errors.every(({ effect }) => effect !== 'none') ? [] : ['an error without effect']),
    ...(hasResumeProblem(health) && !namesCommand(health) ? ['no command is named'] : []),
  ]
}

/** Whether some fault with an effect names a command of dagline. */
function namesCommand({ faults }: SessionHealth): boolean {
  return faults.some(({ effect, fix }) => effect !== 'none' && fix?.startsWith('dagline ') === true)
}

function hashOf(bytes: string | Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
