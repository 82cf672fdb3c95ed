/** E: edits of random conversations, whole and damaged: the result is always what the plan promised. */

import { type Generated, generate, STYLE_NAMES, type StyleName } from '@dagline/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type EditPlan, planCheckout, planFork, planTrim } from '../src/edit/index.js'
import { planRepair } from '../src/faults/index.js'
import { type Editable, editable, MAKE, resultOf } from './edit-support.js'

const seeds = fc.integer({ min: 1, max: 1_000_000 })
const runs = { numRuns: Number(process.env.DAGLINE_RUNS ?? 6) }

/** What no client ever wrote can be read, and not resumed. */
const RECORDED = STYLE_NAMES.filter(style => style !== 'seed')
/** 1.0.x writes a history again under new uuids: a file that keeps all of it reads otherwise alone, and is refused. */
const REPLAYED: StyleName = '1.0.66'

describe.each(RECORDED)('conversations written as %s does', style => {
  it('[E2] can be checked out and forked at any message', () => {
    check(style, {}, source => {
      for (const node of someNodes(source)) {
        holds(source, planCheckout(source, node, MAKE))
        if (style !== REPLAYED) holds(source, planFork(source, node, MAKE))
      }
    })
  })

  it('[E2] [E6] are mended whatever a few wild rows make of them', () => {
    check(style, { damage: true }, source => {
      for (const file of source.graph.files()) {
        if (file.facts.kind !== 'session' || style === REPLAYED) continue
        const plan = planRepair(source, file, MAKE, { only: [], inPlace: false, mayLose: true })
        if (plan !== null) holds(source, plan)
      }
    })
  })

  it('[E2] [E8] can be trimmed', () => {
    const scope = { outputs: 10, images: true, thinking: true, progress: true }
    check(style, { weights: { kill: 0, unwritten: 0 } }, source => {
      for (const file of source.graph.files())
        if (file.facts.kind === 'session') holds(source, planTrim(source, file, MAKE, scope))
    })
  })
})

function check(
  style: StyleName,
  options: NonNullable<Parameters<typeof generate>[1]>,
  judge: (source: Editable, made: Generated) => void,
): void {
  fc.assert(
    fc.property(seeds, seed => {
      const made = generate(seed, { style, ...options })
      judge(editable(made.files, made.metas), made)
    }),
    runs,
  )
}

function holds(source: Editable, plan: EditPlan | string): void {
  if (typeof plan === 'string') return
  expect([plan.command, plan.from.node, resultOf(source, plan).fault]).toEqual([
    plan.command,
    plan.from.node,
    null,
  ])
}

/** A few messages, from all over the files. */
function someNodes({ graph }: Editable): readonly number[] {
  const messages = [...graph.nodes()].filter(node => ['user', 'assistant'].includes(graph.node(node).kind))
  const step = Math.max(1, Math.floor(messages.length / 6))
  return messages.filter((_, at) => at % step === 0)
}
