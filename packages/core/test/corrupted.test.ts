/** A thousand corrupted sessions: what the doctor says of each holds together, and nothing is changed by looking. */
import { corruptedSessions, sessionTexts } from '@dagline/testkit'
import { expect, it } from 'vitest'
import { isIll, loadedBy, reachableIn, type SessionHealth } from '../src/index.js'
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
