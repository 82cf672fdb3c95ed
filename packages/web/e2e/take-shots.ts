import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { ROUNDING_TITLE } from '../../../scripts/samples/stories.ts'
import { sessionIdOf } from '../../../scripts/samples/writer.ts'
import { launch, type OpenOptions, openViewer, type Viewer } from './browser.ts'
import { SAMPLES, serveHome } from './home.ts'
import { someProjects } from './sessions.ts'

const LOOKS: Readonly<Record<string, OpenOptions>> = {
  light: { theme: 'light' },
  dark: { theme: 'dark' },
  phone: { theme: 'light', width: 390, height: 844 },
}

const PAGES: Readonly<Record<string, string>> = {
  home: '/',
  'home-projects': '/?group=project&sort=cost',
  'home-none': '/?q=no+such+session',
  search: '/search',
  'search-hits': '/search?q=file',
  usage: '/usage',
  agents: '/agents',
  health: '/health',
  compare: '/compare',
  nowhere: '/nowhere',
}

/** Lists of sessions with a certain part, the longest first. The part is scrolled into view. */
const SESSIONS: Readonly<Record<string, string>> = {
  rewind: '/?has=branches&sort=turns&flat=1',
  agent: '/?has=agents&sort=turns&flat=1',
  compaction: '/?has=compactions&sort=turns&flat=1',
}

/** Takes the screenshots, one file each: `home-light.png`. */
export async function takeShots(out: string, root: string | null): Promise<void> {
  mkdirSync(out, { recursive: true })
  const home = await serveHome(root === null ? { recorded: true, files: someProjects() } : { root })
  const browser = await launch()
  const viewer = openViewer(browser, home.server)
  try {
    for (const [look, options] of Object.entries(LOOKS)) await takeLook(viewer, look, options, out)
    for (const fault of [...viewer.watch.faults, ...viewer.watch.foreign]) console.log(fault)
  } finally {
    await browser.close()
    await home.close()
  }
}

/** The most varied sample session. */
const SHOWN = sessionIdOf(ROUNDING_TITLE)

/** Takes the screenshots of the README, of the samples. */
export async function takeDocs(out: string): Promise<void> {
  mkdirSync(out, { recursive: true })
  const home = await serveHome({ root: SAMPLES })
  const browser = await launch()
  const { openPage } = openViewer(browser, home.server)
  const save: Save = (page, name) => page.screenshot({ path: join(out, `${name}.png`) })
  try {
    const list = await openPage('/', { height: 720 })
    await list.locator('.home-row').first().waitFor()
    await settle(list)
    await save(list, 'home')
    const session = await openPage(`/s/${SHOWN}`, { height: 900 })
    await settle(session)
    await save(session, 'session')
    const agents = await openPage(`/s/${SHOWN}`, { height: 900 })
    const agent = agents.locator('.agent-line').first()
    await seek(agents, agent)
    await agent.click()
    await agents.evaluate(() => window.scrollBy(0, 190))
    await agents.mouse.move(1, 1)
    await settle(agents)
    await save(agents, 'agents')
    const usage = await openPage('/usage', { height: 760 })
    await settle(usage)
    await save(usage, 'usage')
  } finally {
    await browser.close()
    await home.close()
  }
}

type Save = (page: Page, name: string) => Promise<unknown>

async function takeLook(viewer: Viewer, look: string, options: OpenOptions, out: string): Promise<void> {
  const save: Save = (page, name) => page.screenshot({ path: join(out, `${name}-${look}.png`) })
  for (const [name, path] of Object.entries(PAGES)) {
    const page = await opened(viewer, path, options)
    await save(page, name)
    if (name === 'home') await takeSession(page, save)
  }
  for (const [name, path] of Object.entries(SESSIONS)) {
    const page = await opened(viewer, path, options)
    await takePart(page, name, save)
  }
}

/** The first session of the list, and the help over it. */
async function takeSession(page: Page, save: Save): Promise<void> {
  await page.keyboard.press('j')
  await save(page, 'home-keys')
  await page.keyboard.press('Enter')
  await settle(page)
  await save(page, 'session')
  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
  await save(page, 'help')
}

const PARTS: Readonly<Record<string, string>> = {
  rewind: '.folded',
  agent: '.agent-line',
  compaction: '.compaction',
}

/** The first session of a list at its part. Branches and subagents are opened, and branches compared. */
async function takePart(page: Page, name: string, save: Save): Promise<void> {
  await page.locator('.home-row').first().click()
  await settle(page)
  const part = page.locator(PARTS[name] ?? '').first()
  await seek(page, part)
  await save(page, `session-${name}`)
  if (name === 'compaction' || (await part.count()) === 0) return
  await (name === 'agent' ? part : part.getByRole('button', { name: 'Open' })).click()
  await settle(page)
  await save(page, `session-${name}-open`)
  if (name === 'agent') return
  await page.locator('.branch-head').getByRole('link', { name: 'Compare' }).first().click()
  await settle(page)
  await save(page, 'compare-branches')
}

/** Scrolls until an element is drawn: those far from the window are not. */
async function seek(page: Page, part: Locator): Promise<void> {
  for (let step = 0; step < 60 && (await part.count()) === 0; step++) {
    await page.mouse.wheel(0, 700)
    await page.waitForTimeout(60)
  }
  await part.scrollIntoViewIfNeeded({ timeout: 3000 }).catch(() => {})
  await page.mouse.move(1, 1)
  await settle(page)
}

async function opened(viewer: Viewer, path: string, options: OpenOptions): Promise<Page> {
  const page = await viewer.openPage(path, options)
  await settle(page)
  return page
}

/** Waits a moment, and until nothing is loading. The stream of events never ends. */
async function settle(page: Page): Promise<void> {
  await page.waitForTimeout(700)
  await page.locator('.spinner, .progress').first().waitFor({ state: 'detached' })
}
