import { describe, expect, it } from 'vitest'
import { axeFaults, hasBrowser, nextFrames } from '../e2e/browser.ts'
import { useViewer } from '../e2e/viewer.ts'

const PAGES = [
  '/',
  '/?group=project',
  '/search',
  '/search?q=one',
  '/now',
  '/usage',
  '/waste',
  '/agents',
  '/health',
  '/compare',
  '/nowhere',
  '/s/7d1c90aa-52f3-4e0b-9a41-0c3f6be2d815',
]

describe.runIf(hasBrowser)('the viewer', () => {
  const { openPage, home, takeFaults } = useViewer()

  it.each(PAGES)('%s has no serious accessibility fault', async path => {
    const page = await openPage(path)
    await page.locator('main :is(h1, h2)').first().waitFor()
    if (path.includes('q=')) await page.locator('.hit').first().waitFor()
    expect(await axeFaults(page)).toEqual([])
  })

  it('reports a missing part of the script after an update', async () => {
    const page = await openPage('/')
    await page.locator('.home-row').first().waitFor()
    await page.route('**/part-*.js', route => route.fulfill({ status: 404, body: 'gone' }))
    await page.getByRole('navigation').getByRole('link', { name: 'Usage' }).click()
    await page.getByRole('alert').getByText('dagline was updated').waitFor()
    await page.unroute('**/part-*.js')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Usage' }).waitFor()
    expect(takeFaults().filter(fault => !fault.includes('404'))).toEqual([])
  })

  it('is not blank where its script is missing', async () => {
    const page = await openPage('/')
    await page.route('**/app.js', route => route.fulfill({ status: 404, body: 'gone' }))
    await page.reload()
    await page.getByText('The page could not be loaded because dagline was updated').waitFor()
    expect(await page.title()).toBe('dagline')
    takeFaults()
  })

  it('navigates between pages without a reload', async () => {
    const page = await openPage('/')
    await page.evaluate(() => Object.assign(window, { isSame: true }))
    for (const [name, path] of [
      ['Search', '/search'],
      ['Sessions', '/'],
    ] as const) {
      await page.getByRole('navigation').getByRole('link', { name }).click()
      await page.waitForURL(url => url.pathname === path)
      expect(await page.getByRole('link', { name, exact: true }).getAttribute('aria-current')).toBe('page')
    }
    expect(await page.evaluate('window.isSame')).toBe(true)
    await page.goBack()
    await page.waitForURL(/\/search$/)
    await page.getByLabel('Search everything').waitFor()
  })

  it('[V28] links of the top bar stay where they are from page to page, and name the page or its part', async () => {
    const page = await openPage('/')
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link')
    const places = (): Promise<readonly number[]> =>
      links.evaluateAll(all => all.map(link => link.getBoundingClientRect().left))
    const before = await places()
    await page.goto(page.url().replace(/\/$/, '/waste'))
    await page.getByRole('heading', { name: 'Waste' }).waitFor()
    expect(await places()).toEqual(before)
    expect(await page.locator('.top-links [aria-current]').allTextContents()).toEqual(['Usage'])
  })

  it('[V28] names all pages on a phone', async () => {
    const page = await openPage('/')
    await page.setViewportSize({ width: 390, height: 844 })
    const links = page.getByRole('navigation', { name: 'Pages' })
    await expect.poll(() => links.evaluate(list => list.scrollWidth - list.clientWidth)).toBe(0)
  })

  it('[V22] what is tapped on a phone is 24 pixels high', async () => {
    const page = await openPage('/s/7d1c90aa-52f3-4e0b-9a41-0c3f6be2d815')
    await page.setViewportSize({ width: 390, height: 844 })
    const buttons = page.locator('.session-actions > button')
    await buttons.first().waitFor()
    const heights = await buttons.evaluateAll(all => all.map(each => each.getBoundingClientRect().height))
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(24)
  })

  it('has the theme of the system until the user chooses one, and remembers the choice', async () => {
    const page = await openPage('/', { theme: 'dark', isFresh: true })
    const paper = (): Promise<string> =>
      page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    expect(await paper()).toBe('rgb(25, 24, 22)')
    await page.getByRole('button', { name: /Theme/ }).click()
    expect(await paper()).toBe('rgb(251, 250, 247)')
    await page.reload()
    expect(await paper()).toBe('rgb(251, 250, 247)')
    await page.locator('.home-row').first().waitFor()
    await page.keyboard.press('t')
    expect(await paper()).toBe('rgb(25, 24, 22)')
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await paper()).toBe('rgb(25, 24, 22)')
    await page.keyboard.press('t')
    expect(await paper()).toBe('rgb(251, 250, 247)')
  })

  it('lists its keys, and restores the focus', async () => {
    const page = await openPage('/')
    await page.locator('.home-row').first().waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    expect(await axeFaults(page)).toEqual([])
    await page.keyboard.press('j')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await expect.poll(() => page.locator('.home-row:focus').count()).toBe(1)
  })

  it('focuses the search with a slash', async () => {
    const page = await openPage('/')
    await page.locator('.home-row').first().waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('one')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/search\?q=one$/)
    await page.locator('.hit').first().waitFor()
  })

  it('says that an address has no page', async () => {
    const page = await openPage('/nowhere/at/all')
    await page.getByText('No page has this address.').waitFor()
    await page.getByRole('link', { name: 'All sessions', exact: true }).click()
    await page.locator('.home-row').first().waitFor()
  })

  it('confines an error to the page that has it', async () => {
    const page = await openPage('/search')
    const sync = { state: 'done', bytes: 0, bytesDone: 0, message: null, unread: [] }
    const value = { looked: [], isSample: false, sync, version: 1, from: 0, rows: 1, items: [{}], sums: null }
    await page.route('**/api/home', route => route.fulfill({ json: { ok: true, value } }))
    await page.getByRole('link', { name: 'Sessions', exact: true }).click()
    await page.getByRole('heading', { name: 'This page failed' }).waitFor()
    await page.unroute('**/api/home')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('.home-row').first().waitFor()
  })

  it('runs no script except its own', async () => {
    const page = await openPage('/')
    await page.locator('.home-row').first().waitFor()
    await page.evaluate(() => {
      const script = document.createElement('script')
      script.textContent = 'document.title = "broken into"'
      document.body.append(script)
      const image = document.createElement('div')
      image.innerHTML =
        '<img src="data:," onerror="document.title = \'broken into\'"><p style="color: red">styled</p>'
      document.body.append(image)
    })
    await nextFrames(page)
    expect(await page.title()).toBe('dagline')
    expect(
      await page.evaluate(() => getComputedStyle(document.querySelector('p[style]') ?? document.body).color),
    ).not.toBe('rgb(255, 0, 0)')
    const faults = takeFaults()
    expect(faults.length).toBeGreaterThanOrEqual(2)
    expect(faults.filter(fault => !fault.includes('Content Security Policy'))).toEqual([])
  })

  it('[V3] explains itself to people who follow a link on another site, and opens it by a click', async () => {
    const page = await openPage('/', { isFresh: true })
    const { port } = home().server
    // Two ports of one host are one site, but two origins: the guard rejects both.
    const away = await page.context().newPage()
    await away.goto(`data:text/html,<a href="http://127.0.0.1:${port}/search?q=one">a link</a>`)
    await away.getByText('a link').click()
    await away.getByRole('heading', { name: 'Open this page in dagline?' }).waitFor()
    expect(await axeFaults(away)).toEqual([])
    await away.getByRole('link', { name: 'Open the page' }).click()
    await away.locator('.hit').first().waitFor()
    await away.close()
  })

  // The last test: it stops the server.
  it('[V2] says that the server has stopped, and continues when it runs again', async () => {
    const page = await openPage('/search?q=one')
    await page.locator('.hit').first().waitFor()
    await home().server.close()
    await page.getByText('dagline has stopped.').waitFor()
    await page.getByLabel('Search everything').fill('two')
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await page.getByText('Is it still running in its terminal?').waitFor()
    await home().restart('another token')
    await page.getByText('dagline has a new token.').waitFor()
    await home().restart()
    await page.locator('.hit').first().waitFor()
    expect(await page.locator('.top-note').count()).toBe(0)
    expect(takeFaults().every(fault => /ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY|401/.test(fault))).toBe(true)
  })
})
