/** Transcripts are hostile input: on every page and in exported files they stay text. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { ATTACK_TITLE, ATTACKED, ATTACKS, attackedSessions, elementsOf } from '../e2e/attacks.ts'
import { hasBrowser, nextFrames } from '../e2e/browser.ts'
import { useViewer } from '../e2e/viewer.ts'

/** A high window needs few steps to show the whole session. */
const HIGH = 3200

/** Scrolls through the whole session with all tool calls opened. */
async function readAll(page: Page): Promise<void> {
  await page.locator('.row .md').first().waitFor()
  await page.keyboard.press('4')
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  for (let top = 0; top < height; top += HIGH) {
    await page.evaluate(y => window.scrollTo(0, y), top)
    await page.keyboard.press('e')
    await nextFrames(page)
    expect(await elementsOf(page)).toEqual([])
  }
}

describe.runIf(hasBrowser)('hostile sessions stay text', () => {
  const { openPage, openFile, home, takeFaults } = useViewer({ files: attackedSessions() })
  let file: string | null = null
  const exported = (): string => {
    file ??= home().exportFile(`-home-dev-<b>attacked/${ATTACKED}.jsonl`)
    return file
  }

  it('on the home page, with a title for each attack', async () => {
    const page = await openPage('/?flat=1', { height: 2000 })
    await page.locator('.home-row').first().waitFor()
    const names = await page.locator('.home-name').allTextContents()
    for (const attack of ATTACKS.filter((_, at) => at % 2 === 0 && !/\p{C}/u.test(ATTACKS[at] ?? '')))
      expect(names.join('\n')).toContain(attack)
    expect(names).toHaveLength(ATTACKS.length + 1)
    expect(await elementsOf(page)).toEqual([])
  })

  it('on the search page', async () => {
    const page = await openPage('/search?q=okapi', { height: 3000 })
    await page.locator('.hit').first().waitFor()
    expect(await page.locator('.hit-text').allTextContents()).toContainEqual(
      expect.stringContaining('<img src=x onerror="window.hit=1">'),
    )
    expect(await elementsOf(page)).toEqual([])
  })

  it.each(['/usage', '/agents', '/health', '/compare'])('on %s', async address => {
    const page = await openPage(address)
    await page.locator('main h1, main h2').first().waitFor()
    expect(await elementsOf(page)).toEqual([])
  })

  it('on the session page', async () => {
    const page = await openPage(`/s/${ATTACKED}`, { height: HIGH })
    expect(await page.locator('h1').textContent()).toBe(ATTACK_TITLE)
    await readAll(page)
    expect(await page.title()).toBe(`${ATTACK_TITLE} · dagline`)
  })

  it('in the exported file', async () => {
    const page = await openFile(exported(), { height: HIGH })
    expect(await page.locator('h1').textContent()).toBe(ATTACK_TITLE)
    await readAll(page)
    expect(await page.title()).toBe(ATTACK_TITLE)
  })

  it('a script that is added to the exported file does not run', async () => {
    const page = await openFile(exported())
    await page.locator('.row .md').first().waitFor()
    await page.evaluate(() => {
      const script = document.createElement('script')
      script.textContent = 'window.hit = 1'
      document.body.append(script)
      const box = document.createElement('div')
      box.innerHTML =
        '<img src="data:," onerror="window.hit = 1"><img src="https://example.com/x.png"><p style="color: red">x</p>'
      document.body.append(box)
      void fetch('https://example.com/').catch(() => {})
    })
    const faults: string[] = []
    await expect.poll(() => faults.push(...takeFaults())).toBeGreaterThanOrEqual(4)
    await nextFrames(page)
    expect(await page.evaluate(() => 'hit' in window)).toBe(false)
    faults.push(...takeFaults())
    expect(faults.filter(fault => !fault.includes('Content Security Policy'))).toEqual([])
  })
})
