/** V26: actions in the page, with a real browser: a preview, the confirmation, what was written, and undo. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ownFolder } from '../../app/test/own-folders.js'
import { axeFaults, hasBrowser } from '../e2e/browser.ts'
import { useViewer } from '../e2e/viewer.ts'

const SESSION = '7d1c90aa-52f3-4e0b-9a41-0c3f6be2d815'

ownFolder()

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

describe.runIf(hasBrowser)('samples', () => {
  const { openPage } = useViewer({ isSample: true, recorded: true })

  it('[V26] have no actions', async () => {
    const page = await openPage(`/s/${SESSION}`)
    await page.getByRole('button', { name: 'Copy id' }).waitFor()
    expect(await page.getByRole('button', { name: 'Check out…' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Repair…' }).count()).toBe(0)
  })
})
