import type { SheetUpdate } from '@dagline/core/protocol'
import { FIRST_CHOICE, foldSheet, reveal } from '@dagline/core/view'
import { describe, expect, it } from 'vitest'
import { sheetOf } from '../../test/sheets.js'
import { applyUpdate, carryChoice, carryRow } from './update.js'

const before = 's1: u1 a1 u2 a2 / s1: a1 > u3@+30m a3'
const after = `${before} / s1: u1 > a9@+40m / s1: a3 > u4@+50m a4`

/** What a server would send: the rows from the first that differs. */
function updateOf(from: string, to: string): SheetUpdate {
  const [old, now] = [sheetOf(from).sheet, sheetOf(to).sheet]
  const at = now.rows.node.findIndex(
    (node, row) => node !== old.rows.node[row] || now.rows.line[row] !== old.rows.line[row],
  )
  const keep = at < 0 ? now.rows.node.length : at
  const rows = Object.fromEntries(
    Object.entries(now.rows).map(([name, column]) => [name, column.slice(keep)]),
  )
  const keepWords = now.words.filter(([row]) => row < keep).length
  const sheet = { ...now, rows: { ...now.rows, ...rows }, words: now.words.slice(keepWords) }
  return { keep, keepWords, keepLive: 0, sheet }
}

describe('a session that grows', () => {
  it('[L5] after an update the sheet is that of the whole file', () => {
    const update = updateOf(before, after)
    expect(update.keep).toBeGreaterThan(0)
    expect(applyUpdate(sheetOf(before).sheet, update)).toEqual(sheetOf(after).sheet)
  })

  it('keeps the chosen branches', () => {
    const old = sheetOf(before)
    const now = sheetOf(after)
    const choice = reveal(old.sheet, old.row('a2'), FIRST_CHOICE)
    const shown = foldSheet(now.sheet, carryChoice(old.sheet, now.sheet, choice)).rows
    expect(now.say(shown.filter(row => row.kind === 'row').map(({ row }) => row))).toContain('u2 a2')
  })

  it('keeps what was opened', () => {
    const old = sheetOf(before)
    const now = sheetOf(after)
    const open = new Set([old.sheet.rows.line[old.row('u2')] ?? -1])
    const carried = carryChoice(old.sheet, now.sheet, { ...FIRST_CHOICE, open })
    expect([...carried.open]).toEqual([now.sheet.rows.line[now.row('u2')]])
  })

  it('finds a row in the next version', () => {
    const old = sheetOf(before)
    const now = sheetOf(after)
    expect(carryRow(old.sheet, now.sheet, old.row('a3'), 1)).toBe(now.row('a3'))
  })
})
