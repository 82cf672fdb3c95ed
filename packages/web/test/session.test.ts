/** The session page in a real browser. */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expandShape, listRecordings, type TextFile } from '@dagline/testkit'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeFaults, hasBrowser, nextFrames, searchWithin } from '../e2e/browser.ts'
import { LONG_LINE, LONG_WORD, shaped, wideSession } from '../e2e/sessions.ts'
import { useViewer } from '../e2e/viewer.ts'

const REWOUND = `rew1: u1"Fix the rounding" a1"Which way?" u2"Use a decimal library" a2"Done with a library" u3"Too slow" a3"Hm"
rew1: a1 > u4"Round once, at the end"@+30m a4"Rounded once"`

const AGENTS = `age1: u11"Look around" a11[t1:Task>x]
age1/x: u12"Look closely" a12[t2:Task>y]
age1/y: u13"Look very closely" a13"I see it"
age1/x: a12 > r12[t2>y] a14"It was seen"
age1: a11 > r11[t1>x] a15"Somebody saw it"`

const CONTINUED = `fam1: u21"Begin" a21"Begun" u22"Go on" a22
fam2: u21 a21 u23"Another end" a23`

const TAGGED = `tag1: u81"<ide_opened_file>The user opened the file a.ts.</ide_opened_file>Please look at it" a81
tag1: a81 > l81"<command-name>/review</command-name><command-args>12</command-args>" a82`
const COMPACTED = 'com1: u31"Old words" a31"Old answer" c31 k31"What was before" u32"New words" a32'

const FOLDS = `fol1: u41"Look" a41+{"message":{"content":[{"type":"thinking","thinking":"${'dull words '.repeat(40)} a needle in thoughts","signature":"x"}]}} a42[t41:Read] r42[t41] a43"Done"`

/** As in real sessions: long words and lines, headings in any order, deep lists, wide tables. */
const WIDE_TEXT = [
  `### Findings in ${'packages/a-very-long-folder-name/'.repeat(8)}index.ts`,
  '# Then a title\n\n#### And a deep one',
  `- one\n  - two\n    - three\n      - four with ${'x'.repeat(300)}`,
  `| | ${'wide column | '.repeat(14)}\n|${'---|'.repeat(15)}\n| a | ${`${'cell'.repeat(5)} | `.repeat(14)}`,
  `\`\`\`ts\nconst line = '${'long '.repeat(80)}'\n\`\`\``,
].join('\n\n')

const REAL = `rea1: u91"Review it" a91${JSON.stringify(WIDE_TEXT)} a92[t91:Read] r91[t91] h91+{"attachment":{"type":"hook_non_blocking_error","hookName":"PostToolUse:${'AskUserQuestion'.repeat(5)}","stderr":"no"}} a93"Done"`

const UNFINISHED = `unf1: u71"Begin" a71"Begun" c71+{"compactMetadata":{"trigger":"auto","preTokens":0}}
unf1: a71 > u72"Go on" a72"Gone on" c72+{"compactMetadata":{"preTokens":155000,"postTokens":4200,"durationMs":45210}} k72 u73"Again" a73`

const LATE = `lat1: u61"Start" a61[t61:Bash] a62"I keep talking" a63[t62:Read] r62[t62] a64"Continuation ends"
lat1: a61 > r61[t61]@+2m a65"It arrived"`

const SILENT = 'sil1: u81"Run it" a81[t81:Bash] r81[t81]" " a82"Done"'

const JUMPS = `jum1: ${turns(3000, 120)} u3200"Wrong" a3200"Left behind"
jum1: a3119 > u3300"Right"@+30m a3300 ${turns(3400, 120)}`

const HIDDEN = `hid1: u8001"Begin" a8001"Begun" h8001 u8002"Left" a8002
hid1: h8001 > u8003"Kept"@+30m a8003`

const OUTSIDE = `out1: u6000"Start" a6000 u6001"Wrong" a6001
out1: a6000 > u6002"Right"@+30m a6002 ${turns(7000, 60)}`

const GROWING = `gro1: ${Array.from({ length: 40 }, (_, at) => `u${500 + at} a${500 + at}`).join(' ')}`

const LONG = `lon1: ${Array.from({ length: 700 }, (_, at) => {
  const n = 1000 + at
  return `u${n}"Question ${n}" a${n}"Words of ${n}" a${n}9[t${n}:Bash] r${n}[t${n}]`
}).join(' ')}`

/** Turns with numbers of their own. */
function turns(from: number, count: number): string {
  return Array.from({ length: count }, (_, at) => `u${from + at} a${from + at}"Words of ${from + at}"`).join(
    ' ',
  )
}

const DAYS = 'day1: u51"Today" a51"Yes" u52"Tomorrow"@+26h a52"Also"'

const files = [
  ...folded(),
  ...shaped(DAYS, '-home-dev-days'),
  ...shaped(LATE, '-home-dev-late'),
  ...shaped(REAL, '-home-dev-real'),
  ...shaped(UNFINISHED, '-home-dev-unfinished'),
  ...shaped(REWOUND, '-home-dev-rewound'),
  ...shaped(AGENTS, '-home-dev-agents'),
  ...shaped(CONTINUED, '-home-dev-family'),
  ...shaped(TAGGED, '-home-dev-tagged'),
  ...shaped(COMPACTED, '-home-dev-compacted'),
  ...shaped(JUMPS, '-home-dev-jumps'),
  ...shaped(SILENT, '-home-dev-silent'),
  ...shaped(HIDDEN, '-home-dev-hidden'),
  ...shaped(OUTSIDE, '-home-dev-outside'),
  ...shaped(GROWING, '-home-dev-growing'),
  ...shaped(LONG, '-home-dev-long'),
  ...cutInput(),
  ...wideSession(),
  ...shaped('gon1: u9901"Here today" a9901"Gone tomorrow"', '-home-dev-gone'),
]

const LABELS = JSON.stringify({
  dagline: 1,
  labels: [
    { kind: 'session', id: 'rew1', name: 'The rounding affair', tags: ['money'], note: 'why we round once' },
    {
      kind: 'branch',
      id: `rew1@${expandShape(REWOUND).uuid('u2')}`,
      session: 'rew1',
      name: 'library attempt',
    },
    { kind: 'entry', id: expandShape(REWOUND).uuid('a4'), session: 'rew1', name: 'the fix' },
  ],
})

/** A call whose input is longer than the page loads at first. */
function cutInput(): TextFile[] {
  const command = `echo begin ${'x '.repeat(20_000)} the very end`
  const [uuid1, uuid2] = ['a', 'b'].map(letter => `${letter.repeat(8)}-0000-4000-8000-000000000001`)
  const base = { sessionId: 'cut1', cwd: '/x', version: '2.1.300', timestamp: '2026-01-01T00:00:00.000Z' }
  const content = [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command } }]
  const rows = [
    { ...base, type: 'user', uuid: uuid1, parentUuid: null, message: { role: 'user', content: 'Go' } },
    { ...base, type: 'assistant', uuid: uuid2, parentUuid: uuid1, message: { id: 'm1', content } },
  ]
  return [{ path: '-home-dev-cut/cut1.jsonl', text: `${rows.map(row => JSON.stringify(row)).join('\n')}\n` }]
}

/** A result with a word far below its first lines. */
function folded(): TextFile[] {
  const text = `${'dull line\\n'.repeat(60)}here is the needle`
  return shaped(FOLDS, '-home-dev-folds').map(file => ({
    ...file,
    text: file.text.replaceAll('"result r42"', `"${text}"`),
  }))
}

/** The messages of the drawn rows, from top to bottom. */
async function textsOn(page: Page): Promise<string[]> {
  await page.locator('.row .md').first().waitFor()
  return page.locator('.row .md').allTextContents()
}

/** All rows, as they are printed. */
async function allRows(page: Page): Promise<{ readonly node: string; readonly isLive: boolean }[]> {
  await page.locator('.row').first().waitFor()
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
  await page.locator('.rows.is-printing').waitFor()
  return page.locator('.row[data-live]').evaluateAll(rows =>
    rows.map(row => ({
      node: row.getAttribute('data-node') ?? '',
      isLive: row.getAttribute('data-live') === 'true',
    })),
  )
}

describe.runIf(hasBrowser)('session', () => {
  const { openPage, home, takeFaults } = useViewer({ files, labels: LABELS })
  const uuid = (shape: string, token: string): string => expandShape(shape).uuid(token)

  it('[F12] shows a rewind, what it abandoned, and switches to the abandoned branch', async () => {
    const page = await openPage('/s/rew1')
    expect(await textsOn(page)).toEqual([
      'Fix the rounding',
      'Which way?',
      'Round once, at the end',
      'Rounded once',
    ])
    await page.getByText('You rewound once: 4 messages').waitFor()
    expect(await page.locator('.folded').textContent()).toMatch(
      /^Abandoned.*4 messages.*Use a decimal library/,
    )
    await page.getByRole('button', { name: 'Next branch' }).click()
    await expect.poll(() => textsOn(page)).toContain('Done with a library')
    expect(await textsOn(page)).not.toContain('Rounded once')
    await page.getByText('Showing the abandoned branch: 4 messages').waitFor()
    expect(await page.locator('.row.is-abandoned .tag').first().textContent()).toBe('abandoned')
    await page.keyboard.press(']')
    await expect.poll(() => textsOn(page)).toContain('Rounded once')
  })

  it('[T4] shows a late result where it came, with links to its call and back', async () => {
    const page = await openPage('/s/lat1')
    await page.locator('.tool').nth(2).waitFor()
    const texts = await page.locator('.row .md, .row .tool-line').allTextContents()
    expect(texts.map(text => text.replace(/ .*/s, ''))).toHaveLength(7)
    expect(texts[1]).toMatch(/^Bash.*result below$/)
    expect(texts[2]).toBe('I keep talking')
    expect(texts[5]).toMatch(/^Bash.*result r61.*2 ?m/)
    expect(texts[6]).toBe('It arrived')
    await page.getByRole('button', { name: 'Go to the result' }).click()
    await expect.poll(() => page.locator('.row.is-here').getAttribute('data-node')).toBe(uuid(LATE, 'r61'))
    await page.getByRole('button', { name: 'Go to its call' }).click()
    await expect.poll(() => page.locator('.row.is-here').getAttribute('data-node')).toBe(uuid(LATE, 'a61'))
  })

  it('[C3] [C4] shows how long a compaction took, and which one was not finished', async () => {
    const page = await openPage('/s/unf1')
    await page.locator('.compaction').nth(1).waitFor()
    const [unfinished, finished] = await page.locator('.compaction').allTextContents()
    expect(unfinished).toBe('Compaction not finishedThere is no summary, so nothing above was removed.')
    expect(finished).toMatch(/155k → 4\.2k tokens · 45\.2 s.*no longer has the 4 messages above/)
  })

  it('opens an abandoned branch in place, and closes it again', async () => {
    const page = await openPage('/s/rew1')
    await page.getByRole('button', { name: 'Open' }).click()
    await expect.poll(() => textsOn(page)).toContain('Hm')
    expect(await textsOn(page)).toContain('Rounded once')
    expect(await page.locator('main').getByRole('link', { name: 'Compare' }).getAttribute('href')).toMatch(
      /^\/compare\?a=.*&b=/,
    )
    await page.locator('.end-line').getByText('End of the abandoned branch').waitFor()
    await page.locator('.end-line').getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => textsOn(page)).not.toContain('Hm')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.locator('.branch-head').getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => textsOn(page)).not.toContain('Hm')
    expect(await page.locator('.end-line').count()).toBe(0)
  })

  it('compares an abandoned branch with the one that is shown', async () => {
    const page = await openPage('/s/rew1')
    await page.locator('.folded').getByRole('link', { name: 'Compare' }).click()
    await page.waitForURL(/\/compare\?a=.*&b=/)
    await page.locator('.turn').first().waitFor()
    expect(await page.locator('.turn-prompt').allTextContents()).toEqual([
      'Use a decimal library',
      'Round once, at the end',
      'Too slow',
    ])
    await page.goBack()
    await expect.poll(() => textsOn(page)).toContain('Rounded once')
  })

  it('[V4] an opened branch stays opened, and is not switched to, where the address names an entry in it', async () => {
    const page = await openPage('/s/rew1')
    await textsOn(page)
    await page.locator('.folded').getByRole('button', { name: 'Open' }).click()
    await page.locator('.branch-head.abandoned').waitFor()
    await page.waitForURL(/open=/)
    const opened = new URL(page.url())
    opened.searchParams.set('at', uuid(REWOUND, 'u2'))
    await page.goto(opened.href)
    await page.locator('.branch-head.abandoned').waitFor()
    await expect.poll(() => page.locator('.row.is-here').getAttribute('data-node')).toBe(uuid(REWOUND, 'u2'))
    expect(await page.locator('.toast').count()).toBe(0)
    expect(page.url()).not.toContain('branch=')
  })

  it('[V4] keeps the entry, the branch, the level and the words over a reload, Back and a shared link', async () => {
    const page = await openPage('/s/rew1')
    await textsOn(page)
    await page.getByRole('button', { name: 'Next branch' }).click()
    await page.keyboard.press('2')
    await page.locator('.session-search input').fill('library')
    await page.waitForURL(/\?find=library&level=conversation&branch=/)
    await page.locator('.session-search .hits').getByText('2').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\?at=[0-9a-f-]{36}&find=library&level=conversation&branch=/)
    const shared = page.url().replace(/^.*(?=\/s\/)/, '')
    const expectSame = async (): Promise<void> => {
      await expect.poll(() => textsOn(page)).toContain('Done with a library')
      expect(await page.getByRole('button', { name: 'Conversation' }).getAttribute('aria-pressed')).toBe(
        'true',
      )
      await expect.poll(() => page.locator('.session-search .hits').textContent()).toBe('1 / 2')
    }
    await page.reload()
    await expectSame()
    await page.getByRole('link', { name: 'Usage' }).click()
    await page.getByRole('heading', { name: 'Usage' }).waitFor()
    await page.goBack()
    await expectSame()
    await openPage('/')
    await openPage(shared)
    await expectSame()
  })

  it('[L6] hides what is not live, and says how much', async () => {
    const page = await openPage('/s/rew1')
    await page.getByText('hides 4 messages').waitFor()
    await page.keyboard.press('l')
    await expect.poll(() => page.locator('.folded').count()).toBe(0)
    expect(await page.locator('.live-only').textContent()).toMatch(/hides 4 messages/)
    expect(await textsOn(page)).toEqual([
      'Fix the rounding',
      'Which way?',
      'Round once, at the end',
      'Rounded once',
    ])
  })

  it('[A5] opens subagents below their calls, to any depth', async () => {
    const page = await openPage('/s/age1')
    await page.locator('.agent-line').click()
    await expect.poll(() => textsOn(page)).toContain('It was seen')
    await page.locator('.voice-agent .agent-line').click()
    await expect.poll(() => textsOn(page)).toContain('I see it')
    await page.locator('.branch-head').first().getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => textsOn(page)).not.toContain('I see it')
    expect(await textsOn(page)).toContain('Somebody saw it')
  })

  it('[S2] links to sessions that continue this one, and back', async () => {
    const page = await openPage('/s/fam1')
    await page.locator('.junction a').click()
    await page.waitForURL(/\/s\/fam2/)
    await expect.poll(() => textsOn(page)).toContain('Another end')
    await page.locator('.session-origin a').click()
    await page.waitForURL(/\/s\/fam1/)
    await expect.poll(() => textsOn(page)).toContain('Go on')
  })

  it('links lead into abandoned branches and subagents', async () => {
    const left = await openPage(`/s/rew1?at=${uuid(REWOUND, 'a3')}`)
    await expect.poll(() => textsOn(left)).toContain('Hm')
    await left.locator(`.is-marked[data-node="${uuid(REWOUND, 'a3')}"]`).waitFor()
    const deep = await openPage(`/s/age1#${uuid(AGENTS, 'a13')}`)
    await expect.poll(() => textsOn(deep)).toContain('I see it')
  })

  it('links lead into abandoned branches from anywhere in a long session, and back', async () => {
    const page = await openPage(`/s/jum1#${uuid(JUMPS, 'a3450')}`)
    const go = async (token: string): Promise<void> => {
      const node = uuid(JUMPS, token)
      await page.evaluate(hash => {
        location.hash = hash
      }, node)
      const row = page.locator(`.row[data-node="${node}"]`)
      await row.waitFor()
      await expect.poll(async () => Math.abs((await row.boundingBox())?.y ?? 9999)).toBeLessThan(700)
    }
    await page.locator(`.row[data-node="${uuid(JUMPS, 'a3450')}"]`).waitFor()
    for (const token of ['a3200', 'a3490', 'a3040', 'a3200', 'a3410']) await go(token)
  })

  it('loads the whole input of a call that was truncated', async () => {
    const page = await openPage('/s/cut1')
    await page.getByText('more characters.').waitFor()
    expect(await page.locator('.tool-body').textContent()).not.toContain('the very end')
    await page.locator('.cut').getByRole('button', { name: 'Show all' }).click()
    await expect.poll(() => page.locator('.cut').count()).toBe(0)
    for (const more of await page.getByRole('button', { name: /^Show \d|more lines/ }).all())
      await more.click()
    await expect.poll(() => page.locator('.tool-body').textContent()).toContain('the very end')
  })

  it('shows the names, tags and notes of the user', async () => {
    const page = await openPage('/?flat=1')
    const row = page.locator('.home-row').filter({ hasText: 'The rounding affair' })
    expect(await row.textContent()).toMatch(/The rounding affair.*#money.*why we round once/)
    await page.getByLabel('Filter sessions').fill('#money')
    await page.getByText(/^1 of \d+ sessions/).waitFor()
    await row.click()
    await page.getByRole('heading', { name: 'The rounding affair' }).waitFor()
    expect(await page.locator('.session-header').textContent()).toMatch(
      /Fix the rounding.*why we round once.*#money/,
    )
    await page.locator('.folded').getByText('library attempt').waitFor()
    expect(await page.locator(`.row[data-node="${uuid(REWOUND, 'a4')}"] .given-name`).textContent()).toBe(
      'the fix',
    )
  })

  it('searches within the session, and opens the branch of a hit', async () => {
    const page = await openPage('/s/rew1')
    await textsOn(page)
    await searchWithin(page, 'library', 2)
    await expect.poll(() => textsOn(page)).toContain('Done with a library')
  })

  it('says that the transcript was deleted while the page is open', async () => {
    const page = await openPage('/s/gon1')
    await textsOn(page)
    rmSync(join(home().projects, '-home-dev-gone/gon1.jsonl'))
    await page.getByRole('status').getByText('The transcript of this session was deleted.').waitFor()
    expect(await textsOn(page)).toContain('Here today')
    takeFaults()
  })

  it('searches all of the session with the key of the browser, once', async () => {
    const page = await openPage('/s/rew1')
    await textsOn(page)
    await page.keyboard.press('Control+f')
    expect(await page.locator('#session-search:focus').count()).toBe(1)
  })

  it('goes from hit to hit across branches, and announces the switch', async () => {
    const page = await openPage('/s/rew1')
    await textsOn(page)
    await searchWithin(page, 'slow', 1)
    await expect.poll(() => textsOn(page)).toContain('Too slow')
    await page.getByRole('status').getByText('Switched to the abandoned branch').waitFor()
    await page.locator('.session-search input').fill('once')
    await page.locator('.session-search .hits').getByText('2').waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => textsOn(page)).toContain('Rounded once')
    expect(await textsOn(page)).not.toContain('Too slow')
    await page.locator('.row.is-marked').getByText('Round once, at the end').waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.row.is-marked').getByText('Rounded once').waitFor()
    await page.getByRole('button', { name: 'Switch back' }).click()
    await expect.poll(() => textsOn(page)).toContain('Too slow')
  })

  it('opens the tool call or folded text with a hit, marks the words, and ends on Escape', async () => {
    const page = await openPage('/s/fol1')
    await textsOn(page)
    const marks = (): Promise<number> => page.evaluate(() => CSS.highlights.get('dagline-hit')?.size ?? 0)
    expect(await page.locator('main').textContent()).not.toContain('needle')
    await searchWithin(page, 'needle', 2)
    await page.locator('.folded-text .md').getByText('a needle in thoughts').waitFor()
    await expect.poll(marks).toBe(1)
    await page.keyboard.press('Enter')
    await page.locator('.tool-body').getByText('needle').first().waitFor()
    await expect.poll(marks).toBe(1)
    const box = page.locator('.tool-body').getByText('needle').first()
    await expect.poll(async () => (await box.boundingBox())?.y ?? 9999).toBeLessThan(800)
    await page.keyboard.press('Escape')
    await expect.poll(marks).toBe(0)
    expect(await page.locator('.session-search .hits').count()).toBe(0)
    expect(await page.locator('.session-search input').inputValue()).toBe('')
  })

  it('[V5] opens and highlights what a search of all sessions found', async () => {
    const page = await openPage('/search?q=%22the+needle%22')
    await page.locator('.hit').click()
    await page.locator('.tool-body').getByText('here is the needle').waitFor()
    await page.waitForURL(/\/s\/fol1\?at=[0-9a-f-]{36}&find=/)
    expect(await page.locator('.session-search .hits').textContent()).toBe('1 / 1')
    await expect
      .poll(() => page.evaluate(() => CSS.highlights.get('dagline-hit')?.size ?? 0))
      .toBeGreaterThanOrEqual(1)
  })

  it('draws a line at the beginning of another day', async () => {
    const page = await openPage('/s/day1')
    await textsOn(page)
    expect(await page.locator('.day-line').allTextContents()).toEqual([
      expect.stringMatching(/^\w+day \d+ \w{3} 20\d\d$/),
    ])
  })

  it('[F12] shows a rewind although the row before it is hidden', async () => {
    const page = await openPage('/s/hid1')
    await page.getByRole('button', { name: 'Show where' }).click()
    await page.locator('.row-folded.is-marked').getByText('Left').waitFor()
    expect(await page.getByRole('button', { name: 'Tools', exact: true }).getAttribute('aria-pressed')).toBe(
      'true',
    )
    await page.locator('.outline-item.of-fork').click()
    await page.locator('.row-folded.is-marked').getByText('Left').waitFor()
  })

  it('announces what `]` switched out of sight', async () => {
    const page = await openPage('/s/out1')
    await page.locator('.row-fork').waitFor()
    await page.keyboard.press('G')
    await expect.poll(() => page.locator('.row-fork').count()).toBe(0)
    await page.keyboard.press(']')
    await page.getByRole('status').getByText('Fork above: branch 1 of 2, abandoned').waitFor()
  })

  it('reports an entry in the address that another session has, or none', async () => {
    const elsewhere = await openPage(`/s/rew1?at=${uuid(AGENTS, 'a15')}`)
    await elsewhere.getByRole('status').getByText('is in another session').waitFor()
    await elsewhere.getByRole('link', { name: 'Go there' }).click()
    await elsewhere.waitForURL(/\/s\/age1\?at=/)
    await expect.poll(() => textsOn(elsewhere)).toContain('Somebody saw it')
    const nowhere = await openPage('/s/rew1#ffffffff-ffff-4fff-8fff-ffffffffffff')
    await nowhere.getByText('This session has no entry ffffffff').waitFor()
    await expect.poll(takeFaults).toHaveLength(1)
  })

  it('[A3] leads to subagents from their count and from the outline, in the color of their lane', async () => {
    const page = await openPage('/s/age1')
    await textsOn(page)
    await page.getByRole('button', { name: '2 subagents' }).click()
    await expect.poll(() => textsOn(page)).toContain('It was seen')
    const colors = await page.evaluate(() =>
      ['.outline-item.of-agent', '.lanes .lane-agent'].map(
        part => document.querySelector(part)?.getAttribute('class') ?? '',
      ),
    )
    expect(colors).toEqual([expect.stringContaining('of-agent'), expect.stringContaining('lane-agent')])
    const other = await openPage('/s/age1')
    await other.locator('.outline-item.of-agent').click()
    await expect.poll(() => textsOn(other)).toContain('It was seen')
    await other.locator('.end-line').getByText('End of subagent').waitFor()
  })

  it('[S2] begins with shared history, folded and live', async () => {
    const page = await openPage('/s/fam2')
    await page.locator('.folded.shared').getByText('Shared history').waitFor()
    await page.locator('.folded.shared').getByRole('button', { name: 'Open' }).click()
    await expect.poll(() => textsOn(page)).toContain('Begun')
    expect(await page.locator('.row[data-live="false"]').count()).toBe(0)
    expect(await page.locator('.tag').count()).toBe(0)
    await page.locator('.session-search input').fill('begun')
    await page.locator('.session-search .hits').getByText('1').waitFor()
  })

  it('shows names that the user gives while the page is open', async () => {
    const page = await openPage('/s/com1')
    await textsOn(page)
    home().name(
      JSON.stringify({
        ...JSON.parse(LABELS),
        labels: [{ kind: 'session', id: 'com1', name: 'Given late' }],
      }),
    )
    await page.getByRole('heading', { name: 'Given late' }).waitFor()
    home().name(LABELS)
  })

  it('[C3] shows what a compaction removed, and its summary', async () => {
    const page = await openPage('/s/com1')
    await page.locator('.compaction').getByText('Claude no longer has the 2 messages above').waitFor()
    // What is on the current branch and not in context does not look like what is.
    const isDotted = (text: string): Promise<boolean> =>
      page
        .locator('.row', { hasText: text })
        .locator('.row-main')
        .first()
        .evaluate(main => getComputedStyle(main).borderInlineStartStyle === 'dotted')
    expect([await isDotted('Old answer'), await isDotted('New words')]).toEqual([true, false])
    expect(await textsOn(page)).toContain('Old answer')
    await page.getByRole('button', { name: /^Summary/ }).click()
    await expect.poll(() => textsOn(page)).toContain('What was before')
  })

  it('shows what the client wraps in tags without them, and keeps them in the record', async () => {
    const page = await openPage('/s/tag1')
    await page.getByText('Please look at it').first().waitFor()
    const shown = (await page.locator('main').textContent()) ?? ''
    expect(shown).not.toMatch(/ide_opened_file|command-name|task-notification/)
    expect(shown).toMatch(/\/review.*12/)
  })

  it('explains why a row is here, and shows its record', async () => {
    const page = await openPage('/s/rew1')
    await page.locator('.row').nth(1).hover()
    await page.locator('.row').nth(1).getByRole('button', { name: 'Row actions' }).click()
    await page.locator('.row').nth(1).getByRole('button', { name: 'Why' }).click()
    await page.getByRole('dialog').getByText('the next request carries it').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.row').nth(1).getByRole('button', { name: 'Row actions' }).click()
    await page.locator('.row').nth(1).getByRole('button', { name: 'Raw' }).click()
    expect(await page.getByRole('dialog').locator('pre').textContent()).toContain('"Which way?"')
  })

  it('[V22] the actions of a row are all in the window of a phone, also of the lowest row', async () => {
    const page = await openPage('/s/rew1', { width: 390, height: 844 })
    for (const row of [page.locator('.row').first(), page.locator('.row').last()]) {
      const open = row.getByRole('button', { name: 'Row actions' })
      await open.scrollIntoViewIfNeeded()
      await open.click()
      const buttons = row.locator('.actions-list button')
      await buttons.first().waitFor()
      const boxes = await buttons.evaluateAll(all => all.map(each => each.getBoundingClientRect().toJSON()))
      expect(Math.min(...boxes.map(({ left }) => left))).toBeGreaterThanOrEqual(0)
      expect(Math.max(...boxes.map(({ right }) => right))).toBeLessThanOrEqual(390)
      expect(Math.max(...boxes.map(({ bottom }) => bottom))).toBeLessThanOrEqual(844)
      expect(Math.min(...boxes.map(({ height }) => height))).toBeGreaterThanOrEqual(24)
      await page.keyboard.press('Escape')
    }
  })

  it.each([390, 768, 1024, 1280])(
    'the bar of a session shows words whole or not at all at %i px',
    async width => {
      const page = await openPage('/s/rew1?find=way', { width })
      const bar = page.locator('.session-bar')
      await bar.waitFor()
      const cut = await bar.evaluate(element =>
        [...element.querySelectorAll('button, span, label')]
          .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
          .map(({ textContent }) => textContent),
      )
      expect(cut).toEqual([])
    },
  )

  it.each([390, 768, 1024, 1440])('keeps long words and lines in their column at %i px', async width => {
    const page = await openPage('/s/wid1?level=all', { width, height: 4500 })
    await page.locator('.tool').nth(3).waitFor()
    await page.keyboard.press('e')
    await page.locator('.diff mark').first().waitFor()
    await page.getByText('Queued, never sent').first().waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    const beside = await page.evaluate(() => {
      const isClipped = (element: Element | null): boolean =>
        element !== null &&
        (getComputedStyle(element).overflowX !== 'visible' || isClipped(element.parentElement))
      const edge = document.querySelector('.row-main')?.getBoundingClientRect().right ?? 0
      return [...document.querySelectorAll('.row-main *')]
        .filter(element => element.getBoundingClientRect().right > edge + 1)
        .filter(element => !isClipped(element.parentElement))
        .map(({ outerHTML }) => outerHTML.slice(0, 200))
    })
    expect(beside).toEqual([])
    const scrolling = await page.evaluate(() =>
      [...document.querySelectorAll('.code, .diff')]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(element => element.getAttribute('tabindex')),
    )
    expect([...new Set(scrolling)]).toEqual(['0'])
  })

  it('copies code, commands, outputs, diffs and ids, and says so; pictures enlarge', async () => {
    const page = await openPage('/s/wid1', { height: 3000 })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.locator('.tool').nth(3).waitFor()
    await page.keyboard.press('e')
    const copied = async (name: string): Promise<string> => {
      const button = page.getByRole('button', { name, exact: true }).first()
      await button.click({ force: true })
      await page.getByText('Copied').first().waitFor()
      return await page.evaluate(() => navigator.clipboard.readText())
    }
    expect(await copied('Copy code')).toBe(LONG_LINE)
    expect(await copied('Copy command')).toBe(`echo ${LONG_WORD}\necho done`)
    expect(await copied('Copy diff')).toBe(`-${LONG_LINE}\n+${LONG_LINE}two`)
    expect(await copied('Copy output')).toBe(LONG_WORD)
    expect(await copied('Copy path')).toBe(`/x/${LONG_WORD}.ts`)
    expect(await copied('Copy id')).toBe('wid1')
    await page.getByRole('button', { name: 'Enlarge' }).click()
    await page.getByRole('dialog', { name: 'Image' }).getByRole('img').waitFor()
    await page.keyboard.press('Escape')
    expect(await axeFaults(page)).toEqual([])
  })

  it('moves by keys', async () => {
    const page = await openPage('/s/rew1')
    await textsOn(page)
    const here = (): Promise<string | null> => page.locator('.row.is-here .row-main').textContent()
    await page.keyboard.press('j')
    expect(await here()).toContain('Fix the rounding')
    await page.keyboard.press('j')
    expect(await here()).toContain('Which way?')
    await page.keyboard.press('n')
    expect(await here()).toContain('Round once, at the end')
    await page.keyboard.press('1')
    await expect.poll(() => textsOn(page)).toEqual(['Fix the rounding', 'Round once, at the end'])
    await page.keyboard.press('3')
    await page.keyboard.press('G')
    expect(await here()).toContain('Rounded once')
  })

  it('[L5] grows, and keeps the position of the reader', async () => {
    const [file] = shaped(GROWING, '-home-dev-growing')
    const page = await openPage('/s/gro1')
    await textsOn(page)
    await page.evaluate(() => window.scrollTo(0, 900))
    const before = await settledRows(page)
    const [grown] = shaped(`${GROWING} u600"Something new" a600"Something newer"`, '-home-dev-growing')
    home().append(file?.path ?? '', (grown?.text ?? '').slice(file?.text.length))
    await page.getByRole('button', { name: '2 new messages' }).waitFor()
    expect(await visibleRows(page)).toEqual(before)
    await page.getByRole('button', { name: '2 new messages' }).click()
    await page.getByText('Something newer').first().waitFor()
  })

  it('draws little of a long session, and keeps the row of the reader while others come and go', async () => {
    const page = await openPage('/s/lon1')
    await expect.poll(() => page.locator('.row').count()).toBeGreaterThan(3)
    const count = (): Promise<number> => page.evaluate(() => document.querySelectorAll('*').length)
    for (const share of [0.3, 0.9, 0.5]) {
      await page.evaluate(part => window.scrollTo(0, document.documentElement.scrollHeight * part), share)
      await settledRows(page)
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
      await settledRows(page)
      const box = await row.boundingBox()
      expect(box?.y).toBeGreaterThan(0)
      expect(box?.y).toBeLessThan(800)
    }
  })

  it.each(['/s/rew1', '/s/age1', '/s/com1'])('%s has no serious accessibility fault', async path => {
    const page = await openPage(path)
    await textsOn(page)
    for (const open of await page.locator('.folded-open, .agent-line').all()) await open.click()
    await settledRows(page)
    expect(await axeFaults(page)).toEqual([])
  })

  it.each([390, 768, 1440])(
    '[V22] fits %d pixels with long words, and has no accessibility fault',
    async width => {
      const page = await openPage('/s/rea1?level=all', { width })
      await textsOn(page)
      await page
        .locator('[aria-expanded=false]:is(.tool-line, .fold-line)')
        .evaluateAll((lines: HTMLElement[]) => {
          for (const line of lines) line.click()
        })
      await settledRows(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      expect(await axeFaults(page, 'moderate')).toEqual([])
    },
  )

  it('[V22] a call whose result is blank says so', async () => {
    const page = await openPage('/s/sil1')
    await textsOn(page)
    await page.locator('.tool-body').getByText('No output.').waitFor()
  })

  it.each([768, 820, 1024])(
    '[V22] the bar of a session of many thousand rows fits %d pixels',
    async width => {
      const page = await openPage('/s/rea1', { width })
      await textsOn(page)
      await page.locator('.bar-place').evaluate(place => {
        place.textContent = '123,456 / 123,456'
      })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    },
  )

  it('[V22] dim output, and output on a ground of its own, can be read in every color', async () => {
    const page = await openPage('/s/rea1')
    await textsOn(page)
    await page
      .locator('.row .md')
      .first()
      .evaluate(text => {
        const colors = Array.from(
          { length: 16 },
          (_, color) => `<span class="color-${color} dim">word</span>`,
        )
        const grounds = colors.map((each, at) => each.replace(' dim', ` background-${(at * 5) % 16}`))
        text.innerHTML = `<pre class="output"><code><span class="dim">word</span> ${[...colors, ...grounds].join(' ')}</code></pre>`
      })
    expect(await axeFaults(page)).toEqual([])
  })

  it('[V22] changed words of a diff can be read in every syntax color', async () => {
    const page = await openPage('/s/rea1')
    await textsOn(page)
    await page
      .locator('.row .md')
      .first()
      .evaluate(text => {
        const scopes = ['comment', 'keyword', 'string', 'number', 'title', 'type', 'attr', 'literal']
        const words = scopes.map(scope => `<mark><span class="h-${scope}">word</span></mark>`).join(' ')
        text.innerHTML = `<pre class="diff"><code><span class="diff-row removed">${words}</span><span class="diff-row added">${words}</span></code></pre>`
      })
    expect(await axeFaults(page)).toEqual([])
  })

  it('[V24] keeps the focus in the conversation when a branch opens or closes', async () => {
    const page = await openPage('/s/rew1')
    await textsOn(page)
    await page.locator('.row-folded').focus()
    await page.locator('.folded').getByRole('button', { name: 'Open' }).press('Enter')
    const focused = (): Promise<string | null> =>
      page.evaluate(() => document.activeElement?.closest('.row')?.getAttribute('aria-label') ?? null)
    await expect.poll(focused).toMatch(/Use a decimal library/)
    await page.locator('.branch-head').getByRole('button', { name: 'Close' }).press('Enter')
    await expect.poll(focused).toMatch(/^Abandoned branch, folded/)
  })

  it('fits a phone, with the outline in a drawer', async () => {
    const page = await openPage('/s/rew1', { width: 390, height: 844 })
    await textsOn(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    expect(await page.locator('.outline').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Outline' }).click()
    await page.locator('.outline-item').first().waitFor({ state: 'visible' })
  })

  it('reports an unknown session', async () => {
    const page = await openPage('/s/nowhere')
    await page.getByRole('alert').getByText('Session not found').waitFor()
    expect(takeFaults()).toHaveLength(1)
  })
})

/** Waits until the rows stay where they are for some frames, and returns them. */
async function settledRows(page: Page): Promise<readonly string[]> {
  let before: readonly string[] = []
  for (let same = 0, tries = 0; same < 3 && tries < 100; tries++) {
    await nextFrames(page)
    const now = await visibleRows(page)
    same = now.length > 0 && now.join() === before.join() ? same + 1 : 0
    before = now
  }
  return before
}

/** The visible rows and their distances from the top of the window. */
async function visibleRows(page: Page): Promise<readonly string[]> {
  return page.locator('.row').evaluateAll(rows =>
    rows
      .map(row => ({ node: row.getAttribute('data-node'), top: Math.round(row.getBoundingClientRect().top) }))
      .filter(({ top }) => top > 0 && top < window.innerHeight)
      .map(({ node, top }) => `${top} ${node}`),
  )
}

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
