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
  /** Opens an address of the viewer, in place of the one that was opened before. */
  readonly openPage: (path: string, options?: OpenOptions) => Promise<Page>
  /** Opens a file from the disk without network, in place of another. Every other request is `foreign`. */
  readonly openFile: (path: string, options?: OpenOptions) => Promise<Page>
  /** Waits until the pages have reported everything that happened so far. */
  readonly flush: () => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * Opens addresses of a server in a browser, one after another in the same page: a new page starts a process and
 * compiles the scripts again, which takes three times as long.
 */
export function openViewer(browser: Browser, server: Pick<RunningServer, 'port' | 'url'>): Viewer {
  const watch: Watch = { faults: [], foreign: [] }
  const contexts = new Map<ContextKind, Promise<BrowserContext>>()
  const files = new Set<string>()
  const isForeign = (url: URL): boolean => {
    if (url.protocol === 'file:') return !files.has(url.pathname)
    return /^(https?|wss?):$/.test(url.protocol) && url.hostname !== '127.0.0.1'
  }
  const takePage = async (kind: ContextKind, options: OpenOptions): Promise<Page> => {
    const opening = contexts.get(kind) ?? openContext(browser, kind, server.url)
    contexts.set(kind, opening)
    const context = await opening
    const page = context.pages()[0] ?? (await watchedPage(context, watch, isForeign))
    await preparePage(page, options)
    return page
  }
  return {
    watch,
    openPage: async (path, options = {}) => {
      if (options.isFresh === true) {
        await (await contexts.get('fresh'))?.close()
        contexts.delete('fresh')
      }
      const page = await takePage(options.isFresh === true ? 'fresh' : 'served', options)
      await load(page, `http://127.0.0.1:${server.port}${path}`)
      return page
    },
    openFile: async (path, options = {}) => {
      const page = await takePage('offline', options)
      const { href, pathname } = pathToFileURL(path)
      files.add(pathname)
      await load(page, href)
      return page
    },
    flush: async () => {
      for (const context of contexts.values())
        for (const page of (await context).pages()) await page.evaluate(() => {})
    },
    close: async () => {
      for (const context of contexts.values()) await (await context).close()
    },
  }
}

/**
 * Accessibility faults, serious and critical ones unless others are asked for, one line each: all in the theme of the
 * page, colors also in the other.
 */
export async function axeFaults(
  page: Page,
  least: 'moderate' | 'serious' = 'serious',
): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const faults = await runAxe(page, {}, least)
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  await page.emulateMedia({ colorScheme: isDark ? 'light' : 'dark' })
  // The document is the same in both themes: only its colors differ.
  const others = await runAxe(page, { runOnly: ['color-contrast', 'link-in-text-block'] }, least)
  await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' })
  return [...faults, ...others]
}

async function runAxe(
  page: Page,
  options: axe.RunOptions,
  least: 'moderate' | 'serious',
): Promise<readonly string[]> {
  const all = JSON.stringify({ ...options, resultTypes: ['violations'] })
  const { violations }: axe.AxeResults = await page.evaluate(`axe.run(document, ${all})`)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical' || impact === least)
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
    )
}

/** No other name resolves. Intercepting requests would do the same, but turns the browser's cache off. */
const ONLY_THIS_MACHINE = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'

/** Starts a headless Chromium without access to other machines. */
export async function launch(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === null) throw new Error(NO_CHROMIUM)
  // The sandbox of Chromium does not run as root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return await chromium.launch({
    executablePath,
    args: [...args, '--disable-gpu', '--font-render-hinting=none', ONLY_THIS_MACHINE],
  })
}

/** Pages of one kind share cookies, storage and the browser's cache. */
type ContextKind = 'served' | 'fresh' | 'offline'

async function openContext(browser: Browser, kind: ContextKind, address: string): Promise<BrowserContext> {
  const context = await browser.newContext({ offline: kind === 'offline', reducedMotion: 'reduce' })
  context.setDefaultTimeout(30_000)
  // The address of the server holds a token and gives a cookie.
  if (kind !== 'offline') await context.request.get(address)
  return context
}

/** Removes what an earlier use left behind. */
async function preparePage(page: Page, options: OpenOptions): Promise<void> {
  const { theme = 'light', width = 1280, height = 800 } = options
  await page.unrouteAll()
  // Away from what the next address would show under the pointer.
  await page.mouse.move(0, 0)
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme: theme, media: null })
}

/** Loads an address. One that differs from that of the page only in its hash would not be loaded again. */
async function load(page: Page, address: string): Promise<void> {
  const [before, next] = [page.url(), address].map(url => url.split('#')[0])
  if (before === next) await page.goto('about:blank')
  await page.goto(address)
}

async function watchedPage(
  context: BrowserContext,
  { faults, foreign }: Watch,
  isForeign: (url: URL) => boolean,
): Promise<Page> {
  const page = await context.newPage()
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text())
  })
  page.on('pageerror', error => faults.push(error.stack ?? error.message))
  const note = (request: Request): void => {
    // Requests that the policy of the page blocks are never sent.
    const isSent = request.failure()?.errorText !== 'csp'
    if (isSent && isForeign(new URL(request.url()))) foreign.push(request.url())
  }
  page.on('requestfinished', note)
  page.on('requestfailed', note)
  return page
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
