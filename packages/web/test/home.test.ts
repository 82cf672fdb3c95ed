import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasBrowser, nextFrames } from '../e2e/browser.ts'
import { manySessions, shaped, someProjects } from '../e2e/sessions.ts'
import { useViewer } from '../e2e/viewer.ts'

const HOSTILE = '<img src=x onerror=document.title=1><script>document.title=1</script>'

const FILES = [
  ...someProjects(),
  ...shaped(
    `fam1: u901"Family begins"@+400d a901 u902"Go on" a902"Words of an answer"
fam2: u901 a901 u903"Another end" a903
fam3: u901 a901 u903 a903 u904"A grandchild" a904`,
    '-home-dev-family',
  ),
  ...shaped(`bad1: u801${JSON.stringify(HOSTILE)} a801`, '-home-dev-hostile'),
]

/** The titles of the drawn sessions, from top to bottom. */
async function titles(page: Page): Promise<string[]> {
  await page.locator('.home-row').first().waitFor()
  return await page.locator('.home-name').evaluateAll(names =>
    names
      .map(name => ({ top: name.getBoundingClientRect().top, text: name.textContent ?? '' }))
      .sort((a, b) => a.top - b.top)
      .map(({ text }) => text),
  )
}

function count(text: string | null, noun: RegExp): number {
  return Number(noun.exec((text ?? '').replaceAll(',', ''))?.[1] ?? 0)
}

describe.runIf(hasBrowser)('home', () => {
  const { openPage, home } = useViewer({ recorded: true, files: FILES })

  it('lists all sessions with their totals', async () => {
    const page = await openPage('/?flat=1&idle=1')
    await page.getByRole('heading', { name: 'Sessions' }).waitFor()
    await page.locator('.home-row').first().waitFor()
    const row = page.locator('.home-row').filter({ hasText: '2 turns' }).filter({ hasText: 'Family begins' })
    expect(await row.textContent()).toMatch(/Family begins.*2 turns/)
    expect(await row.getAttribute('href')).toBe('/s/fam1')
    expect(await page.getByText(/sessions in \d+ projects · \$/).textContent()).toMatch(
      /^\d+ sessions in 13 projects/,
    )
  })

  it('draws the shape of each session: trunk, branches, subagents, with a legend', async () => {
    const page = await openPage('/?has=branches,agents&flat=1')
    expect(await page.locator('.chip .shape-key').count()).toBe(3)
    const shape = page.locator('.home-row .shape').first()
    await shape.waitFor()
    expect(await shape.locator('title').textContent()).toMatch(/entries, \d+ branch(es)?, \d+ subagents?/)
    for (const part of ['trunk', 'branch', 'agent'])
      expect(await shape.locator(`.shape-${part}`).getAttribute('d')).toMatch(/^M[\d.]+ 15/)
  })

  it('filters as you type, shows the number of matches, and keeps the filter in the address', async () => {
    const page = await openPage('/')
    await page.getByLabel('Filter sessions').fill('family GRANDchild')
    await page.getByText(/^1 of \d+ sessions/).waitFor()
    expect(await titles(page)).toEqual(['Family begins'])
    await page.waitForURL(/\?q=family\+GRANDchild$/)
    await page.getByLabel('Filter sessions').fill('')
    await page.waitForURL(/\/$/)
    expect((await titles(page)).length).toBeGreaterThan(5)
  })

  it('shows the same list after a visit to a session', async () => {
    const page = await openPage('/?sort=turns')
    const before = await titles(page)
    await page.locator('.home-row').first().click()
    await page.waitForURL(/\/s\//)
    await page.goBack()
    await expect.poll(() => titles(page)).toEqual(before)
  })

  it('prefetches a session while the pointer rests on it, and only once', async () => {
    const page = await openPage('/?flat=1&q=Family')
    await titles(page)
    const asked: string[] = []
    page.on('request', request => {
      const { pathname } = new URL(request.url())
      if (/^\/api\/sessions\/[^/]+$/.test(pathname)) asked.push(pathname)
    })
    const row = page.locator('.home-row[href="/s/fam1"]')
    await row.hover()
    await expect.poll(() => asked).toEqual(['/api/sessions/fam1'])
    await row.click()
    await page.locator('.row').first().waitFor()
    expect(asked).toEqual(['/api/sessions/fam1'])
  })

  it('sorts', async () => {
    const page = await openPage('/?flat=1')
    await page.getByLabel('Sort').selectOption('turns')
    await page.waitForURL(/sort=turns/)
    const texts = await page.locator('.home-figures').allTextContents()
    const turns = texts.map(text => count(text, /^(\d+) turn/))
    expect(turns).toEqual([...turns].sort((a, b) => b - a))
    expect(turns[0]).toBeGreaterThan(10)
  })

  it('shows sessions below those they continue', async () => {
    const page = await openPage('/?project=-home-dev-family')
    expect(await titles(page)).toHaveLength(3)
    const rows = page.locator('.home-row')
    const guides = await rows.evaluateAll(all => all.map(row => row.querySelectorAll('.guide').length))
    expect(guides).toEqual([0, 1, 2])
    expect(await rows.nth(1).locator('.badge').first().textContent()).toMatch(
      /resumed|forked|branched|continued/,
    )
    await page.getByRole('button', { name: 'trees' }).click()
    await expect.poll(() => page.locator('.guide').count()).toBe(0)
  })

  it('shows only sessions with branches, or subagents, or both', async () => {
    const page = await openPage('/?flat=1')
    await page.getByRole('button', { name: 'branches' }).click()
    await page.getByText(/^\d+ of \d+ sessions/).waitFor()
    for (const text of await page.locator('.home-figures').allTextContents())
      expect(text).toMatch(/\d+ branch/)
    await page.getByRole('button', { name: 'subagents' }).click()
    await page.waitForURL(/has=branches%2Cagents/)
    for (const text of await page.locator('.home-figures').allTextContents())
      expect(text).toMatch(/branch.*subagent/)
    const typed = await openPage('/?flat=1&branches=1')
    await typed.getByText(/^\d+ of \d+ sessions/).waitFor()
    expect(await typed.getByRole('button', { name: 'branches' }).getAttribute('aria-pressed')).toBe('true')
  })

  it('groups sessions by project', async () => {
    const page = await openPage('/')
    await page.getByRole('button', { name: 'by project' }).click()
    await page.locator('.home-project').first().waitFor()
    const heads = await page.locator('.home-project').allTextContents()
    expect(heads.every(head => /\d+ sessions?/.test(head))).toBe(true)
    const names = await page.locator('.home-project h2').allTextContents()
    expect(new Set(names).size).toBe(names.length)
    expect(await page.locator('.home-where').count()).toBe(0)
  })

  it('moves by keys from session to session, and opens one', async () => {
    const page = await openPage('/?flat=1')
    const names = await titles(page)
    const focused = (): Promise<string | null> => page.locator('.home-row:focus .home-name').textContent()
    await page.keyboard.press('j')
    expect(await focused()).toBe(names[0])
    await page.keyboard.press('j')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('k')
    expect(await focused()).toBe(names[1])
    const href = await page.locator('.home-row:focus').getAttribute('href')
    await page.keyboard.press('Enter')
    await page.waitForURL(url => url.pathname === href)
    await page.keyboard.press('h')
    await page.waitForURL(url => url.pathname === '/')
  })

  it('shows hostile titles as text', async () => {
    const page = await openPage('/?q=onerror')
    expect(await titles(page)).toEqual([HOSTILE])
    expect(await page.locator('main img, main script').count()).toBe(0)
    expect(await page.title()).toBe('dagline')
  })

  it('offers the search where no session matches', async () => {
    const page = await openPage('/')
    await page.getByLabel('Filter sessions').fill('words of an answer')
    await page.getByText(/Search all conversations for/).click()
    await page.waitForURL(/\/search\?q=words\+of\+an\+answer$/)
    await page.locator('.hit').first().waitFor()
  })

  it('shows a new session, and keeps the position of the reader', async () => {
    const page = await openPage('/?flat=1', { height: 500 })
    await titles(page)
    await page.evaluate(() => window.scrollTo(0, 700))
    await nextFrames(page)
    const row = page
      .locator('.virtual-item')
      .filter({ has: page.locator('.home-row') })
      .nth(9)
    const name = await row.locator('.home-name').textContent()
    const index = await row.getAttribute('data-index')
    const top = (await row.boundingBox())?.y
    for (const { path, text } of shaped('new1: u701"Brand new"@+4000d a701', '-home-dev-new'))
      home().write(path, text)
    const moved = page.locator(`.virtual-item[data-index="${Number(index) + 1}"]`)
    await expect.poll(() => moved.locator('.home-name').textContent()).toBe(name)
    await expect.poll(async () => (await moved.boundingBox())?.y).toBe(top)
    await page.evaluate(() => window.scrollTo(0, 0))
    await page.getByText('Brand new').waitFor()
  })

  it('fits a phone', async () => {
    const page = await openPage('/', { width: 390, height: 844 })
    await titles(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })

  it('prints all sessions on a light background', async () => {
    const page = await openPage('/?flat=1', { theme: 'dark' })
    await titles(page)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
    await page.locator('.virtual.is-printing').waitFor()
    expect(await page.locator('.top').isVisible()).toBe(false)
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe(
      'rgb(251, 250, 247)',
    )
  })
})

describe.runIf(hasBrowser)('home with many sessions', () => {
  const { openPage } = useViewer({ files: manySessions(400) })

  it('[X9] loads and draws only visible sessions, and restores the position', async () => {
    const page = await openPage('/')
    await page.getByText('400 sessions in 1 project').waitFor()
    await page.locator('.home-row').first().waitFor()
    const asked: string[] = []
    page.on('request', request => {
      const { pathname, search } = new URL(request.url())
      if (pathname === '/api/home') asked.push(search)
    })
    const rows = (): Promise<number> => page.locator('.home-row').count()
    expect(await rows()).toBeLessThan(40)
    await page.keyboard.press('G')
    await expect.poll(() => page.locator('.home-row:focus').textContent()).toMatch(/Question number 1000/)
    expect(await rows()).toBeLessThan(40)
    expect(asked).toEqual(['?from=300'])
    const before = await page.evaluate(() => window.scrollY)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/s\/m1000$/)
    await page.goBack()
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(before)
    await page.getByText('Question number 1000').first().waitFor()
    await page.keyboard.press('g')
    await expect.poll(() => page.locator('.home-row:focus').textContent()).toMatch(/Question number 1399/)
  })
})

describe.runIf(hasBrowser)('home while the index is built', () => {
  let finish = (): void => {}
  const until = new Promise<void>(resolve => {
    finish = resolve
  })
  const { openPage, takeFaults } = useViewer({ until })

  it('[V21] shows the progress, then the sessions', async () => {
    for (const path of ['/agents', '/usage']) {
      const page = await openPage(path)
      await page.getByText('Reading your sessions…').waitFor()
    }
    // There is no index yet, which the browser reports as a failed request.
    expect(takeFaults().every(fault => fault.includes('503'))).toBe(true)
    const page = await openPage('/')
    await page.getByText('indexing 45 %').waitFor()
    expect(await page.getByRole('progressbar', { name: 'Indexing' }).getAttribute('value')).toBe('0.45')
    await page.getByText('Reading your sessions…').waitFor()
    expect(await page.getByText(/sessions? in/).count()).toBe(0)
    finish()
    await page.locator('.home-row').first().waitFor()
    await expect.poll(() => page.getByRole('progressbar').count()).toBe(0)
  })
})

describe.runIf(hasBrowser)('home without sessions', () => {
  const { openPage } = useViewer({ files: [] })

  it('names the folders it read, and says what to do', async () => {
    const page = await openPage('/')
    await page.getByRole('heading', { name: 'No sessions yet' }).waitFor()
    expect(await page.locator('.empty').textContent()).toMatch(/dagline looked in .*projects/)
  })
})

describe.runIf(hasBrowser)('home with samples', () => {
  const { openPage } = useViewer({ isSample: true })

  it('says that these are samples', async () => {
    const page = await openPage('/')
    await page.getByText(/These are samples: dagline found no sessions in/).waitFor()
  })
})
