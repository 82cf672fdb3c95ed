/// <reference lib="dom" />
/** A real browser on a real server. Every page that is opened is watched: what it reports and whom it asks. */
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { RunningServer } from '@dagline/server'
import axe from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core'
import { findChromium, NO_CHROMIUM } from '../../../scripts/chromium.ts'

/** Whether there is a browser; tests are left out where there is none, and the output says so. */
export const hasBrowser: boolean = lookForBrowser()

export type Theme = 'light' | 'dark'

export interface OpenOptions {
  readonly theme?: Theme
  /** Pixels; 390 is a phone. */
  readonly width?: number
  readonly height?: number
}

/** What pages have said and done that they should not. */
export interface Watch {
  /** Errors and warnings of the console, and exceptions that nobody caught. */
  readonly faults: string[]
  /** Addresses outside of the server that were asked for. */
  readonly foreign: string[]
}

/** A browser in front of one server. */
export interface Viewer {
  readonly watch: Watch
  /** Opens a page of the viewer in a window of its own, with nothing remembered. */
  readonly openPage: (path: string, options?: OpenOptions) => Promise<Page>
  /** Opens a file from the disk, with the network off; whatever it asks for is `foreign`. */
  readonly openFile: (path: string, options?: OpenOptions) => Promise<Page>
  readonly closePages: () => Promise<void>
}

/** Puts a browser in front of a server. */
export function openViewer(browser: Browser, server: Pick<RunningServer, 'port' | 'url'>): Viewer {
  const watch: Watch = { faults: [], foreign: [] }
  const contexts: BrowserContext[] = []
  return {
    watch,
    openPage: async (path, options = {}) => {
      const context = await openContext(browser, options)
      contexts.push(context)
      await context.request.get(server.url)
      const page = await context.newPage()
      await watchPage(page, watch)
      await page.goto(`http://127.0.0.1:${server.port}${path}`)
      return page
    },
    openFile: async (path, options = {}) => {
      const context = await openContext(browser, { ...options, isOffline: true })
      contexts.push(context)
      const page = await context.newPage()
      const { href } = pathToFileURL(path)
      const note = (request: Request): void => {
        const [address] = request.url().split('#')
        // What the policy of the page stops is asked of nobody.
        if (address !== href && request.failure()?.errorText !== 'csp') watch.foreign.push(request.url())
      }
      page.on('requestfinished', note)
      page.on('requestfailed', note)
      watchFaults(page, watch)
      await page.goto(href)
      return page
    },
    closePages: async () => {
      await Promise.all(contexts.splice(0).map(context => context.close()))
    },
  }
}

/** Serious and critical faults that axe finds, one line each. */
export async function axeFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const { violations }: axe.AxeResults = await page.evaluate(
    'axe.run(document, { resultTypes: ["violations"] })',
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
    )
}

/** Starts Chromium, without a window. */
export async function launch(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === null) throw new Error(NO_CHROMIUM)
  // Chromium's sandbox refuses to run for root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return await chromium.launch({
    executablePath,
    args: [...args, '--disable-gpu', '--font-render-hinting=none'],
  })
}

async function openContext(
  browser: Browser,
  options: OpenOptions & { readonly isOffline?: boolean },
): Promise<BrowserContext> {
  const { theme = 'light', width = 1280, height = 800, isOffline = false } = options
  const context = await browser.newContext({
    colorScheme: theme,
    offline: isOffline,
    viewport: { width, height },
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(10_000)
  return context
}

function watchFaults(page: Page, { faults }: Watch): void {
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text())
  })
  page.on('pageerror', error => faults.push(error.stack ?? error.message))
}

async function watchPage(page: Page, watch: Watch): Promise<void> {
  const { foreign } = watch
  watchFaults(page, watch)
  await page.route(
    url => url.hostname !== '127.0.0.1',
    route => {
      foreign.push(route.request().url())
      return route.abort()
    },
  )
}

function lookForBrowser(): boolean {
  const path = findChromium()
  if (path === null) console.warn(NO_CHROMIUM)
  return path !== null && existsSync(path)
}

/** Searches within the session that is shown, and goes to the first hit once so many are found. */
export async function searchWithin(page: Page, words: string, hits: number): Promise<void> {
  await page.keyboard.press('/')
  await page.keyboard.type(words)
  await page.locator('.session-search .hits').getByText(String(hits)).waitFor()
  await page.keyboard.press('Enter')
}
