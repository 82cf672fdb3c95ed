/** The shapes of `fixtures/seed-cases` as readers see them: the order of rows, and the session tree. */
import { describe, expect, it } from 'vitest'
import { type Graph, isSpoken, sessionId, type WalkOptions, walkSession, walkTree } from '../src/index.js'
import type { Sheet } from '../src/protocol/index.js'
import { FIRST_CHOICE, foldSheet, makeSheet } from '../src/view/index.js'
import { graphOfCase, seedCases } from './seed-cases.js'

const cases = seedCases()
const everything: WalkOptions = { branches: 'show', agents: 'show', shows: () => true, warmups: true }
const spoken: WalkOptions = { ...everything, shows: isSpoken }

function graphOf(name: string): Graph {
  const found = cases.find(each => each.name === name)
  if (found === undefined) throw new Error(`there is no case ${name}`)
  return graphOfCase(found)
}

/** The uuids of the rows of a case with one session. */
function rowsOf(graph: Graph, options: WalkOptions): string {
  const [session] = graph.sessions()
  const { rows } = walkSession(graph, sessionId(session?.id ?? ''), options)
  return rows.map(({ node }) => graph.id(node)).join(' ')
}

function sheetOf(graph: Graph, session: string): Sheet {
  return makeSheet(graph, sessionId(session), {
    project: 'p',
    title: null,
    archivedOnly: false,
    version: '1',
  })
}

function lateIn(graph: Graph): readonly string[] {
  const sheet = sheetOf(graph, graph.sessions()[0]?.id ?? '')
  return sheet.late.map(pair => pair.map(row => sheet.rows.node[row]).join(' of '))
}

describe('late results', () => {
  it('[T4] s3_r5: one that prose parts from its call stays where it came, in every view', () => {
    const graph = graphOf('s3_r5')
    const order = 'u1 a1 a2 a2b rY a2c rX a3 u3 a4'
    expect(rowsOf(graph, everything)).toBe(order)
    expect(rowsOf(graph, spoken)).toBe(order)
    expect(lateIn(graph)).toEqual(['rX of a1'])
  })

  it('[T4] s3_pair_think: one that thinking parts goes back to its call where the thinking is hidden', () => {
    const graph = graphOf('s3_pair_think')
    expect(rowsOf(graph, everything)).toBe('u1 a1 a2 a3 rY rX a5 u3 a4')
    expect(rowsOf(graph, spoken)).toBe('u1 a1 rX a3 rY a5 u3 a4')
    expect(lateIn(graph)).toEqual(['rX of a1'])
  })

  it.each([
    ['s1_seednest', 'row main-1, agent sc1-1 under 0'],
    ['s1_nestlevel', 'row u1, row a1 under 0, agent g1 under 1, row a2 under 1'],
    ['s1_orphan', 'row u1, row a1 under 0, row u2 under 1, row a2 under 2, agent sc1-1'],
    ['s1_notype', 'row u1, row a1 under 0, row a2 under 1'],
  ])('[A5] %s: a sidechain without a call is a row below the entry it hangs on', (name, rows) => {
    const graph = graphOf(name)
    const sheet = sheetOf(graph, graph.sessions()[0]?.id ?? '')
    const folded = foldSheet(sheet, FIRST_CHOICE)
    const told = folded.rows.map(({ kind, row, parents: [edge] }) =>
      [kind, sheet.rows.node[row], ...(edge === undefined ? [] : ['under', edge.row])].join(' '),
    )
    expect(told.join(', ')).toBe(rows)
  })

  it.each(cases.map(each => [each.name, each] as const))(
    '[T4] %s: a sheet has the rows of the log, and each result is joined, late, or without a call above',
    (_, each) => {
      const graph = graphOfCase(each)
      for (const { id } of graph.sessions()) {
        const sheet = sheetOf(graph, id)
        const own = sheet.rows.node.filter((_row, row) => !sheet.lines[sheet.rows.line[row] ?? -1]?.isShared)
        const log = walkSession(graph, id, everything).rows.map(({ node }) => graph.id(node))
        expect(own).toEqual(log)
        for (const [row, call] of sheet.late) {
          expect(call).toBeLessThan(row)
          expect(sheet.rows.joins[row]).toBe(0)
        }
      }
    },
  )
})

describe('the session tree', () => {
  const told = (graph: Graph): string =>
    [...walkTree(graph)]
      .map(step =>
        step.kind === 'session'
          ? step.session.id.slice(0, 8)
          : step.line.nodes.map(node => graph.id(node)).join(' '),
      )
      .join(', ')

  it('[S1] s3_tree: a header, a whole line, then its children by time', () => {
    expect(told(graphOf('s3_tree'))).toBe('aaaaaaa1, a b c d e f g, aaaaaaa2, h i j, aaaaaaa3, k l m')
  })

  it.each(cases.map(each => [each.name, each] as const))('[S1] %s: every line once', (_, each) => {
    const graph = graphOfCase(each)
    const lines = [...walkTree(graph)].flatMap(step => (step.kind === 'line' ? [step.line.index] : []))
    expect(lines.toSorted((a, b) => a - b)).toEqual(graph.lines().map(({ index }) => index))
  })
})
