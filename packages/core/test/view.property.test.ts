/** Property 7: rows cover the chosen subset once, and every edge ends on its parent. */
import { generate, STYLE_NAMES } from '@dagline/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Graph,
  isSpoken,
  type LaneRow,
  layOutLanes,
  sessionId,
  startGraph,
  type View,
  type WalkOptions,
  walkSession,
} from '../src/index.js'
import { paintLanes } from '../src/view/index.js'
import { factsOf, graphOfFiles, rowsOf } from './support.js'

const everything: WalkOptions = { branches: 'show', agents: 'show', shows: () => true, warmups: true }

const projects = fc
  .record({
    seed: fc.nat(),
    style: fc.constantFrom(...STYLE_NAMES),
    actions: fc.integer({ min: 3, max: 16 }),
  })
  .map(({ seed, style, actions }) => {
    const { files, metas } = generate(seed, { style, actions })
    return graphOfFiles(files, metas)
  })

function eachSession(graph: Graph, options: WalkOptions, check: (view: View, session: string) => void): void {
  for (const { id } of graph.sessions()) check(walkSession(graph, id, options), id)
}

describe('rows', () => {
  it('[L1] [F13] cover every node, in a session once', () => {
    fc.assert(
      fc.property(projects, graph => {
        const seen = new Set<number>()
        eachSession(graph, everything, ({ rows }) => {
          expect(new Set(rows.map(({ node }) => node)).size).toBe(rows.length)
          for (const { node } of rows) seen.add(node)
        })
        const placed = graph.lines().flatMap(line => line.nodes)
        expect([...seen].sort()).toEqual([...placed].sort())
      }),
    )
  })

  it('[L6] rows, folded lines and what is left out add up', () => {
    fc.assert(
      fc.property(projects, graph => {
        const options: WalkOptions = { ...everything, shows: isSpoken }
        for (const { id } of graph.sessions()) {
          const whole = walkSession(graph, id, everything).rows.length
          const { rows, left } = walkSession(graph, id, options)
          expect(rows.length + left.structural).toBe(whole)
        }
      }),
    )
  })

  it('[T4] follow their parents, and results their calls', () => {
    fc.assert(
      fc.property(projects, graph => {
        eachSession(graph, everything, ({ rows }) => {
          const positions = new Map(rows.map((row, at) => [row.node, at]))
          rows.forEach((row, at) => {
            for (const edge of row.parents) expect(edge.row).toBeLessThan(at)
            if (graph.node(row.node).type !== 'result') return
            const call = graph.toolEnds(row.node)[0]?.calls[0] ?? -1
            expect(positions.get(call) ?? -1).toBeLessThan(at)
          })
        })
      }),
    )
  })
})

describe('lanes', () => {
  it('[L1] every edge ends on its parent: its lane is open from there to the row', () => {
    fc.assert(
      fc.property(projects, fc.boolean(), (graph, isWhole) => {
        const options: WalkOptions = isWhole
          ? everything
          : { branches: 'fold', agents: 'fold', shows: isSpoken }
        eachSession(graph, options, view => checkLanes(view, layOutLanes(view.rows)))
      }),
    )
  })

  it('[L1] 100,000 rows with rewinds and agents are laid out and painted in linear time', () => {
    const graph = largeGraph(100_000)
    const start = process.cpuUsage()
    const [session] = graph.sessions()
    const { rows } = walkSession(graph, sessionId(session?.id ?? ''), everything)
    const lanes = layOutLanes(rows)
    let width = 0
    for (const { graph: text } of paintLanes(rows, lanes)) width = Math.max(width, text.length)
    expect(rows.length).toBeGreaterThan(90_000)
    expect(width).toBeLessThan(100)
    // Processor time: other processes run beside this one.
    const { user, system } = process.cpuUsage(start)
    expect(user + system).toBeLessThan(5_000_000)
  })
})

/** Replays the lanes: who holds which lane, from which row on. */
function checkLanes({ rows }: View, lanes: readonly LaneRow[]): void {
  const holder = new Map<number, number>()
  const opened = new Map<number, number>()
  rows.forEach((row, at) => {
    const drawn = lanes[at]
    if (drawn === undefined) throw new RangeError(`row ${at} has no lane`)
    const [first, ...returns] = row.parents
    if (first?.kind === 'line') expect(holder.get(drawn.lane)).toBe(first.row)
    else if (first?.kind === 'spawn') expect(opened.get(drawn.lane)).toBe(first.row)
    else expect(holder.has(drawn.lane)).toBe(false)
    if (first?.kind === 'branch') expect(holder.get(drawn.from ?? -1)).toBe(first.row)
    expect(drawn.closes.map(lane => holder.get(lane))).toEqual(returns.map(edge => edge.row))
    opened.delete(drawn.lane)
    holder.set(drawn.lane, at)
    for (const lane of drawn.opens) {
      expect(holder.has(lane) || opened.has(lane)).toBe(false)
      opened.set(lane, at)
    }
    for (const lane of drawn.ends) holder.delete(lane)
  })
  expect(opened.size).toBe(0)
}

function largeGraph(entries: number): Graph {
  const builder = startGraph()
  const texts = new Map<string, string[]>()
  const { metas } = generate(11, {
    style: '2.1.325',
    entries,
    oneSession: true,
    writeRow: (path, text) => {
      const known = texts.get(path)
      if (known === undefined) texts.set(path, [text])
      else known.push(text)
    },
  })
  for (const [path, pieces] of texts) {
    const facts = factsOf(path, metas)
    for (const row of rowsOf(pieces.join(''))) builder.addRow(facts, row)
  }
  return builder.build()
}
