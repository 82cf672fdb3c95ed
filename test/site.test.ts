/// <reference lib="dom" />
/** The documentation site: it is built, its links lead somewhere, and a browser shows it without faults. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, extname, join, posix } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  axeFaults,
  hasBrowser,
  launch,
  openViewer,
  searchWithin,
  type Viewer,
} from '../packages/web/e2e/browser.ts'
import { ROOT } from '../scripts/lib/sources.ts'
import { buildSite } from '../scripts/site/build.ts'

const folder = mkdtempSync(join(tmpdir(), 'dagline-site-'))
let pages: readonly string[] = []

beforeAll(async () => {
  pages = await buildSite(folder)
}, 120_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const textOf = (page: string): string => readFileSync(join(folder, page), 'utf8')

/** What pages link to and load, as `page -> target`. */
function linksIn(page: string): readonly (readonly [page: string, target: string])[] {
  const found = textOf(page).matchAll(/\s(?:href|src)="([^"]*)"/g)
  return [...found].map(([, target = '']) => [page, target.replaceAll('&amp;', '&')] as const)
}

describe('the site', () => {
  it('has a page for every document and every entry point of the library', () => {
    expect(pages).toEqual(
      expect.arrayContaining([
        'index.html',
        'cli.html',
        'api.html',
        'api/core.html',
        'api/dagline.html',
        'adr/index.html',
        'scorer.html',
      ]),
    )
    expect(textOf('shapes.html')).toContain('id="rewind-with-a-summary"')
    expect(textOf('api/core-open.html')).toContain('id="name-openFiles"')
    expect(textOf('spec.html')).toContain('<table>')
  })

  it('has no link that leads nowhere', () => {
    const broken = pages
      .filter(page => page !== 'demo.html')
      .flatMap(linksIn)
      .filter(([, target]) => !/^[a-z]+:/.test(target))
      .filter(([page, target]) => {
        const [path = '', anchor = ''] = target.split('#', 2)
        const file = path === '' ? page : posix.join(posix.dirname(page), path)
        if (!existsSync(join(folder, file))) return true
        return anchor !== '' && !textOf(file).includes(`id="${decodeURI(anchor)}"`)
      })
    expect(broken).toEqual([])
  })

  it('loads nothing from elsewhere, and its demo may open no connection', () => {
    const loaded = pages.flatMap(page => [
      ...textOf(page).matchAll(/<(?:script|link|img)[^>]*(?:src|href)="([^"]+)"/g),
    ])
    expect(loaded.filter(([, target = '']) => /^(?:https?:)?\/\//.test(target))).toEqual([])
    expect(textOf('demo.html')).toMatch(
      /Content-Security-Policy" content="default-src 'none'; script-src 'sha256-/,
    )
  })
})

describe.runIf(hasBrowser)('the site in a browser', () => {
  let browser: Browser
  let server: Server
  let viewer: Viewer

  beforeAll(async () => {
    server = createServer((request, response) => {
      const path = decodeURI(new URL(request.url ?? '/', 'http://x').pathname)
      const file = join(folder, path === '/' ? 'index.html' : path)
      if (!existsSync(file)) response.writeHead(404).end()
      else
        response
          .writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'image/png' })
          .end(readFileSync(file))
    })
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    browser = await launch()
    viewer = openViewer(browser, { port, url: `http://127.0.0.1:${port}/index.html` })
  })

  afterAll(async () => {
    await viewer.close()
    await browser.close()
    server.close()
  })

  const expectClean = async (page: Page): Promise<void> => {
    expect(await axeFaults(page)).toEqual([])
    await viewer.flush()
    expect(viewer.watch).toEqual({ faults: [], foreign: [] })
  }

  it.each(['/', '/cli.html', '/api/core-open.html'])(
    '%s has no faults, in both themes and on a phone',
    async path => {
      const page = await viewer.openPage(path, { width: 390 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
      await expectClean(page)
      await page.setViewportSize({ width: 1400, height: 800 })
      expect(await page.locator('.site-menu a[aria-current]').count()).toBe(1)
    },
  )

  it('finds headings from any page, and leads to them', async () => {
    const page = await viewer.openPage('/adr/index.html')
    await page.keyboard.press('/')
    await page.keyboard.type('open files in a')
    await page.locator('.site-found a').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/api\.html#open-files-in-a-browser$/)
  })

  it('the theme can be chosen, and stays', async () => {
    const page = await viewer.openPage('/', { isFresh: true })
    await page.getByRole('button', { name: 'Theme: system' }).click()
    await page.getByRole('button', { name: 'Theme: light' }).click()
    await page.goto(page.url().replace(/\/$/, '/limits.html'))
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
  })

  it('the demo draws its sample, with contents, costs, search and the tree of sessions', async () => {
    const page = await viewer.openPage('/demo.html')
    await expectClean(page)
    await page.getByRole('button', { name: 'Try a sample' }).click()
    await page.getByRole('heading', { name: 'Round order totals once' }).waitFor()
    expect(await page.locator('.file-tree li').count()).toBe(7)
    await page.getByText('The total of an order is off by a cent').first().waitFor()
    await expectClean(page)
    await searchWithin(page, 'rounding', 3)
    await page.getByRole('link', { name: 'Flaky checkout test' }).click()
    await page.getByRole('heading', { name: 'Flaky checkout test' }).waitFor()
  })

  it('the demo draws files that are dropped, folders too, and says so where they are no transcripts', async () => {
    const page = await viewer.openPage('/demo.html')
    expect(await page.getByRole('alert').count()).toBe(0)
    await dropFile(page, 'notes.txt', 'hello')
    await page.getByRole('alert').getByText('no session of Claude Code').waitFor()
    const session = '7d1c90aa-52f3-4e0b-9a41-0c3f6be2d815'
    const path = join(ROOT, 'examples/projects/-home-dev-shop', `${session}.jsonl`)
    await dropFile(page, `${session}.jsonl`, readFileSync(path, 'utf8'))
    await page.getByRole('heading', { name: 'Why does the checkout test fail?' }).waitFor()
    await page.getByText('Fixed: the total is rounded once, after the discount.').first().waitFor()
    await page.getByRole('button', { name: 'Open others' }).click()
    await page.locator('input[type=file]').nth(1).setInputFiles(dirname(path))
    await page.getByText('reviewer').first().waitFor()
    await expectClean(page)
  })

  it('the demo also runs from a disk', async () => {
    const page = await viewer.openFile(join(folder, 'demo.html'))
    await page.getByRole('button', { name: 'Try a sample' }).click()
    await page.getByRole('heading', { name: 'Round order totals once' }).waitFor()
  })
})

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
}

async function dropFile(page: Page, name: string, text: string): Promise<void> {
  const data = await page.evaluateHandle(
    file => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([file.text], file.name))
      return transfer
    },
    { name, text },
  )
  await page.dispatchEvent('body', 'drop', { dataTransfer: data })
}
