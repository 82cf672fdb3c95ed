/** The man page is made from the definitions of the commands, and formatters take it without a complaint. */
import { spawnSync } from 'node:child_process'
import { beforeAll, describe, expect, it } from 'vitest'
import { manPage } from '../scripts/lib/man.ts'

describe('the man page', () => {
  let page = ''
  beforeAll(async () => {
    page = await manPage()
  }, 60_000)

  it('has the commands with their own options and examples, and the topics', () => {
    expect(page).toMatch(/\.SS dagline log [\s\S]*\\-\\-graph\n[\s\S]*\$ dagline log\n/)
    expect(page).toContain('.SS refs: ')
    expect(page.split('\n').filter(line => line === '.B \\-\\-root <dir>')).toHaveLength(1)
  })

  it('has no warning of mandoc', context => {
    const { status, stdout } = spawnSync('mandoc', ['-T', 'lint', '-W', 'warning'], {
      input: page,
      encoding: 'utf8',
    })
    if (status === null) context.skip('mandoc is not installed: the man page was not checked.')
    expect(stdout.split('\n').filter(line => /ERROR|UNSUPP|WARNING(?!: missing date)/.test(line))).toEqual([])
  })
})
