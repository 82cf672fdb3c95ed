/** The object that every face uses: each of its methods once, on the bundled samples. */
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseHomeView } from '@dagline/core/protocol'
import { expandShape } from '@dagline/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type ExportOptions,
  type FaceHistory,
  openFaceHistory,
  openHistory,
  UserError,
} from '../src/index.js'
import { ownFolder } from './own-folders.js'

const SAMPLES = join(import.meta.dirname, '..', '..', '..', 'fixtures', 'samples', 'projects')
const SHOP = '019c5be1-3495-42e4-a993-ff363aeed7bd'

const folder = ownFolder()
const root = join(folder, 'projects')

beforeAll(() => cpSync(SAMPLES, root, { recursive: true }))

function open(name = 'index.db'): FaceHistory {
  return openFaceHistory({ roots: [root], index: join(folder, name) })
}

const EDIT = { out: null, title: null, snapshot: true, dryRun: false }

describe('a history', () => {
  const history = open()

  it('lists projects and sessions, from the index and from files', async () => {
    const projects = await history.projects()
    expect(projects.map(({ name }) => name)).toEqual(readdirSync(SAMPLES))
    const sessions = await history.sessions()
    const idsOf = (list: typeof sessions): readonly string[] => list.map(({ session }) => session).sort()
    expect(sessions.length).toBe(7)
    expect(idsOf(await history.sessions([root]))).toEqual(idsOf(sessions))
    expect(idsOf((await history.sessionLists()).flat())).toEqual(idsOf(sessions))
    const beside = await history.sessionsBeside(SHOP)
    expect([beside.session, beside.sessions.length]).toEqual([SHOP, 3])
    expect(await history.shownRoots()).toEqual({ roots: [root], isSample: false })
  })

  it('finds sessions and entries by prefixes, and says where they are', async () => {
    expect(await history.find(SHOP.slice(0, 8))).toEqual({ kind: 'session', id: SHOP, session: SHOP })
    expect((await history.locate(SHOP.slice(0, 8))).file?.path).toBe(`-home-dev-shop/${SHOP}.jsonl`)
    const { graph, session } = await history.graphOf(SHOP)
    const entry = graph.id(graph.lines().find(line => line.domain.session === session.id)?.head ?? 0)
    const found = await history.entryOf(entry)
    expect(found.graph.id(found.node)).toBe(entry)
    expect(await history.locateShown(entry)).toEqual({ session: SHOP, entry, paths: [] })
    await expect(history.locate('no-such-session')).rejects.toThrow(UserError)
  })

  it('reads records, texts and figures', async () => {
    const found = await history.graphOf(SHOP)
    const contents = await history.contentsOf(found)
    const [node = 0] = found.graph.nodes()
    expect(contents.record(node)?.['uuid']).toBe(found.graph.id(node))
    contents.close()
    const { hits, total } = await history.search('the', { limit: 3 })
    expect([hits.length, total > 3]).toEqual([3, true])
    const usage = await history.usage()
    expect(usage.length).toBeGreaterThan(0)
    expect((await history.usage([], { session: SHOP })).every(({ session }) => session === SHOP)).toBe(true)
    expect((await history.stats()).projects).toBe(3)
    expect((await history.census()).unknownTypes).toEqual([])
    expect((await history.facts([])).projects.length).toBe(3)
    const { totals } = await history.summary([])
    expect(totals.placed + totals.folded).toBe(totals.nodes)
  })

  it('[S6] [X13] [X14] measures sessions, branches, subagents and turns as the lists and the usage do', async () => {
    const rounded = (cost: number | null): string => (cost ?? 0).toFixed(6)
    const branches = await history.branches({ session: SHOP })
    const agents = (await history.agents({ session: SHOP })).filter(({ agent }) => agent !== null)
    expect([branches.length, agents.length].every(count => count > 0)).toBe(true)
    for (const { line, costUSD } of branches)
      expect(rounded((await history.costOf(line)).total.costUSD)).toBe(rounded(costUSD))
    for (const { agent, costUSD } of agents)
      expect(rounded((await history.costOf(`${SHOP}#${agent}`)).own.costUSD)).toBe(rounded(costUSD))
    const { own, total, kind } = await history.costOf(SHOP)
    const rows = await history.usage([], { session: SHOP })
    expect([kind, total.messages, total.output]).toEqual([
      'session',
      rows.length,
      rows.reduce((sum, { output }) => sum + output, 0),
    ])
    expect(own.messages).toBe(rows.filter(({ agentId }) => agentId === null).length)
    const { graph } = await history.graphOf(SHOP)
    const starts = [...graph.nodes()].filter(
      node =>
        graph.startsTurn(node) &&
        graph.lineOf(node)?.domain.session === SHOP &&
        graph.lineOf(node)?.domain.kind === 'session',
    )
    let sum = 0
    for (const node of starts) sum += (await history.costOf(graph.id(node))).total.messages
    expect(sum).toBe(total.messages)
  })

  it('examines, compares and names', async () => {
    expect((await history.health()).length).toBe(7)
    const sessions = await history.sessions()
    const branched = sessions.find(({ branches }) => branches === 1)?.session ?? ''
    const { comparison, names } = await history.compare(branched, null)
    expect([comparison.sides.length, names]).toEqual([2, ['', '']])
    const compacted = sessions.find(({ compactions }) => compactions > 0)?.session ?? ''
    expect((await history.dropped(compacted)).session).toBe(compacted)
    const thing = await history.find(SHOP)
    expect(history.label(thing, { name: 'shop', addTags: ['money'] }).name).toBe('shop')
    expect(history.labels().get(SHOP)?.tags).toEqual(['money'])
    expect((await history.locate('shop')).id).toBe(SHOP)
  })

  it('edits and takes back, exports, archives and restores', async () => {
    const report = await history.edit.checkout(SHOP, { ...EDIT, at: null })
    expect(readFileSync(report.path, 'utf8')).toContain(report.plan.session)
    expect((await history.edit.list()).length).toBe(1)
    await history.edit.undo(null)
    expect((await history.sessions()).length).toBe(7)
    const out = join(folder, 'shop.md')
    const options: ExportOptions = {
      format: 'md',
      out,
      project: null,
      tree: false,
      branch: 'all',
      depth: 9,
      tools: true,
      redact: null,
      names: [],
      allowSecrets: true,
      force: false,
    }
    const print = async (): Promise<void> => {}
    const { files } = await history.export(SHOP, options, { approve: print, print })
    expect(files.map(({ path }) => path)).toEqual([out])
    const archive = join(folder, 'archive.db')
    expect((await history.archive.keep([], { archive }))?.missing).toEqual([])
    expect(await history.archive.keep([], { archive })).toMatchObject({ kept: { added: 0 } })
    expect((await history.archive.check(archive)).faults).toEqual([])
    expect((await history.archive.describe(archive)).figures.sessions).toBe(7)
    const to = join(folder, 'restored')
    const restored = await history.archive.restore(SHOP, { archive, to, all: false, touch: false })
    expect(restored.files.every(({ outcome }) => outcome === 'written')).toBe(true)
    await expect(
      history.edit.planMove('/home/dev/nowhere', '/home/dev/there', {
        deep: false,
        config: false,
        dryRun: true,
      }),
    ).rejects.toThrow('/home/dev/nowhere')
  })

  it('of the library has the methods that docs/API.md lists, and no others', () => {
    const documented = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'API.md'), 'utf8')
    const table = /\| Methods \|.*?\n\n/s.exec(documented)?.[0] ?? ''
    const rows = table.split('\n').map(row => row.split('|')[1] ?? '')
    const names = rows.flatMap(row => [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name))
    expect([...names, 'close', 'host'].sort()).toEqual(Object.keys(openHistory()).sort())
  })

  it('serves a live history', async () => {
    const viewer = await history.viewer([root])
    viewer.history.start()
    await viewer.upToDate
    expect(viewer.sessions().length).toBe(7)
    expect(viewer.history.home({ view: parseHomeView(() => null), from: 0, count: 100 }).sessions).toBe(7)
    viewer.history.close()
    viewer.close()
  })
})

describe('a file that grows', () => {
  it('is read again by each call, and what is new is followed', async () => {
    const history = open('growing.db')
    const path = join(root, '-home-dev-notes-api', readdirSync(join(root, '-home-dev-notes-api'))[0] ?? '')
    const rows = readFileSync(path, 'utf8').trimEnd().split('\n')
    const last = rows.findLastIndex(row => row.includes('"uuid"'))
    writeFileSync(path, `${rows.slice(0, last).join('\n')}\n`)
    const entries = async (): Promise<number> => (await history.graphOf(path)).graph.totals().entries
    const [few, fewListed] = [await entries(), (await history.sync()).report?.rows]
    const follow = await history.follow(path)
    expect(follow.look()?.events).toEqual([])
    expect(follow.look()).toBe(null)
    appendFileSync(path, `${rows[last]}\n`)
    expect(await entries()).toBe(few + 1)
    expect(follow.look()?.events.map(({ kind }) => kind)).toEqual(['entry'])
    const { report } = await history.sync()
    expect([fewListed !== undefined, report?.rows]).toEqual([true, 1])
    history.close()
  })
})

describe('a newer session', () => {
  it('[S9] ends the following of the latest one, and of no other', async () => {
    const home = join(folder, 'cleared')
    const write = (name: string, text: string): void => {
      mkdirSync(join(home, '-p'), { recursive: true })
      writeFileSync(join(home, '-p', `${name}.jsonl`), text)
    }
    const [first = '', second = ''] = expandShape('s1: u1 a1\ns2: u2@+1h a2').files.map(({ text }) => text)
    write('s1', first)
    const history = openFaceHistory({ roots: [home], index: join(folder, 'cleared.db') })
    const [latest, one] = [await history.follow('latest', { isLatest: true }), await history.follow('s1')]
    for (const follow of [latest, one]) expect([follow.look() === null, follow.next()]).toEqual([false, null])
    write('s2', '')
    expect(latest.next(), 'nothing is written yet').toBeNull()
    write('s2', second)
    // It ends by itself.
    for await (const _ of latest.changes());
    expect([latest.next(), one.next()]).toEqual([join(home, '-p', 's2.jsonl'), null])
    latest.stop()
    expect(latest.next()).toBeNull()
    history.close()
  })
})

describe('closing', () => {
  it('closes contents and ends following, and leaves other histories alone', async () => {
    const [one, other] = [open('one.db'), open('other.db')]
    const notes: string[] = []
    const host = { ...one.host, note: (text: string) => void notes.push(text) }
    const noting = openFaceHistory({ host, index: join(folder, 'one.db') })
    const found = await noting.graphOf(SHOP)
    const contents = await noting.contentsOf(found)
    const ended = (async () => {
      const follow = await noting.follow(SHOP)
      follow.look()
      for await (const batch of follow.changes()) if (batch.events.length > 0) return 'changed'
      return 'ended'
    })()
    await other.sync()
    noting.close()
    noting.close()
    contents.close()
    expect(await ended).toBe('ended')
    expect((await other.sessions()).length).toBe(7)
    expect(other.host.unread.size).toBe(0)
    one.close()
    other.close()
  })
})
