/// <reference lib="dom" />
/** A real browser in front of a real server. Errors and foreign requests of every page are recorded. */
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { RunningServer } from '@dagline/server'
import axe from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core'
import { findChromium, NO_CHROMIUM } from '../../../scripts/chromium.ts'

/** Whether there is a browser. Without one, tests are skipped, and the output says so. */
export const hasBrowser: boolean = lookForBrowser()

export type Theme = 'light' | 'dark'

export interface OpenOptions {
  readonly theme?: Theme
  /** Pixels; 390 is a phone. */
  readonly width?: number
  readonly height?: number
  /** Shares no cookies and storage with other pages. */
  readonly isFresh?: boolean
}

/** What pages reported or requested, but should not. */
export interface Watch {
  /** Errors and warnings of the console, and uncaught exceptions. */
  readonly faults: string[]
  /** Requested addresses that are not of the server. */
  readonly foreign: string[]
}

/** A browser in front of one server. */
export interface Viewer {
  readonly watch: Watch
  /** Opens a page of the viewer. Pages with the same options share a context, and thus the browser cache. */
  readonly openPage: (path: string, options?: OpenOptions) => Promise<Page>
  /** Opens a file from the disk without network. Every other request is `foreign`. */
  readonly openFile: (path: string, options?: OpenOptions) => Promise<Page>
  readonly closePages: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Opens pages of a server in a browser. */
export function openViewer(browser: Browser, server: Pick<RunningServer, 'port' | 'url'>): Viewer {
  const watch: Watch = { faults: [], foreign: [] }
  const contexts = new Map<string, Promise<BrowserContext>>()
  let opened = 0
  const contextFor = async (options: ContextOptions): Promise<BrowserContext> => {
    const key = JSON.stringify(options.isFresh === true ? { nth: opened++ } : options)
    const context = contexts.get(key) ?? openContext(browser, options, server.url)
    contexts.set(key, context)
    return await context
  }
  return {
    watch,
    openPage: async (path, options = {}) => {
      const page = await (await contextFor(options)).newPage()
      await watchPage(page, watch)
      await page.goto(`http://127.0.0.1:${server.port}${path}`)
      return page
    },
    openFile: async (path, options = {}) => {
      const page = await (await contextFor({ ...options, isOffline: true })).newPage()
      const { href } = pathToFileURL(path)
      const note = (request: Request): void => {
        const [address] = request.url().split('#')
        // Requests that the policy of the page blocks are never sent.
        if (address !== href && request.failure()?.errorText !== 'csp') watch.foreign.push(request.url())
      }
      page.on('requestfinished', note)
      page.on('requestfailed', note)
      watchFaults(page, watch)
      await page.goto(href)
      return page
    },
    closePages: async () => {
      for (const context of contexts.values())
        await Promise.all((await context).pages().map(page => page.close()))
    },
    close: async () => {
      for (const context of contexts.values()) await (await context).close()
    },
  }
}

/** Serious and critical accessibility faults, one line each: all in the theme of the page, colours also in the other. */
export async function axeFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const faults = await runAxe(page, {})
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  await page.emulateMedia({ colorScheme: isDark ? 'light' : 'dark' })
  // The document is the same in both themes: only its colours differ.
  const others = await runAxe(page, { runOnly: ['color-contrast', 'link-in-text-block'] })
  await page.emulateMedia({ colorScheme: null })
  return [...faults, ...others]
}

async function runAxe(page: Page, options: axe.RunOptions): Promise<readonly string[]> {
  const all = JSON.stringify({ ...options, resultTypes: ['violations'] })
  const { violations }: axe.AxeResults = await page.evaluate(`axe.run(document, ${all})`)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
    )
}

/** Starts a headless Chromium. */
export async function launch(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === null) throw new Error(NO_CHROMIUM)
  // The sandbox of Chromium does not run as root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return await chromium.launch({
    executablePath,
    args: [...args, '--disable-gpu', '--font-render-hinting=none'],
  })
}

type ContextOptions = OpenOptions & { readonly isOffline?: boolean }

async function openContext(
  browser: Browser,
  options: ContextOptions,
  address: string,
): Promise<BrowserContext> {
  const { theme = 'light', width = 1280, height = 800, isOffline = false } = options
  const context = await browser.newContext({
    colorScheme: theme,
    offline: isOffline,
    viewport: { width, height },
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(10_000)
  // The address of the server holds a token and gives a cookie.
  if (!isOffline) await context.request.get(address)
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

/** Searches within the session, waits for the number of hits, and goes to the first one. */
export async function searchWithin(page: Page, words: string, hits: number): Promise<void> {
  await page.keyboard.press('/')
  await page.keyboard.type(words)
  await page.locator('.session-search .hits').getByText(String(hits)).waitFor()
  await page.keyboard.press('Enter')
}

/** Waits until the page has drawn what it was told to: two frames later. */
export async function nextFrames(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise<void>(done => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  )
}
