/** Usage, subagents, health and comparisons in a real browser. */
import { FAULT_KINDS } from '@dagline/core/faults'
import { tokenUuid } from '@dagline/testkit'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeFaults, hasBrowser } from '../e2e/browser.ts'
import { shaped } from '../e2e/sessions.ts'
import { useViewer } from '../e2e/viewer.ts'

const ATTACK = '<img src=x onerror=alert(1)>'

const FORKED = `
  fork1: u1"Begin" a1 u2"First branch" a2 u3"<command-name>/fix</command-name>\\n<command-args># all</command-args>" a3"Done **well**"
  fork1: a1 > u4"Second branch ${ATTACK}"@+30m a4"Better ${ATTACK}"
`

const DELEGATION = `
  del1: u11"Delegate" a11[t1:Task>x] a12=a11[t2:Task>y]
  del1/x: meta {"agentType":"planner","description":"Plans it"}
  del1/x: u12 a13[t3:Task>z] r13[t3>z] a14
  del1/z: meta {"agentType":"coder"}
  del1/z: u13 a15[t5:Bash] r15[t5!] a16
  del1/y: meta {"agentType":"coder"}
  del1/y: u15 a17
  del1: a12 > r11[t1>x] r12[t2>y] a18
  del2/w: meta {"agentType":"plugin:a-reviewer-of-code-with-a-long-name"}
  del2/w: u17 a19
`

const BROKEN = `
  odd1: u21"Odd" a21 x21
  odd1: ?9 > u22"Lost" a22
  odd1: ! {"type":"user", tr
`

const PAGES = {
  usage: '/usage',
  'usage as a table': '/usage?table=1&by=branch',
  agents: '/agents',
  health: '/health#dangling-parent',
  'the forks of a session': '/compare?session=fork1',
  'a comparison': `/compare?a=${tokenUuid('u2')}&b=${tokenUuid('u4')}`,
  'sessions to compare': '/compare',
}

describe.runIf(hasBrowser)('pages of figures', () => {
  const { openPage, takeFaults, home } = useViewer({ files: shaped([FORKED, DELEGATION, BROKEN].join('\n')) })

  it.each(Object.entries(PAGES))('%s: no serious accessibility fault', async (_, path) => {
    const page = await openPage(path)
    await page.locator('main :is(h1, h2)').first().waitFor()
    await page.waitForFunction(() => document.querySelector('.progress') === null)
    expect(await axeFaults(page)).toEqual([])
  })

  it.each(Object.entries(PAGES))('%s fits a phone', async (_, path) => {
    const page = await openPage(path, { width: 390, height: 844 })
    await page.locator('main :is(h1, h2)').first().waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    )
  })

  it('usage: keys move over the chart, and a bar narrows the page to its days', async () => {
    const page = await openPage('/usage')
    const chart = page.getByRole('slider', { name: 'cost by day' })
    await chart.focus()
    await page.keyboard.press('Home')
    const words = await chart.getAttribute('aria-valuetext')
    expect(words).toMatch(/^\d+ \w+ \d{4}: (<?\$[\d.]+)$/)
    await page.keyboard.press('Enter')
    await page.waitForURL(/since=\d{4}-\d\d-\d\d&until=/)
    await page.goto(page.url())
    await page.getByRole('heading', { name: 'Usage' }).waitFor()
  })

  it('usage: abandoned branches have a cost, and a link to their first entry', async () => {
    const page = await openPage('/usage')
    await page.getByText('went into 1 abandoned branch').waitFor()
    await page.getByRole('button', { name: 'branch', exact: true }).click()
    await page.waitForURL(/by=branch/)
    const link = page.getByRole('table').getByRole('link')
    expect(await link.first().getAttribute('href')).toContain('/s/fork1?at=')
  })

  it('usage: column heads sort the table', async () => {
    const page = await openPage('/usage?by=session')
    await page.getByRole('button', { name: 'API messages' }).click()
    const cells = await page.locator('.figures tbody tr td:nth-child(3)').allTextContents()
    const numbers = cells.map(Number)
    expect(numbers).toEqual([...numbers].sort((a, b) => b - a))
    expect(await page.locator('th[aria-sort]').getAttribute('aria-sort')).toBe('descending')
    await page.getByRole('button', { name: 'API messages' }).click()
    expect(await page.locator('th[aria-sort]').getAttribute('aria-sort')).toBe('ascending')
  })

  it('subagents: the graph and the table show who calls whom, and runs lead to their first entry', async () => {
    const page = await openPage('/agents')
    const graph = page.getByRole('region', { name: /planner calls coder 1 time/ })
    await graph.waitFor()
    expect(await page.locator('.delegation-node').count()).toBe(5)
    await page.getByRole('button', { name: 'table' }).click()
    await page.getByRole('rowheader', { name: 'planner' }).first().waitFor()
    const run = page.getByRole('link', { name: 'planner Plans it' })
    expect(await run.getAttribute('href')).toBe(`/s/del1?at=${tokenUuid('u12')}`)
  })

  it.each([1440, 390])('subagents: names stay in their boxes at %i pixels', async width => {
    const page = await openPage('/agents', { width, height: 900 })
    await page.locator('.delegation-node').first().waitFor()
    const over = await page.locator('.delegation-name').evaluateAll(texts =>
      texts.flatMap(text => {
        const box = text.parentElement?.querySelector('rect')?.getBoundingClientRect()
        return box !== undefined && text.getBoundingClientRect().right <= box.right ? [] : text.textContent
      }),
    )
    expect(over).toEqual([])
  })

  it('[V20] subagents: nodes of the graph and rows of types lead to their runs, which have filters', async () => {
    const page = await openPage('/agents')
    await page.getByRole('link', { name: /^coder 2 runs/ }).click()
    await page.waitForURL(/type=coder#runs/)
    const runs = page.locator('.runs li')
    await expect.poll(() => runs.locator('strong').allTextContents()).toEqual(['coder', 'coder'])
    await page
      .getByRole('table', { name: 'Subagents by type' })
      .getByRole('link', { name: 'planner' })
      .click()
    await expect.poll(() => runs.locator('strong').allTextContents()).toEqual(['planner'])
    await page.getByLabel('Filter runs').fill('nothing like it')
    await page.getByText('No matching runs.').waitFor()
  })

  it('health: a kind of problem opens with its meaning, its fix and its sessions', async () => {
    const page = await openPage('/health')
    await page.locator('#dangling-parent summary').click()
    await page.locator('.kind[open]').getByText('What to do: dagline repair SESSION').waitFor()
    expect(await page.locator('.kind[open] .samples a').first().getAttribute('href')).toContain('/s/odd1?at=')
    await page.getByText('mystery').waitFor()
  })

  it('[V28] health: what is not known yet is not said to be well', async () => {
    const page = await openPage('/')
    await page.route('**/api/health', async route => {
      const reply = await (await route.fetch()).json()
      const value = { ...reply.value, troubled: null, unknownTypes: [], survey: { done: 1, of: 2 } }
      await route.fulfill({ json: { ...reply, value } })
    })
    await page.getByRole('link', { name: 'Health' }).click()
    await page.getByText('Unknown record types').waitFor()
    expect(await page.getByText('still reading').count()).toBe(3)
    expect(await page.getByText('all record types are known').count()).toBe(0)
  })

  it('[V23] compare: from the forks of a session to two columns, which begin with the turns', async () => {
    const page = await openPage('/compare?session=fork1')
    await page.getByText(/ has 1 fork\. Choose two of its branches\.$/).waitFor()
    await page.locator('.fork').getByRole('link', { name: 'Compare' }).click()
    await page.waitForURL(/a=.*&b=/)
    const turns = page.locator('.turn')
    await turns.first().waitFor()
    expect(await prompts(page)).toEqual(['First branch', `Second branch ${ATTACK}`, '/fix # all'])
    expect(await page.locator('main h2').allTextContents()).toEqual(['Turn by turn', 'Figures', 'Files'])
    expect(await page.locator('.side-figures').first().textContent()).toMatch(
      /\d\d:\d\d · 2 turns · 0 tool calls/,
    )
    expect(await page.locator('.turn strong', { hasText: 'well' }).count()).toBe(1)
    expect(await page.locator('main img').count()).toBe(0)
    await page.getByText('B ends here.').waitFor()
    expect(await page.locator('.side .badge').allTextContents()).toEqual(['abandoned', 'current'])
    await page.getByRole('link', { name: /Swap/ }).click()
    await expect.poll(() => prompts(page)).toEqual([`Second branch ${ATTACK}`, 'First branch', '/fix # all'])
  })

  it('[V28] health: buttons stand on the line of the heading', async () => {
    const page = await openPage('/health')
    const middle = async (name: 'heading' | 'button', text: string): Promise<number> => {
      const box = await page.getByRole(name, { name: text, exact: true }).first().boundingBox()
      return box === null ? -1 : box.y + box.height / 2
    }
    await page.getByRole('button', { name: 'Archive all…' }).waitFor()
    expect(
      Math.abs((await middle('heading', 'Health')) - (await middle('button', 'Archive all…'))),
    ).toBeLessThan(2)
  })

  it('[D1] health: the same problems in the same words as doctor', async () => {
    const page = await openPage('/health')
    await page.locator('.kind').first().waitFor()
    const shown = await page.locator('.kind').evaluateAll(kinds =>
      kinds.map(kind => ({
        id: kind.id,
        title: kind.querySelector('.kind-title')?.textContent,
        says: [...kind.querySelectorAll('p')].map(each => each.textContent),
      })),
    )
    const found = await home().doctor()
    const ids = new Set(found.flatMap(({ faults }) => faults.map(({ id }) => id)))
    ids.delete('swept-soon')
    expect(new Set(shown.map(({ id }) => id))).toEqual(ids)
    for (const { id, title, says } of shown) {
      const kind = FAULT_KINDS.find(each => each.id === id)
      expect(title).toBe(kind?.title)
      expect(says.slice(0, 2)).toEqual([kind?.meaning, `What it costs: ${kind?.cost}`])
    }
  })

  it('compare: two sessions are chosen on the page', async () => {
    const page = await openPage('/compare')
    await page.getByLabel(/Begin/).check()
    await page.getByLabel('Filter sessions').fill('deleg')
    await page.getByLabel(/Delegate/).check()
    await page.locator('.compare-chosen').getByRole('link', { name: 'Compare' }).click()
    await page.waitForURL(/a=fork1&b=del1/)
    await page.getByText('These two share no entries').waitFor()
    await page.goto(new URL('/compare', page.url()).href)
    await page.getByRole('link', { name: '1 branch' }).click()
    await page.waitForURL(/session=fork1/)
  })

  it('[V23] compare: what stands for a session of which only subagents are left is called a subagent', async () => {
    const page = await openPage('/compare?a=fork1&b=del2')
    await page.locator('.side').first().waitFor()
    expect(await page.locator('.side .badge').allTextContents()).toEqual(['subagent'])
  })

  it('compare: a session without forks says so', async () => {
    const page = await openPage('/compare?session=del1')
    await page.getByText('This session has no forks').waitFor()
  })

  it('compare: an unknown session is reported', async () => {
    const page = await openPage('/compare?a=nobody&b=fork1')
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').textContent()).toContain('nobody')
    expect(takeFaults()).toHaveLength(1)
  })
})

/** The prompts, row by row. */
async function prompts(page: Page): Promise<readonly string[]> {
  return await page.locator('.turn-prompt').allTextContents()
}
