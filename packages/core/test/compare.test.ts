import { expandShape, generate } from '@dagline/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Graph, sessionId } from '../src/index.js'
import {
  type CompareOptions,
  compareApart,
  compareLines,
  listComparable,
  nodeNamed,
  pathThrough,
} from '../src/measure/index.js'
import type { ComparedSide, Comparison } from '../src/protocol/index.js'
import { type Drawn, drawnOf, graphOfFiles, nodeOf } from './support.js'

interface Pair extends Drawn {
  readonly options: CompareOptions
  compare(a: string, b: string): Comparison
}

interface Row {
  readonly uuid?: string
  readonly message?: { readonly content?: unknown }
}

/** The rows of a shape by uuid, as its options need them. */
function readings(graph: Graph, files: readonly { readonly text: string }[]): CompareOptions {
  const rows = new Map<string, Row>()
  for (const line of files.flatMap(({ text }) => text.split('\n'))) {
    const row: Row = line.startsWith('{') ? JSON.parse(line) : {}
    if (row.uuid !== undefined) rows.set(row.uuid, row)
  }
  const blocksOf = (node: number): readonly Record<string, unknown>[] => {
    const content = rows.get(graph.id(node))?.message?.content
    if (typeof content === 'string') return [{ type: 'text', text: content }]
    return Array.isArray(content) ? content : []
  }
  return {
    wordsOf: node =>
      blocksOf(node).flatMap(({ text }) => (typeof text === 'string' ? [text] : []))[0] ?? null,
    callsOf: node =>
      blocksOf(node)
        .filter(({ type }) => type === 'tool_use')
        .map(({ input }) => ({ text: JSON.stringify(input), path: pathIn(input) })),
    costOf: () => 0.5,
  }
}

function pathIn(input: unknown): string | null {
  return typeof input === 'object' && input !== null && 'file_path' in input ? String(input.file_path) : null
}

function draw(text: string): Pair {
  const shape = expandShape(text)
  const drawn = drawnOf(shape, graphOfFiles(shape.files, shape.metas))
  const options = readings(drawn.graph, shape.files)
  const node = (word: string): number => {
    const token = drawn.node(word)
    return token < 0 ? (nodeNamed(drawn.graph, word) ?? -1) : token
  }
  return { ...drawn, options, compare: (a, b) => compareLines(drawn.graph, node(a), node(b), options) }
}

/** `u2: prompt u2 > answer a2`, turn by turn. */
function turns({ shape }: Drawn, { turns: all }: ComparedSide): readonly string[] {
  return all.map(({ node, prompt, answer }) => `${shape.say([node])}: ${prompt} > ${answer}`)
}

const EDIT = (id: string, path: string): string =>
  `+{"message":{"content":[{"type":"tool_use","id":"toolu_${id}","name":"Edit","input":{"file_path":"${path}"}}]}}`

const TWO = 's1: u1 a1 u2 a2 u3 a3 / s1: a1 > u4@+30m a4'

describe('paths', () => {
  it.each([
    ['u2', 'u1 a1 u2 a2 u3 a3'],
    ['a3', 'u1 a1 u2 a2 u3 a3'],
    ['u4', 'u1 a1 u4 a4'],
    // The live branch, where the node is before the fork.
    ['u1', 'u1 a1 u4 a4'],
  ])('through %s', (token, expected) => {
    const drawn = draw(TWO)
    expect(drawn.say(pathThrough(drawn.graph, drawn.node(token)))).toBe(expected)
  })

  it('go on by the branch that was written last where none is live', () => {
    const drawn = draw('s1: u1 a1 u2 a2 u3 a3 / s1: a2 > u4@+30m a4 / s1: a1 > u5@+60m a5')
    expect(drawn.say(pathThrough(drawn.graph, drawn.node('u2')))).toBe('u1 a1 u2 a2 u4 a4')
    expect(drawn.say(pathThrough(drawn.graph, drawn.node('u3')))).toBe('u1 a1 u2 a2 u3 a3')
  })

  it('are named by uuids, lines and sessions', () => {
    const { graph, say, node, shape } = draw(TWO)
    expect(nodeNamed(graph, shape.uuid('u2'))).toBe(node('u2'))
    expect(say([nodeNamed(graph, 's1')])).toBe('a4')
    const left = graph.lines().find(({ status }) => status === 'abandoned')
    expect(say([nodeNamed(graph, left?.id ?? '')])).toBe('u2')
    expect(nodeNamed(graph, 'nothing')).toBeNull()
  })
})

describe('comparing', () => {
  it('two branches: from the fork on, turn by turn', () => {
    const pair = draw(TWO)
    const { fork, sides } = pair.compare('u2', 'u4')
    expect(fork).toMatchObject({ node: pair.shape.uuid('a1'), session: 's1', shared: 2 })
    expect(fork?.evidence).toMatch(/2 children/)
    expect(turns(pair, sides[0])).toEqual(['u2: prompt u2 > answer a2', 'u3: prompt u3 > answer a3'])
    expect(turns(pair, sides[1])).toEqual(['u4: prompt u4 > answer a4'])
    expect(sides.map(({ status }) => status)).toEqual(['abandoned', 'live'])
    expect(sides.map(({ messages, cost }) => [messages, cost])).toEqual([
      [2, 1],
      [1, 0.5],
    ])
  })

  it('two paths that part at the beginning: the fork has no node, but is one', () => {
    const pair = draw('s1: u1 a1 / s1: u2<-@+30m a2')
    const { fork, sides } = pair.compare('u1', 'u2')
    expect(fork).toMatchObject({ node: null, session: 's1', shared: 0 })
    expect(sides.map(side => turns(pair, side).length)).toEqual([1, 1])
  })

  it('two sessions that share history', () => {
    const pair = draw('s1: u1 a1 u2 a2 / s2: u1 a1 u3 a3')
    const { fork, sides } = pair.compare('s1', 's2')
    expect(fork).toMatchObject({ node: pair.shape.uuid('a1'), shared: 2, evidence: null })
    expect(sides.map(({ session }) => session)).toEqual(['s1', 's2'])
    expect(turns(pair, sides[0])).toEqual(['u2: prompt u2 > answer a2'])
    expect(turns(pair, sides[1])).toEqual(['u3: prompt u3 > answer a3'])
  })

  it('two sessions that share nothing, of one graph or of two', () => {
    const pair = draw('s1: u1 a1 / s2: u2 a2')
    const { fork, sides } = pair.compare('s1', 's2')
    expect(fork).toBeNull()
    const [one, other] = [draw('s1: u1 a1'), draw('s2: u2@+2s a2')]
    const pathOf = ({ graph, options }: Pair, session: string) => ({
      graph,
      node: nodeNamed(graph, session) ?? -1,
      options,
    })
    expect(compareApart(pathOf(one, 's1'), pathOf(other, 's2'))).toEqual({ fork: null, sides })
  })

  it('a node with itself: nothing is left on either side', () => {
    const { fork, sides } = draw(TWO).compare('u2', 'a3')
    expect(fork?.shared).toBe(6)
    expect(sides.map(({ turnCount, messages }) => [turnCount, messages])).toEqual([
      [0, 0],
      [0, 0],
    ])
  })

  it('a session within an agent as the work of the path that started it', () => {
    const pair = draw(`
      s1: u1 a1 u2 a2[t1:Task>x]
      s1/x: meta {"agentType":"Explore"}
      s1/x: u9 a9[t2:Bash] r9[t2!] a8
      s1: a2 > r2[t1>x] a3
      s1: a1 > u3@+30m a4
    `)
    const [with1, without] = pair.compare('u2', 'u3').sides
    expect(with1.agents).toBe(1)
    expect(with1.messages).toBe(4)
    expect(with1.tools).toEqual([
      { name: 'Bash', calls: 1, errors: 1 },
      { name: 'Task', calls: 1, errors: 0 },
    ])
    expect(with1.turns.map(({ calls, cost }) => [calls.map(({ tool }) => tool), cost])).toEqual([
      [['Task'], 2],
    ])
    expect([without.agents, without.messages]).toEqual([0, 1])
  })

  it('files: what was changed, not what was tried', () => {
    const pair = draw(`
      s1: u1 a1 u2 a2[t1:Edit]${EDIT('t1', '/p/a.ts')} r2[t1] a3[t2:Edit]${EDIT('t2', '/p/a.ts')} r3[t2]
      s1: r3 > a4[t3:Edit]${EDIT('t3', '/p/b.ts')} r4[t3!] a5[t4:Edit]${EDIT('t4', '/p/c.ts')}
      s1: a1 > u3@+30m a6
    `)
    const [side] = pair.compare('u2', 'u3').sides
    expect(side.files).toEqual([{ path: '/p/a.ts', edits: 2 }])
    expect(side.tools).toEqual([{ name: 'Edit', calls: 4, errors: 1 }])
    expect(side.turns[0]?.calls.map(({ failed }) => failed)).toEqual([false, false, true, false])
  })

  it('a path that parts in the middle of a turn begins without a prompt', () => {
    const pair = draw('s1: u1 a1[t1] r1[t1] a2 u2 a3 / s2: u1 a1[t1] r1[t1] a4@+30m')
    const { sides } = pair.compare('s1', 's2')
    expect(turns(pair, sides[1])).toEqual(['a4: null > answer a4'])
  })

  it('messages of the shared part count on neither side', () => {
    const pair = draw('s1: u1 a1 a2=a1 u2 a3 / s2: u1 a1 a4=a1@+30m u3 a5')
    const { sides } = pair.compare('s1', 's2')
    expect(sides[1].messages).toBe(1)
  })

  it('only the first turns are told, all are counted', () => {
    const { graph, options, node } = draw(TWO)
    const { sides } = compareLines(graph, node('u2'), node('u4'), { ...options, most: 1 })
    expect(sides[0].turns.length).toBe(1)
    expect(sides[0].turnCount).toBe(2)
    expect(sides[0].messages).toBe(2)
  })
})

describe('what can be compared', () => {
  it('forks of the session, and sessions that go on from it', () => {
    const { graph, shape } = draw(`${TWO} / s2: u1 a1 u2 a2 u5@+90m a5`)
    const told = listComparable(graph, sessionId('s1')).map(({ kind, branches }) => [
      kind,
      branches.map(
        ({ ref, status, turns: count, words }) => `${shape.say([ref])} ${status} ${count} ${words}`,
      ),
    ])
    expect(told).toContainEqual(['rewind', ['u2 abandoned 2 prompt u2', 'u4 live 1 prompt u4']])
    expect(told.length).toBe(2)
    expect(listComparable(graph, sessionId('s2')).length).toBe(1)
  })

  it('nothing in a session without forks', () => {
    const { graph } = draw('s1: u1 a1[t1,t2] r1[t1] r2[t2] a2')
    expect(listComparable(graph, sessionId('s1'))).toEqual([])
  })
})

describe('random conversations', () => {
  it('part where they were made to part, and no node is on both sides', () => {
    let forks = 0
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), seed => {
        const { files, metas, truth } = generate(seed, { actions: 16 })
        const graph = graphOfFiles(files, metas)
        const options = readings(graph, files)
        for (const { at, heads, copied } of truth.branches) {
          const [a, b] = heads.map(head => nodeOf(graph, head))
          if (copied || at === null || a === undefined || b === undefined) continue
          if (graph.originalOf(a) !== a || graph.originalOf(b) !== b) continue
          forks++
          const one = compareLines(graph, a, b, options)
          const back = compareLines(graph, b, a, options)
          expect(one.fork?.node).toBe(graph.id(graph.originalOf(nodeOf(graph, at))))
          expect(one.sides.toReversed()).toEqual(back.sides)
          checkPath(graph, a, one)
        }
      }),
      { numRuns: 60, seed: 20_261 },
    )
    expect(forks).toBeGreaterThan(30)
  })
})

/** A side is its path without what both have: each node once, turns in their order, no more messages than nodes. */
function checkPath(graph: Graph, node: number, { fork, sides }: Comparison): void {
  const path = pathThrough(graph, node)
  expect(new Set(path).size).toBe(path.length)
  const own: readonly string[] = path.slice(fork?.shared ?? 0).map(each => graph.id(each))
  const starts = sides[0].turns.map(turn => own.indexOf(turn.node))
  expect(starts).toEqual([...starts].sort((a, b) => a - b))
  expect(starts.every(start => start >= 0)).toBe(true)
  const others = pathThrough(graph, nodeOf(graph, sides[1].ref)).slice(fork?.shared ?? 0)
  expect(others.filter(each => own.includes(graph.id(each)))).toEqual([])
}
