/** Sheets: what the page gets of a session, and what it shows of it. The pictures are what a reader sees. */
import { describe, expect, it } from 'vitest'
import { fileId, layOutLanes, sessionId } from '../src/index.js'
import type { MessageUsage } from '../src/measure/index.js'
import { ROW_MARKS, type Sheet } from '../src/protocol/index.js'
import {
  countMessages,
  FIRST_CHOICE,
  type FoldChoice,
  foldSheet,
  kindAt,
  makeSheet,
  paintLanes,
  reveal,
  tailKey,
} from '../src/view/index.js'
import { type Drawn, draw, nodeOf } from './support.js'

const options = { project: 'p', title: null, archivedOnly: false, version: '1' }

function sheetOf({ graph }: Drawn, session = 's1'): Sheet {
  return makeSheet(graph, sessionId(session), options)
}

function choose(changes: Partial<FoldChoice>): FoldChoice {
  return { ...FIRST_CHOICE, ...changes }
}

/** The row of a token. */
function rowOf(drawn: Drawn, sheet: Sheet, token: string): number {
  return sheet.rows.node.indexOf(drawn.shape.uuid(token))
}

/** The drawing of what is shown, with tokens for labels. */
function picture(drawn: Drawn, sheet: Sheet, changes: Partial<FoldChoice> = {}): string {
  const { rows } = foldSheet(sheet, choose(changes))
  const painted = paintLanes(
    rows.map(({ kind }) => ({ kind: kind === 'row' ? 'node' : 'branch', landmark: false }) as const),
    layOutLanes(rows),
  )
  const lines = rows.map(({ kind, row }) => {
    const token = drawn.say([nodeOf(drawn.graph, sheet.rows.node[row] ?? '')])
    return `${painted.next().value?.graph} ${kind === 'row' ? '' : `${kind} `}${token}`
  })
  return `\n${lines.join('\n')}\n`
}

const rewound = 's1: u1 a1 u2 a2 u3 a3 / s1: a1 > u4@+30m a4 u5 a5'

describe('sheet', () => {
  it('[L1] has every row once, with what it is', () => {
    const drawn = draw('s1: u1 a1[t1] r1[t1] a2 c1 k1 u2 h1 e1')
    const sheet = sheetOf(drawn)
    expect(sheet.rows.node.map((_, row) => kindAt(sheet, row))).toEqual([
      'prompt',
      'call',
      'result',
      'text',
      'compaction',
      'summary',
      'prompt',
      'attachment',
      'error',
    ])
    expect(sheet.epochs).toMatchObject([{ row: 4, dropped: 3, summary: 5 }])
  })

  it('[C4] says that a compaction was not finished, and that it took nothing away', () => {
    const drawn = draw('s1: u1 a1 c1 / s1: a1 > u2 a2 c2+{"compactMetadata":{"durationMs":45210}} k2 u3')
    const sheet = sheetOf(drawn)
    expect(sheet.epochs).toMatchObject([
      { row: rowOf(drawn, sheet, 'c1'), isUnfinished: true, dropped: 0, durationMs: null },
      { row: rowOf(drawn, sheet, 'c2'), isUnfinished: false, dropped: 4, durationMs: 45210 },
    ])
    const unfinished = draw('s1: u1 a1 c1 / s1: a1 > u2 a2')
    expect(sheetOf(unfinished).rows.marks.some(marks => (marks & ROW_MARKS.compacted) !== 0)).toBe(false)
  })

  it('[T4] says which call a result stands with, and that the call failed', () => {
    const drawn = draw('s1: u1 a1[t1] r1[t1!] a2[t2] r2[t2]')
    const { rows } = sheetOf(drawn)
    expect(rows.joins).toEqual([0, 0, 1, 0, 1])
    expect(rows.marks.map(marks => (marks & 4) !== 0)).toEqual([false, true, true, false, false])
  })

  it('[T4] gives a late result a row of its own, and says which call it answers', () => {
    const drawn = draw('s1: u1 a1[t1] a2"Meanwhile" a3[t2] r2[t2] a4 / s1: a1 > r1[t1!]@+2m a5')
    const sheet = sheetOf(drawn)
    const at = (token: string): number => rowOf(drawn, sheet, token)
    expect(sheet.late).toEqual([[at('r1'), at('a1')]])
    expect(sheet.rows.joins[at('r1')]).toBe(0)
    expect(sheet.rows.joins[at('r2')]).toBe(1)
    expect((sheet.rows.marks[at('a1')] ?? 0) & ROW_MARKS.failed).not.toBe(0)
    expect(picture(drawn, sheet)).toBe('\n● u1\n● a1\n● a2\n● a3\n● a4\n● r1\n● a5\n')
    expect(picture(drawn, sheet, { level: 'conversation' })).toBe('\n● u1\n● a2\n● a4\n● a5\n')
  })

  it('[T4] orders rows as the log does, for any detail', () => {
    const drawn = draw('s1: u1 a1[t1] d1 a2[t2] r2[t2] / s1: a1 > r1[t1]@+5m a3')
    expect(sheetOf(drawn).late).toHaveLength(1)
    expect(picture(drawn, sheetOf(drawn))).toBe('\n● u1\n● a1\n● d1\n● a2\n● r1\n● a3\n')
  })

  it('[F12] has the branches of a fork in the order of writing, and their sizes', () => {
    const sheet = sheetOf(draw(rewound))
    expect(sheet.forks).toMatchObject([{ row: 1, kind: 'rewind' }])
    const sizeOf = (branch: number): number => sheet.rows.line.filter(line => line === branch).length
    const branches = sheet.forks[0]?.branches ?? []
    expect(branches.map(branch => [sheet.lines[branch]?.status, sizeOf(branch)])).toEqual([
      ['abandoned', 4],
      ['live', 4],
    ])
  })

  it('[L3] [L10] says what is live, in the order of sending', () => {
    const drawn = draw('s1: u1 a1 u2 a2 c1{a2} k1 u3')
    const sheet = sheetOf(drawn)
    expect(drawn.say(sheet.live.map(row => nodeOf(drawn.graph, sheet.rows.node[row] ?? '')))).toBe(
      drawn.say(drawn.graph.live(fileId('s1.jsonl'))),
    )
  })

  it('[S2] says of shared history what it is here: live, though it was left where it was written', () => {
    const drawn = draw('s1: u1 a1 u2 a2 / s1: a1 > u3@+30m a3 / s2: u1@+1h a1 u2 a2')
    const isLive = (sheet: Sheet): string =>
      drawn.say(
        sheet.rows.node.flatMap((node, row) =>
          ((sheet.rows.marks[row] ?? 0) & ROW_MARKS.live) === 0 ? [] : [nodeOf(drawn.graph, node)],
        ),
      )
    const copy = sheetOf(drawn, 's2')
    expect(copy.lines.map(({ status }) => status)).toEqual(['live', 'live'])
    expect(copy.forks).toEqual([])
    expect(isLive(copy)).toBe('u1 a1 u2 a2')
    // Nothing was added to it: what it shares is all there is to read.
    expect(foldSheet(copy, FIRST_CHOICE).rows).toHaveLength(4)
    const original = sheetOf(drawn)
    expect(original.lines.map(({ status }) => status)).toEqual(['live', 'abandoned', 'live'])
    expect(isLive(original)).toBe('u1 a1 u3 a3')
  })

  it('[T3] marks where messages begin: as many on each line as are counted there', () => {
    const drawn = draw(`${rewound} / s1: a5 > u6 a6[t1] a7=a6[t2] r1[t1] r2[t2] a8`)
    const sheet = sheetOf(drawn)
    const counted = sheet.lines.map((_, line) =>
      sheet.rows.marks.reduce(
        (sum, marks, row) =>
          sum + (sheet.rows.line[row] === line && (marks & ROW_MARKS.message) !== 0 ? 1 : 0),
        0,
      ),
    )
    expect(counted).toEqual(drawn.graph.lines().map(({ nodes }) => countMessages(drawn.graph, nodes)))
    expect(counted).toEqual([2, 4, 7])
  })

  it('[X4] says what each turn cost, with the agents that it called', () => {
    const drawn = draw('s1: u1 a1[t1:Task>x] / s1/x: u9 a9 / s1: a1 > r1[t1>x] a2 u2 a3')
    const usage: MessageUsage = {
      ...{ message: '', model: 'm', time: null, tier: null, speed: null, geo: null },
      ...{ input: 1, output: 1, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, webSearches: 0 },
      ...{ isFinal: true, written: 0 },
    }
    const { turns } = makeSheet(drawn.graph, sessionId('s1'), {
      ...options,
      usageOf: message => ({ ...usage, message }),
      costOf: () => 0.1,
    })
    expect(turns).toEqual([
      [0, 0.3],
      [sheetOf(drawn).rows.node.indexOf(drawn.shape.uuid('u2')), 0.1],
    ])
  })

  it('[S2] begins with the history that it shares with another session', () => {
    const drawn = draw('s1: u1 a1 u2 a2 / s2: u1 a1 u3 a3')
    const sheet = sheetOf(drawn, 's2')
    expect(sheet.lines.map(({ isShared }) => isShared)).toEqual([true, false])
    expect(picture(drawn, sheet)).toMatchInlineSnapshot(`
      "
      ○ shared u1
      ● u3
      ● a3
      "
    `)
    expect(picture(drawn, sheet, { open: new Set([0]) })).toMatchInlineSnapshot(`
      "
      ● u1
      ● a1
      ● u3
      ● a3
      "
    `)
    expect(picture(drawn, sheet, { liveOnly: true })).toMatchInlineSnapshot(`
      "
      ● u1
      ● a1
      ● u3
      ● a3
      "
    `)
  })
})

describe('fold', () => {
  it('[L1] shows the live branch and folds the others', () => {
    const drawn = draw(rewound)
    expect(picture(drawn, sheetOf(drawn))).toMatchInlineSnapshot(`
      "
      ● u1
      ● a1
      ├─○ branch u2
      ● u4
      ● a4
      ● u5
      ● a5
      "
    `)
  })

  it('[L1] takes another branch in place', () => {
    const drawn = draw(rewound)
    expect(picture(drawn, sheetOf(drawn), { branches: new Map([[0, 0]]) })).toMatchInlineSnapshot(`
      "
      ● u1
      ● a1
      ├─○ branch u4
      ● u2
      ● a2
      ● u3
      ● a3
      "
    `)
  })

  it('[L1] opens a branch beside the one that is taken', () => {
    const drawn = draw(rewound)
    const sheet = sheetOf(drawn)
    expect(
      picture(drawn, sheet, { open: new Set([sheet.forks[0]?.branches[0] ?? -1]) }),
    ).toMatchInlineSnapshot(`
      "
      ● u1
      ● a1
      ├─● u2
      │ ● a2
      │ ● u3
      │ ● a3
      ● u4
      ● a4
      ● u5
      ● a5
      "
    `)
  })

  it('[F3] folds what goes on by itself where a branch is taken', () => {
    const drawn = draw('s1: u1 a1 u2 a2 / s1: a1 > u3 i1 / s1: a1 > u4 a4')
    const sheet = sheetOf(drawn)
    expect(sheet.forks.map(({ branches }) => branches.length)).toEqual([3])
    for (const [fork, { branches }] of sheet.forks.entries()) {
      for (const [branch] of branches.entries()) {
        const { rows } = foldSheet(sheet, choose({ branches: new Map([[fork, branch]]) }))
        expect(rows.filter(({ kind }) => kind === 'branch').length).toBe(branches.length - 1)
      }
      const open = new Set([tailKey(sheet, fork)])
      expect(foldSheet(sheet, choose({ open })).rows.length).toBeGreaterThan(0)
    }
  })

  it('[A3] keeps an agent in its call until it is opened, then gives it a lane', () => {
    const drawn = draw('s1: u1 a1[t1:Task] / s1/x: u2 a2[t2] r2[t2] a3 / s1: a1 > r1[t1>x] a4')
    const sheet = sheetOf(drawn)
    const agent = sheet.lines.findIndex(({ kind }) => kind === 'agent')
    expect(picture(drawn, sheet)).toMatchInlineSnapshot(`
      "
      ● u1
      ● a1
      ● a4
      "
    `)
    expect(picture(drawn, sheet, { open: new Set([agent]) })).toMatchInlineSnapshot(`
      "
      ● u1
      ●─╮ a1
      │ ● u2
      │ ● a2
      │ ● a3
      ●─╯ r1
      ● a4
      "
    `)
    expect(foldSheet(sheet, FIRST_CHOICE).hidden.agents).toBe(3)
  })

  it('[L6] levels show prompts, the conversation, tools, everything', () => {
    const drawn = draw('s1: u1 d1 a1[t1] r1[t1] h1 a2 u2 a3')
    const sheet = sheetOf(drawn)
    const at = (level: FoldChoice['level']): string =>
      drawn.say(
        foldSheet(sheet, choose({ level })).rows.map(({ row }) =>
          nodeOf(drawn.graph, sheet.rows.node[row] ?? ''),
        ),
      )
    expect(at('prompts')).toBe('u1 u2')
    expect(at('tools')).toBe('u1 d1 a1 a2 u2 a3')
    expect(at('all')).toBe('u1 d1 a1 h1 a2 u2 a3')
  })

  it('[L3] live only is what the next request carries, and says how much else there is', () => {
    const drawn = draw(`${rewound} c1 k1 u6 a6`)
    const sheet = sheetOf(drawn)
    const { rows, hidden } = foldSheet(sheet, choose({ liveOnly: true, level: 'all' }))
    expect(rows.map(({ row }) => sheet.rows.node[row])).toEqual(
      drawn.graph.live(fileId('s1.jsonl')).map(node => drawn.graph.id(node)),
    )
    expect(hidden).toMatchObject({ abandoned: 4, rows: 10 })
  })

  it('reveals a row wherever it is', () => {
    const drawn = draw(`${rewound} / s1: a2 > u7 a7[t1:Task] / s1/x: u8 a8 / s1: a7 > r1[t1>x]`)
    const sheet = sheetOf(drawn)
    for (const token of ['u1', 'a3', 'a5', 'u7', 'a8']) {
      const row = rowOf(drawn, sheet, token)
      const { rows, shownAt } = foldSheet(sheet, reveal(sheet, row, FIRST_CHOICE))
      expect([token, rows[shownAt(row)]?.kind, rows[shownAt(row)]?.row]).toEqual([token, 'row', row])
    }
  })
})
