import { generate } from '@dagline/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joinAgents, joinDelegation, measureAgents, measureGraph } from '../src/measure/index.js'
import { draw, graphOfFiles } from './support.js'

const zone = { dayOf: (time: number) => new Date(time).toISOString().slice(0, 10), hourOf: () => 0 }

describe('agents session by session', () => {
  it('[X1] add up to those of the whole graph, on random conversations', () => {
    let agents = 0
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), seed => {
        const { files, metas } = generate(seed, { actions: 14 })
        const graph = graphOfFiles(files, metas)
        const parts = measureAgents(graph, { ...zone, costOf: () => 0.25 })
        const whole = measureGraph(graph, { ...zone, costOf: () => 0.25 })
        expect(joinAgents(parts.flatMap(part => [...part.agents, ...part.warmups]))).toEqual(whole.agents)
        expect(joinDelegation(parts.flatMap(part => part.delegation))).toEqual(whole.delegation)
        expect(new Set(parts.map(({ session }) => session)).size).toBe(parts.length)
        agents += whole.agents.length
      }),
      { numRuns: 60, seed: 7 },
    )
    expect(agents).toBeGreaterThan(30)
  })

  it('tell of each run where it is and what it was for', () => {
    const { graph, shape } = draw(`
      s1: u1 a1[t1:Task>x] a2=a1[t2:Task]
      s1/x: meta {"agentType":"Explore","description":"Looks around"}
      s1/x: u2 a3
      s1: a2 > r1[t1>x] a4
      s2: u5 a5
    `)
    const [only, ...others] = measureAgents(graph, zone)
    expect(others).toEqual([])
    expect(only?.session).toBe('s1')
    const told = only?.runs.map(({ name, state, node, words }) => [
      name,
      state,
      shape.say([node ?? '']),
      words,
    ])
    expect(told).toContainEqual(['Explore', 'complete', 'u2', 'Looks around'])
    expect(told).toHaveLength(2)
    expect(told?.find(([, state]) => state === 'missing')?.[2]).toBe('a2')
  })
})
