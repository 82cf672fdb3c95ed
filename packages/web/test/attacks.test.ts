/** Transcripts are hostile input: in every page, and in what is handed on, they stay text. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { ATTACK_TITLE, ATTACKED, ATTACKS, attackedSessions, elementsOf } from '../e2e/attacks.ts'
import { hasBrowser } from '../e2e/browser.ts'
import { useViewer } from '../e2e/viewer.ts'

/** Walks through the whole session with all cards opened. */
async function readAll(page: Page): Promise<void> {
  await page.locator('.row .md').first().waitFor()
  await page.keyboard.press('4')
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  for (let top = 0; top < height; top += 800) {
    await page.evaluate(y => window.scrollTo(0, y), top)
    await page.keyboard.press('e')
    await page.waitForTimeout(40)
    expect(await elementsOf(page)).toEqual([])
  }
}

describe.runIf(hasBrowser)('sessions of an attacker stay text', () => {
  const { openPage, openFile, home, takeFaults } = useViewer({ files: attackedSessions() })
  const path = `-home-dev-<b>attacked/${ATTACKED}.jsonl`

  it('on home, with a title for each attack', async () => {
    const page = await openPage('/?flat=1', { height: 2000 })
    await page.locator('.home-row').first().waitFor()
    const names = await page.locator('.home-name').allTextContents()
    for (const attack of ATTACKS.filter((_, at) => at % 2 === 0 && !/\p{C}/u.test(ATTACKS[at] ?? '')))
      expect(names.join('\n')).toContain(attack)
    expect(names).toHaveLength(ATTACKS.length + 1)
    expect(await elementsOf(page)).toEqual([])
  })

  it('in the search', async () => {
    const page = await openPage('/search?q=okapi', { height: 3000 })
    await page.locator('.hit').first().waitFor()
    expect(await page.locator('.hit-text').allTextContents()).toContainEqual(
      expect.stringContaining('<img src=x onerror="window.hit=1">'),
    )
    expect(await elementsOf(page)).toEqual([])
  })

  it.each(['/usage', '/agents', '/health', '/compare'])('in %s', async address => {
    const page = await openPage(address)
    await page.locator('main h1, main h2').first().waitFor()
    expect(await elementsOf(page)).toEqual([])
  })

  it('in the session', async () => {
    const page = await openPage(`/s/${ATTACKED}`)
    expect(await page.locator('h1').textContent()).toBe(ATTACK_TITLE)
    await readAll(page)
    expect(await page.title()).toBe(`${ATTACK_TITLE} · dagline`)
  })

  it('in the exported file', async () => {
    const page = await openFile(home().exportFile(path))
    expect(await page.locator('h1').textContent()).toBe(ATTACK_TITLE)
    await readAll(page)
    expect(await page.title()).toBe(ATTACK_TITLE)
  })

  it('and a script that somebody puts into the exported file does not run', async () => {
    const page = await openFile(home().exportFile(path))
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
    await page.waitForTimeout(200)
    expect(await page.evaluate(() => 'hit' in window)).toBe(false)
    const faults = takeFaults()
    expect(faults.length).toBeGreaterThanOrEqual(4)
    expect(faults.filter(fault => !fault.includes('Content Security Policy'))).toEqual([])
  })
})
