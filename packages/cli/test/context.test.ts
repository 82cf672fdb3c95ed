/** `dagline context`: what the model saw at an answer. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expandShape, inProject, tokenUuid, withHome } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { dagline, json, REPOSITORY } from './run.js'

const PROJECTS = join(REPOSITORY, 'fixtures/recordings/2.1.325/s10b_autocompact/projects')
/** A walk whose requests are recorded one by one. */
const WALK = join(REPOSITORY, 'fixtures/recordings/random-2.1.325/9008')

interface Listed {
  readonly contexts: readonly {
    readonly file: string
    readonly reply: readonly string[]
    readonly entries: readonly string[]
    readonly unknown: string | null
    readonly tokens: { readonly total: number; readonly parts: Readonly<Record<string, number>> }
  }[]
}

describe('dagline context', () => {
  it('[X18] [L13] --all lists every answer, with the entries of the recorded request', () => {
    const { contexts } = json(
      dagline(['context', join(WALK, 'projects'), '--all', '--json']),
    ) as unknown as Listed
    const { requests } = JSON.parse(readFileSync(join(WALK, 'truth.json'), 'utf8'))
    const main = requests.filter(
      (request: { kind: string; in?: unknown }) => request.kind === 'main' && request.in,
    )
    expect(main.length).toBeGreaterThan(2)
    for (const { in: carried, reply } of main) {
      const first = reply.entries[0].split(' ')[1]
      const sent = carried[0].entries.filter((text: string) => !text.includes(' attachment '))
      const found = contexts.find(context => context.reply.includes(first))
      expect(found?.entries.toSorted()).toEqual(sent.map((text: string) => text.split(' ')[2]).toSorted())
      expect(found?.unknown).toBeNull()
    }
  })

  it('[X17] the parts of every request add up to its total', () => {
    const { contexts } = json(dagline(['context', PROJECTS, '--all', '--json'])) as unknown as Listed
    expect(contexts.length).toBeGreaterThan(1)
    for (const { tokens } of contexts)
      expect(Object.values(tokens.parts).reduce((sum, part) => sum + part, 0)).toBe(tokens.total)
  })

  it('[X18] prints categories, the heaviest entries, what was out, and the last compaction', () => {
    const { stdout } = dagline(['context', 'latest', '--root', PROJECTS])
    expect(stdout).toMatch(/^Answer \d+ of \d+ /)
    expect(stdout).toContain('system and tools (the rest)')
    expect(stdout).toContain('Heaviest entries')
    expect(stdout).toContain('replaced by the summary of a compaction')
    expect(stdout).toMatch(/Last compaction {2}.*\n.* tokens before, .* tokens after; \d+ entr/)
  })

  it('[U3] an entry is what context is asked for: nothing points elsewhere; log shows its whole session', () => {
    const { contexts } = json(dagline(['context', PROJECTS, '--all', '--json'])) as unknown as Listed
    const entry = contexts.at(-1)?.reply[0] ?? ''
    expect(dagline(['context', entry, '--root', PROJECTS])).toMatchObject({ code: 0, stderr: '' })
    expect(dagline(['log', entry, '--root', PROJECTS]).stderr).toContain(`dagline show ${entry.slice(0, 8)}`)
  })

  it('[X18] names the call of a result, such as the file that was read', () => {
    const read = join(REPOSITORY, 'fixtures/recordings/2.1.325/s02_single_tool/projects')
    const { contexts } = json(dagline(['context', 'latest', '--root', read, '--json'])) as unknown as {
      contexts: readonly { items: readonly { category: string; text: string }[] }[]
    }
    const results = contexts
      .flatMap(({ items }) => items)
      .filter(({ category }) => /^results:/.test(category))
    expect(results.map(({ text }) => text)).toEqual([expect.stringMatching(/^(Read|Bash) .+: /)])
  })

  it('[X18] counts the answers of the conversation, without those of subagents in the same file', async () => {
    const { files } = expandShape('s1: u1 a1[t1:Task] ~u2 ~a2\ns1: a1 > r1[t1] a3')
    await withHome(inProject([...files]), ({ projects }) => {
      const answer = (ref: string): string => dagline(['context', ref, '--root', projects]).stdout
      expect(answer('s1')).toMatch(/^Answer 2 of 2 /)
      expect(answer(tokenUuid('a2'))).toMatch(/^Answer 1 of 1 /)
    })
  })

  it.each([
    [['context', 'latest', '--at', '500%'], 'a share of the window'],
    [['context', '--all'], 'Run `dagline context --all --json`'],
    [['context', '--diff', 'latest'], 'Give two entries'],
    [['context', 'latest', 'latest'], 'Give one REF'],
  ])('[U7] %j is an error that says what to do', (words, message) => {
    const { code, stderr } = dagline([...words, '--root', PROJECTS])
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)])
  })
})
