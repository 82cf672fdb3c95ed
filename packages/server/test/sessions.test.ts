import { appendFileSync, cpSync, readFileSync, renameSync, rmSync, symlinkSync, truncateSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  cardsIn,
  type GivenLabel,
  type HealthPage,
  type Home,
  type NodeLocation,
  type RowContent,
  type SearchPage,
  type ServerEvent,
  type Sheet,
  type SheetUpdate,
  type Why,
} from '@dagline/core/protocol'
import { addTags, changeLabels, giveName, giveNote } from '@dagline/store'
import { expandShape, until as untilIt } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { serveFolder, temporaryFolder, type World, writeFiles, writeShape } from './world.js'

const RECORDINGS = fileURLToPath(new URL('../../../fixtures/recordings/', import.meta.url))
const PROJECT = '-home-dev-proj'

async function serveShape(text: string): Promise<World & { readonly uuid: (token: string) => string }> {
  const root = temporaryFolder()
  const { uuid } = writeShape(root, text)
  return { ...(await serveFolder(root)), uuid }
}

async function serveRecording(name: string): Promise<World> {
  const root = temporaryFolder()
  cpSync(join(RECORDINGS, name, 'projects'), root, { recursive: true })
  return await serveFolder(root)
}

describe('home', () => {
  it('lists sessions with their figures, parents and cost', async () => {
    const { value } = await serveRecording('2.1.325/s12_fork_session')
    const home = await value<Home>('/api/home')
    expect([home.sessions, home.rows, cardsIn(home).length]).toEqual([3, 3, 3])
    expect(home.isSample).toBe(false)
    for (const card of cardsIn(home)) {
      expect(card.turns).toBeGreaterThan(0)
      expect(card.cost).toBeGreaterThan(0)
      expect(card.prompt).not.toBeNull()
      expect(card.shape?.rows).toBeGreaterThan(0)
    }
    expect(cardsIn(home).filter(({ parent }) => parent !== null)).toHaveLength(2)
  })

  it('[X9] sends some rows of the list, filtered and sorted, with the figures of all of it', async () => {
    const root = temporaryFolder()
    const names = Array.from({ length: 230 }, (_, nth) => `s${1000 + nth}`)
    const shapes = names.map((name, nth) => `${name}: u${nth}"Number ${nth}"@+${nth + 1}h a${nth}`)
    writeShape(root, shapes.join('\n'))
    const { value } = await serveFolder(root)
    const ask = (query: string): Promise<Home> => value<Home>(`/api/home${query}`)
    const shown = (home: Home): readonly string[] => cardsIn(home).map(({ session }) => session)
    const newest = names.toReversed()
    const first = await ask('')
    expect([shown(first), first.from, first.rows]).toEqual([newest.slice(0, 100), 0, 230])
    expect(first.sums).toMatchObject({ sessions: 230, projects: 1 })
    expect(shown(await ask('?from=200'))).toEqual(newest.slice(200))
    expect(shown(await ask('?from=50&count=3'))).toEqual(newest.slice(50, 53))
    const found = await ask('?q=number+22&count=5')
    expect([shown(found), found.rows, found.sessions]).toEqual([newest.slice(0, 5), 12, 230])
    expect(found.version).toBe(first.version)
    const grouped = await ask('?group=project&count=2')
    expect(grouped.items.map(({ kind }) => kind)).toEqual(['project', 'session'])
    expect([grouped.rows, grouped.projects]).toMatchObject([231, [{ sessions: 230 }]])
    appendFileSync(join(root, PROJECT, 's1000.jsonl'), expandShape('s1000: u900@+9999d').files[0]?.text ?? '')
    const changed = await until(
      () => ask('?count=1'),
      home => shown(home)[0] === 's1000',
    )
    expect(changed.version).toBeGreaterThan(first.version)
  })

  it('is available at once, empty, while there is no index', async () => {
    const root = temporaryFolder()
    writeShape(root, 's1: u1 a1')
    const { ask } = await serveFolder(root, { isReady: false })
    const { status, body } = await ask('/api/home')
    expect(status).toBe(200)
    expect(JSON.parse(body).value.sync.state).toMatch(/running|done/)
  })
})

describe('unreadable files', () => {
  it('[P11] are listed on home and health, folders and links included', async () => {
    const root = temporaryFolder()
    writeShape(root, 's1: u1 a1')
    symlinkSync('loop', join(root, 'loop'))
    const { value } = await serveFolder(root, {})
    const path = join(root, 'loop')
    const message = 'The link leads to itself.'
    expect((await value<Home>('/api/home')).sync.unread).toEqual([{ path, message }])
    expect((await value<HealthPage>('/api/health')).unread).toMatchObject([{ file: path, message }])
  })
})

describe('a session', () => {
  it('is found by its id and by a unique prefix of it', async () => {
    const { value, ask } = await serveShape('abc1: u1 a1\nabd2: u2 a2')
    expect((await value<Sheet>('/api/sessions/abc1')).session.id).toBe('abc1')
    expect((await value<Sheet>('/api/sessions/abd')).session.id).toBe('abd2')
    const several = await ask('/api/sessions/ab')
    expect([several.status, several.body]).toEqual([404, expect.stringContaining('2 sessions begin with ab')])
    expect((await ask('/api/sessions/zz')).body).toContain('No session begins with zz.')
  })

  it('is sent as a sheet, then as differences from it', async () => {
    const { value, root } = await serveShape('s1: u1 a1 u2 a2')
    const first = await value<Sheet>('/api/sessions/s1')
    expect(first.rows.node).toHaveLength(4)
    const same = await value<SheetUpdate>(`/api/sessions/s1?known=${first.version}`)
    expect([same.keep, same.sheet.rows.node, same.sheet.version]).toEqual([4, [], first.version])
    const grown = expandShape('s1: u1 a1 u2 a2 u3 a3').files[0]?.text ?? ''
    const before = readFileSync(join(root, PROJECT, 's1.jsonl'), 'utf8')
    appendFileSync(join(root, PROJECT, 's1.jsonl'), grown.slice(before.length))
    const update = await until(
      () => value<SheetUpdate>(`/api/sessions/s1?known=${first.version}`),
      ({ sheet }) => sheet.version !== first.version,
    )
    expect([update.keep, update.sheet.rows.node.length]).toEqual([4, 2])
    const whole = await value<Sheet>('/api/sessions/s1')
    expect([...first.rows.node.slice(0, update.keep), ...update.sheet.rows.node]).toEqual(whole.rows.node)
    expect([...first.words.slice(0, update.keepWords), ...update.sheet.words]).toEqual(whole.words)
    expect([...first.live.slice(0, update.keepLive), ...update.sheet.live]).toEqual(whole.live)
    expect([update.keepWords, update.keepLive]).toEqual([2, 4])
    const { sheet: anew } = await (await serveFolder(root)).value<SheetUpdate>('/api/sessions/s1?known=never')
    expect(anew.lines[0]?.tokens).toBeGreaterThan(first.lines[0]?.tokens ?? 0)
    expect(whole.lines).toEqual(anew.lines)
    const unknown = await value<SheetUpdate>('/api/sessions/s1?known=never')
    expect([unknown.keep, unknown.sheet]).toEqual([0, whole])
  })

  it('[I2] equals a session that is read again, after growth, truncation and replacement', async () => {
    const { value, root } = await serveShape('s1: u1 a1[t1]')
    const path = join(root, PROJECT, 's1.jsonl')
    const texts = ['s1: u1 a1[t1] r1[t1] a2', 's1: u1 a1[t1] r1[t1] a2 / s1: a1 > u3 a3', 's1: u9 a9'].map(
      shape => expandShape(shape).files[0]?.text ?? '',
    )
    const nodes = async (): Promise<readonly string[]> => (await value<Sheet>('/api/sessions/s1')).rows.node
    await nodes()
    appendFileSync(path, (texts[0] ?? '').slice(readFileSync(path, 'utf8').length))
    await until(nodes, found => found.length === 4)
    const torn = (texts[1] ?? '').slice((texts[0] ?? '').length)
    appendFileSync(path, torn.slice(0, 100))
    await new Promise(resolve => setTimeout(resolve, 500))
    appendFileSync(path, torn.slice(100))
    const all = await until(nodes, found => found.length === 6)
    const fresh = await serveFolder(root)
    expect((await fresh.value<Sheet>('/api/sessions/s1')).rows).toEqual(
      (await value<Sheet>('/api/sessions/s1')).rows,
    )
    expect(all).toHaveLength(6)
    writeFiles(root, { [`${PROJECT}/new`]: texts[2] ?? '' })
    renameSync(join(root, PROJECT, 'new'), path)
    await until(nodes, found => found.length === 2)
    truncateSync(path, (texts[2] ?? '').indexOf('\n') + 1)
    await until(nodes, found => found.length === 1)
    const content = await value<RowContent[]>('/api/sessions/s1/contents?from=0&to=5')
    expect(JSON.stringify(content)).toContain('u9')
  })

  it('has the current names, tags and notes', async () => {
    const root = temporaryFolder()
    const shape = writeShape(root, 's1: u1 a1 u2 a2\ns2: u3 a3')
    const labels = join(temporaryFolder(), 'names.json')
    const { value } = await serveFolder(root, { labels })
    expect(cardsIn(await value<Home>('/api/home')).map(({ label }) => label)).toEqual([null, null])
    const session = { kind: 'session', id: 's1', session: 's1' } as const
    const entry = { kind: 'entry', id: shape.uuid('a2'), session: 's1' } as const
    changeLabels(all => addTags(giveName(all, session, 'The affair'), session, ['money']), labels)
    changeLabels(all => giveNote(all, entry, 'this is it'), labels)
    const given = { kind: 'session', id: 's1', name: 'The affair', tags: ['money'], note: null }
    const sessions = cardsIn(await value<Home>('/api/home'))
    expect(sessions.find(card => card.session === 's1')?.label).toEqual(given)
    expect(await value<GivenLabel[]>('/api/sessions/s1/labels')).toEqual([
      { kind: 'entry', id: entry.id, name: null, tags: [], note: 'this is it' },
      given,
    ])
    expect(await value<GivenLabel[]>('/api/sessions/s2/labels')).toEqual([])
    writeFiles(dirname(labels), { 'names.json': 'no names' })
    expect(await value<GivenLabel[]>('/api/sessions/s1/labels')).toEqual([])
  })

  it('cannot be exported without an exporter', async () => {
    const { ask } = await serveShape('s1: u1 a1')
    const refused = await ask('/api/export/s1.html')
    expect([refused.status, refused.body]).toEqual([404, expect.stringContaining('dagline export')])
    for (const path of ['/api/export/..%2Fs1.html', '/api/export/s1.html?secrets=all'])
      expect((await ask(path)).status).toBeGreaterThanOrEqual(400)
  })

  it('is gone when its file is deleted', async () => {
    const { value, root, ask } = await serveShape('s1: u1 a1')
    await value('/api/sessions/s1')
    rmSync(join(root, PROJECT, 's1.jsonl'))
    await until(
      () => ask('/api/sessions/s1'),
      ({ status }) => status === 404,
    )
  })
})

describe('contents', () => {
  it('[T1] joins calls with their results, and with the subagents they started', async () => {
    const { value } = await serveRecording('2.1.325/s05_subagent')
    const sessions = cardsIn(await value<Home>('/api/home'))
    const id = sessions.find(({ agents }) => agents > 0)?.session ?? ''
    const sheet = await value<Sheet>(`/api/sessions/${id}`)
    const rows = await value<RowContent[]>(`/api/sessions/${id}/contents?from=0&to=${sheet.rows.node.length}`)
    expect(rows.map(({ node }) => node)).toEqual(sheet.rows.node)
    const calls = rows.flatMap(({ blocks }) => blocks.filter(block => block.kind === 'call'))
    expect(calls.length).toBeGreaterThan(1)
    for (const call of calls) expect(call.result).toMatchObject({ state: 'ok', node: expect.any(String) })
    const agent = calls.find(call => call.agent !== null)
    expect(agent?.name).toBe('Agent')
    expect(sheet.lines[agent?.agent ?? -1]?.kind).toBe('agent')
    const spent = rows.flatMap(({ usage }) => usage ?? [])
    const messages = new Set(rows.flatMap(({ model, node }) => (model === null ? [] : [node]))).size
    expect(spent.length).toBeGreaterThan(0)
    expect(spent.length).toBeLessThanOrEqual(messages)
    expect(spent.every(({ cost }) => cost !== null && cost > 0)).toBe(true)
  })

  it('[T3] have the usage of a message once, at its first row', async () => {
    const { value } = await serveRecording('2.1.325/s03_parallel_tools')
    const [card] = cardsIn(await value<Home>('/api/home'))
    const rows = await value<RowContent[]>(`/api/sessions/${card?.session}/contents?from=0&to=500`)
    const output = rows.reduce((sum, { usage }) => sum + (usage?.cost ?? 0), 0)
    expect(output).toBeCloseTo(card?.cost ?? -1, 10)
  })

  it('read a result that was too large for the transcript from its own file', async () => {
    const { value, ask } = await serveRecording('2.1.325/s22_large_output')
    const [card] = cardsIn(await value<Home>('/api/home'))
    const rows = await value<RowContent[]>(`/api/sessions/${card?.session}/contents?from=0&to=500`)
    const results = rows.flatMap(({ blocks }) =>
      blocks.flatMap(block =>
        block.kind === 'call' && block.result !== null ? [{ ...block.result, id: block.id }] : [],
      ),
    )
    const spilled = results.find(({ state }) => state === 'spilled')
    expect(spilled?.text.text.startsWith('<persisted-output>')).toBe(false)
    expect(spilled?.text.cut).toBeGreaterThan(24_000)
    const { body } = await ask(`/api/nodes/${spilled?.node}/text?block=${spilled?.id}`)
    expect(body.length).toBe(spilled?.text.cut)
    expect(body.startsWith(spilled?.text.text ?? 'x')).toBe(true)
  })

  it('serve images with their media type', async () => {
    const { value, ask } = await serveRecording('2.1.325/s24i_mcp')
    const [card] = cardsIn(await value<Home>('/api/home'))
    const { body } = await ask(`/api/sessions/${card?.session}/contents?from=0&to=500`)
    expect(body).not.toContain('iVBORw0KGgo')
    const hrefs = [...body.matchAll(/"href":"([^"]+)"/g)].map(([, href]) => href ?? '')
    expect(hrefs.length).toBeGreaterThan(0)
    for (const href of hrefs) {
      const picture = await ask(href)
      expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/png'])
      expect(picture.body).toContain('PNG')
    }
  })

  it('cut long texts, and return them whole on request', async () => {
    const long = 'word '.repeat(20_000)
    const { value, ask, uuid } = await serveShape(`s1: u1"${long}" a1`)
    const [row] = await value<RowContent[]>('/api/sessions/s1/contents?from=0&to=1')
    const block = row?.blocks[0]
    expect(block?.kind === 'text' ? [block.text.text.length, block.text.cut] : []).toEqual([
      24_000,
      long.length,
    ])
    expect((await ask(`/api/nodes/${uuid('u1')}/text?block=0`)).body).toBe(long)
    expect((await ask(`/api/nodes/${uuid('u1')}/text?block=7`)).status).toBe(404)
  })

  it('reject invalid queries, in one sentence', async () => {
    const { ask } = await serveShape('s1: u1 a1')
    for (const query of [
      '',
      '?from=0',
      '?from=a&to=b',
      '?from=-1&to=2',
      '?from=0&to=99999999',
      '?from=0.5&to=1',
    ]) {
      const { status, body } = await ask(`/api/sessions/s1/contents${query}`)
      expect([query, status, JSON.parse(body).ok]).toEqual([query, 400, false])
    }
    const none = await ask('/api/sessions/s1/contents?from=50&to=60')
    expect(JSON.parse(none.body).value).toEqual([])
  })

  it('stay text, whatever a transcript contains', async () => {
    const attack = '<img src=x onerror=alert(1)><script>alert(2)</script>'
    const { ask } = await serveShape(`s1: u1"${attack}" a1`)
    const { body, headers } = await ask('/api/sessions/s1/contents?from=0&to=2')
    expect(headers['content-type']).toBe('application/json')
    expect(JSON.parse(body).value[0].blocks[0].text.text).toBe(attack)
  })
})

describe('a node', () => {
  it('is found by its uuid, with its explanation and its raw row', async () => {
    const { value, ask, uuid, root } = await serveShape('s1: u1 a1 u2 a2 / s1: a1 > u3 a3')
    const location = await value<NodeLocation>(`/api/nodes/${uuid('u2')}`)
    expect(location).toEqual({ session: 's1' })
    expect((await ask(`/api/nodes/${uuid('u2').slice(0, 13)}`)).body).toContain('6 entries begin with')
    const why = await value<Why>(`/api/nodes/${uuid('u2')}/why`)
    expect([why.row, why.live]).toEqual([3, false])
    expect(why.because.map(({ rule }) => rule)).toContain('F12')
    const { body, headers } = await ask(`/api/nodes/${uuid('u2')}/raw`)
    expect(body).toBe(readFileSync(join(root, PROJECT, 's1.jsonl'), 'utf8').split('\n')[2])
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect((await ask(`/api/nodes/${uuid('u9')}`)).status).toBe(404)
  })

  it('of a subagent leads to the session that started it, in every layout', async () => {
    const { value, uuid } = await serveShape(
      's1: u1 a1[t1:Task>x] r1[t1>x] a2\ns1/x: u2 a3\ns2: u4 a4[t2:Task>y] r4[t2>y] a5\ns2+y: u5 a6',
    )
    expect((await value<NodeLocation>(`/api/nodes/${uuid('a3')}`)).session).toBe('s1')
    expect((await value<NodeLocation>(`/api/nodes/${uuid('a6')}`)).session).toBe('s2')
  })
})

describe('search', () => {
  it('[H5] finds prefixes, with filters, labels and pages', async () => {
    const { value, ask, uuid } = await serveShape(
      's1: u1"find the walrus" a1 u2"the walrus again" a2 / s1: a1 > u3"another walrus" a3',
    )
    const page = await value<SearchPage>('/api/search?q=walr')
    expect(page.hits.map(({ node }) => node).sort()).toEqual([uuid('u1'), uuid('u2'), uuid('u3')].sort())
    expect(page.hits[0]).toMatchObject({ session: 's1', actor: 'Human' })
    expect(page.hits.every(({ snippet }) => snippet[1] === 'walr' && snippet.length === 3)).toBe(true)
    const left = await value<SearchPage>('/api/search?q=walrus&branch=abandoned')
    expect(left.hits.map(({ node, label }) => [node, label?.live])).toEqual([[uuid('u2'), false]])
    const first = await value<SearchPage>('/api/search?q=walrus&limit=2')
    const rest = await value<SearchPage>(`/api/search?q=walrus&limit=2&below=${first.below}`)
    expect([...first.hits, ...rest.hits].map(({ node }) => node)).toEqual(page.hits.map(({ node }) => node))
    expect(rest.below).toBeNull()
    expect([page.total, page.isComplete, page.note]).toEqual([3, true, null])
    const typo = await value<SearchPage>('/api/search?q=warlus')
    expect([typo.total, typo.note]).toEqual([3, 'No entry has "warlus"; searched for "walrus".'])
    expect(typo.hits.every(({ snippet }) => snippet[1] === 'walrus')).toBe(true)
    expect(page.hits.at(-1)?.node).toBe(uuid('u2'))
    const byTime = await value<SearchPage>('/api/search?q=walr&sort=time')
    expect(byTime.hits.map(({ node }) => node)).toEqual([uuid('u3'), uuid('u2'), uuid('u1')])
    expect((await value<SearchPage>('/api/search?q=walrus&role=claude,tool')).hits).toEqual([])
    expect((await value<SearchPage>('/api/search?q=')).hits).toEqual([])
    for (const wrong of ['role=walrus', 'since=soon', 'regex=(', 'branch=other', 'sort=size', 'limit=x'])
      expect([wrong, (await ask(`/api/search?q=walrus&${wrong}`)).status]).toEqual([wrong, 400])
    expect((await value<SearchPage>('/api/search?q=walrus&until=2020')).hits).toEqual([])
  })
})

describe('a pattern that takes for ever', () => {
  it('[H7] is given up with a sentence, and another request is answered', async () => {
    const texts = [1, 2, 3, 4].map(nth => `u${nth}"${'a'.repeat(60)}b" a${nth}`)
    const { value } = await serveShape(`s1: ${texts.join(' ')}`)
    const search = value<SearchPage>('/api/search?regex=(a%2B)%2B%24')
    const [page, home] = await Promise.all([search, value('/api/home')])
    expect(page).toMatchObject({
      isComplete: false,
      warning: expect.stringContaining('takes too long on 3 texts'),
    })
    expect(home).toMatchObject({ sessions: expect.anything() })
  })
})

describe('events', () => {
  it('report the progress of the index, and which sessions changed', async () => {
    const { server, root } = await serveShape('s1: u1 a1\ns2: u2 a2')
    const events = await listen(server.port, server.token)
    await until(
      () => events,
      heard => heard.some(event => event.kind === 'sync' && event.status.state === 'done'),
    )
    const text = expandShape('s2: u2 a2 u3').files[0]?.text ?? ''
    const path = join(root, PROJECT, 's2.jsonl')
    appendFileSync(path, text.slice(readFileSync(path, 'utf8').length))
    await until(
      () => events,
      heard => heard.some(event => event.kind === 'changed' && event.sessions.includes('s2')),
    )
    expect(events.some(event => event.kind === 'changed' && event.sessions.includes('s1'))).toBe(false)
    writeShape(root, 's3: u5 a5')
    await until(
      () => events,
      heard => heard.some(event => event.kind === 'changed' && event.sessions.includes('s3')),
    )
  })

  it('report a subagent that grows beside its session', async () => {
    const { server, root } = await serveShape('s1: u1 a1[t1:Task>x]\ns1/x: u2')
    const events = await listen(server.port, server.token)
    const path = join(root, PROJECT, 's1/subagents/agent-x.jsonl')
    const text = expandShape('s1: u1 a1[t1:Task>x]\ns1/x: u2 a3').files[1]?.text ?? ''
    appendFileSync(path, text.slice(readFileSync(path, 'utf8').length))
    await until(
      () => events,
      heard => heard.some(event => event.kind === 'changed' && event.sessions.includes('s1')),
    )
  })
})

/** Hears the events of a server, as they come. */
async function listen(port: number, token: string): Promise<readonly ServerEvent[]> {
  const heard: ServerEvent[] = []
  const answer = await fetch(`http://127.0.0.1:${port}/api/events`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  const read = async (): Promise<void> => {
    let text = ''
    for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read()) {
      text += piece.value
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) if (part.startsWith('data: ')) heard.push(JSON.parse(part.slice(6)))
    }
  }
  read().catch(() => {})
  return heard
}

/** Asks until the answer is what it should be. While a file is replaced there may be no answer. */
async function until<T>(ask: () => Promise<T> | T, isIt: (value: T) => boolean): Promise<T> {
  let value: T | undefined
  await untilIt(async () => {
    value = await Promise.resolve(ask()).catch(() => undefined)
    return value !== undefined && isIt(value)
  })
  if (value === undefined) throw new RangeError('no answer')
  return value
}
