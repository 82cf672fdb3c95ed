/** A thousand corrupted sessions: what the doctor says of each holds together, and nothing is changed by looking. */
import { corruptedSessions, sessionTexts } from '@dagline/testkit'
import { expect, it } from 'vitest'
import { examine, isIll, loadedBy, planCheckout, reachableIn, type SessionHealth } from '../src/index.js'
import { editable, MAKE, repairThatHolds, resultOf } from './edit-support.js'
import { examineText } from './read-text.js'

const COUNT = 1000
const SOURCES = sessionTexts('fixtures/recordings')

it(`[D2] [D13] hold for ${COUNT} corrupted sessions`, { timeout: 120_000 }, () => {
  const wrong: string[] = []
  let ill = 0
  for (const { session, text, kinds, name, seed } of corruptedSessions(SOURCES, { count: COUNT })) {
    const found = examineText(session, text)
    if (isIll(found.health)) ill++
    for (const what of contradictions(found))
      wrong.push(`seed ${seed}, ${name} (${kinds.join(', ')}): ${what}`)
  }
  expect(wrong).toEqual([])
  // Neither everything nor nothing: most corruptions cost something, and many do not.
  expect(ill).toBeGreaterThan(COUNT / 4)
  expect(ill).toBeLessThan((COUNT * 3) / 4)
})

/** Repairs cost more than examinations: `edit-repair.test.ts` makes them for all, this asks for the doctor's word only. */
const FOLLOWED = 300

it(`[D13] the command that is named works, for ${FOLLOWED} corrupted sessions`, { timeout: 300_000 }, () => {
  const wrong: string[] = []
  for (const { text, kinds, name, seed } of corruptedSessions(SOURCES, { count: FOLLOWED })) {
    const what = deadEnd(text)
    if (what !== null) wrong.push(`seed ${seed}, ${name} (${kinds.join(', ')}): ${what}`)
  }
  expect(wrong).toEqual([])
})

/** Follows the doctor's word; a sentence where that leads nowhere. */
function deadEnd(text: string): string | null {
  const source = editable([{ path: PATH, text }])
  const [health] = examine(source.graph, { extras: source.extras })
  if (health === undefined || !isIll(health)) return null
  const { fix = null } = health.faults.find(each => each.effect !== 'none' && each.fix !== null) ?? {}
  if (fix?.startsWith('dagline repair')) {
    const repair = repairThatHolds(source, PATH)
    if (repair === null) return `${fix}: nothing to do`
    // A repair that would cost something of what is loaded today says so and asks.
    return typeof repair === 'string' && !repair.includes('no longer load') ? `${fix}: ${repair}` : null
  }
  if (!fix?.startsWith('dagline checkout')) return `no command: ${fix}`
  const last = source.graph.live(PATH).at(-1) ?? -1
  const plan = planCheckout(source, last, MAKE)
  const fault = typeof plan === 'string' ? plan : resultOf(source, plan).fault
  return fault === null ? null : `${fix}: ${fault}`
}

const PATH = 's1.jsonl'

type Found = ReturnType<typeof examineText>

/** What does not hold of an examination. */
function contradictions({ graph, path, extras, health }: Found): readonly string[] {
  const { reach, faults } = health
  const loaded = new Set(loadedBy(graph, path, { extras }).nodes.map(node => graph.originalOf(node)))
  const reachable = reachableIn(graph, path, extras)
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
