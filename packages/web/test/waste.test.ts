/** The page of waste: reached from Usage, with figures by kind and links to what shows them. */
import { expandShape, inProject } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { axeFaults, hasBrowser } from '../e2e/browser.ts'
import { useViewer } from '../e2e/viewer.ts'

const used = (read: number, written: number): string =>
  `+{"message":{"usage":{"input_tokens":2,"cache_read_input_tokens":${read},"cache_creation_input_tokens":${written},"output_tokens":7}}}`

const { files } = expandShape(`s1: u1"one" a1${used(0, 5000)} u2"after the pause"@+30m a2${used(0, 6000)}`)

describe.runIf(hasBrowser)('waste', () => {
  const { openPage } = useViewer({ files: inProject(files) })

  it('[X41] [V28] is linked from Usage, and names what happened and where', async () => {
    const page = await openPage('/usage')
    await page.getByRole('link', { name: 'What was wasted' }).click()
    await page
      .getByText(/^5k tokens were written to the cache again after a pause of 30m.* In “one”\.$/)
      .waitFor()
    expect(await axeFaults(page)).toEqual([])
    await page.getByRole('cell', { name: 'Expired cache' }).first().waitFor()
    expect(await page.getByText('cache-expiry').count()).toBe(0)
    await page.getByRole('link', { name: 'after the pause' }).click()
    await page.waitForURL(/\/s\/s1\?at=/)
  })

  it('[V22] has its heading while sessions are read', async () => {
    const page = await openPage('/usage')
    await page.route('**/api/waste', () => new Promise(() => {}))
    await page.getByRole('link', { name: 'What was wasted' }).click()
    await page.getByText('Reading your sessions…').waitFor()
    expect(await page.getByRole('heading', { level: 1, name: 'Waste' }).count()).toBe(1)
  })
})
