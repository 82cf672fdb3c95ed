/** A9 on random conversations: progress rows that repeat subagents change nothing beside them, and stand in for lost files. */
import { carryInProgress, generate, type TextFile } from '@dagline/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Graph } from '../src/index.js'
import { lostIn } from './checks.js'
import { everything, graphInParts, graphOfFiles } from './support.js'

const seeds = fc.integer({ min: 1, max: 1_000_000 })
const runs = { numRuns: Number(process.env.DAGLINE_RUNS ?? 40) }

interface Made {
  readonly plain: Graph
  readonly files: readonly TextFile[]
  /** The subagents whose messages stand in progress rows. */
  readonly carried: readonly string[]
}

/** A conversation of the era, with the messages of its subagents in progress rows; their files stay or go. */
function make(seed: number, keepsFile: boolean): Made {
  const { files, metas, truth } = generate(seed, { style: '2.1.41' })
  const carried: string[] = []
  let made = files
  for (const [agent, { toolUse, ownerAgent, warmup }] of Object.entries(truth.agents)) {
    if (toolUse === null || ownerAgent !== null || warmup) continue
    made = carryInProgress(made, { agent, call: toolUse, keepsFile })
    carried.push(agent)
  }
  return { plain: graphOfFiles(files, metas), files: made, carried }
}

/** The lines of a graph, with the entries of another one only. */
function linesWithin(graph: Graph, other: Graph): readonly string[] {
  const known = new Set([...other.nodes()].map(node => other.id(node)))
  const lines = graph.lines().map(({ id, nodes, status }) => {
    const own = nodes.map(node => graph.id(node)).filter(node => known.has(node))
    return `${id} ${status}: ${own.join(' ')}`
  })
  return lines.sort()
}

describe('progress rows of subagents', () => {
  it('[A11] beside their files change no line and no live conversation', () => {
    fc.assert(
      fc.property(seeds, seed => {
        const { plain, files } = make(seed, true)
        const graph = graphOfFiles(files)
        expect(linesWithin(graph, plain)).toEqual(linesWithin(plain, plain))
        for (const { facts } of graph.files()) {
          const live = (of: Graph): readonly string[] => of.live(facts.path).map(node => of.id(node))
          expect(live(graph)).toEqual(live(plain))
        }
        expect([...graph.usage()].length).toBe([...plain.usage()].length)
      }),
      runs,
    )
  })

  it('[A9] [G8] [L5] alone give every subagent a line, in parts and in any order of files', () => {
    let count = 0
    fc.assert(
      fc.property(seeds, seed => {
        const { files, carried } = make(seed, false)
        const graph = graphOfFiles(files)
        const found = graph.agents().filter(({ source }) => source === 'progress')
        expect(found.map(({ id }) => id).sort()).toEqual([...carried].sort())
        expect(found.every(({ spawnedBy }) => spawnedBy?.evidence === 'progress')).toBe(true)
        expect(lostIn(graph)).toEqual([])
        expect(everything(graphOfFiles([...files].reverse()))).toEqual(everything(graph))
        expect(everything(graphInParts(files, [], [0.3, 0.6, 0.9]))).toEqual(everything(graph))
        count += carried.length
      }),
      runs,
    )
    expect(count).toBeGreaterThan(0)
  })
})
