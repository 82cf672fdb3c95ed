/**
 * Random conversations with known truth: a simulated recorder writes them in the styles of seven versions and knows
 * what was live, what was a branch and who spawned whom. Our answer must be its.
 */
import { type Generated, generate, STYLE_NAMES, STYLES, type StyleName } from '@dagline/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fileId, type Graph } from '../src/index.js'
import { everything, graphInParts, graphOfFiles } from './support.js'

const seeds = fc.integer({ min: 1, max: 1_000_000 })
const runs = { numRuns: Number(process.env.DAGLINE_RUNS ?? 40) }

/** Sessions that are never copied: there a fork has one location, and nothing is ambiguous. */
const apart = { forkSession: 0, branch: 0, sdkFork: 0 }
/** A prompt that hangs on what a compaction kept may be a rewind or not: the file does not say (docs/FORMAT.md). */
const unkept = { compact: 0, autoCompact: 0, summarizeFrom: 0, summarizeUpTo: 0 }
/** A copy made after "Summarize from here" is not recorded anywhere; the generator's guess is not evidence. */
const known = { summarizeFrom: 0 }

describe.each(STYLE_NAMES)('conversations written as %s does', { timeout: 60_000 }, style => {
  it('[L3] are live as they were in the memory of the writer', () => {
    check(style, { weights: known }, (graph, { truth }) => {
      for (const [path, live] of Object.entries(truth.live)) {
        expect([path, ...graph.live(fileId(path)).map(node => graph.id(node))]).toEqual([path, ...live])
      }
    })
  })

  it('[A2] [A5] have their agents under the calls that spawned them', () => {
    check(style, {}, (graph, { truth }) =>
      expect(agentsOf(graph, truth.agents)).toEqual(truthOfAgents(truth.agents)),
    )
  })

  it('[F12] [F13] part at rewinds, and nowhere else', () => {
    const weights = STYLES[style].preserves ? { ...apart, ...unkept } : apart
    check(style, { weights }, (graph, { truth }) => {
      const { nodes, placed, folded } = graph.totals()
      expect(placed + folded).toBe(nodes)
      const branching = graph.forks().filter(fork => fork.branches.length > 0)
      const found = branching.map(fork => (fork.at === null ? null : graph.id(fork.at)))
      for (const branch of truth.branches) expect(found).toContain(branch.at)
      for (const id of truth.notForks) expect(found).not.toContain(id)
    })
  })

  it('[P1] [L5] [G8] are whole with damage, in parts, and in any order of files', () => {
    check(style, { damage: true }, (graph, { files, metas, truth }) => {
      for (const file of graph.files()) expect(file.rows).toBe(truth.rows[file.facts.path]?.rows)
      expect(everything(graphOfFiles([...files].reverse(), metas))).toEqual(everything(graph))
      expect(everything(graphInParts(files, metas, [0.3, 0.6, 0.9]))).toEqual(everything(graph))
    })
  })
})

function check(
  style: StyleName,
  options: NonNullable<Parameters<typeof generate>[1]>,
  judge: (graph: Graph, made: Generated) => void,
): void {
  fc.assert(
    fc.property(seeds, seed => {
      const made = generate(seed, { actions: 14, ...options, style })
      judge(graphOfFiles(made.files, made.metas), made)
    }),
    runs,
  )
}

type AgentTruths = Generated['truth']['agents']

/** Inline agents have no id of their own: the truth names them by their first entry. */
function agentsOf(graph: Graph, told: AgentTruths): object {
  const found = graph.agents().map(({ id, domain, spawnedBy, depth }) => {
    const root = domain.roots[0]
    const name = id in told || root === undefined ? id : graph.id(root)
    return [name, { call: spawnedBy?.call.id ?? null, depth: spawnedBy === null ? null : depth }]
  })
  return Object.fromEntries(found)
}

function truthOfAgents(told: AgentTruths): object {
  const entries = Object.entries(told).map(([id, { toolUse, depth }]) => [
    id,
    { call: toolUse, depth: toolUse === null ? null : depth },
  ])
  return Object.fromEntries(entries)
}
