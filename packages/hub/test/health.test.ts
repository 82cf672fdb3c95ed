/** HU56: the health of the sessions that each person may see, and of no others, on a real server and PostgreSQL. */
import type { HealthPage } from '@dagline/core/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HubWorld, type Name, startWorld } from './hub-world.js'
import { hasPostgres } from './postgres.js'

/** A blank prompt in the middle: the API refuses what a resume sends. */
function ill(session: string, word: string, id: number): string {
  return `${session}: u${id}"${word}" a${id} u${id + 1}" " a${id + 1}`
}

describe.runIf(hasPostgres('the health of a hub'))('the health of a hub', () => {
  let world: HubWorld

  beforeAll(async () => {
    world = await startWorld()
    await world.push(
      'ann',
      [ill('hhush', 'quince', 1), ill('hben', 'medlar', 11), ill('hall', 'damson', 21)].join('\n'),
    )
    await world.push('ann', 'hwell: u41"plum" a41')
    await world.push('ann', ill('hdesk', 'sloe', 51), 'shop', 'desk')
    await world.push('ben', ill('hown', 'pear', 61))
    await world.push('eve', ill('halien', 'loquat', 31))
    for (const who of ['ann', 'ben', 'eve'] as const) await world.judge(who)
    await world.act('ann', { kind: 'share', session: 'hben', persons: ['ben'] })
    await world.act('ann', { kind: 'share', session: 'hall', everyone: true })
  }, 240_000)
  afterAll(() => world.close())

  /** The page, once everything was examined. */
  async function healthOf(who: Name, query = ''): Promise<HealthPage> {
    const page = (): Promise<HealthPage> => world.value<HealthPage>(who, `/api/health${query}`)
    await expect
      .poll(page, { timeout: 60_000 })
      .toMatchObject({ isExamining: false, troubled: expect.any(Number) })
    return await page()
  }

  /** What the page says, and the sessions that it names. */
  async function pageOf(who: Name, query = '') {
    const page = await healthOf(who, query)
    const named = page.kinds.flatMap(({ samples }) => samples.map(({ session }) => session))
    return { sessions: page.sessions, troubled: page.troubled, named: [...new Set(named)].toSorted() }
  }

  interface Answered {
    readonly sessions: readonly {
      readonly session: string
      readonly faults: readonly { readonly fix: string | null }[]
    }[]
    readonly next: number | null
  }

  async function askedBy(who: Name, filter = ''): Promise<Answered> {
    const question = encodeURIComponent(JSON.stringify({ kind: 'health', projects: [], after: 0 }))
    const { value } = await world.value<{ value: Answered }>(
      who,
      `/api/hub/ask?question=${question}${filter}`,
    )
    expect(value.next).toBeNull()
    return value
  }

  it('[HU56] each person gets the sessions that are shown to them, also in sums', async () => {
    const seen: Readonly<Record<Name, readonly string[]>> = {
      ann: ['hall', 'hben', 'hdesk', 'hhush'],
      ben: ['hall', 'hben', 'hown'],
      ruth: ['hall'],
      // HU31: an auditor sees figures of usage, and sessions of nobody else.
      otto: [],
      ada: ['hall'],
      eve: ['halien'],
    }
    for (const [who, named] of Object.entries(seen) as [Name, readonly string[]][]) {
      const sessions = who === 'ann' ? named.length + 1 : named.length
      expect(await pageOf(who), who).toEqual({ sessions, troubled: named.length, named })
      const { sessions: listed } = await askedBy(who)
      const ids = listed.filter(({ faults }) => faults.length > 0).map(({ session }) => session)
      expect(ids.toSorted(), who).toEqual(named)
      for (const fix of listed.flatMap(({ faults }) => faults.map(fault => fault.fix)))
        expect(fix, who).toMatch(/^dagline checkout h\w+ --hub$/)
    }
  }, 240_000)

  it('[HU45][HU47] the page and the answers are limited to a person, and to machines of a name', async () => {
    const desk = '?hubMachine=desk'
    expect(await pageOf('ann', desk)).toEqual({ sessions: 1, troubled: 1, named: ['hdesk'] })
    expect(await pageOf('ben', `?hubPerson=${world.people.ben.person}`)).toMatchObject({ named: ['hown'] })
    expect(await pageOf('ben', `?hubPerson=${world.people.ann.person}`)).toMatchObject({
      named: ['hall', 'hben'],
    })
    expect(await pageOf('ben', desk)).toEqual({ sessions: 0, troubled: 0, named: [] })
    const { sessions } = await askedBy('ann', '&hubMachine=desk')
    expect(sessions.map(({ session }) => session)).toEqual(['hdesk'])
  }, 240_000)

  it('[HU56] a session that continued on another machine is listed with the file of each', async () => {
    const session = 'hcont'
    await world.push('ann', ill(session, 'gage', 71))
    await world.push('ann', `${ill(session, 'gage', 71)} u73 a73`, 'shop', 'desk')
    await world.judge('ann')
    expect((await pageOf('ann', '?hubMachine=desk')).named).toContain(session)
    const { sessions } = await askedBy('ann', '&hubMachine=desk')
    // The file of the machine alone is listed.
    expect(sessions.filter(each => each.session === session)).toHaveLength(1)
    expect((await askedBy('ann')).sessions.filter(each => each.session === session)).toHaveLength(2)
    expect((await pageOf('ben')).named).not.toContain(session)
  }, 240_000)

  it('[HU34][HU56] what is hidden is counted no more at once', async () => {
    expect((await pageOf('ruth')).sessions).toBe(1)
    await world.act('ann', { kind: 'unshare', session: 'hall' })
    const page = await world.value<HealthPage>('ruth', '/api/health')
    expect(page).toMatchObject({ sessions: 0, kinds: [], reach: { now: 0, possible: 0 } })
    expect((await askedBy('ruth')).sessions).toEqual([])
    expect((await askedBy('ben')).sessions.map(({ session }) => session).toSorted()).toEqual(['hben', 'hown'])
  }, 240_000)
})
