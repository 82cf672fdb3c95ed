/** Parts of the harness that need no CLI. */
import { expect, it } from 'vitest'
import { markSession } from './marks.ts'
import { matchRequest } from './match.ts'
import { withWorkFolder } from './resume.ts'

it('another working folder does not heal a row that is damaged within its own', () => {
  const text = '{"cwd":"/home/d\n{"cwd":"/home/dev"}\n{"cwd":"/home\0/dev"}\n'
  expect(withWorkFolder(text, '/w')).toBe('{"cwd":"/home/d\n{"cwd":"/w"}\n{"cwd":"/home\0/dev"}\n')
})

it('a result that the client makes up is not the one of the file with the same id', () => {
  const result = (content: string): object => ({ type: 'tool_result', tool_use_id: 't1', content })
  const row = { uuid: 'u1', type: 'user', message: { role: 'user', content: [result('all is well')] } }
  const { entries } = markSession(`${JSON.stringify(row)}\n`)
  const carried = (content: string): readonly (readonly string[])[] =>
    matchRequest([{ role: 'user', content: [result(content)] }], entries).groups
  expect(carried('all is well ⟦1⟧')).toEqual([['u1']])
  expect(carried('[Tool result missing due to internal error]')).toEqual([])
})
