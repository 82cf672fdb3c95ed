import { describe, expect, it } from 'vitest'
import { sheetOf } from '../../test/sheets.js'
import { collectFacts } from './facts.js'
import { CELLS, minimapCells } from './minimap.js'
import { buildOutline, itemAround, itemBefore } from './outline.js'

function outline(shape: string): string[] {
  const { sheet } = sheetOf(shape)
  return buildOutline(sheet, collectFacts(sheet)).map(
    ({ kind, text, aside, isAbandoned, depth }) =>
      `${'  '.repeat(depth)}${kind} ${text} (${aside})${isAbandoned ? ' abandoned' : ''}`,
  )
}

describe('outline', () => {
  it('has turns with their calls', () => {
    expect(outline('s1: u1"First" a1[t1:Bash] r1[t1] a2 u2"Second" a3[t2:Bash] r2[t2!] a4')).toEqual([
      'turn First (1 call)',
      'turn Second (1 call, 1 failed)',
    ])
  })

  it('[F12] has rewinds, with what they abandoned', () => {
    expect(outline('s1: u1"One" a1 u2"Wrong" a2 u3"Worse" a3 / s1: a1 > u4"Right"@+30m a4')).toEqual([
      'turn One ()',
      'fork Rewind (4 messages abandoned)',
      '  turn Wrong () abandoned',
      '  turn Worse () abandoned',
      'turn Right ()',
    ])
  })

  it('[C3] has compactions and failed requests', () => {
    const items = outline('s1: u1"One" a1 c1 k1 u2"Two" e1')
    expect(items.map(item => item.split(' ')[0])).toEqual(['turn', 'compaction', 'turn', 'error'])
  })

  it('[A3] has subagents below the turn that called them, without their messages', () => {
    expect(outline('s1: u1"One" a1[t1:Task>x] / s1/x: u2"Told" a2 / s1: a1 > r1[t1>x] a3')).toEqual([
      'turn One (1 call)',
      '  agent general-purpose: Told (2 messages)',
    ])
  })

  it('knows which item a row is in', () => {
    const { sheet, row } = sheetOf('s1: u1 a1 u2 a2')
    const items = buildOutline(sheet, collectFacts(sheet))
    expect(['u1', 'a1', 'u2', 'a2'].map(token => itemBefore(items, row(token)))).toEqual([0, 0, 1, 1])
    expect(itemBefore(items, -1)).toBe(-1)
  })

  it('[A3] knows which of several subagents a row is in, and when the conversation continues', () => {
    const { sheet, row } = sheetOf(
      's1: u1"One" a1[t1:Task>x,t2:Task>y] / s1/x: u2 a2 / s1/y: u3 a3 / s1: a1 > r1[t1>x] r2[t2>y] a4',
    )
    const items = buildOutline(sheet, collectFacts(sheet))
    const around = ['a1', 'u2', 'a2', 'a3', 'a4'].map(token => items[itemAround(items, sheet, row(token))])
    const names = around.map(item => (item?.kind === 'agent' ? item.target : item?.text))
    expect(names).toEqual(['One', row('u2'), row('u2'), row('u3'), 'One'])
  })
})

describe('minimap', () => {
  it('has columns for the conversation, abandoned branches and subagents', () => {
    const { sheet } = sheetOf(
      's1: u1 a1[t1:Task>x] / s1/x: u8 a8 / s1: a1 > r1[t1>x] a2 u2 a3 / s1: a2 > u3@+30m a4',
    )
    const height = sheet.rows.node.length
    const cells = minimapCells(sheet, collectFacts(sheet), height)
    const lines = Array.from({ length: height }, (_, y) =>
      [...cells.slice(y * 3, y * 3 + 3)].map(cell => CELLS[cell]?.[0]).join(''),
    )
    expect(lines).toEqual(['pnn', 'cnn', 'nna', 'nna', 'cnn', 'tnn', 'npn', 'ntn', 'pnn', 'tnn'])
  })

  it('shows what matters most where many rows share a pixel', () => {
    const { sheet } = sheetOf(
      `s1: ${Array.from({ length: 50 }, (_, at) => `u${at + 1} a${at + 1}`).join(' ')} c1 k1`,
    )
    const cells = minimapCells(sheet, collectFacts(sheet), 4)
    expect([...cells].filter((_, at) => at % 3 === 0).map(cell => CELLS[cell])).toEqual([
      'prompt',
      'prompt',
      'prompt',
      'compaction',
    ])
  })
})
