/** V27: what the requests of a session carried, as the page gets it. */
import { join } from 'node:path'
import type { ContextBandPage, ContextPage, SearchPage } from '@dagline/core/protocol'
import { describe, expect, it } from 'vitest'
import { serveFolder, temporaryFolder, type World, writeShape } from './world.js'

const SHAPE = `
  s1: u1"Begin with all of it" a1[t1:Bash] r1[t1] a2[t2:Task>x]
  s1/x: meta {"agentType":"planner","description":"Plans it"}
  s1/x: u2 a3 u3 a4
  s1: a2 > r2[t2>x] a5 c1 k1 u5 a6 u6 a7
`

interface Shaped extends World {
  readonly uuid: (token: string) => string
}

async function serveShape(text: string): Promise<Shaped> {
  const root = join(temporaryFolder(), 'projects')
  const { uuid } = writeShape(root, text)
  return { ...(await serveFolder(root)), uuid }
}

describe('contexts', () => {
  it('[V27] a band has an item for each answer, parts that add up, and a mark at the compaction', async () => {
    const { value, uuid } = await serveShape(SHAPE)
    const { band, conversations, agent } = await value<ContextBandPage>('/api/sessions/s1/contexts')
    expect(agent).toBeNull()
    expect(band.node).toEqual(['a1', 'a2', 'a5', 'a6', 'a7'].map(uuid))
    expect(band.answer).toEqual([1, 2, 3, 4, 5])
    expect(band.mark).toEqual([null, null, null, 'compaction', null])
    for (const [at, total] of band.total.entries())
      expect(band.parts.reduce((sum, { tokens }) => sum + (tokens[at] ?? 0), 0)).toBe(total)
    expect(conversations.map(({ name }) => name)).toEqual(['Main conversation', 'planner: Plans it'])
  })

  it('[V27] a subagent has a band of its own', async () => {
    const { value, uuid } = await serveShape(SHAPE)
    const { band } = await value<ContextBandPage>('/api/sessions/s1/contexts?agent=x')
    expect(band.node).toEqual(['a3', 'a4'].map(uuid))
  })

  it('[V27] where only subagents are left, the first of them is shown', async () => {
    const { value, uuid } = await serveShape(`
      s2/x: meta {"agentType":"planner","description":"Plans it"}
      s2/x: u2 a3 u3 a4
      s2/y: u4 a5
    `)
    const { band, conversations, agent } = await value<ContextBandPage>('/api/sessions/s2/contexts')
    expect(agent).toBe('x')
    expect(band.node).toEqual(['a3', 'a4'].map(uuid))
    expect(conversations.map(each => each.agent)).toEqual(['x', 'y'])
  })

  it('[V27] one request in detail: what was in, what was out and why, what the compaction dropped', async () => {
    const { value, uuid } = await serveShape(SHAPE)
    const at = (token: string): Promise<ContextPage> =>
      value<ContextPage>(`/api/nodes/${uuid(token)}/context?session=s1`)
    const before = await at('a5')
    expect(before.context.entries).toEqual(['u1', 'a1', 'r1', 'a2', 'r2'].map(uuid))
    expect([before.answer, before.answers, before.compaction]).toEqual([3, 5, null])
    const textOf = (token: string) => before.heaviest.find(({ node }) => node === uuid(token))?.text
    expect(textOf('r1')).toBe(`${textOf('a1')}: result r1`)
    const after = await at('a6')
    expect(after.context.entries).toEqual(['k1', 'u5'].map(uuid))
    expect(after.out).toMatchObject([{ reason: 'compacted', entries: 6 }])
    expect(after.compaction).toMatchObject({ dropped: 5 })
    expect(after.dropped.map(({ node }) => node).toSorted()).toEqual(before.context.entries.toSorted())
    expect((await at('u5')).context.reply).toEqual([uuid('a6')])
    expect((await at('a4')).agent).toBe('x')
  })

  it('[H14] a search finds only what the model saw at an answer', async () => {
    const { value, uuid } = await serveShape(SHAPE)
    const nodes = async (token: string): Promise<readonly (string | null)[]> => {
      const { hits } = await value<SearchPage>(`/api/search?role=human&seenAt=${uuid(token)}`)
      return hits.map(({ node }) => node)
    }
    expect(await nodes('a5')).toEqual([uuid('u1')])
    expect(await nodes('a7')).toEqual(['u6', 'u5'].map(uuid))
    expect(await nodes('a4')).toEqual(['u3', 'u2'].map(uuid))
  })

  it('[V27] an entry that no request carried, and unknown ones, are told in a sentence', async () => {
    const { ask, uuid } = await serveShape('s1: u1 a1 u2')
    const answer = await ask(`/api/nodes/${uuid('u2')}/context`)
    expect(answer.status).toBe(404)
    expect(answer.body).toContain('No answer of the model carried this entry.')
    expect((await ask('/api/sessions/nobody/contexts')).status).toBe(404)
  })

  it('[V27] long conversations are drawn in a few hundred items that keep every compaction', async () => {
    const turns = (from: number, to: number): string =>
      Array.from({ length: to - from }, (_, at) => `u${from + at} a${from + at}`).join(' ')
    const { value, uuid } = await serveShape(`s1: ${turns(1, 401)} c1 k1 ${turns(401, 704)}`)
    const { band } = await value<ContextBandPage>('/api/sessions/s1/contexts')
    expect(band.answers).toBe(703)
    expect(band.node.length).toBeLessThanOrEqual(301)
    const cliff = band.mark.indexOf('compaction')
    expect(band.answer[cliff]).toBeGreaterThanOrEqual(401)
    expect(band.answer[cliff - 1]).toBeLessThan(401)
    expect(band.node).not.toContain(uuid('a402'))
  })
})
