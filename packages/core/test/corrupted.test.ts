/**
 * A thousand sessions, corrupted by seed. One pass examines each, follows the command that is named, repairs it, and reads
 * the result again; the tests below it say what must hold of all of them.
 */

import { createHash } from 'node:crypto'
import { type CorruptedSession, corruptedSessions, sessionTexts } from '@dagline/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { planCheckout } from '../src/edit/index.js'
import { examine, isIll, loadableIn, type SessionHealth } from '../src/faults/index.js'
import { fileId } from '../src/index.js'
import { loadedBy } from '../src/resume/index.js'
import { type Editable, editable, type HeldRepair, MAKE, repairThatHolds, resultOf } from './edit-support.js'

const COUNT = 1000
/** Repairs that no way can make; `docs/LIMITS.md` names their number. */
const MOST_REFUSED = 2

/** What was seen of all sessions: sentences, each with its seed, by what they contradict. */
interface Seen {
  readonly wrong: Readonly<Record<Matter, readonly string[]>>
  readonly ill: number
  readonly refused: readonly string[]
  readonly asking: readonly string[]
}

const MATTERS = ['examination', 'command', 'loss', 'promise', 'original'] as const
type Matter = (typeof MATTERS)[number]

describe(`of ${COUNT} corrupted sessions`, () => {
  let seen: Seen
  beforeAll(() => {
    seen = seeAll()
  }, 600_000)

  it('[D2] [D13] what the doctor says of each holds together', () => {
    expect(seen.wrong.examination).toEqual([])
    // Neither everything nor nothing: most corruptions cost something, and many do not.
    expect(seen.ill).toBeGreaterThan(COUNT / 4)
    expect(seen.ill).toBeLessThan((COUNT * 3) / 4)
  })

  it('[D13] the command that the doctor names for an ill one works, and brings all that is possible', () => {
    expect(seen.wrong.command).toEqual([])
  })

  it('[E14] no repair loads less than today without asking', () => expect(seen.wrong.loss).toEqual([]))

  it('[E13] every repair loads what it promises, read again', () => expect(seen.wrong.promise).toEqual([]))

  it('[E12] no original changes', () => expect(seen.wrong.original).toEqual([]))

  it('[E13] hardly a repair is refused by its own check', () => {
    expect(seen.refused.length, seen.refused.join('\n')).toBeLessThanOrEqual(MOST_REFUSED)
  })

  it('[D13] the doctor names no repair that asks', () => expect(seen.asking).toEqual([]))
})

function seeAll(): Seen {
  const wrong: Record<Matter, string[]> = {
    examination: [],
    command: [],
    loss: [],
    promise: [],
    original: [],
  }
  const [refused, asking]: [string[], string[]] = [[], []]
  let ill = 0
  for (const session of corruptedSessions(sessionTexts('fixtures/recordings'), { count: COUNT })) {
    const label = `seed ${session.seed}, ${session.name} (${session.kinds.join(', ')})`
    const found = see(session)
    if (found.isIll) ill++
    for (const matter of MATTERS)
      for (const what of found.wrong[matter] ?? []) wrong[matter].push(`${label}: ${what}`)
    if (found.refused !== null) refused.push(`${label}: ${found.refused}`)
    if (found.isAsking) asking.push(label)
  }
  return { wrong, ill, refused, asking }
}

interface SeenOne {
  readonly wrong: Partial<Record<Matter, readonly string[]>>
  readonly isIll: boolean
  /** Why no way of repair holds; null where one does, or nothing is to be done. */
  readonly refused: string | null
  /** The doctor names a repair that asks. */
  readonly isAsking: boolean
}

function see({ session, text }: CorruptedSession): SeenOne {
  const path = `${session}.jsonl`
  const before = hashOf(text)
  const source = editable([{ path, text }])
  const [health] = examine(source.graph, { surveys: source.surveys })
  if (health === undefined) return { wrong: {}, isIll: false, refused: null, isAsking: false }
  const repair = repairThatHolds(source, path)
  const isLess = typeof repair === 'string' && repair.includes('no longer load')
  const fix = isIll(health) ? fixOf(health) : null
  return {
    wrong: {
      examination: contradictions(source, health),
      command: isIll(health) ? deadEnds(source, path, fix, repair) : [],
      ...judgeRepair(repair),
      original: hashOf(source.texts.get(path) ?? '') === before ? [] : ['the original is another'],
    },
    isIll: isIll(health),
    refused: typeof repair === 'string' && !isLess ? repair : null,
    isAsking: isLess && fix?.startsWith('dagline repair') === true && !fix.endsWith('--accept-loss'),
  }
}

/** The command of the first fault with an effect that names one. */
function fixOf({ faults }: SessionHealth): string | null {
  return faults.find(({ effect, fix }) => effect !== 'none' && fix !== null)?.fix ?? null
}

/** Follows the doctor's word; a sentence where that leads nowhere, or not as far as it said. */
function deadEnds(
  source: Editable,
  path: string,
  fix: string | null,
  repair: HeldRepair | string | null,
): readonly string[] {
  const made = fix?.startsWith('dagline repair') === true ? repair : checkoutOf(source, path)
  if (made === null) return [`${fix}: nothing to do`]
  if (typeof made === 'string') return fix?.endsWith('--accept-loss') === true ? [] : [`${fix}: ${made}`]
  return []
}

function checkoutOf(source: Editable, path: string): HeldRepair | string {
  const plan = planCheckout(source, source.graph.live(fileId(path)).at(-1) ?? -1, MAKE)
  if (typeof plan === 'string') return plan
  const result = resultOf(source, plan)
  return result.fault ?? { way: 'checkout', plan, result }
}

/** Nothing is lost in silence, and a fresh reading loads what was promised. */
function judgeRepair(repair: HeldRepair | string | null): Partial<Record<Matter, readonly string[]>> {
  if (repair === null || typeof repair === 'string') return {}
  const { gone, live, text } = repair.result
  const path = `${repair.plan.session}.jsonl`
  const again = editable([{ path, text }])
  const loaded = loadedIds(again, path)
  return {
    loss: gone.length === 0 ? [] : [`${gone.length} entries go`],
    promise: loaded.join() === live.join() ? [] : [`${live.length} promised, ${loaded.length} loaded`],
  }
}

function loadedIds({ graph, surveys }: Editable, path: string): readonly string[] {
  const known = surveys.get(path)
  return loadedBy(graph, fileId(path), known === undefined ? {} : { survey: known }).nodes.map(node =>
    graph.id(node),
  )
}

/** What does not hold of an examination. */
function contradictions({ graph, surveys }: Editable, health: SessionHealth): readonly string[] {
  const { reach, faults, file: path } = health
  const known = surveys.get(path)
  if (known === undefined) return ['nothing is known of the file']
  const loaded = new Set(loadedBy(graph, path, { survey: known }).nodes.map(node => graph.originalOf(node)))
  const reachable = loadableIn(graph, path, known)
  const now = reachable.filter(node => loaded.has(graph.originalOf(node)) || loaded.has(node)).length
  const errors = faults.filter(({ severity }) => severity === 'error')
  const isLosing = reach.now < reach.possible
  return [
    ...(reach.possible === reachable.length ? [] : [`${reach.possible} possible, ${reachable.length} live`]),
    ...(reach.now === now ? [] : [`says ${reach.now} of ${reach.possible}, the model loads ${now}`]),
    ...(isLosing === faults.some(({ effect }) => effect === 'loss')
      ? []
      : ['loss without a fault, or a fault without']),
    ...(errors.every(({ effect }) => effect !== 'none') ? [] : ['an error without effect']),
    ...(isIll(health) && !namesCommand(health) ? ['no command is named'] : []),
  ]
}

/** Whether some fault with an effect names a command of dagline. */
function namesCommand({ faults }: SessionHealth): boolean {
  return faults.some(({ effect, fix }) => effect !== 'none' && fix?.startsWith('dagline ') === true)
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
