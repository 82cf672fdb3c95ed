/** A session as one file, exported by the real command and opened from the disk without network. */
import { expandShape } from '@dagline/testkit'
import type { Download, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeFaults, hasBrowser, searchWithin } from '../e2e/browser.ts'
import { shaped } from '../e2e/sessions.ts'
import { useViewer } from '../e2e/viewer.ts'

const SHAPE = `exp1: u1"Fix the rounding" a1"Which way?" u2"Use a decimal library" a2"Done with a library"
exp1: a1 > u4"Round once, at the end"@+30m a4[t1:Task>x]
exp1/x: u12"Look closely" a12[t2:Task>y]
exp1/y: u13"Look very closely" a13"I see it"
exp1/x: a12 > r12[t2>y] a14"It was seen"
exp1: a4 > r4[t1>x] a5"Somebody saw it" c5 k5"What was before" u6"Go on" a6"Gone on"`

const LONG = `lon1: ${Array.from({ length: 300 }, (_, at) => `u${1000 + at}"Question ${1000 + at}" a${1000 + at}"Words of ${1000 + at}"`).join(' ')}`

const TREE = `fam1: u21"Begin" a21"Begun" u22"Go on" a22"Gone on"
fam2: a22 > u23"Later"@+1h a23"Still here"
fam3: a21 > u24"Otherwise"@+1h a24"As you like"`

const TOKEN = `ghp_${'a8Kx92mQzL4pR7tVbN3cW6yD1eF5gH0jS2uT'}`

const SHARED = `sha1: u31"The token is ${TOKEN}, ask otto@kattegat.dk" a31"Look at /Users/otto/shop" u32"Wrong" a32
sha1: a31 > u33"Better /Users/otto/shop"@+30m a33`

const WORDY = `wor1: u41"${'Words '.repeat(100)}" a41"Few"`

const FILES = [
  ...shaped(WORDY, '-home-dev-wordy'),
  ...shaped(SHARED, '-home-dev-shared'),
  ...shaped(TREE, '-home-dev-family'),
  ...shaped(SHAPE, '-home-dev-exported'),
  ...shaped(LONG, '-home-dev-long'),
]

/** The path of a download, with a name that the browser knows as a page. */
async function saved(download: Download): Promise<string> {
  const path = `${await download.path()}.html`
  await download.saveAs(path)
  return path
}

async function textsOn(page: Page): Promise<string[]> {
  await page.locator('.row .md').first().waitFor()
  return page.locator('.row .md').allTextContents()
}

describe.runIf(hasBrowser)('an exported file', () => {
  const { openPage, openFile, home } = useViewer({ files: FILES })
  const exported = new Map<string, string>()
  /** Exports a session once for all tests. */
  const exportOnce = (path: string): string => {
    const file = exported.get(path) ?? home().exportFile(path)
    exported.set(path, file)
    return file
  }
  const small = (): string => exportOnce('-home-dev-exported/exp1.jsonl')
  const large = (): string => exportOnce('-home-dev-long/lon1.jsonl')

  it('[S2] links to the pages beside it, forward and back, by uuid', async () => {
    home().exportFile('-home-dev-family/fam1.jsonl')
    const second = await openFile(home().exportFile('-home-dev-family/fam2.jsonl'))
    const back = second.locator('.session-origin a')
    const { uuid } = expandShape(TREE)
    expect(await back.getAttribute('href')).toBe(`fam1.html#${uuid('a22')}`)
    const first = await openFile(home().exportFile('-home-dev-family/fam1.jsonl'))
    const onward = first.locator('.note.junction')
    await onward.nth(1).waitFor()
    expect(await onward.allTextContents()).toEqual([
      'Resumed in another session Otherwise',
      'Resumed in another session Later →',
    ])
    expect(await onward.locator('a').getAttribute('href')).toBe('fam2.html')
  })

  it('[S1] [S2] contains the sessions of a tree, and links between them', async () => {
    const page = await openFile(home().exportFile('-home-dev-family/fam3.jsonl', '--tree'))
    const tree = page.locator('.file-tree a')
    expect(await tree.allTextContents()).toEqual(['Begin', 'Later', 'Otherwise'])
    expect(await textsOn(page)).toEqual(['Begin', 'Begun', 'Go on', 'Gone on'])
    await page.locator('.note.junction a').first().click()
    await expect.poll(() => textsOn(page)).toEqual(['Otherwise', 'As you like'])
    expect(await page.locator('.file-tree [aria-current]').textContent()).toBe('Otherwise')
    await page.locator('.session-origin a').click()
    await expect.poll(() => textsOn(page)).toContain('Gone on')
    const { uuid } = expandShape(TREE)
    await expect.poll(() => page.locator('.row.is-here').getAttribute('data-node')).toBe(uuid('a21'))
    await tree.nth(1).click()
    await expect.poll(() => textsOn(page)).toEqual(['Later', 'Still here'])
    await searchWithin(page, 'Still', 1)
    expect(await axeFaults(page)).toEqual([])
    await page.getByLabel('Filter sessions').fill('other')
    await expect.poll(() => tree.allTextContents()).toEqual(['Otherwise'])
    // A session that writes its own address meanwhile does not undo a click.
    await page.evaluate(() => {
      location.hash = '#fam1'
      history.replaceState(null, '', '#fam2')
    })
    await expect.poll(() => textsOn(page)).toContain('Gone on')
  })

  it('[S2] an exported project has an index with a filter and a theme', async () => {
    const page = await openFile(home().exportProject('-home-dev-family'), { width: 390, height: 844 })
    const shown = page.locator('main a:visible')
    expect(await shown.allTextContents()).toEqual(['Begin', 'Later', 'Otherwise'])
    expect(await axeFaults(page, 'moderate')).toEqual([])
    await page.getByRole('button', { name: 'Theme: system' }).click()
    await page.getByRole('button', { name: 'Theme: light' }).click()
    expect(await axeFaults(page)).toEqual([])
    const color = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    expect(color).toBe('rgb(25, 24, 22)')
    await page.getByLabel('Filter sessions').fill('OTHER')
    expect(await shown.allTextContents()).toEqual(['Otherwise'])
    expect(await shown.getAttribute('href')).toBe('fam3.html')
    await page.getByLabel('Filter sessions').fill('no such words')
    await page.getByRole('status').getByText('No matching sessions').waitFor()
  })

  it('has help and a theme, and no command for its author', async () => {
    const page = await openFile(small())
    await textsOn(page)
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys and colors' }).getByText('next and previous row').waitFor()
    expect(await page.getByRole('dialog').getByText('search everything').count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Theme: system' }).click()
    await page.keyboard.press('t')
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    expect(await page.getByRole('button', { name: 'Copy resume command' }).count()).toBe(0)
  })

  it('has a title of the window that is not a whole prompt', async () => {
    const page = await openFile(home().exportFile('-home-dev-wordy/wor1.jsonl'))
    await textsOn(page)
    expect(await page.title()).toMatch(/^(Words ){33}/)
    expect((await page.title()).length).toBeLessThanOrEqual(200)
  })

  it('[F12] shows the live branch, and switches to the abandoned one', async () => {
    const page = await openFile(small())
    expect(await textsOn(page)).not.toContain('Done with a library')
    await page.getByText('You rewound once: 2 messages').waitFor()
    await page.getByRole('button', { name: 'Next branch' }).click()
    await expect.poll(() => textsOn(page)).toContain('Done with a library')
    await page.keyboard.press(']')
    await expect.poll(() => textsOn(page)).toContain('Somebody saw it')
    expect(await page.locator('main').getByRole('link', { name: 'Compare' }).count()).toBe(0)
  })

  it('[A5] opens subagents to any depth, and folds them again', async () => {
    const page = await openFile(small())
    await page.locator('.agent-line').click()
    await expect.poll(() => textsOn(page)).toContain('It was seen')
    await page.locator('.voice-agent .agent-line').click()
    await expect.poll(() => textsOn(page)).toContain('I see it')
    await page.locator('.branch-head').first().getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => textsOn(page)).not.toContain('I see it')
    await page.keyboard.press('1')
    await expect.poll(() => textsOn(page)).toEqual(['Fix the rounding', 'Round once, at the end', 'Go on'])
  })

  it('searches all of its contents, also folded and compressed ones', async () => {
    const page = await openFile(small())
    await textsOn(page)
    await searchWithin(page, 'see', 2)
    await expect.poll(() => textsOn(page)).toContain('I see it')
    const long = await openFile(large())
    await textsOn(long)
    await searchWithin(long, 'Words of 1277', 1)
    await expect.poll(() => textsOn(long)).toContain('Words of 1277')
  })

  it('follows links to its rows', async () => {
    const node = expandShape(SHAPE).uuid('a2')
    const page = await openFile(small())
    await textsOn(page)
    await page.evaluate(uuid => {
      location.hash = uuid
    }, node)
    await page.locator(`.is-marked[data-node="${node}"]`).waitFor()
  })

  it('has no serious accessibility fault, and fits a phone', async () => {
    const page = await openFile(small(), { width: 390, height: 844, theme: 'dark' })
    await textsOn(page)
    expect(await axeFaults(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })

  it('prints all rows', async () => {
    const page = await openFile(large())
    await textsOn(page)
    expect(await page.locator('.row').count()).toBeLessThan(40)
    const pages = (await page.pdf()).toString('latin1').match(/\/Type \/Page\b/g) ?? []
    expect(pages.length).toBeGreaterThan(12)
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
    await page.locator('.rows.is-printing').waitFor()
    expect(await page.locator('.row').count()).toBe(600)
    expect(await page.locator('.session-bar').isVisible()).toBe(true)
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('.session-bar, .session-side, .session-actions').first().isVisible()).toBe(
      false,
    )
  })

  it('is also a download from the page', async () => {
    const page = await openPage('/s/exp1')
    await textsOn(page)
    await page.getByRole('button', { name: 'Export as one file' }).click()
    await page.getByRole('dialog').getByText('Secrets').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true }).click(),
    ])
    expect(download.suggestedFilename()).toBe('exp1.html')
    await page
      .getByRole('status')
      .getByText(/^Saved exp1.html, .* Replaced: \d+ user name/)
      .waitFor()
    const opened = await openFile(await saved(download))
    expect((await textsOn(opened)).length).toBeGreaterThan(0)
  })

  it('[R5] the dialog says what was found, replaces it unless told otherwise, and says what it replaced', async () => {
    const page = await openPage('/s/sha1')
    await textsOn(page)
    await page.getByRole('button', { name: 'Export as one file' }).click()
    const dialog = page.getByRole('dialog', { name: 'Export as one file' })
    await dialog.getByText('1 github-token').waitFor()
    const lines = await dialog.locator('.share-line').allTextContents()
    expect(lines.map(line => line.replace(/replace$/, '').trim())).toEqual([
      'Secrets1 github-token',
      'Paths4 user names in home folders',
      'Mail1 address',
      'Namesnone found',
      expect.stringContaining('all (1 abandoned)'),
    ])
    expect(await axeFaults(page)).toEqual([])
    await dialog.getByLabel('Branches').selectOption('live')
    const save = async (button: string): Promise<string> => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('button', { name: button, exact: true }).click(),
      ])
      await dialog.getByText(/^Saved sha1.html/).waitFor()
      return await saved(download)
    }
    const safe = await save('Export')
    await dialog.getByText(/Replaced: .*\d github-token/).waitFor()
    await dialog.getByLabel('replace').first().uncheck()
    const open = await save('Export with 1 likely secret')
    const texts = await textsOn(await openFile(safe))
    expect(texts.join()).toMatch(/\[redacted:github-token-.*\[redacted:email-/)
    expect(texts.join()).not.toContain('Wrong')
    expect((await textsOn(await openFile(open))).join()).toContain(TOKEN)
  })
})
