/** The pages of a file and of a commit, from the calls of a session. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { SessionWriter, uuidOf } from '../../app/test/blame-sessions.js'
import { axeFaults, hasBrowser } from '../e2e/browser.ts'
import { useViewer } from '../e2e/viewer.ts'

const shop = mkdtempSync(join(tmpdir(), 'dagline-shop-'))
const app = join(shop, 'app.ts')

function git(...args: string[]): string {
  return execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
    cwd: shop,
    encoding: 'utf8',
  })
}

/** A session that adds a line to a file of a repository, and commits it. */
function tellStory(): string {
  mkdirSync(shop, { recursive: true })
  writeFileSync(app, 'const hand = 1\n')
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '-m', 'By hand')
  const session = new SessionWriter('one', { clock: { now: Date.now() - 60_000 }, cwd: shop })
  session.prompt('Add a <b>parser</b>')
  const before = readFileSync(app, 'utf8')
  const replacements = [{ old: 'const hand = 1', new: 'const hand = 1\nconst parser = 2', isAll: false }]
  session.change(app, { kind: 'replace', replacements, before })
  writeFileSync(app, 'const hand = 1\nconst parser = 2\n')
  git('commit', '--quiet', '-am', 'Parser')
  const hash = git('rev-parse', '--short', 'HEAD').trim()
  const printed = { content: `[main ${hash}] Parser\n 1 file changed` }
  session.call('Bash', { command: 'git commit -am Parser' }, {}, printed)
  session.answer('Done.')
  return session.text()
}

describe.runIf(hasBrowser)('who wrote a line', () => {
  const { openPage, takeFaults } = useViewer({
    files: [{ path: `-shop/${uuidOf('one')}.jsonl`, text: tellStory() }],
  })

  afterAll(() => rmSync(shop, { recursive: true, force: true }))

  it('[Z7] a call leads to the blame of its file, and its commit to the sessions behind it', async () => {
    const page = await openPage(`/s/${uuidOf('one')}`)
    await page.getByRole('link', { name: 'Blame' }).click()
    await page.getByRole('heading', { name: 'app.ts' }).waitFor()
    await page.getByText('1 line by 1 session, 1 by no recorded call.').waitFor()
    const blocks = await page.locator('.blame-block').allInnerTexts()
    expect(blocks.map(text => text.replace(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/^No session commit \w+ By hand 1 const hand = 1$/),
      expect.stringMatching(/^Add a <b>parser<\/b> turn 1 · .* 2 const parser = 2$/),
    ])
    expect(await axeFaults(page)).toEqual([])
    await page.getByRole('link', { name: 'Add a <b>parser</b>' }).click()
    await page.locator('.tool-link', { hasText: /^[0-9a-f]{7}/ }).click()
    await page.getByRole('heading', { name: 'Parser', exact: true }).waitFor()
    await page.getByText('made the commit').waitFor()
    expect(await axeFaults(page)).toEqual([])
  })

  it('[Z7] a file that no session changed is not shown', async () => {
    const page = await openPage('/blame?file=/etc/hostname')
    await page.getByText('is not a file in the working directory of a session that changed it').waitFor()
    expect(takeFaults().join(' ')).toContain('404')
  })
})
