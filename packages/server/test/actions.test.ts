/** V26: actions of the page: previews, codes, and everything that is refused. */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openHistory, silentHost } from '@dagline/app'
import type { ActionOutcome, ActionPreview, ActionRequest } from '@dagline/core/protocol'
import { describe, expect, it } from 'vitest'
import { inOrder } from '../../app/test/edited-text.js'
import { ownFolder } from '../../app/test/own-folders.js'
import { type Answer, serveFolder, temporaryFolder, type World, writeShape } from './world.js'

ownFolder()

const SHAPE = 's1: u1 a1 u2 a2 u3 a3 / s1: a1 > u4@+30m a4'

interface Acting extends World {
  readonly uuid: (token: string) => string
  readonly post: (path: string, value: unknown, headers?: Readonly<Record<string, string>>) => Promise<Answer>
}

async function serveActions(options: Parameters<typeof serveFolder>[1] = {}): Promise<Acting> {
  const root = join(temporaryFolder(), 'projects')
  const { uuid } = writeShape(root, SHAPE)
  const world = await serveFolder(root, { hasActions: true, ...options })
  const post: Acting['post'] = (path, value, headers = {}) =>
    world.ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof value === 'string' ? value : JSON.stringify(value),
    })
  return { ...world, uuid, post }
}

function replyOf<T>({ body }: Answer): T {
  const reply = JSON.parse(body)
  if (reply.ok !== true) throw new Error(body)
  return reply.value
}

async function preview(world: Acting, request: ActionRequest): Promise<ActionPreview> {
  return replyOf<ActionPreview>(await world.post('/api/actions', request))
}

async function run(world: Acting, code: string): Promise<ActionOutcome> {
  return replyOf<ActionOutcome>(await world.post('/api/actions/run', { code }))
}

/** Every file below a root with the hash of its bytes. */
function filesOf(root: string): Readonly<Record<string, string>> {
  const names = readdirSync(root, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const hash = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')
  return Object.fromEntries(
    names.map(({ parentPath, name }) => [
      join(parentPath, name).slice(root.length),
      hash(join(parentPath, name)),
    ]),
  )
}

const status = ({ status: code, body }: Answer): string => `${code} ${JSON.parse(body).error?.code ?? 'ok'}`

describe('actions of the page', () => {
  it('[V26] a preview writes nothing, its code writes what the command writes, and undo removes it', async () => {
    const world = await serveActions()
    const before = filesOf(world.root)
    const request = { kind: 'checkout', ref: world.uuid('a3'), title: 'Other way' } as const
    const shown = await preview(world, request)
    expect(filesOf(world.root)).toEqual(before)
    expect(shown.command).toBe(`dagline checkout ${world.uuid('a3')} --title 'Other way'`)
    expect(shown.sentences.join(' ')).toMatch(
      /^Would write a new session of 7 rows into \S+\. A resume loads 6 entries\.$/,
    )

    const done = await run(world, shown.code)
    const [session = ''] = done.sessions
    const written = readFileSync(
      join(world.root, dirname(Object.keys(before)[0] ?? ''), `${session}.jsonl`),
      'utf8',
    )
    const history = openHistory({ host: silentHost([world.root]) })
    const { path, plan } = await history.edit.checkout(request.ref, {
      out: join(temporaryFolder(), 'other'),
      title: request.title,
      snapshot: false,
      dryRun: false,
      at: null,
    })
    history.close()
    expect(inOrder(written)).toBe(inOrder(readFileSync(path, 'utf8')))
    expect(plan.session).not.toBe(session)
    expect(done.resume).toContain(`claude --resume ${session}`)

    const undo = await preview(world, { kind: 'undo', number: done.edit })
    expect(undo.sentences[0]).toMatch(/^Undoes edit \d+ \(checkout of s1\): 1 file removed\.$/)
    await run(world, undo.code)
    expect(filesOf(world.root)).toEqual(before)
  })

  it.each<[string, (world: Acting) => ActionRequest, RegExp]>([
    ['fork', ({ uuid }) => ({ kind: 'fork', ref: uuid('a2'), title: null }), /A resume loads/],
    ['split', ({ uuid }) => ({ kind: 'split', session: 's1', at: uuid('u4') }), /Would write .*Would write/],
    [
      'pick',
      ({ uuid }) => ({ kind: 'pick', refs: [uuid('u2')], onto: 's1', title: null }),
      /A resume loads 6/,
    ],
    [
      'trim',
      () => ({ kind: 'trim', session: 's1', outputs: 5, images: true, thinking: true, progress: true }),
      /A resume loads 4/,
    ],
    ['archive', () => ({ kind: 'archive' }), /No transcript is changed/],
    ['restore', () => ({ kind: 'restore', session: 's1' }), /not overwritten/],
    [
      'label',
      () => ({ kind: 'label', ref: 's1', name: 'mine', tags: ['good'], note: null }),
      /the name mine/,
    ],
  ])('[V26] %s is previewed without a change', async (_, request, expected) => {
    const world = await serveActions()
    const before = filesOf(world.root)
    expect((await preview(world, request(world))).sentences.join(' ')).toMatch(expected)
    expect(filesOf(world.root)).toEqual(before)
  })

  it('[V26] names, tags and notes are those of the command', async () => {
    const world = await serveActions()
    const label = { kind: 'label', ref: 's1', name: 'mine', tags: ['good'], note: 'A note' } as const
    const { command, code } = await preview(world, label)
    expect(command).toBe("dagline name s1 mine && dagline tag s1 good && dagline note s1 'A note'")
    await run(world, code)
    const history = openHistory({ host: silentHost([world.root]) })
    expect(await history.find('mine')).toMatchObject({ kind: 'session', id: 's1' })
    expect([...history.labels().values()]).toEqual([
      expect.objectContaining({ id: 's1', name: 'mine', tags: ['good'], note: 'A note' }),
    ])
    history.close()
  })

  it('[V26] a code is valid once, and only a code is', async () => {
    const world = await serveActions()
    const { code } = await preview(world, { kind: 'fork', ref: world.uuid('a2'), title: null })
    await run(world, code)
    const before = filesOf(world.root)
    expect(status(await world.post('/api/actions/run', { code }))).toBe('404 gone')
    expect(status(await world.post('/api/actions/run', { code: 'guessed' }))).toBe('404 gone')
    expect(status(await world.post('/api/actions/run', {}))).toBe('400 invalid')
    expect(filesOf(world.root)).toEqual(before)
  })

  it('[V26] requests of other sites, of forms and without a token are refused', async () => {
    const world = await serveActions()
    const { server, ask } = world
    const before = filesOf(world.root)
    const body = JSON.stringify({ kind: 'fork', ref: world.uuid('a2'), title: null })
    const opened = await ask(`/?token=${server.token}`, { isStranger: true })
    const cookie = opened.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    const own = `http://127.0.0.1:${server.port}`
    const refused = async (headers: Readonly<Record<string, string>>): Promise<string> =>
      status(await ask('/api/actions', { method: 'POST', isStranger: true, headers, body }))
    const asked = { cookie, origin: own, 'content-type': 'application/json' }
    expect(await refused(asked)).toBe('200 ok')
    expect(await refused({ ...asked, cookie: '' })).toBe('401 no-token')
    expect(await refused({ ...asked, origin: 'http://evil.example' })).toBe('403 wrong-origin')
    expect(await refused({ ...asked, origin: 'null' })).toBe('403 wrong-origin')
    expect(await refused({ ...asked, 'sec-fetch-site': 'cross-site' })).toBe('403 wrong-origin')
    expect(await refused({ cookie, 'content-type': 'application/json' })).toBe('403 wrong-origin')
    expect(await refused({ ...asked, host: `evil.example:${server.port}` })).toBe('421 wrong-host')
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      expect(await refused({ ...asked, 'content-type': type })).toBe('415 wrong-type')
    expect(filesOf(world.root)).toEqual(before)
  })

  it.each([
    ['not JSON', '{"kind":', '400 invalid'],
    ['no action', { kind: 'format', ref: 'x' }, '400 invalid'],
    ['a part is missing', { kind: 'checkout' }, '400 invalid'],
    ['no such entry', { kind: 'checkout', ref: 'ffffffff', title: null }, '400 invalid'],
    ['nothing to undo', { kind: 'undo', number: 77 }, '400 invalid'],
    ['too large', { kind: 'checkout', ref: 'x'.repeat(70_000), title: null }, '413 too-large'],
  ])('[V26] refuses with a sentence: %s', async (_, value, expected) => {
    const world = await serveActions()
    const answer = await world.post('/api/actions', value)
    expect(status(answer)).toBe(expected)
    expect(JSON.parse(answer.body).error.message).toMatch(/^.+\.( .*)?$/)
  })

  it('[V26] other methods change nothing', async () => {
    const { ask } = await serveActions()
    for (const method of ['PUT', 'DELETE', 'PATCH'])
      expect(status(await ask('/api/actions', { method }))).toBe('405 wrong-method')
    expect(status(await ask('/api/home', { method: 'POST' }))).toBe('405 wrong-method')
  })

  it('[V26] a session that is being written is refused', async () => {
    const world = await serveActions()
    const folder = join(dirname(world.root), 'sessions')
    mkdirSync(folder)
    writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify({ sessionId: 's1' }))
    const answer = await world.post('/api/actions', { kind: 'fork', ref: world.uuid('a2'), title: null })
    expect(JSON.parse(answer.body).error.message).toContain('The session seems to be in use')
  })

  it('[V26] read-only, and samples, allow nothing', async () => {
    for (const options of [{ isReadOnly: true }, { hasActions: false }]) {
      const world = await serveActions(options)
      expect(await world.value('/api/actions')).toMatchObject({ isAllowed: false })
      const asked = { kind: 'fork', ref: world.uuid('a2'), title: null }
      expect(status(await world.post('/api/actions', asked))).toBe('403 read-only')
      expect(status(await world.post('/api/actions/run', { code: 'x' }))).toBe('403 read-only')
    }
  })
})
