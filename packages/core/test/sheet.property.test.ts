/** Sheets of random conversations: nothing is lost in them, and every row can be shown. */
import { generate, STYLE_NAMES } from '@dagline/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fileId, type Graph, layOutLanes } from '../src/index.js'
import type { Sheet } from '../src/protocol/index.js'
import { FIRST_CHOICE, type FoldChoice, foldSheet, joinOf, makeSheet, reveal } from '../src/view/index.js'
import { graphOfFiles } from './support.js'

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

const levels = fc.constantFrom('prompts', 'conversation', 'tools', 'all') satisfies fc.Arbitrary<
  FoldChoice['level']
>

function sheetsOf(graph: Graph): readonly Sheet[] {
  return graph
    .sessions()
    .map(({ id }) => makeSheet(graph, id, { project: '', title: null, archivedOnly: false, version: '' }))
}

/** Every choice of one branch, at every fork by itself. */
function* choices(sheet: Sheet, level: FoldChoice['level']): Generator<FoldChoice> {
  yield { ...FIRST_CHOICE, level }
  yield { ...FIRST_CHOICE, level, open: new Set(sheet.lines.keys()) }
  for (const [fork, { branches }] of sheet.forks.entries())
    for (const branch of branches.keys())
      yield { ...FIRST_CHOICE, level, branches: new Map([[fork, branch]]) }
}

describe('sheets', () => {
  it('[L1] have every node once, and no other nodes than those the session has or shares', () => {
    fc.assert(
      fc.property(projects, graph => {
        const seen = new Set<string>()
        for (const { rows } of sheetsOf(graph)) {
          expect(new Set(rows.node).size).toBe(rows.node.length)
          for (const node of rows.node) seen.add(node)
        }
        const placed = graph.lines().flatMap(line => line.nodes.map(node => graph.id(node)))
        expect([...seen].sort()).toEqual(placed.sort())
      }),
    )
  })

  it('[L3] say what is live as the graph does', () => {
    fc.assert(
      fc.property(projects, graph => {
        for (const { session, live, rows } of sheetsOf(graph)) {
          const told = graph
            .live(fileId(session.file ?? ''))
            .map(node => graph.originalOf(graph.index(graph.id(node)) ?? node))
          expect(live.map(row => rows.node[row])).toEqual(told.map(node => graph.id(node)))
        }
      }),
    )
  })

  it('show rows that hang on rows above, each at most once, in lanes', () => {
    fc.assert(
      fc.property(projects, levels, (graph, level) => {
        for (const sheet of sheetsOf(graph)) {
          for (const choice of choices(sheet, level)) {
            const { rows } = foldSheet(sheet, choice)
            expect(new Set(rows.map(({ row }) => row)).size).toBe(rows.length)
            for (const [at, { parents }] of rows.entries()) {
              for (const { row } of parents) expect(row).toBeLessThan(at)
            }
            expect(layOutLanes(rows).length).toBe(rows.length)
          }
        }
      }),
    )
  })

  it('open at any row', () => {
    fc.assert(
      fc.property(projects, fc.nat(), levels, (graph, pick, level) => {
        for (const sheet of sheetsOf(graph)) {
          if (sheet.rows.node.length === 0) continue
          const row = pick % sheet.rows.node.length
          const { rows, shownAt } = foldSheet(sheet, reveal(sheet, row, { ...FIRST_CHOICE, level }))
          const shown = rows[shownAt(row)]
          expect(shown?.kind).toBe('row')
          expect([row, joinOf(sheet, row)]).toContain(shown?.row)
        }
      }),
    )
  })
})
