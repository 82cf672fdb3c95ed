/** What many tests of the graph ask in the same words. */
import { expect } from 'vitest'
import type { Graph } from '../src/index.js'
import { type Drawn, draw } from './support.js'

/** F13: uuids that are not on exactly one line, or folded, exactly once. Empty where nothing is lost. */
export function lostIn(graph: Graph): readonly string[] {
  const times = new Map<number, number>()
  const add = (node: number): void => void times.set(node, (times.get(node) ?? 0) + 1)
  for (const line of graph.lines()) line.nodes.forEach(add)
  for (const { node } of graph.folded()) add(node)
  return [...graph.nodes()].filter(node => times.get(node) !== 1).map(node => graph.id(node))
}

/** A fork as a test expects it. */
export interface ForkCase {
  /** `null` for the roots; `''` to leave the verdict out. */
  readonly at: string | null
  readonly verdict: string
  readonly trunk: string
  readonly branches?: readonly string[]
  readonly folded?: string
  readonly live?: string
}

/** Draws a shape and compares verdict, lines and folds; in every case nothing may be lost. */
export function expectFork(shape: string, wanted: ForkCase): Drawn {
  const d = draw(shape)
  const got = {
    verdict: wanted.at === '' ? '' : d.verdict(wanted.at),
    trunk: d.trunk(),
    branches: d.branches(),
    folded: d.say(d.graph.folded().map(({ node }) => node)),
    live: wanted.live === undefined ? undefined : d.live(),
    lost: d.shape.say(lostIn(d.graph)),
  }
  const { verdict, trunk, branches = [], folded = '', live } = wanted
  expect(got).toEqual({ verdict, trunk, branches, folded, live, lost: '' })
  return d
}

/** Rule, severity and token of each diagnostic, `dag/orphan warning u3`. */
export function diagnosticsOf(d: Drawn): readonly string[] {
  return d.graph
    .diagnostics()
    .map(({ rule, severity, node }) => `${rule} ${severity} ${node === null ? '-' : d.shape.say([node])}`)
}
