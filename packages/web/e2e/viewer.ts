/** The viewer in a test file: one home and one server for all tests of the file. */
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { hasBrowser, launch, openViewer, type Viewer } from './browser.ts'
import { type HomeOptions, type ServedHome, serveHome } from './home.ts'

export interface TestViewer {
  readonly openPage: Viewer['openPage']
  readonly openFile: Viewer['openFile']
  /** The home that is served, while tests run. */
  readonly home: () => ServedHome
  /** Removes and returns the faults so far, for tests that expect some. */
  readonly takeFaults: () => readonly string[]
}

const SLOW = 120_000

/** One for all test files of a worker; it ends with the worker's process. */
let browser: ReturnType<typeof launch> | null = null

/**
 * Starts the viewer before the tests of a `describe.runIf(hasBrowser)` and stops it after them. A test fails if its
 * page reported a fault or sent a request to another server.
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
    const { watch, flush } = started(viewer)
    await flush()
    const { faults, foreign } = watch
    expect([...faults.splice(0), ...foreign.splice(0)]).toEqual([])
  })

  afterAll(async () => {
    await viewer?.close()
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
  if (value === null) throw new Error('The viewer runs only during tests.')
  return value
}
