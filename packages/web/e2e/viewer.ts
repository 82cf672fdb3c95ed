/** The viewer in a test file: one home and one server for all tests of the file. */
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { hasBrowser, launch, openViewer, type Viewer } from './browser.ts'
import { type HomeOptions, type ServedHome, serveHome } from './home.ts'

export interface TestViewer {
  readonly openPage: Viewer['openPage']
  readonly openFile: Viewer['openFile']
  /** The home behind it; there once the tests run. */
  readonly home: () => ServedHome
  /** Faults that the test expects: they are taken out of what is checked after it. */
  readonly takeFaults: () => readonly string[]
}

const SLOW = 120_000

/** One for all test files of a worker; it ends with the worker's process. */
let browser: ReturnType<typeof launch> | null = null

/**
 * Sets the viewer up before the tests of a `describe.runIf(hasBrowser)` and takes it down after them. Pages are closed
 * after each test; none of them may have reported a fault, nor asked anybody but the server.
 *
 *   const { openPage } = useViewer({ files })
 *   it('opens', async () => {
 *     const page = await openPage('/s/SESSION')
 *     await page.getByRole('heading', { name: 'Sessions' }).waitFor()
 *   })
 */
export function useViewer(options: HomeOptions = {}): TestViewer {
  let home: ServedHome | null = null
  let viewer: Viewer | null = null

  beforeAll(async () => {
    if (!hasBrowser) return
    home = await serveHome(options)
    browser ??= launch()
    viewer = openViewer(await browser, home.server)
  }, SLOW)

  afterEach(async () => {
    const { watch, closePages } = started(viewer)
    await closePages()
    const { faults, foreign } = watch
    expect([...faults.splice(0), ...foreign.splice(0)]).toEqual([])
  })

  afterAll(async () => {
    await viewer?.closePages()
    await home?.close()
  }, SLOW)

  return {
    openPage: (path, more) => started(viewer).openPage(path, more),
    openFile: (path, more) => started(viewer).openFile(path, more),
    home: () => started(home),
    takeFaults: () => started(viewer).watch.faults.splice(0),
  }
}

function started<T>(value: T | null): T {
  if (value === null) throw new Error('The viewer is there only while tests run.')
  return value
}
