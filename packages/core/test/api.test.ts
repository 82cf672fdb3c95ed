import { createRng, expandShape } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { stateOf } from '../src/graph/state.js'
import { appendRows, buildGraph, entryId, fileId, type Graph, startGraph } from '../src/index.js'
import { shapes } from './shapes.js'
import { everything, factsOf, graphInParts, graphOfFiles, rowsOf } from './support.js'

/** All that a graph says, with what `everything` leaves out: edges, operations, junctions, usage, files of sessions. */
function allOf(graph: Graph): unknown {
  const id = (node: number | null): string | null => (node === null ? null : graph.id(node))
  const edges = [...graph.edges()]
    .map(({ kind, from, row, to }) => `${kind} ${id(from) ?? row} ${id(to)}`)
    .sort()
  const operations = graph
    .operations()
    .map(({ kind, node, session, label }) => [kind, id(node), session, label])
  const junctions = graph.junctions().map(({ at, session, how }) => [id(at), session, how])
  const files = graph.sessions().map(({ id, files: own }) => [id, own.map(({ facts }) => facts.path).sort()])
  const usage = [...graph.usage()]
    .map(({ message, usage: used }) => `${message} ${JSON.stringify(used)}`)
    .sort()
  return { ...Object(everything(graph)), edges, operations, junctions, sessionFiles: files, usage }
}

/** The rows of all files as single appends, in the order in which a shape writes them within each file. */
function graphRowByRow(text: string, ask: boolean): Graph {
  const { files, metas } = expandShape(text)
  let graph = startGraph().build()
  for (const file of files) {
    const facts = factsOf(file.path, metas)
    for (const row of rowsOf(file.text)) {
      if (ask) allOf(graph)
      graph = appendRows(graph, [{ facts, rows: [row] }])
    }
  }
  return graph
}

describe('the order of files', () => {
  it.each(shapes)('[G8] changes nothing: %s', text => {
    const { files, metas } = expandShape(text)
    const expected = allOf(graphOfFiles(files, metas))
    const rng = createRng(7)
    expect(allOf(graphOfFiles([...files].reverse(), metas))).toEqual(expected)
    for (let i = 0; i < 4; i++) expect(allOf(graphOfFiles(rng.shuffle(files), metas))).toEqual(expected)
  })
})

describe('rows appended in parts', () => {
  it.each(shapes)('[L5] equal all rows at once, for every cut: %s', text => {
    const { files, metas } = expandShape(text)
    const expected = allOf(graphOfFiles(files, metas))
    const longest = Math.max(...files.map(file => rowsOf(file.text).length))
    const wrong: string[] = []
    for (let rows = 0; rows <= longest; rows++) {
      const got = allOf(graphInParts(files, metas, [rows / longest]))
      if (JSON.stringify(got) !== JSON.stringify(expected)) wrong.push(`cut at row ${rows}`)
    }
    expect(wrong).toEqual([])
  })

  it.each(shapes)('[L5] equal all rows at once, row by row: %s', text => {
    const { files, metas } = expandShape(text)
    expect(allOf(graphRowByRow(text, false))).toEqual(allOf(graphOfFiles(files, metas)))
  })

  it.each(shapes)('[L5] also when every graph in between was asked: %s', text => {
    const { files, metas } = expandShape(text)
    expect(allOf(graphRowByRow(text, true))).toEqual(allOf(graphOfFiles(files, metas)))
  })

  it('[L5] nothing appended: the same answers', () => {
    const { files } = expandShape('s1: u1 a1 u2 a2')
    const before = allOf(graphOfFiles(files))
    expect(allOf(appendRows(graphOfFiles(files), []))).toEqual(before)
  })
})

describe('rows that could close a cycle', () => {
  // Asks for nothing but links: whoever walks them would not come back.
  it.each(['s1: u1 a1 c1{a1} k1<a1 a2', 's1: u1 a1 c1^a1 k1<a1 a2'])(
    '[G3] appended, they close none: %s',
    text => {
      const { table } = stateOf(graphRowByRow(text, false))
      const circles = Array.from({ length: table.size }, (_, node) => node).filter(node => {
        let up = table.up[node] ?? -1
        for (let steps = 0; up >= 0 && steps < table.size; steps++) up = table.up[up] ?? -1
        return up >= 0
      })
      expect(circles).toEqual([])
    },
  )
})

describe('graphs as values', () => {
  const make = (): Graph => graphOfFiles(expandShape('s1: u1 a1').files)

  it('[L5] a graph that was appended to says so', () => {
    const graph = make()
    appendRows(graph, [])
    const questions: readonly ((old: Graph) => unknown)[] = [
      old => old.lines(),
      old => old.live(fileId('s1.jsonl')),
      old => old.forks(),
      old => old.agents(),
      old => old.sessions(),
      old => old.tools(),
      old => old.diagnostics(),
      old => old.totals(),
      old => old.files(),
      old => appendRows(old, []),
    ]
    for (const ask of questions)
      expect(() => ask(graph)).toThrow(/was appended to: ask the graph that append returned/)
  })

  it.each([
    ['lines', (graph: Graph): unknown => graph.lines()],
    ['forks', (graph: Graph): unknown => graph.forks()],
    ['agents', (graph: Graph): unknown => graph.agents()],
    ['sessions', (graph: Graph): unknown => graph.sessions()],
    ['tools', (graph: Graph): unknown => graph.tools()],
  ])('[L5] also where it has given the answer before: %s', (_, ask) => {
    const graph = make()
    ask(graph)
    appendRows(graph, [])
    expect(() => ask(graph)).toThrow(/was appended to/)
  })

  it('[G8] a graph of nothing has nothing to say', () => {
    const graph = buildGraph([])
    expect([graph.lines(), graph.forks(), graph.agents(), graph.sessions(), graph.diagnostics()]).toEqual([
      [],
      [],
      [],
      [],
      [],
    ])
    expect(graph.totals()).toMatchObject({ files: 0, nodes: 0, placed: 0, folded: 0 })
    expect(graph.live(fileId('absent.jsonl'))).toEqual([])
    expect(graph.index(entryId('absent'))).toBeNull()
  })

  it.each(shapes)('[F13] placed and folded are all nodes, each once: %s', text => {
    const { files, metas } = expandShape(text)
    const graph = graphOfFiles(files, metas)
    const seen = [...graph.lines().flatMap(({ nodes }) => nodes), ...graph.folded().map(({ node }) => node)]
    expect(seen.map(node => graph.id(node)).sort()).toEqual(
      [...graph.nodes()].map(node => graph.id(node)).sort(),
    )
    const { nodes, placed, folded } = graph.totals()
    expect(placed + folded).toBe(nodes)
  })
})
