/**
 * What is promised of the page, in headless Chromium:
 *
 *   session   100,000 entries: click to first screen, context band, elements, frames while scrolling, jumps
 *   home      5,000 sessions: the same
 *   export    a session of 21 MB: time, size, opening
 *   code      the page's own code, compressed
 *
 * `npm run bench:page` prints them, `npm run bench:page -- home` one part. Nothing is asserted.
 */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { launch, openViewer } from '../packages/web/e2e/browser.ts'
import { serveHome } from '../packages/web/e2e/home.ts'
import { largeSession, uuidOf } from './large-session.ts'
import { COMMAND, print, quantile, run, seconds, temporaryFolder, timeOf } from './measure.ts'

const PAGE = 'packages/cli/dist/page'
const ROUNDS = 3
const LONG = uuidOf('long')

async function main(): Promise<void> {
  const asked = process.argv.slice(2)
  const isAsked = (part: string): boolean => asked.length === 0 || asked.includes(part)
  const browser = await launch()
  if (isAsked('code')) benchCode()
  if (isAsked('session')) await benchSession(browser)
  if (isAsked('home')) await benchHome(browser)
  if (isAsked('export')) await benchExport(browser)
  await browser.close()
}

function benchCode(): void {
  for (const name of ['app', 'file']) {
    const size = (end: string): number =>
      gzipSync(readFileSync(join(PAGE, `${name}.${end}`)), { level: 9 }).length
    print('code', `${name}.js ${kilobytes(size('js'))}, ${name}.css ${kilobytes(size('css'))} compressed`)
  }
  const scripts = readdirSync(PAGE).filter(name => /^(app|part-.*)\.js$/.test(name))
  const [first, all] = [[...importedBy('app.js')], scripts].map(names => names.reduce(addSize, 0))
  print('code', `viewer: ${kilobytes(first ?? 0)} of script to open it, ${kilobytes(all ?? 0)} in all parts`)
}

function addSize(sum: number, name: string): number {
  return sum + gzipSync(readFileSync(join(PAGE, name)), { level: 9 }).length
}

/** A script and what it imports at once, not on demand. */
function importedBy(name: string, found: Set<string> = new Set()): ReadonlySet<string> {
  found.add(name)
  const code = readFileSync(join(PAGE, name), 'utf8')
  for (const [, part = ''] of code.matchAll(/(?:from|import)"\.\/(part-[\w-]+\.js)"/g))
    if (!found.has(part)) importedBy(part, found)
  return found
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}

async function benchSession(browser: Browser): Promise<void> {
  const long = { path: `-home-dev-shop/${LONG}.jsonl`, text: largeSession(LONG, 100_000) }
  const home = await serveHome({ files: [long] })
  const viewer = openViewer(browser, home.server)
  const opened: number[] = []
  const bands: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const page = await viewer.openPage('/')
    await page.evaluate(WATCH_BAND)
    const link = page.locator(`a[href^="/s/${LONG}"]`).first()
    await link.waitFor()
    opened.push(await timeTo(page, () => link.click(), '[role=article], article'))
    bands.push(await bandTime(page))
    if (round === ROUNDS - 1) await benchReading(page)
    await page.close()
  }
  print(
    'session',
    `100,000 entries: first screen ${opened.map(ms => `${ms.toFixed(0)} ms`).join(', ')} after the click`,
  )
  print('session', `context band drawn after its data came (data after the request): ${bands.join(', ')}`)
  await home.close()
}

/** Notes when the first area of the context band is painted. */
const WATCH_BAND = `
  performance.clearResourceTimings(); window.band_ = undefined
  const look = () => document.querySelector('.context-band svg path[class^=series]') === null
    ? requestAnimationFrame(look) : setTimeout(() => { window.band_ = performance.now() })
  requestAnimationFrame(look)`

/** How long the page took to draw the band, and the server to answer. */
async function bandTime(page: Page): Promise<string> {
  const [drawn, answered] = await page.evaluate<[number, number]>(`new Promise(done => {
    const isOfBand = ({ name }) => name.endsWith('/contexts')
    const look = () => {
      if (window.band_ === undefined) return setTimeout(look, 20)
      const { startTime, responseEnd } = performance.getEntriesByType('resource').find(isOfBand)
      done([window.band_ - responseEnd, responseEnd - startTime])
    }
    look()
  })`)
  return `${drawn.toFixed(0)} ms (${answered.toFixed(0)} ms)`
}

async function timeTo(page: Page, act: () => Promise<void>, selector: string): Promise<number> {
  const start = performance.now()
  await act()
  await page.locator(selector).nth(3).waitFor()
  return performance.now() - start
}

/** Scrolls by the wheel, then jumps about; the page's own clock counts frames. */
async function benchReading(page: Page): Promise<void> {
  const frames = await scrollFrames(page)
  const [p50, p95, most] = [quantile(frames, 0.5), quantile(frames, 0.95), Math.max(...frames)]
  print(
    'session',
    `${frames.length} frames while scrolling: p50 ${p50.toFixed(0)}, p95 ${p95.toFixed(0)}, at most ${most.toFixed(0)} ms`,
  )
  const jumps = await jumpTimes(page)
  print(
    'session',
    `jumps anywhere: p50 ${quantile(jumps, 0.5).toFixed(0)}, at most ${Math.max(...jumps).toFixed(0)} ms`,
  )
  print('session', `${await page.evaluate('document.querySelectorAll("*").length')} elements`)
}

async function scrollFrames(page: Page): Promise<readonly number[]> {
  await page.evaluate(`
    window.frames_ = []; let last = performance.now();
    const tick = now => { window.frames_.push(now - last); last = now; window.raf_ = requestAnimationFrame(tick) };
    window.raf_ = requestAnimationFrame(tick)`)
  await page.mouse.move(600, 400)
  for (let step = 0; step < 120; step++) await page.mouse.wheel(0, 700)
  await page.waitForTimeout(300)
  return await page.evaluate('cancelAnimationFrame(window.raf_), window.frames_.slice(2)')
}

/** To the end, to the top, and to hashes in between: until a row at the place is painted. */
async function jumpTimes(page: Page): Promise<readonly number[]> {
  const times: number[] = []
  for (let jump = 0; jump < 12; jump++) {
    const uuid = uuidOf(`${LONG} ${(jump * 37_591) % 99_000}`)
    times.push(
      await page.evaluate(
        `(async () => { const start = performance.now(); location.hash = ${JSON.stringify(uuid)};
          const isThere = () => document.querySelector('[data-node="${uuid}"]') !== null
          while (!isThere() && performance.now() - start < 5000) await new Promise(requestAnimationFrame)
          return performance.now() - start })()`,
      ),
    )
  }
  return times
}

async function benchHome(browser: Browser): Promise<void> {
  const files = Array.from({ length: 5000 }, (_, at) => {
    const session = uuidOf(`short ${at}`)
    return { path: `-home-dev-p${at % 40}/${session}.jsonl`, text: largeSession(session, 8) }
  })
  const home = await serveHome({ files })
  const page = await openViewer(browser, home.server).openPage('/health')
  await page.waitForTimeout(500)
  const opened = await timeTo(page, () => page.locator('nav a, header a').first().click(), 'a[href^="/s/"]')
  print(
    'home',
    `5,000 sessions: first screen ${opened.toFixed(0)} ms, ${await page.evaluate('document.querySelectorAll("*").length')} elements`,
  )
  const frames = await scrollFrames(page)
  print('home', `frames while scrolling: p95 ${quantile(frames, 0.95).toFixed(0)} ms`)
  await home.close()
}

async function benchExport(browser: Browser): Promise<void> {
  const work = temporaryFolder()
  const session = uuidOf('export')
  const root = join(work, 'projects')
  mkdirSync(join(root, '-home-dev-shop'), { recursive: true })
  const source = join(root, '-home-dev-shop', `${session}.jsonl`)
  writeFileSync(source, largeSession(session, 29_000))
  const out = join(work, 'session.html')
  const took = timeOf(() => run([COMMAND, 'export', source, '--out', out, '--allow-secrets']))
  const [before, after] = [statSync(source).size, statSync(out).size]
  print(
    'export',
    `${(before / 1e6).toFixed(1)} MB in ${seconds(took)} to ${(after / 1e6).toFixed(1)} MB (${((after / before) * 100).toFixed(0)} %)`,
  )
  const page = await browser.newPage()
  const opened = await timeTo(
    page,
    async () => void (await page.goto(pathToFileURL(resolve(out)).href, { waitUntil: 'commit' })),
    '[role=article], article',
  )
  print('export', `the file shows its first screen ${opened.toFixed(0)} ms after opening`)
}

await main()
