import type { Block, RowContent } from '@dagline/core/protocol'
import { FIRST_CHOICE } from '@dagline/core/view'
import { expect, it } from 'vitest'
import { sheetOf } from '../../test/sheets.js'
import { collectFacts } from './facts.js'
import { foldedLabel, rowLabel } from './row-label.js'
import { buildView } from './view.js'

const cut = (text: string): { text: string; cut: null } => ({ text, cut: null })
const content = (...blocks: Block[]): RowContent => ({
  node: 'n',
  model: null,
  version: null,
  usage: null,
  blocks,
})

it('[V24] speaks the first words of an entry', () => {
  const { sheet, row } = sheetOf(
    's1: u1"Fix the *tap*" a1"x" a2[t1:Bash] r1[t1] u2"Left" a3 / s1: r1 > u3"Kept"@+30m a4',
  )
  const view = buildView(sheet, collectFacts(sheet), FIRST_CHOICE)
  const label = (token: string, ...blocks: Block[]): string =>
    rowLabel(view, row(token), blocks.length === 0 ? null : content(...blocks))
  expect(label('u1')).toBe('You, Fix the tap')
  expect(label('a1', { kind: 'text', text: cut('## Done\n\nThe tap is **fixed**.') })).toBe(
    'Claude, Done The tap is fixed .',
  )
  const call: Block = {
    kind: 'call',
    id: 't',
    name: 'Bash',
    input: { command: 'npm test' },
    agent: null,
    result: null,
  }
  expect(label('a2', call)).toBe('Claude, calls Bash: npm test')
  expect(label('a1', { kind: 'text', text: cut('long '.repeat(50)) })).toMatch(/^Claude, (long ){15}long…$/)
  const folded = view.rows.find(({ kind }) => kind === 'branch')
  expect(folded === undefined ? '' : foldedLabel(view, folded)).toMatch(
    /^Abandoned branch, folded, .*: Left$/,
  )
})
