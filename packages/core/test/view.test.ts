/** Views: which rows, in which order, in which lanes. The pictures are what a reader sees. */
import { describe, expect, it } from 'vitest'
import {
  fileId,
  isSpoken,
  layOutLanes,
  renderText,
  sessionId,
  type View,
  type WalkOptions,
  walkSession,
} from '../src/index.js'
import { walkNodes } from '../src/view/index.js'
import { type Drawn, draw } from './support.js'

const everything: WalkOptions = { branches: 'show', agents: 'show', shows: () => true }
const spoken: WalkOptions = { branches: 'show', agents: 'show', shows: isSpoken }
const folded: WalkOptions = { branches: 'fold', agents: 'fold', shows: isSpoken }

function viewOf({ graph }: Drawn, options: WalkOptions, session = 's1'): View {
  return walkSession(graph, sessionId(session), options)
}

/** The drawing, with tokens for labels; folded lines with the number of their messages. */
function picture(drawn: Drawn, options: WalkOptions = everything, session = 's1'): string {
  const { rows } = viewOf(drawn, options, session)
  const text = renderText(rows, layOutLanes(rows), row => {
    const token = drawn.say([row.node])
    return row.kind === 'node' ? token : `${row.kind} ${token} (${row.folded})`
  })
  return `\n${text}\n`
}

/** The tokens of the rows, in order. */
function order(drawn: Drawn, options: WalkOptions = everything): string {
  return drawn.say(viewOf(drawn, options).rows.map(row => row.node))
}

describe('order', () => {
  it('[T4] puts a result behind its call', () => {
    expect(order(draw('s1: u1 a1[t1] a2=a1[t2] r1<a1[t1] r2<a2[t2] a3'))).toBe('u1 a1 r1 a2 r2 a3')
    expect(order(draw('s1: u1 a1[t1,t2] r1[t1] r2[t2] a2'))).toBe('u1 a1 r1 r2 a2')
  })

  it('[T4] leaves a result where it came when the assistant spoke in between', () => {
    expect(order(draw('s1: u1 a1[t1] a2 / s1: a1 > r1[t1]@+5m a3'))).toBe('u1 a1 a2 r1 a3')
  })

  it('[T4] puts a late result back to its call where the thinking between them is hidden', () => {
    const thought = draw('s1: u1 a1[t1] d1 a2[t2] r2[t2] / s1: a1 > r1[t1]@+5m a3')
    expect(order(thought)).toBe('u1 a1 d1 a2 r2 r1 a3')
    expect(order(thought, spoken)).toBe('u1 a1 r1 a2 r2 a3')
    const between = draw('s1: u1 a1[t1] a4"Meanwhile" a2[t2] r2[t2] / s1: a1 > r1[t1]@+5m a3')
    expect(order(between, spoken)).toBe('u1 a1 a4 a2 r2 r1 a3')
  })

  it('[L1] walks the trunk in order, over a compaction', () => {
    expect(order(draw('s1: u1 a1 c1 k1 u2 a2'))).toBe('u1 a1 c1 k1 u2 a2')
  })

  it('[L3] shows given nodes one below the other', () => {
    const drawn = draw('s1: u1 a1 u2 a2 / s1: a1 > u3 a3')
    const { rows } = walkNodes(drawn.graph, drawn.graph.live(fileId('s1.jsonl')))
    expect(renderText(rows, layOutLanes(rows), row => drawn.say([row.node]))).toBe('● u1\n● a1\n● u3\n● a3')
  })
})

describe('lanes', () => {
  it('[L1] a rewind: what was left stands beside, the conversation goes on below', () => {
    expect(picture(draw('s1: u1 a1 u2 a2 u3 a3 / s1: a1 > u4@+30m a4'))).toMatchInlineSnapshot(`
      "
      ● u1
      ● a1
      ├─● u2
      │ ● a2
      │ ● u3
      │ ● a3
      ● u4
      ● a4
      "
    `)
  })

  it('[L1] rewinds at one node, and inside of each other', () => {
    const drawn = draw('s1: u1 a1 u2 a2 / s1: a1 > u3 a3 u4 a4 / s1: a3 > u5 a5 / s1: a1 > u6 a6')
    expect(picture(drawn)).toMatchInlineSnapshot(`
      "
      ● u1
      ● a1
      ├─●   u2
      │ ●   a2
      ├─●   u3
      │ ●   a3
      │ ├─● u4
      │ │ ● a4
      │ ●   u5
      │ ●   a5
      ● u6
      ● a6
      "
    `)
  })

  it('[L1] another beginning stands aside; the first lane is for the conversation', () => {
    expect(picture(draw('s1: u1 a1 / s1: u2@+5m a2'))).toMatchInlineSnapshot(`
      "
        ● u1
        ● a1
      ● u2
      ● a2
      "
    `)
  })

  it('[A6] parallel agents: lanes leave at the calls and come back at the results, in the order of ending', () => {
    const drawn = draw(`
      s1: u1 a1[t1:Task>x] a2=a1[t2:Task>y]
      s1/x: u2 a3
      s1/y: u3 a4
      s1: a2 > r2[t2>y]
      s1/x: a3 > a5
      s1: a1 > r1[t1>x] a6`)
    expect(picture(drawn)).toMatchInlineSnapshot(`
      "
      ● u1
      ●─╮   a1
      ●─│─╮ a2
      │ │ ● u3
      │ │ ● a4
      ●─│─╯ r2
      │ ●   u2
      │ ●   a3
      │ ●   a5
      ●─╯   r1
      ● a6
      "
    `)
  })

  it('[A5] an agent inside an agent', () => {
    const drawn = draw(`
      s1: u1 a1[t1:Task>x]
      s1/x: u2 a2[t2:Task>y]
      s1/y: u3 a3
      s1/x: a2 > r2[t2>y] a4
      s1: a1 > r1[t1>x] a5`)
    expect(picture(drawn)).toMatchInlineSnapshot(`
      "
      ● u1
      ●─╮   a1
      │ ●   u2
      │ ●─╮ a2
      │ │ ● u3
      │ │ ● a3
      │ ●─╯ r2
      │ ●   a4
      ●─╯   r1
      ● a5
      "
    `)
  })

  it('[A6] an agent in the background comes back at its notification', () => {
    const drawn = draw(`
      s1: u1 a1[t1:Task>x] r1[t1>x]+{"toolUseResult":{"isAsync":true,"status":"async_launched","agentId":"x"}} a2
      s1/x: u2 a3 a4
      s1: a2 > n1"<task-notification><task-id>x</task-id></task-notification>" a5`)
    expect(picture(drawn)).toMatchInlineSnapshot(`
      "
      ● u1
      ●─╮ a1
      ● │ r1
      ● │ a2
      │ ● u2
      │ ● a3
      │ ● a4
      ●─╯ n1
      ● a5
      "
    `)
  })

  it('[A7] an agent without a call stands aside at the end', () => {
    expect(picture(draw('s1: u1 a1 / s1/x: u2 a2'))).toMatchInlineSnapshot(`
      "
      ● u1
      ● a1
        ● u2
        ● a2
      "
    `)
  })

  it('[C3] a compaction is a line across', () => {
    const drawn = draw('s1: u1 a1 u2 a2 / s1: a1 > u3 a3 c1 k1 u4 a4')
    expect(picture(drawn)).toMatchInlineSnapshot(`
      "
      ● u1
      ● a1
      ├─● u2
      │ ● a2
      ● u3
      ● a3
      ◆ c1
      ● k1
      ● u4
      ● a4
      "
    `)
  })
})

describe('an unfinished compaction', () => {
  it('[C4] no line is drawn across: the conversation goes on beside it', () => {
    expect(picture(draw('s1: u1 a1 u2 a2 c1 / s1: a2 > u3 a3'))).toMatchInlineSnapshot(`
      "
      ● u1
      ● a1
      ● u2
      ● a2
      ◇ c1
      ● u3
      ● a3
      "
    `)
  })
})

describe('pruning', () => {
  const drawn = draw(`
    s1: u1 a1 h1 u2 a2
    s1: h1 > u3 a3[t1:Task>x]
    s1/x: u4 a4
    s1: a3 > r1[t1>x] a5`)

  it('[L6] folds branches and agents to one row each and counts what it left out', () => {
    expect(picture(drawn, folded)).toMatchInlineSnapshot(`
      "
      ● u1
      ● a1
      ├─○ branch u2 (2)
      ● u3
      ●─╮ a3
      │ ○ agent u4 (2)
      ● r1
      ● a5
      "
    `)
    expect(viewOf(drawn, folded).left).toEqual({ branches: 1, agents: 1, structural: 1 })
  })

  it('[L6] leaves structural nodes out; their branches hang on the row before', () => {
    expect(picture(drawn, spoken)).toMatchInlineSnapshot(`
      "
      ● u1
      ● a1
      ├─● u2
      │ ● a2
      ● u3
      ●─╮ a3
      │ ● u4
      │ ● a4
      ●─╯ r1
      ● a5
      "
    `)
    expect(viewOf(drawn, spoken).left).toEqual({ branches: 0, agents: 0, structural: 1 })
  })

  it('[L4] shows one branch from the node it leaves', () => {
    const line = drawn.graph.lineOf(drawn.node('u2'))
    expect(line?.status).toBe('abandoned')
    if (line !== null) expect(picture(drawn, { ...spoken, line })).toBe('\n● h1\n● u2\n● a2\n')
  })

  it('[S4] warm-up agents are left out and counted', () => {
    const warm = draw('s1: u1 a1 / s1/x: u2"Warmup" a2')
    expect(viewOf(warm, everything).left.agents).toBe(1)
    expect(order(warm, { ...everything, warmups: true })).toBe('u1 a1 u2 a2')
  })
})

describe('sessions', () => {
  it('[S2] a row names the sessions that go on from it', () => {
    const drawn = draw('s1: u1 a1 u2 a2 / s2: u1 a1 u3 a3')
    const rows = viewOf(drawn, everything).rows
    const junctions = rows.flatMap(row =>
      row.junctions.map(({ session }) => `${drawn.say([row.node])} ${session}`),
    )
    expect(junctions).toEqual(['a1 s2'])
    expect(viewOf(drawn, everything, 's2').rows.map(row => drawn.say([row.node]))).toEqual(['u3', 'a3'])
  })
})
