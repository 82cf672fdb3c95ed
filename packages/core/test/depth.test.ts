// G8: depth and breadth that end other programs. Results are asserted, never times.
import type { TextFile } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { fileId, parseRow, startGraph } from '../src/index.js'
import { lostIn } from './checks.js'
import { factsOf, graphOfFiles } from './support.js'

/** A uuid that differs in its first characters. */
function uuid(n: number): string {
  return `${n.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`
}

interface Made {
  readonly id: number
  readonly parent: number | null
  readonly text: string
  /** Seconds. */
  readonly at: number
  readonly type?: 'user' | 'assistant' | 'attachment'
  readonly message?: string
}

function entry({ id, parent, text, at, type = 'user', message }: Made): string {
  const body =
    type === 'attachment'
      ? { attachment: { type: 'hook_success' } }
      : {
          message: {
            role: type,
            content: [{ type: 'text', text }],
            ...(type === 'assistant' ? { id: message ?? `m${id}` } : {}),
          },
        }
  const timestamp = new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString()
  const parentUuid = parent === null ? null : uuid(parent)
  return JSON.stringify({ type, uuid: uuid(id), parentUuid, sessionId: 's1', timestamp, ...body })
}

function fileOf(rows: readonly Made[]): readonly TextFile[] {
  return [{ path: 's1.jsonl', text: `${rows.map(entry).join('\n')}\n` }]
}

/** Prompt and answer by turns, each on the one before. */
function chain(count: number): Made[] {
  return Array.from({ length: count }, (_, i) => ({
    id: i,
    parent: i === 0 ? null : i - 1,
    text: `text ${i}`,
    at: i,
    type: i % 2 === 0 ? ('user' as const) : ('assistant' as const),
  }))
}

/** A turn of `answers`, a hook that was made early in it and written behind it, and a prompt on the hook. */
function lateHook(answers: number): Made[] {
  const turn = Array.from({ length: answers }, (_, i) => ({
    id: i + 1,
    parent: i,
    text: `answer ${i}`,
    at: i + 1,
    type: 'assistant' as const,
  }))
  return [
    { id: 0, parent: null, text: 'first', at: 0 },
    ...turn,
    { id: answers + 1, parent: 1, text: '', at: 1, type: 'attachment' },
    { id: answers + 2, parent: answers + 1, text: 'next', at: answers + 2 },
  ]
}

/** Turns that hang on one chain of hooks, each behind the last hook; its answer stands there, or is a root. */
function manyHooks(turns: number, isRoot: boolean): Made[] {
  const rows = lateHook(2)
  for (let turn = 0; turn < turns; turn++) {
    const [id, hook] = [rows.length, rows.length - 2]
    rows.push(
      {
        id,
        parent: isRoot ? null : id - 1,
        text: `answer ${id}`,
        at: id,
        type: isRoot ? 'user' : 'assistant',
      },
      { id: id + 1, parent: hook, text: '', at: 1, type: 'attachment' },
      { id: id + 2, parent: id + 1, text: `prompt ${id}`, at: id + 2 },
    )
  }
  return rows
}

describe('depth and breadth', () => {
  it('[L9] rows written late are looked for within 5,000 entries of a prompt', () => {
    const within = graphOfFiles(fileOf(lateHook(4000)))
    expect(within.live(fileId('s1.jsonl'))).toHaveLength(4002)
    const beyond = graphOfFiles(fileOf(lateHook(6000)))
    expect(beyond.live(fileId('s1.jsonl'))).toHaveLength(3)
    expect(lostIn(beyond)).toEqual([])
  })

  it.each([
    ['answered', false],
    ['beside other roots', true],
  ])('[L9] [G8] thousands of prompts on one chain of hooks, %s', (_, isRoot) => {
    const rows = manyHooks(5000, isRoot)
    const graph = graphOfFiles(fileOf(rows))
    expect(graph.totals().nodes).toBe(rows.length)
    expect(lostIn(graph)).toEqual([])
  })

  it('[G8] a chain of 50,000', () => {
    const graph = graphOfFiles(fileOf(chain(50_000)))
    expect(graph.lines().map(line => line.nodes.length)).toEqual([50_000])
    expect(graph.live(fileId('s1.jsonl'))).toHaveLength(50_000)
    expect(graph.forks()).toEqual([])
    expect(graph.diagnostics()).toEqual([])
  })

  it('[G8] a chain of a million', () => {
    const builder = startGraph()
    const facts = factsOf('s1.jsonl')
    for (let n = 1; n <= 1_000_000; n++) {
      const parent = n === 1 ? null : uuid(n - 1)
      const text = JSON.stringify({
        type: n % 2 ? 'user' : 'attachment',
        uuid: uuid(n),
        parentUuid: parent,
        sessionId: 's1',
      })
      builder.addRow(facts, parseRow({ row: n, offset: n, length: text.length, text, whole: true }))
    }
    const graph = builder.build()
    expect(graph.lines().map(line => line.nodes.length)).toEqual([1_000_000])
    expect(graph.live(fileId('s1.jsonl'))).toHaveLength(500_000)
  }, 60_000)

  it('[G8] [G4] the same chain written backwards', () => {
    const graph = graphOfFiles(fileOf(chain(50_000).reverse()))
    expect(graph.lines().map(line => line.nodes.length)).toEqual([50_000])
    expect(
      graph
        .lines()[0]
        ?.nodes.map(node => graph.id(node))
        .slice(0, 3),
    ).toEqual([0, 1, 2].map(uuid))
  })

  it('[G8] [G3] one cycle of 50,000', () => {
    const rows = chain(50_000)
    const [first, ...others] = rows
    const graph = graphOfFiles(fileOf([{ ...(first as Made), parent: 49_999 }, ...others]))
    expect(graph.diagnostics().map(({ rule }) => rule)).toEqual(['dag/cycle'])
    expect(graph.lines()[0]?.nodes).toHaveLength(50_000)
  })

  it('[G8] [F7] 3,000 turns, each written twice, each gone on from its copy', () => {
    const rows: Made[] = [{ id: 0, parent: null, text: 'start', at: 0 }]
    for (let i = 0; i < 3000; i++) {
      const [prompt, copy, answer] = [3 * i + 1, 3 * i + 2, 3 * i + 3]
      const turn = { parent: i === 0 ? 0 : 3 * i, text: `turn ${i}`, at: 10 * i + 1 }
      rows.push({ id: prompt, ...turn }, { id: copy, ...turn })
      rows.push({ id: answer, parent: copy, text: `answer ${i}`, at: 10 * i + 2, type: 'assistant' })
    }
    const graph = graphOfFiles(fileOf(rows))
    expect(graph.lines().map(line => line.nodes.length)).toEqual([6001])
    expect(graph.folded()).toHaveLength(3000)
    expect(graph.live(fileId('s1.jsonl'))).toHaveLength(6001)
    expect(lostIn(graph)).toEqual([])
  })

  it('[G8] [F7] one turn written 3,000 times', () => {
    const rows: Made[] = [
      { id: 0, parent: null, text: 'start', at: 0 },
      { id: 1, parent: 0, text: 'answer', at: 1, type: 'assistant' },
    ]
    for (let i = 0; i < 3000; i++) {
      rows.push({ id: 2 * i + 2, parent: 1, text: 'again', at: 5 })
      rows.push({ id: 2 * i + 3, parent: 2 * i + 2, text: 'yes', at: 6, type: 'assistant', message: 'yes' })
    }
    const graph = graphOfFiles(fileOf(rows))
    expect(graph.lines().map(line => line.nodes.length)).toEqual([4])
    expect(graph.folded()).toHaveLength(5998)
    expect(graph.forks().every(fork => fork.kind === 'replay')).toBe(true)
  })

  it('[G8] [F12] 2,000 rewinds, each inside the branch of the one before', () => {
    const rows: Made[] = [
      { id: 0, parent: null, text: 'start', at: 0 },
      { id: 1, parent: 0, text: 'answer', at: 1, type: 'assistant' },
    ]
    let tip = 1
    for (let i = 0; i < 2000; i++) {
      const base = 4 * i + 2
      for (const side of [0, 2]) {
        rows.push({ id: base + side, parent: tip, text: `prompt ${base + side}`, at: base + side })
        rows.push({
          id: base + side + 1,
          parent: base + side,
          text: 'a',
          at: base + side + 1,
          type: 'assistant',
        })
      }
      tip = base + 3
    }
    const graph = graphOfFiles(fileOf(rows))
    expect(graph.lines()).toHaveLength(4001)
    expect(graph.lines().every(line => line.nodes.length === 2)).toBe(true)
    expect(graph.lines().filter(line => line.status === 'live')).toHaveLength(2001)
    expect(graph.forks().every(fork => fork.rule === 'F12')).toBe(true)
    expect(graph.live(fileId('s1.jsonl'))).toHaveLength(4002)
    expect(lostIn(graph)).toEqual([])
  })

  it('[G8] [F2] 100,000 hooks on one node', () => {
    const rows: Made[] = chain(2)
    for (let i = 2; i < 100_002; i++) rows.push({ id: i, parent: 1, text: '', at: i, type: 'attachment' })
    rows.push(
      { id: 100_002, parent: 1, text: 'on', at: 100_002 },
      { id: 100_003, parent: 100_002, text: 'yes', at: 100_003, type: 'assistant' },
    )
    const graph = graphOfFiles(fileOf(rows))
    expect(graph.lines().map(line => line.nodes.length)).toEqual([100_004])
    expect(graph.forks().map(fork => `${fork.rule} ${fork.children.length}`)).toEqual(['F2 100001'])
    expect(graph.live(fileId('s1.jsonl'))).toHaveLength(4)
  })

  it('[G8] [F10] 100,000 prompts on one node, none answered but the last', () => {
    const rows: Made[] = chain(2)
    for (let i = 2; i < 100_002; i++) rows.push({ id: i, parent: 1, text: `prompt ${i}`, at: i })
    rows.push({ id: 100_002, parent: 100_001, text: 'yes', at: 100_002, type: 'assistant' })
    const graph = graphOfFiles(fileOf(rows))
    expect(graph.forks().map(fork => `${fork.rule} ${fork.children.length}`)).toEqual(['F10 100000'])
    expect(graph.live(fileId('s1.jsonl'))).toHaveLength(4)
  })

  it('[G8] [F12] 20,000 rewinds to one node, with ids that share twelve characters', () => {
    const rows: Made[] = chain(2)
    for (let i = 1; i <= 20_000; i++) {
      rows.push({ id: 2 * i, parent: 1, text: `prompt ${i}`, at: 2 * i })
      rows.push({ id: 2 * i + 1, parent: 2 * i, text: 'yes', at: 2 * i + 1, type: 'assistant' })
    }
    const shared = fileOf(rows).map(({ path, text }) => ({
      path,
      text: text.replaceAll(
        /"0000(\w{4})-0000-4000-8000-000000000000"/g,
        '"00000000-0000-4000-8000-00000000$1"',
      ),
    }))
    const graph = graphOfFiles(shared)
    expect(graph.lines()).toHaveLength(20_001)
    expect(new Set(graph.lines().map(line => line.id)).size).toBe(20_001)
  })

  it('[G8] [T1] a message of 5,000 parts, its results in reverse', () => {
    const count = 5000
    const part = (i: number): string =>
      JSON.stringify({
        type: 'assistant',
        uuid: uuid(i + 1),
        parentUuid: uuid(i),
        sessionId: 's1',
        message: { id: 'm', content: [{ type: 'tool_use', id: `t${i}`, name: 'Bash', input: {} }] },
      })
    const result = (i: number): string =>
      JSON.stringify({
        type: 'user',
        uuid: uuid(i + 20_000),
        parentUuid: uuid(i + 1),
        sessionId: 's1',
        message: { content: [{ type: 'tool_result', tool_use_id: `t${i}` }] },
      })
    const indices = Array.from({ length: count }, (_, i) => i)
    const text = [
      entry({ id: 0, parent: null, text: 'go', at: 0 }),
      ...indices.map(part),
      ...indices.reverse().map(result),
    ].join('\n')
    const graph = graphOfFiles([{ path: 's1.jsonl', text }])
    expect(graph.lines().map(line => line.nodes.length)).toEqual([2 * count + 1])
    const live = graph.live(fileId('s1.jsonl')).map(node => graph.id(node))
    expect(live).toHaveLength(2 * count + 1)
    expect(live[1]).toBe(uuid(1))
    expect(live[count]).toBe(uuid(count))
    expect(live[count + 1]).toBe(uuid(count - 1 + 20_000))
    expect(graph.diagnostics()).toEqual([])
  })
})
