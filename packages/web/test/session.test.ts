/** The session page in a real browser: what people do with it, and what it must never do. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expandShape, inProject, listRecordings, type TextFile } from '@dagline/testkit'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeFaults, hasBrowser } from '../e2e/browser.ts'
import { shaped } from '../e2e/sessions.ts'
import { useViewer } from '../e2e/viewer.ts'

const REWOUND = `rew1: u1"Fix the rounding" a1"Which way?" u2"Use a decimal library" a2"Done with a library" u3"Too slow" a3"Hm"
rew1: a1 > u4"Round once, at the end"@+30m a4"Rounded once"`

const AGENTS = `age1: u11"Look around" a11[t1:Task>x]
age1/x: u12"Look closely" a12[t2:Task>y]
age1/y: u13"Look very closely" a13"I see it"
age1/x: a12 > r12[t2>y] a14"It was seen"
age1: a11 > r11[t1>x] a15"Somebody saw it"`

const FAMILY = `fam1: u21"Begin" a21"Begun" u22"Go on" a22
fam2: u21 a21 u23"Another end" a23`

const COMPACTED = 'com1: u31"Old words" a31"Old answer" c31 k31"What was before" u32"New words" a32'

const files = [
  ...shaped(REWOUND, '-home-dev-rewound'),
  ...shaped(AGENTS, '-home-dev-agents'),
  ...shaped(FAMILY, '-home-dev-family'),
  ...shaped(COMPACTED, '-home-dev-compacted'),
]

/** What is said in the rows in sight, from top to bottom. */
async function said(page: Page): Promise<string[]> {
  await page.locator('.row .md').first().waitFor()
  return page.locator('.row .md').allTextContents()
}

/** All rows, however many: as they are printed. */
async function allRows(page: Page): Promise<{ readonly node: string; readonly isLive: boolean }[]> {
  await page.locator('.row').first().waitFor()
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
  await page.locator('.rows.printed').waitFor()
  return page.locator('.row[data-live]').evaluateAll(rows =>
    rows.map(row => ({
      node: row.getAttribute('data-node') ?? '',
      isLive: row.getAttribute('data-live') === 'true',
    })),
  )
}

describe.runIf(hasBrowser)('session', () => {
  const { openPage, home, takeFaults } = useViewer({ files })
  const uuid = (shape: string, token: string): string => expandShape(shape).uuid(token)

  it('[F12] tells where one went back, what was left there, and goes the other way', async () => {
    const page = await openPage('/s/rew1')
    expect(await said(page)).toEqual([
      'Fix the rounding',
      'Which way?',
      'Round once, at the end',
      'Rounded once',
    ])
    await page.getByText('1 way left behind: 4 messages').waitFor()
    expect(await page.locator('.folded').textContent()).toMatch(/^Abandoned4 messages.*Use a decimal library/)
    await page.getByRole('button', { name: 'Next way' }).click()
    await expect.poll(() => said(page)).toContain('Done with a library')
    expect(await said(page)).not.toContain('Rounded once')
    await page.getByText('You read the abandoned way: 4 messages').waitFor()
    expect(await page.locator('.row.is-left .tag').first().textContent()).toBe('abandoned')
    await page.keyboard.press(']')
    await expect.poll(() => said(page)).toContain('Rounded once')
  })

  it('opens what was left in place, and closes it again', async () => {
    const page = await openPage('/s/rew1')
    await page.getByRole('button', { name: 'Open' }).click()
    await expect.poll(() => said(page)).toContain('Hm')
    expect(await said(page)).toContain('Rounded once')
    expect(await page.locator('main').getByRole('link', { name: 'Compare' }).getAttribute('href')).toMatch(
      /^\/compare\?a=.*&b=/,
    )
    await page.getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => said(page)).not.toContain('Hm')
  })

  it('[L6] leaves out what is not live, and says how much', async () => {
    const page = await openPage('/s/rew1')
    await page.getByText('hides 4 messages on 1 branch').waitFor()
    await page.keyboard.press('l')
    await expect.poll(() => page.locator('.folded').count()).toBe(0)
    expect(await page.locator('.live-only').textContent()).toMatch(/hides 4 messages/)
    expect(await said(page)).toEqual([
      'Fix the rounding',
      'Which way?',
      'Round once, at the end',
      'Rounded once',
    ])
  })

  it('[A5] opens agents inside of their calls, to any depth', async () => {
    const page = await openPage('/s/age1')
    await page.locator('.agent-line').click()
    await expect.poll(() => said(page)).toContain('It was seen')
    await page.locator('.voice-agent .agent-line').click()
    await expect.poll(() => said(page)).toContain('I see it')
    await page.locator('.branch-head').first().getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => said(page)).not.toContain('I see it')
    expect(await said(page)).toContain('Somebody saw it')
  })

  it('[S2] leads to the sessions that go on elsewhere, and back', async () => {
    const page = await openPage('/s/fam1')
    await page.locator('.junction a').click()
    await page.waitForURL(/\/s\/fam2/)
    await expect.poll(() => said(page)).toContain('Another end')
    await page.locator('.session-origin a').click()
    await page.waitForURL(/\/s\/fam1/)
    await expect.poll(() => said(page)).toContain('Go on')
  })

  it('a link leads into what was left, and into agents', async () => {
    const left = await openPage(`/s/rew1#${uuid(REWOUND, 'a3')}`)
    await expect.poll(() => said(left)).toContain('Hm')
    await left.locator(`.is-marked[data-node="${uuid(REWOUND, 'a3')}"]`).waitFor()
    const deep = await openPage(`/s/age1#${uuid(AGENTS, 'a13')}`)
    await expect.poll(() => said(deep)).toContain('I see it')
  })

  it('searches within the session, and finds the way to a hit', async () => {
    const page = await openPage('/s/rew1')
    await said(page)
    await page.keyboard.press('/')
    await page.keyboard.type('library')
    await page.locator('.session-search .hits').getByText('2').waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => said(page)).toContain('Done with a library')
  })

  it('[C3] shows what a compaction took, and what was before it', async () => {
    const page = await openPage('/s/com1')
    await page.locator('.compaction').getByText('Claude no longer has the 2 messages above').waitFor()
    expect(await said(page)).toContain('Old answer')
    await page.getByRole('button', { name: /^Summary/ }).click()
    await expect.poll(() => said(page)).toContain('What was before')
  })

  it('answers why a row is there, and shows its record', async () => {
    const page = await openPage('/s/rew1')
    await page.locator('.row').nth(1).hover()
    await page.locator('.row').nth(1).getByRole('button', { name: 'Why' }).click()
    await page.getByRole('dialog').getByText('the next request carries it').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.row').nth(1).hover()
    await page.locator('.row').nth(1).getByRole('button', { name: 'Raw' }).click()
    expect(await page.getByRole('dialog').locator('pre').textContent()).toContain('"Which way?"')
  })

  it('goes by keys', async () => {
    const page = await openPage('/s/rew1')
    await said(page)
    const here = (): Promise<string | null> => page.locator('.row.is-here .row-main').textContent()
    await page.keyboard.press('j')
    expect(await here()).toContain('Fix the rounding')
    await page.keyboard.press('j')
    expect(await here()).toContain('Which way?')
    await page.keyboard.press('n')
    expect(await here()).toContain('Round once, at the end')
    await page.keyboard.press('1')
    await expect.poll(() => said(page)).toEqual(['Fix the rounding', 'Round once, at the end'])
    await page.keyboard.press('3')
    await page.keyboard.press('G')
    expect(await here()).toContain('Rounded once')
  })

  it('[L5] grows while one reads, and leaves the reader’s place alone', async () => {
    const shape = `gro1: ${Array.from({ length: 40 }, (_, at) => `u${500 + at} a${500 + at}`).join(' ')}`
    const [file] = shaped(shape, '-home-dev-growing')
    home().write(file?.path ?? '', file?.text ?? '')
    const page = await openPage('/s/gro1')
    await expect.poll(() => page.locator('.row').count(), { timeout: 10_000 }).toBeGreaterThan(5)
    await page.evaluate(() => window.scrollTo(0, 900))
    await page.waitForTimeout(300)
    const before = await placesOf(page)
    const [grown] = shaped(`${shape} u600"Something new" a600"Something newer"`, '-home-dev-growing')
    home().append(file?.path ?? '', (grown?.text ?? '').slice(file?.text.length))
    await page.getByRole('button', { name: '2 new messages' }).waitFor()
    expect(await placesOf(page)).toEqual(before)
    await page.getByRole('button', { name: '2 new messages' }).click()
    await page.getByText('Something newer').first().waitFor()
  })

  it('holds little of a long session, and keeps the reader’s row while others come and go', async () => {
    const turns = Array.from({ length: 700 }, (_, at) => {
      const n = 1000 + at
      return `u${n}"Question ${n}" a${n}"Words of ${n}" b${n}`.replace(
        `b${n}`,
        `a${n}9[t${n}:Bash] r${n}[t${n}]`,
      )
    })
    for (const { path, text } of shaped(`lon1: ${turns.join(' ')}`, '-home-dev-long'))
      home().write(path, text)
    const page = await openPage('/s/lon1')
    await expect.poll(() => page.locator('.row').count(), { timeout: 15_000 }).toBeGreaterThan(3)
    const count = (): Promise<number> => page.evaluate(() => document.querySelectorAll('*').length)
    for (const share of [0.3, 0.9, 0.5]) {
      await page.evaluate(part => window.scrollTo(0, document.documentElement.scrollHeight * part), share)
      await page.waitForTimeout(250)
      expect(await count()).toBeLessThan(2500)
    }
    const prompt = page.locator('.row-prompt').filter({ hasText: /Question/ })
    const seen = await prompt.evaluateAll(rows =>
      rows
        .map(row => ({ node: row.getAttribute('data-node'), top: row.getBoundingClientRect().top }))
        .find(({ top }) => top > 150),
    )
    const row = page.locator(`.row[data-node="${seen?.node}"]`)
    for (const key of ['1', '4', '2', '3']) {
      await page.keyboard.press(key)
      await page.waitForTimeout(250)
      const box = await row.boundingBox()
      expect(box?.y).toBeGreaterThan(0)
      expect(box?.y).toBeLessThan(800)
    }
  })

  it.each(['light', 'dark'] as const)('has no serious fault for those who cannot see it: %s', async theme => {
    for (const path of ['/s/rew1', '/s/age1', '/s/com1']) {
      const page = await openPage(path, { theme })
      await said(page)
      for (const open of await page.locator('.folded-open, .agent-line').all()) await open.click()
      await page.waitForTimeout(100)
      expect(await axeFaults(page)).toEqual([])
    }
  })

  it('fits a phone, with the outline in a drawer', async () => {
    const page = await openPage('/s/rew1', { width: 390, height: 844 })
    await said(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    expect(await page.locator('.outline').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Outline' }).click()
    await page.locator('.outline-item').first().waitFor({ state: 'visible' })
  })

  it('says so where there is no such session', async () => {
    const page = await openPage('/s/nowhere')
    await page.getByRole('alert').waitFor()
    expect(takeFaults()).toHaveLength(1)
  })
})

/** Rows in sight and how far below the window's top they are. */
async function placesOf(page: Page): Promise<readonly string[]> {
  return page.locator('.row').evaluateAll(rows =>
    rows
      .map(row => ({ node: row.getAttribute('data-node'), top: Math.round(row.getBoundingClientRect().top) }))
      .filter(({ top }) => top > 0 && top < window.innerHeight)
      .map(({ node, top }) => `${top} ${node}`),
  )
}

const ATTACKS = [
  '<script>window.hit=1</script>',
  '<img src=x onerror="window.hit=1">',
  '<svg onload="window.hit=1"><script>window.hit=1</script></svg>',
  '[click](javascript:window.hit=1)',
  '<a href="javascript:window.hit=1">x</a>',
  '![x](https://example.com/track.png)',
  '<iframe srcdoc="<script>parent.hit=1</script>"></iframe>',
  '</script><script>window.hit=1</script>',
  '<style>*{display:none}</style>',
  '"><input autofocus onfocus="window.hit=1">',
  '\u001b]8;;javascript:window.hit=1\u0007link\u001b]8;;\u0007',
  '{{constructor.constructor("window.hit=1")()}}',
]

/** The same attack wherever a transcript can say something. */
function attackedSession(): TextFile[] {
  const base = { cwd: '/x/<b>', sessionId: 'att1', version: '2.1.300', isSidechain: false }
  let parent: string | null = null
  let count = 0
  const row = (fields: object): string => {
    const id = `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`
    const time = new Date(Date.UTC(2026, 0, 1) + count * 1000).toISOString()
    const line = JSON.stringify({ ...base, parentUuid: parent, uuid: id, timestamp: time, ...fields })
    parent = id
    return line
  }
  const rows = ATTACKS.flatMap((attack, at) => [
    row({ type: 'user', message: { role: 'user', content: attack } }),
    row({
      type: 'assistant',
      message: {
        id: `m${at}`,
        role: 'assistant',
        model: attack,
        content: [
          { type: 'thinking', thinking: attack },
          { type: 'text', text: `${attack}\n\n\`\`\`html\n${attack}\n\`\`\`` },
        ],
      },
    }),
    ...['Bash', 'Read', 'Edit', 'Grep', 'WebFetch', 'TodoWrite', 'AskUserQuestion', attack].flatMap(
      (name, tool) => [
        row({
          type: 'assistant',
          message: {
            id: `m${at}-${tool}`,
            role: 'assistant',
            content: [toolUse(name, attack, `t${at}-${tool}`)],
          },
        }),
        row({
          type: 'user',
          message: {
            role: 'user',
            content: [
              {
                type: 'tool_result',
                tool_use_id: `t${at}-${tool}`,
                content: attack,
                is_error: tool % 2 === 0,
              },
            ],
          },
          toolUseResult: { stdout: attack, stderr: attack, filePath: attack },
        }),
      ],
    ),
  ])
  return inProject([{ path: 'att1.jsonl', text: `${rows.join('\n')}\n` }], '-home-dev-attacked')
}

function toolUse(name: string, attack: string, id: string): object {
  const input = {
    command: attack,
    file_path: attack,
    old_string: 'a',
    new_string: attack,
    pattern: attack,
    url: 'javascript:window.hit=1',
    todos: [{ content: attack, status: attack }],
    questions: [{ question: attack, options: [{ label: attack, description: attack }] }],
    [attack]: attack,
  }
  return { type: 'tool_use', id, name, input }
}

describe.runIf(hasBrowser)('session of an attacker', () => {
  const { openPage } = useViewer({ files: attackedSession() })

  it('stays text, in every place', async () => {
    const page = await openPage('/s/att1')
    await page.locator('.row .md').first().waitFor()
    await page.keyboard.press('4')
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    for (let top = 0; top < height; top += 700) {
      await page.evaluate(y => window.scrollTo(0, y), top)
      await page.keyboard.press('e')
      await page.waitForTimeout(60)
      const found = await page
        .locator('main')
        .evaluate(main =>
          [
            ...main.querySelectorAll(
              'script, img, iframe, style, svg script, [onload], [onerror], [onfocus], a',
            ),
          ]
            .filter(
              element =>
                !(
                  element instanceof HTMLAnchorElement &&
                  /^(https?:|#|\/)/.test(element.getAttribute('href') ?? '')
                ),
            )
            .map(element => element.outerHTML),
        )
      expect(found).toEqual([])
    }
    expect(await page.evaluate(() => 'hit' in window)).toBe(false)
  })
})

const RECORDINGS = listRecordings(
  join(import.meta.dirname, '..', '..', '..', 'fixtures', 'recordings'),
).filter(({ name }) =>
  /^2\.1\.325\/(s01_|s03_|s05_|s07_|s11_resume|s12_fork|s13_rewind$|s13e|s15_|s18_|s18b|s20_)/.test(name),
)

describe.runIf(hasBrowser)('truth', () => {
  const { openPage } = useViewer({ files: RECORDINGS.flatMap(filesOf) })

  it.each(RECORDINGS.map(recording => [recording.name, recording] as const))(
    '[L3] what the page shows as live was sent, in that order: %s',
    async (_, { truth }) => {
      for (const [path, { live, notLive }] of Object.entries(truth.live)) {
        const session = /([^/]+)\.jsonl$/.exec(path)?.[1] ?? ''
        if (path.includes('/subagents/')) continue
        const page = await openPage(`/s/${session}`)
        await page.keyboard.press('4')
        const rows = await allRows(page)
        const places = new Map(rows.map(({ node }, place) => [node, place]))
        const isLive = new Map(rows.map(row => [row.node, row.isLive]))
        expect(notLive.filter(node => isLive.get(node) === true)).toEqual([])
        expect(live.filter(node => isLive.get(node) === false)).toEqual([])
        const order = live.flatMap(node => places.get(node) ?? [])
        expect(order.length).toBeGreaterThan(0)
        expect(order).toEqual([...order].sort((a, b) => a - b))
        await page.close()
      }
    },
  )
})

function filesOf({ projectsDir }: { readonly projectsDir: string }): TextFile[] {
  return readdirSync(projectsDir, { recursive: true, withFileTypes: true }).flatMap(entry => {
    if (!entry.isFile()) return []
    const path = join(entry.parentPath, entry.name)
    return [{ path: path.slice(projectsDir.length + 1), text: readFileSync(path, 'utf8') }]
  })
}
