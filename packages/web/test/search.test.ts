import { describe, expect, it } from 'vitest'
import { hasBrowser } from '../e2e/browser.ts'
import { shaped } from '../e2e/sessions.ts'
import { useViewer } from '../e2e/viewer.ts'

const MANY = Array.from({ length: 45 }, (_, at) => `u${200 + at}"giraffe number ${at}" a${200 + at}`).join(
  ' ',
)

const FILES = shaped(
  `s1: u1"start here" a1"ready" u2"the wrong turn" a2"a zebra walks by"
s1: a1 > u3"the right turn" a3"a lion walks by" u4"and again" a4[t4:Bash] r4[t4!]"zebra: command not found" a5
s2: ${MANY}
s3: u301"<b>okapi</b> <img src=x onerror=document.title=1>" a301`,
)

describe.runIf(hasBrowser)('search', () => {
  const { openPage, takeFaults } = useViewer({ files: FILES })

  it('searches as you type, marks the words and keeps them in the address', async () => {
    const page = await openPage('/search')
    await page.locator('.search-box:focus').waitFor()
    await page.keyboard.type('lio')
    const mark = page.locator('.hit mark')
    await expect.poll(() => mark.allTextContents()).toEqual(['lio'])
    await page.keyboard.type('n')
    await expect.poll(() => mark.allTextContents()).toEqual(['lion'])
    await page.waitForURL(/\?q=lion$/)
    await page.reload()
    await expect.poll(() => mark.allTextContents()).toEqual(['lion'])
  })

  it('[V7] is started by the focus of its box, before the first key', async () => {
    const page = await openPage('/')
    const asked = page.waitForResponse(response => response.url().endsWith('/api/search'))
    await page.getByLabel('Search everything').focus()
    expect((await (await asked).json()).value.hits).toEqual([])
  })

  it('shows the status of a hit, and opens it in its session', async () => {
    const page = await openPage('/search?q=zebra&branch=abandoned')
    const hit = page.locator('.hit')
    await hit.first().waitFor()
    expect(await hit.count()).toBe(1)
    expect(await hit.textContent()).toMatch(/Claude.*abandoned branch.*a zebra walks by/)
    await hit.click()
    await page.waitForURL(/\/s\/s1\?at=[0-9a-f-]{36}&find=zebra/)
  })

  it('filters by speaker, error and session', async () => {
    const page = await openPage('/search?q=zebra')
    await expect.poll(() => page.locator('.hit').count()).toBe(2)
    await page.getByRole('button', { name: 'errors' }).click()
    await expect
      .poll(() => page.locator('.hit').allTextContents())
      .toEqual([expect.stringContaining('command not found')])
    await page.getByRole('button', { name: 'errors' }).click()
    await page.getByLabel('Role').selectOption('claude')
    await expect
      .poll(() => page.locator('.hit').allTextContents())
      .toEqual([expect.stringContaining('walks by')])
    await page.getByRole('button', { name: 'more filters' }).click()
    await page.getByRole('textbox', { name: 'Session' }).fill('s2')
    await page.getByRole('heading', { name: 'No hits' }).waitFor()
    await page.getByRole('button', { name: 'clear' }).click()
    await expect.poll(() => page.locator('.hit').count()).toBe(2)
    await page.getByLabel('Search everything').fill('')
    await page.getByRole('heading', { name: 'Examples' }).waitFor()
    // H13: filters alone list what they name.
    await page.getByRole('button', { name: 'errors' }).click()
    await expect.poll(() => page.locator('.hit').count()).toBe(1)
  })

  it('loads more hits on demand, grouped by session', async () => {
    const page = await openPage('/search?q=giraffe')
    await page.getByText('the first 30 of 45 hits').waitFor()
    await page.getByRole('button', { name: 'More hits' }).click()
    await page.getByText(/^45 hits/).waitFor()
    expect(await page.locator('.group').count()).toBe(1)
    expect(new Set(await page.locator('.hit-text').allTextContents()).size).toBe(45)
  })

  it('moves by keys from the box over the hits and back', async () => {
    const page = await openPage('/search?q=giraffe')
    const hits = page.locator('a.hit')
    await hits.first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('j')
    await page.keyboard.press('ArrowUp')
    expect(await page.locator('a.hit:focus').textContent()).toBe(await hits.nth(1).textContent())
    await page.keyboard.press('k')
    await page.keyboard.press('k')
    expect(await page.locator('input.search-box:focus').count()).toBe(1)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/s\/s2\?at=/)
  })

  it('[H7] runs a regular expression on Enter, and reports an invalid one', async () => {
    const page = await openPage('/search?q=gir%2B')
    await page.getByRole('button', { name: 'regex' }).click()
    await expect.poll(() => page.locator('.hit mark').first().textContent()).toBe('gir')
    expect(await page.locator('a.hit').first().getAttribute('href')).toMatch(/&find=%22gir%22$/)
    const box = page.getByLabel('Search everything')
    await box.fill('gir(')
    await expect(page.locator('.hit mark').first().textContent()).resolves.toBe('gir')
    await box.press('Enter')
    await page.getByText('gir( is not a valid pattern').waitFor()
    expect(takeFaults().every(fault => fault.includes('400'))).toBe(true)
  })

  it('shows examples for an empty query', async () => {
    const page = await openPage('/search')
    await page.getByRole('link', { name: 'error in abandoned branches' }).click()
    await page.waitForURL(/q=error&branch=abandoned/)
    expect(await page.getByLabel('Branches').inputValue()).toBe('abandoned')
  })

  it('shows hostile text as text', async () => {
    const page = await openPage('/search?q=okapi')
    await page.locator('.hit').first().waitFor()
    expect(await page.locator('.hit-text').textContent()).toContain(
      '<b>okapi</b> <img src=x onerror=document.title=1>',
    )
    expect(await page.locator('main img, main b').count()).toBe(0)
  })

  it('fits a phone', async () => {
    const page = await openPage('/search?q=giraffe', { width: 390, height: 844 })
    await page.locator('.hit').first().waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })
})
