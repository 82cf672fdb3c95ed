/** V27: the context band and its panel in a real browser. */
import { describe, expect, it } from 'vitest'
import { axeFaults, hasBrowser } from '../e2e/browser.ts'
import { shaped } from '../e2e/sessions.ts'
import { useViewer } from '../e2e/viewer.ts'

const SHAPE = `
  con1: u1"Begin" a1[t1:Bash] r1[t1] a2[t2:Task>x]
  con1/x: meta {"agentType":"planner","description":"Plans it"}
  con1/x: u2 a3 u3 a4
  con1: a2 > r2[t2>x] a5"Before" c1 k1 u5"Go on" a6"After" u6 a7
  con2/y: u11"What is left" a11 u12 a12
  con2/z: u13 a13
`

describe.runIf(hasBrowser)('the context band', () => {
  const { openPage } = useViewer({ files: shaped(SHAPE) })

  it('[V27] keys and clicks open what was before the model; the rest is greyed until it is closed', async () => {
    const page = await openPage('/s/con1')
    const band = page.getByRole('slider', { name: /Tokens before the model/ })
    await band.waitFor()
    await page.getByText('5 answers').waitFor()
    expect(await page.locator('.context-cliff').count()).toBe(1)
    await band.focus()
    await page.keyboard.press('Home')
    expect(await band.getAttribute('aria-valuetext')).toMatch(/^Answer 1: 10 tokens; /)
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowLeft')
    expect(await band.getAttribute('aria-valuetext')).toContain('the first after a compaction')
    await page.keyboard.press('Enter')
    const panel = page.getByRole('region', { name: 'What the model saw' })
    await panel.getByText('Answer 4 of 5').waitFor()
    await panel.getByText('6 entries replaced by the summary of a compaction').waitFor()
    await panel.getByText('Of the entries in the last request before it, 5 were dropped.').waitFor()
    // A result is told by its call, once.
    expect((await panel.locator('.context-items').last().textContent())?.match(/Bash/g)).toHaveLength(2)
    const isGrey = (text: string): Promise<boolean> =>
      page
        .locator('article.row', { hasText: text })
        .first()
        .evaluate(row => row.classList.contains('is-unseen'))
    await expect.poll(() => isGrey('Before')).toBe(true)
    expect(await isGrey('Go on')).toBe(false)
    expect(await axeFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await expect.poll(() => page.locator('.is-unseen').count()).toBe(0)
  })

  it('[V27] of a session without its transcript the band of a subagent is shown, and what cannot work is not offered', async () => {
    const page = await openPage('/s/con2')
    const band = page.getByRole('region', { name: 'Context' })
    await band.getByText('2 answers').waitFor()
    expect(await band.getByRole('combobox').locator('option').allTextContents()).toEqual([
      'unknown: What is left',
      expect.stringMatching(/^unknown: ./),
    ])
    expect(await page.locator('.folded.agent q').first().textContent()).toBe('What is left')
    const actions = await page.locator('.session-actions button').allTextContents()
    expect(actions).toContain('Name…')
    expect(actions).not.toContain('Repair…')
    expect(actions).not.toContain('Trim…')
  })

  it('[H14] the panel leads to a search in what the model saw', async () => {
    const page = await openPage('/s/con1')
    await page.getByRole('slider', { name: /Tokens before the model/ }).press('End')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Search in what the model saw' }).click()
    await page.waitForURL(/\/search\?seenAt=/)
    await page.getByRole('searchbox').first().waitFor()
    await page.getByText('Go on').first().waitFor()
    expect(await page.getByText('Before', { exact: true }).count()).toBe(0)
    expect(await page.getByLabel('Seen by the model at').inputValue()).toMatch(/^[\da-f-]{36}$/)
  })

  it('[V27] the line of a compaction leads to what it dropped', async () => {
    const page = await openPage('/s/con1')
    await page.getByRole('button', { name: 'What was dropped' }).click()
    const panel = page.getByRole('region', { name: 'What the model saw' })
    await panel.getByRole('heading', { name: 'What the last compaction dropped' }).waitFor()
    await page.locator('.context-chosen').waitFor()
    await panel.getByRole('button', { name: 'Previous answer' }).click()
    await panel.getByText('Answer 3 of 5').waitFor()
  })

  it('[V27] on a phone, what a compaction dropped is in the window without scrolling', async () => {
    const page = await openPage('/s/con1', { width: 390, height: 844 })
    await page.getByRole('button', { name: 'What was dropped' }).click()
    const heading = page.getByRole('heading', { name: 'What the last compaction dropped' })
    await expect.poll(async () => ((await heading.boundingBox())?.y ?? 844) < 700).toBe(true)
  })

  it('[V27] a subagent has a band, and a phone has room for all of it', async () => {
    const page = await openPage('/s/con1', { width: 390, height: 844 })
    await page.getByLabel('Context of').selectOption({ label: 'planner: Plans it' })
    await page.getByText('2 answers').waitFor()
    await page.getByRole('slider', { name: /Tokens before the model/ }).click()
    await page
      .getByText(/Answer \d of 2/)
      .first()
      .waitFor()
    expect(await axeFaults(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    )
  })
})
