import { FIRST_CHOICE } from '@dagline/core/view'
import { describe, expect, it } from 'vitest'
import { sheetOf } from '../../test/sheets.js'
import { collectFacts } from './facts.js'
import { branchesAt } from './fork-branches.js'
import { buildView } from './view.js'

const rewound = 's1: u1"One" a1 u2"Wrong" a2 u3 a3 / s1: a1 > u4"Right"@+30m a4'

describe('facts of a sheet', () => {
  it('[L12] count messages, also those of abandoned branches, on over the last fork', () => {
    const { sheet } = sheetOf(rewound)
    const { totals, messages, abandoned } = collectFacts(sheet)
    expect(totals).toMatchObject({ turns: 4, messages: 8, abandoned: { branches: 1, messages: 4 } })
    expect(messages.map((count, line) => `${count}${abandoned[line] ? ' abandoned' : ''}`)).toEqual([
      '4',
      '4 abandoned',
      '2',
    ])
  })

  it('[X4] add the cost of subagents to their branch, and count branches separately', () => {
    const { sheet } = sheetOf(
      's1: u1 a1 u2 a2[t1:Task>x] / s1/x: u8 a8 / s1: a2 > r1[t1>x] a3 / s1: a2 > u5@+9m a5 / s1: a1 > u4@+30m a4',
    )
    const priced = { ...sheet, lines: sheet.lines.map(line => ({ ...line, cost: 1 })) }
    const { costs, inner } = collectFacts(priced)
    const at = (kind: string, status: string): number =>
      sheet.lines.findIndex(line => line.kind === kind && line.status === status)
    // The line, its subagent, and the branch by which it goes on.
    expect(costs[at('branch', 'abandoned')]).toBe(3)
    expect([inner[at('trunk', 'live')], inner[at('branch', 'abandoned')]]).toEqual([2, 1])
  })

  it('[A4] the work of a subagent on an abandoned branch is abandoned, too', () => {
    const { sheet, row } = sheetOf(
      's1: u1 a1 u2 a2[t1:Task>x] / s1/x: u8 a8 / s1: a2 > r1[t1>x] a3 / s1: a1 > u4@+30m a4',
    )
    const { abandoned } = collectFacts(sheet)
    expect(abandoned[sheet.rows.line[row('a8')] ?? -1]).toBe(true)
    expect(abandoned[sheet.rows.line[row('a4')] ?? -1]).toBe(false)
  })

  it('find rows by uuid', () => {
    const { sheet, row } = sheetOf(rewound)
    const { rowOf } = collectFacts(sheet)
    expect(rowOf(sheet.rows.node[row('a3')] ?? '')).toBe(row('a3'))
    expect(rowOf('nowhere')).toBe(-1)
  })

  it('find the row of the only uuid with a prefix', () => {
    const { sheet, row } = sheetOf(rewound)
    const { rowStarting } = collectFacts(sheet)
    const node = sheet.rows.node[row('a3')] ?? ''
    expect(rowStarting(node.slice(0, -1))).toBe(-1)
    const own = { ...sheet.rows, node: sheet.rows.node.map((uuid, at) => `${at + 10}${uuid}`) }
    expect(collectFacts({ ...sheet, rows: own }).rowStarting(`${row('a3') + 10}${node}`.slice(0, 12))).toBe(
      row('a3'),
    )
    expect(rowStarting('')).toBe(-1)
  })
})

describe('branches of a fork', () => {
  it('[F12] have words and sizes; the live one is shown', () => {
    const { sheet } = sheetOf(rewound)
    const view = buildView(sheet, collectFacts(sheet), FIRST_CHOICE)
    expect(branchesAt(view, 0)).toMatchObject([
      { status: 'abandoned', messages: 4, words: 'Wrong', isTaken: false },
      { status: 'live', messages: 2, words: 'Right', isTaken: true },
    ])
    expect(view.choice.open.size).toBe(0)
  })

  it('are shown at the row they hang on, also where the row before the fork is hidden', () => {
    const { sheet, row } = sheetOf(rewound)
    const at = (level: 'tools' | 'prompts'): string[] => {
      const view = buildView(sheet, collectFacts(sheet), { ...FIRST_CHOICE, level })
      return [...view.forksAt.keys()].map(index => `${index} ${view.rows[index]?.row}`)
    }
    expect(at('tools')).toEqual([`1 ${row('a1')}`])
    expect(at('prompts')).toEqual([`0 ${row('u1')}`])
  })

  it('[F12] two first prompts fork before all rows', () => {
    const { sheet } = sheetOf('s1: u1"One" a1 / s1: u2"Other"@+30m a2')
    const view = buildView(sheet, collectFacts(sheet), FIRST_CHOICE)
    expect(view.forksFirst).toEqual([0])
  })
})
