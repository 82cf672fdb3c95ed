/**
 * Any bytes: nothing throws, hangs or is lost, and the order of reading does not matter. Rows are real ones of the
 * recordings, cut, spliced and rewired; and whatever fast-check makes up.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TextFile } from '@dagline/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Graph } from '../src/index.js'
import { everything, graphInParts, graphOfFiles } from './support.js'

const rows = realRows()

/** Rows of recordings of several versions, shortened: shapes matter here, texts do not. */
function realRows(): readonly string[] {
  const dir = join(import.meta.dirname, '../../../fixtures/recordings')
  const names = [
    '1.0.66/s06_parallel_subagents',
    '2.0.64/s12_fork_session',
    '2.1.325/s09_compact_headless',
    'random-2.1.197/303',
  ]
  return names
    .flatMap(name => {
      const paths = readdirSync(join(dir, name, 'projects'), { recursive: true, encoding: 'utf8' })
      return paths
        .filter(path => path.endsWith('.jsonl'))
        .flatMap(path => readFileSync(join(dir, name, 'projects', path), 'utf8').split('\n'))
    })
    .filter(row => row !== '' && row.length < 3000)
}

const uuids = rows.flatMap(row => /"uuid":"([^"]+)"/.exec(row)?.[1] ?? [])
const aRow = fc.constantFrom(...rows)
const anId = fc.oneof(
  fc.constantFrom(...uuids.slice(0, 40)),
  fc.constantFrom('', '__proto__', 'constructor', 'x', '\u0000', '💥'),
  fc.string(),
)

/** A real row cut, doubled, spliced with another, filled with NULs, or given other links. */
const brokenRow = fc.oneof(
  { weight: 6, arbitrary: aRow },
  fc.tuple(aRow, fc.nat(3000)).map(([row, at]) => row.slice(0, at)),
  fc.tuple(aRow, aRow).map(([a, b]) => a + b),
  fc.tuple(aRow, aRow, fc.nat(3000)).map(([a, b, at]) => a.slice(0, at) + b),
  fc.tuple(aRow, fc.nat(3000)).map(([row, at]) => `${row.slice(0, at)}\u0000\u0000${row.slice(at)}`),
  { weight: 4, arbitrary: fc.tuple(aRow, anId, anId).map(([row, id, parent]) => rewired(row, id, parent)) },
  fc.json().map(json => json.replaceAll('\n', ' ')),
  fc.string().map(text => text.replaceAll('\n', ' ')),
  fc.constantFrom(
    '',
    ' ',
    '\r',
    '{',
    '[]',
    'null',
    '\ufeff{}',
    '{"type":"user"}',
    '{"uuid":1}',
    '{"type":"user","uuid":"a","uuid":"b"}',
  ),
  fc
    .record({
      type: fc.constantFrom('user', 'assistant', 'system', 'attachment', 'progress', 'x'),
      uuid: anId,
      parentUuid: fc.option(anId),
      message: fc.jsonValue(),
      timestamp: fc.jsonValue(),
      logicalParentUuid: anId,
      subtype: fc.constantFrom('compact_boundary', 'x'),
      compactMetadata: fc.jsonValue(),
      toolUseResult: fc.jsonValue(),
    })
    .map(record => JSON.stringify(record)),
)

function rewired(row: string, id: string, parent: string): string {
  return row
    .replace(/"uuid":"[^"]*"/, `"uuid":${JSON.stringify(id)}`)
    .replace(/"parentUuid":("[^"]*"|null)/, `"parentUuid":${JSON.stringify(parent)}`)
}

const someFiles = fc
  .tuple(
    fc.array(brokenRow, { maxLength: 40 }),
    fc.array(brokenRow, { maxLength: 20 }),
    fc.array(brokenRow, { maxLength: 20 }),
  )
  .map(([main, other, agent]): readonly TextFile[] => [
    { path: 's1.jsonl', text: main.join('\n') },
    { path: 's2.jsonl', text: other.join('\n') },
    { path: 's1/subagents/agent-x.jsonl', text: agent.join('\n') },
  ])

function expectWhole(graph: Graph): void {
  const { nodes, placed, folded } = graph.totals()
  expect(placed + folded).toBe(nodes)
  const placedOnce = new Set(graph.lines().flatMap(line => line.nodes))
  expect(placedOnce.size).toBe(placed)
  for (const file of graph.files()) {
    expect(file.entries + file.blank + file.damaged).toBeGreaterThanOrEqual(file.rows)
    expect(new Set(graph.live(file.facts.path)).size).toBe(graph.live(file.facts.path).length)
  }
  for (const node of graph.nodes()) graph.explain(node)
}

describe('any bytes', () => {
  it('[P1] [F13] give a graph in which every row and node is accounted for', () => {
    fc.assert(fc.property(someFiles, files => expectWhole(graphOfFiles(files))))
  })

  it('[G8] give the same graph in whatever order the files are read', () => {
    fc.assert(
      fc.property(someFiles, files => {
        expect(everything(graphOfFiles([...files].reverse()))).toEqual(everything(graphOfFiles(files)))
      }),
    )
  })

  it('[L5] give the same graph when read in parts', () => {
    const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(someFiles, cuts, (files, at) => {
        expect(everything(graphInParts(files, [], at))).toEqual(everything(graphOfFiles(files)))
      }),
    )
  })

  it.each([
    [
      'nesting deeper than any stack',
      `{"type":"user","uuid":"a","message":{"content":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`,
    ],
    [
      'huge numbers',
      '{"type":"assistant","uuid":"a","parentUuid":null,"timestamp":1e999,"message":{"usage":{"output_tokens":1e308}}}',
    ],
    ['many torn records', '{"type":'.repeat(5_000)],
    [
      'prototype keys',
      '{"__proto__":{"uuid":"x"},"constructor":1,"type":"user","uuid":"a","message":{"__proto__":null}}',
    ],
  ])('[P5] %s', (_, row) => {
    const graph = graphOfFiles([
      { path: 's1.jsonl', text: `${row}\n{"type":"user","uuid":"b","parentUuid":"a"}\n` },
    ])
    expectWhole(graph)
    expect(graph.totals().rows).toBe(2)
  })
})
