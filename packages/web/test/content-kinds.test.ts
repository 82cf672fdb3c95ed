/** P12: every kind of block and entry, as the page renders it. */
import { inProject } from '@dagline/testkit'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { CONTENT_KINDS, contentRows, kindId } from '../../core/test/content-kinds.js'
import { hasBrowser } from '../e2e/browser.ts'
import { useViewer } from '../e2e/viewer.ts'

const SESSION = '10000000-0000-4000-8000-000000000000'

/** What the page shows of each row, by its uuid. Pictures are written as `image`. */
async function renderAll(page: Page): Promise<ReadonlyMap<string, string>> {
  await page.locator('.row').first().waitFor()
  await page.keyboard.press('4')
  // All rows are rendered for printing, those outside the window as well.
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
  await page.locator('.rows.is-printing').waitFor()
  await expect.poll(() => page.locator('.row .waiting').count()).toBe(0)
  const folded = page.locator('.row :is(.tool-line, .fold-line)[aria-expanded=false]')
  await folded.evaluateAll((lines: HTMLElement[]) => {
    for (const line of lines) line.click()
  })
  await expect.poll(() => folded.count()).toBe(0)
  const rows = await page.locator('.row').evaluateAll(found =>
    found.map((row): [string, string] => {
      const pictures = row.querySelectorAll('img.picture').length
      return [row.getAttribute('data-node') ?? '', `${row.textContent}${' image'.repeat(pictures)}`]
    }),
  )
  return new Map(rows)
}

/** A tool of an MCP server, `mcp__docs__lookup`, is `docs › lookup` on the page. */
function onPage(name: string): string {
  return name.replace(/^mcp__(\w+)__/, '$1 › ')
}

describe.runIf(hasBrowser)('every kind of block and entry', () => {
  const { openPage } = useViewer({
    files: inProject([{ path: `${SESSION}.jsonl`, text: contentRows(SESSION) }]),
  })

  it('[P12] is shown on the page with its text and its name', async () => {
    const rendered = await renderAll(await openPage(`/s/${SESSION}`))
    const missing = CONTENT_KINDS.flatMap(({ kind, word, name }, at) => {
      const shown = rendered.get(kindId(at))
      if (shown === undefined) return [`${kind} has no row`]
      return [word, name].flatMap(text =>
        text === null || shown.includes(onPage(text)) ? [] : [`${kind} lacks ${text}: ${shown}`],
      )
    })
    expect(missing).toEqual([])
  })
})
