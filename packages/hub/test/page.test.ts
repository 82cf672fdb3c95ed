/** The page of a hub in a real browser: logging in, whose sessions are shown, sharing, and following what colleagues push. */
import { setTimeout } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeFaults, hasBrowser, launch } from '../../web/e2e/browser.js'
import { builtPage } from '../../web/e2e/home.js'
import { startJudge } from '../src/judge/run.js'
import { type HubWorld, type Name, startWorld } from './hub-world.js'
import { hasPostgres } from './postgres.js'

const ANN = 'alpha: u1"Plan the release" a1\nbeta: u11"Fix the parser" a11\ngamma: u21"Draft the letter" a21'

const isRunnable = hasPostgres('the page of a hub') && hasBrowser

describe.runIf(isRunnable)('the page of a hub', () => {
  let world: HubWorld
  let judge: ReturnType<typeof startJudge>
  let browser: Browser
  const contexts = new Map<string, BrowserContext>()
  const faults: string[] = []

  beforeAll(async () => {
    const page = await builtPage()
    world = await startWorld({ page })
    judge = startJudge(world.databaseUrl, note => faults.push(note))
    browser = await launch()
    await world.push('ann', ANN)
    await world.push('ann', 'delta: u31"Sketch the icons" a31', 'shop', 'My Desk')
    await world.push('ben', 'epsilon: u41"Measure the cache" a41', 'cache')
    await listed('ann', 'delta')
    await listed('ben', 'epsilon')
    await world.act('ann', { kind: 'share', session: 'alpha', persons: ['ben'] })
    await world.act('ann', { kind: 'share', session: 'delta', everyone: true })
  }, 240_000)
  afterAll(async () => {
    await browser.close()
    await judge.stop()
    await world.close()
  })

  /** Waits until a judge has put a session into the list of somebody. */
  async function listed(who: Name, session: string): Promise<void> {
    const isListed = async (): Promise<boolean> =>
      (await (await world.ask(who, '/api/home?idle=1')).text()).includes(`"session":"${session}"`)
    while (!(await isListed())) await setTimeout(50)
  }

  /** A browser in which somebody has logged in with the token. */
  async function logIn(who: Name): Promise<Page> {
    const known = contexts.get(who)
    if (known !== undefined) return known.pages()[0] ?? (await known.newPage())
    const context = await browser.newContext({ reducedMotion: 'reduce' })
    context.setDefaultTimeout(30_000)
    contexts.set(who, context)
    const page = await context.newPage()
    page.on('pageerror', error => faults.push(error.stack ?? error.message))
    await page.goto(`${world.url}/`)
    await page.getByLabel('Token').fill(world.tokens[who])
    await page.getByRole('button', { name: 'Log in with the token' }).click()
    await page.getByText('Log out').waitFor()
    return page
  }

  /** Opens an address, and waits until the hub tells the page what changes. */
  async function openFollowing(page: Page, path: string, who: Name = 'ben'): Promise<void> {
    const answers = page.waitForResponse(/\/api\/events/)
    await page.goto(world.url + path)
    await answers
    // A person's questions are answered one after the other: the hub compares from here on.
    await world.value(who, '/api/hub/sessions')
  }

  const titles = async (page: Page): Promise<readonly string[]> => {
    await page.locator('.home-row').first().waitFor()
    return (await page.locator('.home-name').allTextContents()).toSorted()
  }

  it('[HU60] a list says whose each session is and from which machine, and can be limited to them', async () => {
    const page = await logIn('ben')
    await page.goto(`${world.url}/`)
    await expect
      .poll(() => titles(page))
      .toEqual(['Measure the cache', 'Plan the release', 'Sketch the icons'])
    const row = page.locator('.home-row').filter({ hasText: 'Sketch the icons' })
    expect(await row.locator('.origin').textContent()).toBe('ann · My Desk')
    const own = page.locator('.home-row').filter({ hasText: 'Measure the cache' })
    expect(await own.locator('.origin').textContent()).toBe('you · laptop')
    await page.getByLabel('Person').selectOption({ label: 'ann' })
    await expect.poll(() => titles(page)).toEqual(['Plan the release', 'Sketch the icons'])
    await page.getByLabel('Machine').selectOption({ label: 'My Desk' })
    await expect.poll(() => titles(page)).toEqual(['Sketch the icons'])
    // Links, keys and the search of the bar keep it, and so does an address that is loaded again.
    for (const name of ['Usage', 'Subagents', 'Search']) {
      await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
      await page.waitForURL(/hubPerson=\d+&hubMachine=My\+Desk/)
    }
    await page.goto(`${world.url}/search?q=icons&hubPerson=${world.people.ann.person}`)
    await page.locator('.hit').first().waitFor()
    expect(await page.locator('.group .origin').allTextContents()).toEqual(['ann · My Desk'])
    expect(await page.locator('.hit-actor').first().textContent()).toBe('ann')
    await page.goto(`${world.url}/search?q=cache&hubPerson=${world.people.ann.person}`)
    await page.getByText('No hits').waitFor()
    await page.getByLabel('Person').selectOption({ label: 'all' })
    await page.locator('.hit').first().waitFor()
    expect(page.url()).not.toContain('hubPerson')
  }, 120_000)

  it('[HU61] what a colleague pushes appears in the open list and in the open session', async () => {
    const page = await logIn('ben')
    await openFollowing(page, '/s/alpha')
    await page.getByText('Plan the release').first().waitFor()
    // Whose words they are.
    await page.locator('.who').getByText('ann', { exact: true }).first().waitFor()
    await world.push('ann', 'alpha: u1"Plan the release" a1 u2"Now tag it" a2')
    await page.getByText('Now tag it').first().waitFor()
    await openFollowing(page, '/')
    await titles(page)
    await world.push('ann', 'zeta: u51"Answer the review" a51')
    await listed('ann', 'zeta')
    await world.act('ann', { kind: 'share', session: 'zeta', everyone: true })
    await page.locator('.home-row').filter({ hasText: 'Answer the review' }).waitFor()
  }, 120_000)

  it('[HU62] an owner shares and hides a session on its page, and nobody else does', async () => {
    const page = await logIn('ann')
    await page.goto(`${world.url}/s/beta`)
    const line = page.locator('.session-team')
    await line.getByText('Only you see it.').waitFor()
    await line.getByRole('button', { name: 'Share…' }).click()
    await page.getByLabel('Names of persons').fill('ben, ruth')
    await page.getByRole('button', { name: 'Save' }).click()
    await line.getByText('ben, ruth and you see it.').waitFor()
    expect((await world.ask('ruth', '/api/sessions/beta')).status).toBe(200)
    await line.getByRole('button', { name: 'Share…' }).click()
    await page.getByLabel('Names of persons').fill('nosuch')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('There is no person nosuch.').waitFor()
    await page.getByLabel('Only you').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await line.getByText('Only you see it.').waitFor()
    expect((await world.ask('ruth', '/api/sessions/beta')).status).toBe(404)
    const other = await logIn('ben')
    await other.goto(`${world.url}/s/alpha`)
    await other.locator('.session-team').getByText('Of ann, pushed from laptop.').waitFor()
    expect(await other.getByRole('button', { name: /Share|Hide/ }).count()).toBe(0)
  }, 120_000)

  it('[HU61] every open page of a person hears what changed', async () => {
    const first = await logIn('ben')
    await openFollowing(first, '/s/alpha')
    const second = await first.context().newPage()
    await openFollowing(second, '/s/alpha')
    await world.push('ann', 'alpha: u1"Plan the release" a1 u2"Now tag it" a2 u3"And tell everyone" a3')
    for (const page of [first, second]) await page.getByText('And tell everyone').first().waitFor()
    await second.close()
  }, 120_000)

  it('[HU60] pages of the hub can be used by everybody', async () => {
    const page = await logIn('ann')
    for (const path of ['/', '/search?q=parser', '/usage', '/health', '/s/beta']) {
      await page.goto(world.url + path)
      await page.getByText('Log out').waitFor()
      if (path === '/s/beta') await page.getByRole('button', { name: 'Share…' }).click()
      expect(await axeFaults(page), path).toEqual([])
    }
    const context = await browser.newContext()
    const login = await context.newPage()
    await login.goto(`${world.url}/login`)
    expect(await axeFaults(login)).toEqual([])
    await context.close()
  }, 120_000)

  it('[HU65] says in plain sentences what to do where there is nothing to see', async () => {
    const reader = await logIn('ruth')
    await world.act('ann', { kind: 'unshare', session: 'delta' })
    await world.act('ann', { kind: 'unshare', session: 'zeta' })
    await openFollowing(reader, '/', 'ruth')
    await reader.getByText('Nothing is shared with you yet').waitFor()
    await reader.getByText('dagline hub share SESSION ruth').waitFor()
    // Until then nobody had shared anything with this person: the history on the hub is another one now.
    await world.act('ann', { kind: 'share', session: 'delta', persons: ['ruth'] })
    await reader.locator('.home-row').filter({ hasText: 'Sketch the icons' }).waitFor()
    const admin = await logIn('eve')
    await admin.goto(`${world.url}/`)
    await admin.getByText('dagline hub push --dry-run').waitFor()
    const auditor = await logIn('otto')
    await auditor.goto(`${world.url}/`)
    await auditor.getByText('You see what the team used, and no texts of others.').waitFor()
  }, 120_000)

  it('[HU66] auditors see what the team used, and admins where they ask for it', async () => {
    const auditor = await logIn('otto')
    await auditor.goto(`${world.url}/usage`)
    await auditor.getByText('API messages').first().waitFor()
    expect(await auditor.getByRole('button', { name: 'session', exact: true }).count()).toBe(0)
    await auditor.getByRole('button', { name: 'model', exact: true }).click()
    await auditor.getByRole('heading', { name: 'By model' }).waitFor()
    const admin = await logIn('ada')
    await admin.goto(`${world.url}/usage`)
    await admin.getByText('No usage').waitFor()
    await admin.getByRole('button', { name: 'whole team' }).click()
    await admin.getByText('API messages').first().waitFor()
  }, 120_000)

  it('[HU63] a session of a colleague is exported, and the command for a copy of its own is copied', async () => {
    const page = await logIn('ben')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`${world.url}/s/alpha`)
    await page.getByRole('button', { name: 'Copy checkout command' }).click()
    await page.getByText('Copied').waitFor()
    const command = await page.evaluate(() => navigator.clipboard.readText())
    expect(command).toBe(`dagline checkout alpha --hub ${world.url}`)
    await page.getByRole('button', { name: 'Export as one file' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true }).click()
    await page.getByText('Saved alpha.html').waitFor()
  }, 120_000)

  it('[HU65] a login that ended leads to the login, and back', async () => {
    const page = await logIn('ada')
    await page.goto(`${world.url}/usage`)
    await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor()
    await world.database.query('DELETE FROM access_login WHERE person = $1', [world.people.ada.person])
    await page.getByRole('navigation').getByRole('link', { name: 'Subagents' }).click()
    await page.getByText('Your login has ended').first().waitFor()
    await page.getByRole('link', { name: 'Log in again' }).first().click()
    await page.getByLabel('Token').fill('nonsense')
    await page.getByRole('button', { name: 'Log in with the token' }).click()
    await page.getByText('This token is not valid').waitFor()
    await page.getByLabel('Token').fill(world.tokens.ada)
    await page.getByRole('button', { name: 'Log in with the token' }).click()
    await page.waitForURL(`${world.url}/agents`)
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByLabel('Token').waitFor()
  }, 120_000)

  it('[HU60] no page of the hub reported an error', () => {
    expect(faults).toEqual([])
  })
})
