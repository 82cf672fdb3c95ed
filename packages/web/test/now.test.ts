/** The page of running sessions: it follows the records of processes. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { axeFaults, hasBrowser } from '../e2e/browser.ts'
import { useViewer } from '../e2e/viewer.ts'

const SESSION = '7d1c90aa-52f3-4e0b-9a41-0c3f6be2d815'

describe.runIf(hasBrowser)('what is running', () => {
  const { openPage, home } = useViewer()

  it('[J1] [J2] sessions come, change and go with their processes', async () => {
    const folder = join(dirname(home().projects), 'sessions')
    const write = (status: string, more: object = {}): void =>
      writeFileSync(
        join(folder, `${process.pid}.json`),
        JSON.stringify({ sessionId: SESSION, status, statusUpdatedAt: Date.now(), ...more }),
      )
    mkdirSync(folder, { recursive: true })
    write('idle')
    const page = await openPage('/now')
    await page.getByText('1 session running: 1 idle.').waitFor()
    expect(await page.locator('.running-session').innerText()).toContain('Why does the checkout test fail?')
    write('waiting', { waitingFor: 'permission prompt' })
    await page.getByText('1 session running: 1 waiting.').waitFor()
    expect(await page.title()).toContain('(1) Now')
    // State, title and time stay on one line, however long the title is.
    await page.setViewportSize({ width: 390, height: 844 })
    expect((await page.locator('.running-head').boundingBox())?.height).toBeLessThan(40)
    expect(await axeFaults(page)).toEqual([])
    rmSync(folder, { recursive: true })
    await page.getByText('Nothing is running').waitFor()
  })

  it('[J2] the browser notifies when a session begins to wait, once the user asked for that', async () => {
    const folder = join(dirname(home().projects), 'sessions')
    const write = (status: string): void =>
      writeFileSync(
        join(folder, `${process.pid}.json`),
        JSON.stringify({ sessionId: SESSION, status, statusUpdatedAt: Date.now() }),
      )
    mkdirSync(folder, { recursive: true })
    write('busy')
    const page = await openPage('/now')
    await page.context().grantPermissions(['notifications'])
    // The browser's own notifications, with a list of those that it accepted.
    await page.evaluate(() => {
      const shown: string[] = []
      const Own = window.Notification
      class Listed extends Own {
        constructor(title: string, options?: NotificationOptions) {
          super(title, options)
          shown.push(`${title} | ${this.body}`)
        }
      }
      Object.assign(window, { Notification: Listed, shown })
    })
    const shown = (): Promise<readonly string[]> => page.evaluate(() => Reflect.get(window, 'shown'))
    await page.getByText('1 session running: 1 working.').waitFor()
    write('waiting')
    await page.getByText('1 session running: 1 waiting.').waitFor()
    expect(await shown()).toEqual([])
    write('busy')
    await page.getByText('1 session running: 1 working.').waitFor()
    await page.getByRole('button', { name: 'Notify me when a session waits' }).click()
    await page.getByRole('button', { name: 'Notifications on' }).waitFor()
    write('waiting')
    await expect.poll(shown).toHaveLength(1)
    expect((await shown())[0]).toContain('Why does the checkout test fail?')
    await page.getByRole('button', { name: 'Notifications on' }).click()
    rmSync(folder, { recursive: true })
    await page.getByText('Nothing is running').waitFor()
  })
})
