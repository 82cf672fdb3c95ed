/** Q4: whatever is queued, answered, forked and taken back, the file that is written says exactly that. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fileId, type Graph } from '../src/index.js'
import { ORIGIN, type Step, type Told, type ToldTurn, tell } from './queue-support.js'
import { graphOfFiles, nodeOf } from './support.js'

const PATH = `${ORIGIN.session}.jsonl`

const aText = fc.constantFrom('go on', 'and the tests?', 'zwei\nZeilen', 'Ünïcode 💥', 'say "hi"')
const aPush = aText.map((text): Step => ({ do: 'push', text }))
const aFork = fc
  .tuple(aText, fc.integer({ min: -1, max: 9 }))
  .map(([text, turn]): Step => ({ do: 'fork', text, turn }))
const aRecall = fc.nat(4).map((nth): Step => ({ do: 'recall', nth }))
const anAnswer = fc.nat(3).map((tools): Step => ({ do: 'answer', tools }))

function graphOf({ rows }: Told): Graph {
  return graphOfFiles([{ path: PATH, text: rows }])
}

/** What must hold of any conversation: every message that was not taken back is there, where it was promised. */
function holds(told: Told, graph: Graph, pushed: readonly string[]): void {
  const delivered = told.turns.map(({ text }) => text)
  expect([...delivered, ...told.recalled].sort()).toEqual([...pushed].sort())
  const nodes = told.turns.flatMap(({ entries }) => entries)
  expect([...graph.nodes()].map(node => graph.id(node)).sort()).toEqual([...nodes].sort())
  for (const { prompt, parent } of told.turns) expect(graph.node(nodeOf(graph, prompt)).parent).toBe(parent)
  expect(graph.diagnostics().filter(({ severity }) => severity !== 'info')).toEqual([])
  const fates = graph
    .queues()
    .flatMap(({ steps }) => steps.filter(({ note }) => note.operation === 'enqueue'))
  expect(
    fates.map(({ became }) => became).filter(became => became !== 'prompt' && became !== 'recalled'),
  ).toEqual([])
}

/** The entries of the turns that lead to the last one, by nothing but the parents that were promised. */
function liveOf(turns: readonly ToldTurn[]): readonly string[] {
  const byEnd = new Map(turns.map(turn => [turn.entries.at(-1) ?? '', turn]))
  const way: ToldTurn[] = []
  for (let turn = turns.at(-1); turn !== undefined; turn = byEnd.get(turn.parent ?? '')) way.unshift(turn)
  return way.flatMap(({ entries }) => entries)
}

function liveIn(graph: Graph): readonly string[] {
  return graph.live(fileId(PATH)).map(node => graph.id(node))
}

function textsOf(steps: readonly Step[]): readonly string[] {
  return steps.flatMap(step => ('text' in step ? [step.text] : []))
}

describe('queue and writer', () => {
  it('[Q4] without a chosen parent everything is one chain, however it was queued', async () => {
    const steps = fc.array(fc.oneof({ weight: 3, arbitrary: aPush }, anAnswer, aRecall), { maxLength: 24 })
    await fc.assert(
      fc.asyncProperty(steps, async steps => {
        const told = await tell(steps)
        const graph = graphOf(told)
        holds(told, graph, textsOf(steps))
        expect(graph.lines().map(({ kind }) => kind)).toEqual(told.turns.length === 0 ? [] : ['trunk'])
        expect(graph.forks().filter(({ kind }) => kind !== 'parallel')).toEqual([])
        expect(liveIn(graph)).toEqual(liveOf(told.turns))
      }),
      { numRuns: 150 },
    )
  })

  it('[Q4] a chosen parent makes a fork there and nowhere else; the last message is live', async () => {
    const steps = fc.array(
      fc.oneof({ weight: 2, arbitrary: aPush }, aFork, { weight: 2, arbitrary: anAnswer }, aRecall),
      {
        maxLength: 24,
      },
    )
    await fc.assert(
      fc.asyncProperty(steps, async steps => {
        const told = await tell(steps)
        const graph = graphOf(told)
        holds(told, graph, textsOf(steps))
        const parents = told.turns.map(({ parent }) => parent)
        const promised = [...new Set(parents.filter((parent, at) => parents.indexOf(parent) < at))]
        const found = graph.forks().filter(({ kind }) => kind !== 'parallel')
        for (const { kind } of found) expect(['rewind', 'two-writers']).toContain(kind)
        expect(found.map(({ at }) => (at === null ? null : graph.id(at))).sort()).toEqual(promised.sort())
        expect(liveIn(graph)).toEqual(liveOf(told.turns))
      }),
      { numRuns: 150 },
    )
  })
})
