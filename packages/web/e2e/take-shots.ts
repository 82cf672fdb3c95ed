import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { launch, type OpenOptions, openViewer, type Viewer } from './browser.ts'
import { serveHome } from './home.ts'
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

/** Takes the pictures, one file each: `home-light.png`. */
export async function takeShots(out: string, root: string | null): Promise<void> {
  mkdirSync(out, { recursive: true })
  const home = await serveHome(root === null ? { samples: true, files: someProjects() } : { root })
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

async function takeLook(viewer: Viewer, look: string, options: OpenOptions, out: string): Promise<void> {
  const save = (page: Page, name: string): Promise<unknown> =>
    page.screenshot({ path: join(out, `${name}-${look}.png`) })
  for (const [name, path] of Object.entries(PAGES)) {
    const page = await opened(viewer, path, options)
    await save(page, name)
    if (name === 'home') await takeSession(page, picture => save(page, picture))
    await page.close()
  }
}

/** The first session of the list, and the help over it. */
async function takeSession(page: Page, save: (name: string) => Promise<unknown>): Promise<void> {
  await page.keyboard.press('j')
  await save('home-keys')
  await page.keyboard.press('Enter')
  await settle(page)
  await save('session')
  await page.keyboard.press('?')
  await save('help')
}

async function opened(viewer: Viewer, path: string, options: OpenOptions): Promise<Page> {
  const page = await viewer.openPage(path, options)
  await settle(page)
  return page
}

/** Until the page asks for nothing and a moment has passed; the stream of events never ends. */
async function settle(page: Page): Promise<void> {
  await page.waitForTimeout(600)
}
