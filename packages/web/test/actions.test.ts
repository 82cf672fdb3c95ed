/** V26: actions in the page, with a real browser: a preview, the confirmation, what was written, and undo. */
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { type EditOptions, type History, openHistory, silentHost } from '@dagline/app'
import { tokenUuid } from '@dagline/testkit'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { inOrder } from '../../app/test/edited-text.js'
import { ownFolder } from '../../app/test/own-folders.js'
import { axeFaults, hasBrowser } from '../e2e/browser.ts'
import { shaped } from '../e2e/sessions.ts'
import { useViewer } from '../e2e/viewer.ts'

const SESSION = '7d1c90aa-52f3-4e0b-9a41-0c3f6be2d815'

const folder = ownFolder()

describe.runIf(hasBrowser)('actions', () => {
  const { openPage, home, takeFaults } = useViewer()
  const transcripts = (): readonly string[] =>
    readdirSync(join(home().projects, '-home-dev-shop')).filter(name => name.endsWith('.jsonl'))

  it('[V26] checks out an abandoned branch and undoes it', async () => {
    const before = transcripts()
    const page = await openPage(`/s/${SESSION}`)
    const branch = page.locator('.folded', { hasText: 'Use a decimal library instead.' })
    await branch.getByRole('button', { name: 'Check out…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Check out as a session' })
    await dialog.getByLabel('Title').fill('Decimals after all')
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await dialog.getByText('A resume loads 8 entries.').waitFor()
    expect(transcripts()).toEqual(before)
    expect(await axeFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Write the session' }).click()
    await dialog.getByText(/^Checked out:/).waitFor()
    expect(transcripts()).toHaveLength(before.length + 1)
    expect(await dialog.getByText('claude --resume').innerText()).toContain('cd /home/dev/shop')

    await dialog.getByRole('button', { name: 'Undo' }).click()
    const undo = page.getByRole('dialog', { name: 'Undo an edit' })
    await undo.getByText('1 file removed').waitFor()
    await undo.getByRole('button', { name: 'Undo' }).click()
    await undo.getByText(/^Undid edit/).waitFor()
    expect(transcripts()).toEqual(before)
  })

  it('[V26] the fields of a dialog show their whole names on a phone', async () => {
    const page = await openPage(`/s/${SESSION}`, { width: 390, height: 844 })
    await page.locator('.session-actions').getByRole('button', { name: 'Name…' }).click()
    const names = page.getByRole('dialog').locator('.choice-label')
    await names.first().waitFor()
    const heights = await names.evaluateAll(all => all.map(each => each.getBoundingClientRect().height))
    expect(Math.max(...heights)).toBeLessThan(24)
  })

  it('[V26] says why an action cannot be done, and writes nothing', async () => {
    const before = transcripts()
    const page = await openPage(`/s/${SESSION}`)
    await page.getByRole('button', { name: 'Repair…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Repair' })
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await dialog.getByText('no problem that a repair fixes').waitFor()
    expect(transcripts()).toEqual(before)
    expect(takeFaults()).toEqual([expect.stringContaining('400')])
  })
})

/** Milliseconds that writing may take on a busy machine. */
const SLOW = 30_000

const SHAPE = `
  act1: u1"Begin here" a1[t1:Bash] r1[t1]"${'long '.repeat(400)}" a2 u2"Go one way" a3 u3"And further" a4
  act1: a2 > u4"Go another way"@+30m a5
`

/** A session of which a repair loses what a resume loads today (E14). */
const LOSSY = `
  act2: u11"First" a11 u12"Second" a12 / act2: a11 > u13"Third"@+1h a13
  act2: ! {"type":"last-prompt","lastPrompt":"x","leafUuid":"@{a12}","sessionId":"act2"}
  act2: ! {"type":"user", torn
`

describe.runIf(hasBrowser)('every verb', () => {
  const { openPage, home, takeFaults } = useViewer({
    files: [...shaped(SHAPE), ...shaped(LOSSY, '-home-dev-lossy')],
  })
  const sessions = (): ReadonlyMap<string, string> => {
    const paths = readdirSync(home().projects, { recursive: true, encoding: 'utf8' })
    const transcripts = paths.filter(path => path.endsWith('.jsonl'))
    return new Map(transcripts.map(path => [path, readFileSync(join(home().projects, path), 'utf8')]))
  }
  const rest = (): void => {
    const hourAgo = new Date(Date.now() - 3_600_000)
    for (const path of sessions().keys()) utimesSync(join(home().projects, path), hourAgo, hourAgo)
  }
  /** What was written since, in the order of length. */
  const written = (before: ReadonlyMap<string, string>): readonly string[] =>
    [...sessions()]
      .filter(([path]) => !before.has(path))
      .map(([, text]) => text)
      .toSorted((a, b) => a.length - b.length)
  const previewed = async (page: Page, title: string): Promise<Locator> => {
    const dialog = page.getByRole('dialog', { name: title })
    await dialog.getByRole('button', { name: 'Preview' }).click()
    return dialog
  }
  const rowButton = async (page: Page, text: string, name: string): Promise<void> => {
    const row = page.locator('article.row', { hasText: text }).first()
    await row.hover()
    await row.getByRole('button', { name: 'Row actions' }).click()
    await row.getByRole('button', { name }).click()
  }

  type Edit = (history: History, options: EditOptions) => Promise<unknown>
  const verbs: readonly (readonly [string, string, (page: Page) => Promise<Locator>, string, Edit])[] = [
    [
      'check out',
      'Write the session',
      async page => {
        await rowButton(page, 'Go another way', 'Check out…')
        return await previewed(page, 'Check out as a session')
      },
      'Checked out:',
      (history, options) => history.edit.checkout(tokenUuid('u4'), { ...options, at: null }),
    ],
    [
      'fork',
      'Write the session',
      async page => {
        await rowButton(page, 'Go another way', 'Fork from here…')
        return await previewed(page, 'Fork from here')
      },
      'Forked:',
      (history, options) => history.edit.fork(tokenUuid('u4'), options),
    ],
    [
      'split',
      'Write both sessions',
      async page => {
        await rowButton(page, 'Go another way', 'Split before this turn…')
        return page.getByRole('dialog', { name: 'Split before this turn' })
      },
      'Split',
      (history, options) => history.edit.split('act1', { ...options, at: tokenUuid('u4') }),
    ],
    [
      'pick',
      'Write the session',
      async page => {
        const branch = page.locator('.folded', { hasText: 'Go one way' })
        await branch.getByRole('button', { name: 'Pick…' }).click()
        return await previewed(page, 'Pick turns onto the conversation')
      },
      'Picked',
      (history, options) => history.edit.pick([`act1@${tokenUuid('u2')}`], { ...options, onto: 'act1' }),
    ],
    [
      'trim',
      'Write the copy',
      async page => {
        await page.getByRole('button', { name: 'Trim…' }).click()
        return await previewed(page, 'Trim a copy')
      },
      'Trimmed',
      (history, options) =>
        history.edit.trim('act1', {
          ...options,
          outputs: 1000,
          images: true,
          thinking: true,
          progress: true,
        }),
    ],
  ]

  it.each(verbs)(
    '[V26] %s: the page writes what the command writes',
    async (_, verb, open, done, command) => {
      rest()
      const before = sessions()
      const page = await openPage('/s/act1')
      const dialog = await open(page)
      await dialog.getByRole('button', { name: verb }).waitFor()
      expect(sessions()).toEqual(before)
      await dialog.getByRole('button', { name: verb }).click()
      await dialog.getByText(done).first().waitFor({ timeout: SLOW })
      const out = join(folder, randomUUID())
      const history = openHistory({ host: silentHost([home().projects]) })
      await command(history, { out, title: null, snapshot: false, dryRun: false })
      history.close()
      const others = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter(path =>
        path.endsWith('.jsonl'),
      )
      const expected = others.map(path => readFileSync(join(out, path), 'utf8'))
      expect(written(before).map(inOrder)).toEqual(
        expected.toSorted((a, b) => a.length - b.length).map(inOrder),
      )
    },
  )

  it('[V26] an edit to undo is chosen from a list', async () => {
    const page = await openPage('/health')
    const before = sessions()
    await page.getByRole('button', { name: 'Undo an edit…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Undo an edit' })
    const list = dialog.getByLabel('Edit')
    await list.waitFor()
    const texts = await list.locator('option').allInnerTexts()
    // The newer one is that of the command, which the test before compared with.
    const fork = texts.findLastIndex(text => text.includes('(fork of act1)'))
    await list.selectOption({ index: fork })
    await dialog.getByText(/^Undoes edit \d+ \(fork of act1\): 1 file removed\.$/).waitFor()
    expect(await axeFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
    await dialog.getByText(/^Undid edit/).waitFor()
    expect(sessions().size).toBe(before.size - 1)
  })

  it('[V26] [E14] a repair that loses entries is written only after the loss was accepted twice', async () => {
    rest()
    const before = sessions()
    const page = await openPage('/s/act2')
    await page.getByRole('button', { name: 'Repair…' }).click()
    const dialog = await previewed(page, 'Repair')
    await dialog.getByText('would load less of the repaired session than today').waitFor()
    await dialog.getByRole('button', { name: 'Back' }).click()
    await dialog.getByLabel('Accept that a resume loads less').check()
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await dialog.getByText('2 entries that it loads today will not be loaded').waitFor()
    const write = dialog.getByRole('button', { name: 'Write the repair' })
    expect(await write.isDisabled()).toBe(true)
    expect(sessions()).toEqual(before)
    await dialog.getByLabel('Write it, though a resume loads less').check()
    await write.click()
    await dialog.getByText(/^Repaired/).waitFor()
    expect(written(before)).toHaveLength(1)
    expect(takeFaults()).toEqual([expect.stringContaining('400')])
  })
})

describe.runIf(hasBrowser)('samples', () => {
  const { openPage } = useViewer({ isSample: true, recorded: true })

  it('[V26] have no actions', async () => {
    const page = await openPage(`/s/${SESSION}`)
    await page.getByRole('button', { name: 'Copy id' }).waitFor()
    expect(await page.getByRole('button', { name: 'Check out…' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Repair…' }).count()).toBe(0)
  })
})
