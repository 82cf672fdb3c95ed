/** Searching over real files, in any index: what is found, what is said of it, and that it agrees with core. */
import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { IndexStore } from '../src/db/index-store.js'
import {
  discover,
  openRangeReader,
  type SearchOptions,
  search,
  searchPattern,
  syncRoot,
  type TextFilter,
} from '../src/index.js'
import { temporaryFolder, writeFiles } from './temporary.js'

const SESSION = '11111111-1111-4111-8111-111111111111'
const AGENT_FILE = `p/${SESSION}/subagents/agent-a1.jsonl`
const FILE = `p/${SESSION}.jsonl`

interface Turn {
  readonly id: string
  readonly parent: string | null
  readonly role?: 'user' | 'assistant'
  readonly content: unknown
  readonly more?: Readonly<Record<string, unknown>>
}

let clock = Date.parse('2026-05-01T10:00:00.000Z')

function row({ id, parent, role = 'user', content, more = {} }: Turn): string {
  clock += 1000
  const message =
    role === 'user' ? { role, content } : { role, id: `msg-${id}`, model: 'claude-opus-4-5', content }
  return `${JSON.stringify({
    type: role,
    uuid: uuid(id),
    parentUuid: parent === null ? null : uuid(parent),
    sessionId: SESSION,
    timestamp: new Date(clock).toISOString(),
    cwd: '/home/dev/shop',
    version: '2.1.197',
    message,
    ...more,
  })}\n`
}

function uuid(id: string): string {
  return `${Buffer.from(id).toString('hex').padStart(8, '0')}-0000-4000-8000-000000000000`
}

/** The entry of a uuid; `queue` for a hit that is not an entry. */
function idOf(node: string | null): string {
  return node === null ? 'queue' : Buffer.from(node.slice(0, 8), 'hex').toString().replaceAll('\0', '')
}

const says = (text: string) => [{ type: 'text', text }]

const CONVERSATION = [
  row({ id: 'u1', parent: null, content: 'Please look at src/app.ts and foo-bar' }),
  row({ id: 'a1', parent: 'u1', role: 'assistant', content: [{ type: 'thinking', thinking: 'hm, zebra' }] }),
  row({
    id: 'a2',
    parent: 'a1',
    role: 'assistant',
    content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'g++ main.cpp # C++ walrus' } }],
  }),
  row({
    id: 'r1',
    parent: 'a2',
    content: [
      { type: 'tool_result', tool_use_id: 't1', content: 'undefined reference walrus', is_error: true },
    ],
  }),
  row({ id: 'a3', parent: 'r1', role: 'assistant', content: says('The linker fails. 検索機能を直す。') }),
  row({ id: 'u2', parent: 'a3', content: 'left over giraffe' }),
  row({ id: 'a4', parent: 'u2', role: 'assistant', content: says('giraffe it is') }),
  row({
    id: 'a5',
    parent: 'a4',
    role: 'assistant',
    content: [
      { type: 'tool_use', id: 't2', name: 'Edit', input: { file_path: '/home/dev/shop/src/app.ts' } },
    ],
  }),
  row({ id: 'r2', parent: 'a5', content: [{ type: 'tool_result', tool_use_id: 't2', content: 'edited' }] }),
  row({ id: 'u3', parent: 'a3', content: 'instead an elephant' }),
  row({ id: 'a6', parent: 'u3', role: 'assistant', content: says('elephant then') }),
].join('')

const AGENT = [
  row({ id: 'g1', parent: null, content: 'explore the octopus', more: { isSidechain: true, agentId: 'a1' } }),
  row({
    id: 'g2',
    parent: 'g1',
    role: 'assistant',
    content: says('octopus found'),
    more: { isSidechain: true, agentId: 'a1', attributionAgent: 'Explore' },
  }),
].join('')

const OTHER = '22222222-2222-4222-8222-222222222222'

/** Another session that was forked off at an entry: its rows under new uuids, each with where it comes from. */
function goingOn(text: string, last: string): string {
  const renamed = (id: string): string => `ff${id.slice(2)}`
  const rows = text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  const kept = rows.slice(0, rows.findIndex(({ uuid: id }) => id === uuid(last)) + 1)
  const copies = kept.map(({ uuid: id, parentUuid, ...rest }) => ({
    ...rest,
    uuid: renamed(id),
    parentUuid: parentUuid === null ? null : renamed(parentUuid),
    sessionId: OTHER,
    forkedFrom: { sessionId: SESSION, messageUuid: id },
  }))
  return copies.map(copy => `${JSON.stringify(copy)}\n`).join('')
}

async function openShop(open: () => IndexStore) {
  const root = temporaryFolder()
  writeFiles(root, { [FILE]: CONVERSATION, [AGENT_FILE]: AGENT })
  const index = open()
  const update = async (): Promise<void> => {
    for (const found of discover([root])) await syncRoot(index, found)
  }
  await update()
  const ask = (text: string, more: Omit<SearchOptions, 'text'> = {}) =>
    search(index, openRangeReader(), { text, ...more })
  const ids = (text: string, more: Omit<SearchOptions, 'text'> = {}) =>
    ask(text, more)
      .hits.map(({ node }) => idOf(node))
      .sort()
  const match = (options: Parameters<typeof searchPattern>[2]) =>
    searchPattern(index, openRangeReader(), options)
  return { root, index, update, ask, ids, match }
}

/** Runs the cases on an index. */
export function searchContract(name: string, open: () => IndexStore): void {
  const shop = () => openShop(open)
  describe(`search: ${name}`, () => {
    it('[H1] finds words, phrases and punctuation as they are typed', async () => {
      const { ids } = await shop()
      expect(ids('src/app.ts')).toEqual(['a5', 'u1'])
      expect(ids('foo-bar')).toEqual(['u1'])
      expect(ids('"linker fails"')).toEqual(['a3'])
      expect(ids('"fails linker"')).toEqual([])
      expect(ids('C++')).toEqual(['a2'])
      expect(ids('c++ WALRUS')).toEqual(['a2'])
      expect(ids('zebra')).toEqual(['a1'])
      expect(ids('"unclosed')).toEqual([])
    })

    it('[H2] finds Japanese text without spaces', async () => {
      const { ids } = await shop()
      expect(ids('検索')).toEqual(['a3'])
      expect(ids('索検')).toEqual([])
    })

    it('[H4] says what is live, what is on an abandoned branch, and whose words they are', async () => {
      const { ask } = await shop()
      const [giraffe] = ask('giraffe', { filter: { fields: ['answer'] } }).hits
      expect(giraffe).toMatchObject({ live: false, line: { kind: 'branch', branchStatus: 'abandoned' } })
      const [elephant] = ask('elephant', { filter: { fields: ['answer'] } }).hits
      expect(elephant).toMatchObject({ live: true, line: { branchStatus: 'live', agent: null } })
      const [octopus] = ask('octopus', { filter: { fields: ['answer'] } }).hits
      expect(octopus?.line).toMatchObject({ agent: 'a1', agentName: 'Explore' })
    })

    it('[H4] [G7] an abandoned branch that goes on as a session of its own is abandoned and live', async () => {
      const { root, update, ask, ids } = await shop()
      writeFiles(root, { [`p/${OTHER}.jsonl`]: goingOn(CONVERSATION, 'a4') })
      await update()
      const [giraffe, ...more] = ask('giraffe', { filter: { fields: ['answer'] } }).hits
      expect(more).toEqual([])
      expect(giraffe).toMatchObject({ live: true, session: SESSION, line: { branchStatus: 'abandoned' } })
      expect(ids('giraffe', { filter: { branch: 'live' } })).toEqual(['a4', 'u2'])
      expect(ids('giraffe', { filter: { branch: 'abandoned' } })).toEqual(['a4', 'u2'])
      expect(ids('edited', { filter: { branch: 'live' } })).toEqual([])
    })

    it('[H5] filters by field, tool, file, agent, branch, session, time and failure', async () => {
      const { ids } = await shop()
      expect(ids('walrus', { filter: { fields: ['output'] } })).toEqual(['r1'])
      expect(ids('walrus', { filter: { tool: 'Bash' } })).toEqual(['a2', 'r1'])
      expect(ids('walrus', { filter: { tool: 'Edit' } })).toEqual([])
      expect(ids('walrus', { filter: { failed: true } })).toEqual(['r1'])
      expect(ids('octopus', { filter: { agent: '' } })).toEqual(['g1', 'g2'])
      expect(ids('octopus', { filter: { agent: 'explore' } })).toEqual(['g1', 'g2'])
      expect(ids('walrus', { filter: { agent: '' } })).toEqual([])
      expect(ids('giraffe', { filter: { branch: 'abandoned' } })).toEqual(['a4', 'u2'])
      expect(ids('giraffe', { filter: { branch: 'live' } })).toEqual([])
      expect(ids('zebra', { filter: { touched: 'src/app.ts' } })).toEqual(['a1'])
      expect(ids('zebra', { filter: { touched: 'src/other.ts' } })).toEqual([])
      expect(ids('zebra', { filter: { session: '1111' } })).toEqual(['a1'])
      expect(ids('zebra', { filter: { session: '2222' } })).toEqual([])
      expect(ids('zebra', { filter: { projects: ['p'] } })).toEqual(['a1'])
      expect(ids('zebra', { filter: { since: Date.parse('2026-05-02') } })).toEqual([])
      expect(ids('zebra', { filter: { until: Date.parse('2026-05-02') } })).toEqual(['a1'])
    })

    it('[H3] [H5] what the client attached is found, each kind by a field of its own', async () => {
      const { root, update, ask } = await shop()
      const attach = (id: string, attachment: object): string =>
        row({ id, parent: 'a6', content: '', more: { type: 'attachment', message: undefined, attachment } })
      appendFileSync(
        join(root, FILE),
        [
          attach('m1', {
            type: 'nested_memory',
            path: '/p/CLAUDE.md',
            content: { content: 'ibex in memory' },
          }),
          attach('k1', { type: 'skill_listing', content: '- ibex: a skill' }),
          attach('h1', { type: 'hook_additional_context', content: ['ibex of a hook'], hookName: 'Stop' }),
          attach('f1', { type: 'edited_text_file', filename: '/p/ibex.ts', snippet: 'let ibex' }),
          attach('c1', { type: 'fork_briefing', text: 'ibex in a briefing' }),
        ].join(''),
      )
      await update()
      const fields = (filter: TextFilter = {}): readonly string[] =>
        ask('ibex', { filter })
          .hits.map(({ field, snippet }) => `${field}: ${snippet}`)
          .sort()
      expect(fields()).toEqual([
        'context: ibex in a briefing',
        'file: /p/ibex.ts let ibex',
        'hook: ibex of a hook',
        'memory: /p/CLAUDE.md ibex in memory',
        'skill: - ibex: a skill',
      ])
      expect(fields({ fields: ['memory'] })).toEqual(['memory: /p/CLAUDE.md ibex in memory'])
      expect(fields({ fields: ['hook', 'file'] })).toHaveLength(2)
    })

    it('[A9] [H3] a subagent without a file is found in progress rows, and in its file while there is one', async () => {
      const { root, update, ask } = await shop()
      const message = JSON.parse(
        row({ id: 'x1', parent: null, role: 'assistant', content: says('a narwhal') }),
      )
      const progress = row({
        id: 'p1',
        parent: 'a6',
        content: '',
        more: {
          type: 'progress',
          message: undefined,
          data: { type: 'agent_progress', agentId: 'x', message },
          parentToolUseID: 't1',
        },
      })
      appendFileSync(join(root, FILE), progress)
      await update()
      const hits = () => ask('narwhal').hits.map(({ node, path, line }) => [node, path, line?.agent])
      expect(hits()).toEqual([[uuid('x1'), FILE, 'x']])
      const own = { ...message, isSidechain: true, agentId: 'x', sessionId: SESSION }
      const path = `p/${SESSION}/subagents/agent-x.jsonl`
      writeFiles(root, { [path]: `${JSON.stringify(own)}\n` })
      await update()
      expect(hits()).toEqual([[uuid('x1'), path, 'x']])
      rmSync(join(root, path))
      await update()
      expect(hits()).toEqual([[uuid('x1'), FILE, 'x']])
    })

    it('[H9] the last word may be incomplete, and any word before a star', async () => {
      const { ids, ask } = await shop()
      expect(ids('giraf')).toEqual(['a4', 'u2'])
      expect(ask('giraf').replaced).toEqual([])
      expect(ask('giraf over').replaced).toMatchObject([{ typed: 'giraf' }])
      expect(ids('giraf* over')).toEqual(['u2'])
      expect(ids('src/ap')).toEqual(['a5', 'u1'])
      expect(ids('src/pp')).toEqual([])
      expect(ids('"giraf"')).toEqual([])
      expect(ask('giraf ').replaced).toMatchObject([{ typed: 'giraf' }])
    })

    it('[H8] whole words come first, then live branches, then what was said, then the newest', async () => {
      const { root, update, ask, match } = await shop()
      appendFileSync(
        join(root, FILE),
        [
          row({ id: 'u7', parent: 'a6', content: 'octopuses at last' }),
          row({
            id: 'a7',
            parent: 'u7',
            role: 'assistant',
            content: [{ type: 'thinking', thinking: 'giraffe' }],
          }),
          row({ id: 'u8', parent: 'a7', content: 'one more octopus' }),
        ].join(''),
      )
      await update()
      const order = (text: string, more: Omit<SearchOptions, 'text'> = {}) =>
        ask(text, more).hits.map(({ node, isWhole }) => `${idOf(node)} ${isWhole}`)
      expect(order('octopus')).toEqual(['u8 true', 'g2 true', 'g1 true', 'u7 false'])
      expect(order('giraffe')).toEqual(['a7 true', 'a4 true', 'u2 true'])
      const byTime = ['u8 null', 'u7 null', 'g2 null', 'g1 null']
      expect(order('octopus', { sort: 'time' })).toEqual(byTime)
      const matched = async (pattern: RegExp, more = {}) =>
        (await match({ text: '', pattern, ...more })).hits.map(({ node }) => idOf(node))
      expect(await matched(/octopus/giu, { sort: 'time' })).toEqual(['u8', 'u7', 'g2', 'g1'])
      expect(await matched(/giraffe/giu)).toEqual(['a7', 'a4', 'u2'])
      expect(await matched(/octopus/giu, { sort: 'time', offset: 1, limit: 2 })).toEqual(['u7', 'g2'])
      const pages = [0, 2].flatMap(offset => order('octopus', { offset, limit: 2 }))
      expect(pages).toEqual(order('octopus'))
    })

    it('[H1] counts very many texts where all are asked for', async () => {
      const { root, update, ask } = await shop()
      const rows = Array.from({ length: 2050 }, (_, nth) =>
        row({ id: `w${nth}`, parent: nth === 0 ? 'a6' : `w${nth - 1}`, content: 'wombat' }),
      )
      appendFileSync(join(root, FILE), rows.join(''))
      await update()
      expect(ask('wombat')).toMatchObject({ total: 2000, isComplete: false })
      expect(ask('womb')).toMatchObject({ total: 2000, isComplete: false })
      for (const text of ['wombat', 'womb'])
        expect(ask(text, { countAll: true })).toMatchObject({ total: 2050, isComplete: true })
    })

    it('[H9] a star before a word finds words that end with it or contain it', async () => {
      const { ids } = await shop()
      expect(ids('*raffe')).toEqual(['a4', 'u2'])
      expect(ids('*iraff')).toEqual([])
      expect(ids('*iraff*')).toEqual(['a4', 'u2'])
      expect(ids('*rc/app.ts')).toEqual(['a5', 'u1'])
    })

    it('[H10] where nothing has the words, parts of words and the closest words are searched for', async () => {
      const { ask } = await shop()
      const tried = (text: string, more: Omit<SearchOptions, 'text'> = {}) => {
        const { hits, replaced } = ask(text, more)
        const words = replaced.map(({ typed, kind, searched }) => `${typed} ${kind} ${searched.join(' ')}`)
        return [hits.map(({ node }) => idOf(node)).sort(), ...words]
      }
      expect(tried('giraffe')).toEqual([['a4', 'u2']])
      expect(tried('iraff')).toEqual([['a4', 'u2'], 'iraff parts giraffe'])
      expect(tried('gi')).toEqual([['a4', 'u2'], 'gi parts giraffe'])
      expect(tried('girafe ')).toEqual([['a4', 'u2'], 'girafe closest giraffe'])
      expect(tried('girfa')).toEqual([['a4', 'u2'], 'girfa closest giraffe'])
      expect(tried('left girafe')).toEqual([['u2'], 'girafe closest giraffe'])
      expect(tried('eft over giraffe')).toEqual([['u2'], 'eft parts left'])
      expect(tried('lef giraff')).toEqual([['u2'], 'lef parts left'])
      expect(tried('rc/app.ts')).toEqual([['a5', 'u1'], 'rc/app.ts parts src'])
      expect(tried('src/app.t')).toEqual([['a5', 'u1'], 'src/app.t parts src/app.t*'])
      expect(tried('src/app.q')).toEqual([[]])
      expect(tried('srx/app.ts')).toEqual([[]])
      expect(tried('src/apq.ts look')).toEqual([[]])
      expect(tried('shop/app.ts')).toEqual([['a5'], 'shop/app.ts apart shop app ts'])
      expect(tried('foo_bar')).toEqual([['u1'], 'foo_bar apart foo bar'])
      expect(tried('giraffe?!')).toEqual([['a4', 'u2'], 'giraffe?! apart giraffe'])
      expect(tried('left (giraffe)')).toEqual([['u2'], '(giraffe) apart giraffe'])
      expect(tried('"giraffe?!"')).toEqual([[]])
      expect(tried('"iraff"')).toEqual([[]])
      expect(tried('hippopotamus')).toEqual([[]])
      expect(tried('iraff', { filter: { branch: 'live' } })).toEqual([[]])
      expect(ask('iraff').hits[0]).toMatchObject({
        isWhole: false,
        snippet: 'giraffe it is',
        marks: [[1, 6]],
      })
      const pages = [0, 1].flatMap(offset => ask('iraff', { offset, limit: 1 }).hits)
      expect(pages).toEqual(ask('iraff').hits)
    })

    it('[H10] words of texts that came later are known, too', async () => {
      const { root, update, ask } = await shop()
      expect(ask('iraff').total).toBe(2)
      appendFileSync(join(root, FILE), row({ id: 'u9', parent: 'a6', content: 'a giraffid with a Pingüino' }))
      await update()
      expect(ask('iraff').total).toBe(3)
      expect(ask('iraffid').replaced).toEqual([{ typed: 'iraffid', kind: 'parts', searched: ['giraffid'] }])
      expect(ask('ingüin').replaced).toEqual([{ typed: 'inguin', kind: 'parts', searched: ['pinguino'] }])
    })

    it('[H7] a pattern is tried on the texts themselves', async () => {
      const { match } = await shop()
      const ids = async (text: string, pattern: RegExp) =>
        (await match({ text, pattern })).hits.map(({ node }) => idOf(node))
      expect(await ids('', /lef\w over/giu)).toEqual(['u2'])
      expect(await ids('walrus', /^undefined/giu)).toEqual(['r1'])
    })

    it('[H7] a pattern ends with the first hit too many, and with the signal', async () => {
      const { match } = await shop()
      expect(await match({ text: '', pattern: /./giu, limit: 2 })).toMatchObject({
        total: 3,
        isComplete: false,
      })
      const { hits, isComplete } = await match({
        text: '',
        pattern: /no such text/giu,
        signal: AbortSignal.abort(),
      })
      expect({ hits, isComplete }).toEqual({ hits: [], isComplete: false })
    })

    it('[H7] texts on which a pattern takes too long are skipped, and after some of them it is given up', async () => {
      const { match, root, update } = await shop()
      const slow = (id: string) => row({ id, parent: 'a3', content: `${'a'.repeat(60)}b` })
      appendFileSync(join(root, FILE), slow('u20'))
      await update()
      const pattern = /(a+)+$|walrus/giu
      const found = await match({ text: '', pattern })
      expect(found).toMatchObject({ slow: 1, isGivenUp: false, isComplete: false })
      expect(found.hits).not.toEqual([])
      appendFileSync(join(root, FILE), ['u21', 'u22', 'u23'].map(slow).join(''))
      await update()
      expect(await match({ text: '', pattern })).toMatchObject({ slow: 3, isGivenUp: true })
    })

    it('[H4] a queued text that never arrived is found and said to be lost', async () => {
      const { root, update, ask } = await shop()
      const queued = {
        type: 'queue-operation',
        operation: 'enqueue',
        content: 'please mind the narwhal',
        timestamp: '2026-05-01T11:00:00.000Z',
        sessionId: SESSION,
      }
      appendFileSync(join(root, FILE), `${JSON.stringify(queued)}\n`)
      await update()
      const { hits } = ask('narwhal')
      expect(hits).toMatchObject([
        { node: null, field: 'queued', became: 'lost', snippet: 'please mind the narwhal' },
      ])
    })

    it('[H3] an appended row is found after the next sync', async () => {
      const { root, update, ids } = await shop()
      appendFileSync(join(root, FILE), row({ id: 'u4', parent: 'a6', content: 'and a pangolin' }))
      await update()
      expect(ids('pangolin')).toEqual(['u4'])
    })
  })
}
