import { describe, expect, it } from 'vitest'
import { parseRows } from '../../test/naive.js'
import { isJson, type Json } from '../base/json.js'
import { expandShape, type ShapeFiles } from './expand.js'

/** The rows of a file as JSON. */
function rowsOf(shape: ShapeFiles, path = 's1.jsonl'): Json[] {
  const file = shape.files.find(found => found.path === path)
  return parseRows(file?.text ?? '')
}

/** A file's rows as `token<parent`, roots as `token<-`. */
function links(shape: ShapeFiles, path?: string): string {
  const say = (id: unknown): string => (id === null ? '-' : sayId(shape, String(id)))
  return rowsOf(shape, path)
    .map(row => `${say(row.uuid)}<${say(row.parentUuid)}`)
    .join(' ')
}

/** Parents that were never written come back by their characters. */
function sayId(shape: ShapeFiles, uuid: string): string {
  return shape.tokens.get(uuid) ?? Buffer.from(uuid.slice(24).replace(/^(00)+/, ''), 'hex').toString()
}

function rowOf(shape: ShapeFiles, token: string): Json {
  const rows = shape.files.flatMap(({ path }) => rowsOf(shape, path))
  return rows.find(row => row.uuid === shape.uuid(token)) ?? {}
}

function message(shape: ShapeFiles, token: string): Json {
  const found = rowOf(shape, token).message
  return isJson(found) ? found : {}
}

function blocks(shape: ShapeFiles, token: string): Json[] {
  const { content } = message(shape, token)
  return Array.isArray(content) ? content.filter(isJson) : []
}

describe('the table of the style guide', () => {
  it('linear', () => {
    expect(links(expandShape('s1: u1 a1 u2 a2'))).toBe('u1<- a1<u1 u2<a1 a2<u2')
  })

  it('rewind', () => {
    const shape = expandShape('s1: u1 a1 u2 a2 / s1: a1 > u3@+30m a3')
    expect(links(shape)).toBe('u1<- a1<u1 u2<a1 a2<u2 u3<a1 a3<u3')
    expect(rowOf(shape, 'u3').timestamp).toBe('2026-01-01T10:30:04.000Z')
    expect(rowOf(shape, 'a3').timestamp).toBe('2026-01-01T10:30:05.000Z')
  })

  it('parallel tools', () => {
    const shape = expandShape('s1: u1 a1[t1,t2] r1[t1] r2[t2] a2')
    expect(links(shape)).toBe('u1<- a1<u1 r1<a1 r2<r1 a2<r2')
    expect(blocks(shape, 'a1').map(({ id }) => id)).toEqual(['toolu_t1', 'toolu_t2'])
    expect(blocks(shape, 'r2')[0]).toMatchObject({ type: 'tool_result', tool_use_id: 'toolu_t2' })
    expect(rowOf(shape, 'r2').sourceToolAssistantUUID).toBe(shape.uuid('a1'))
  })

  it('continuation, late result', () => {
    const shape = expandShape('s1: u1 a1[t1] a2\ns1: a1 > r1[t1]@+5m a3')
    expect(links(shape)).toBe('u1<- a1<u1 a2<a1 r1<a1 a3<r1')
  })

  it('hook beside a prompt', () => {
    const shape = expandShape('s1: u1 a1 h1 / s1: a1 > u2 a2')
    expect(links(shape)).toBe('u1<- a1<u1 h1<a1 u2<a1 a2<u2')
    expect(rowOf(shape, 'h1')).toMatchObject({ type: 'attachment', attachment: { type: 'hook_success' } })
  })

  it('two compactions', () => {
    const shape = expandShape('s1: u1 a1 c1 k1 u2 a2 c2 k2')
    expect(links(shape)).toBe('u1<- a1<u1 c1<- k1<c1 u2<k1 a2<u2 c2<- k2<c2')
    expect(rowOf(shape, 'c2')).toMatchObject({
      subtype: 'compact_boundary',
      logicalParentUuid: shape.uuid('a2'),
      compactMetadata: { trigger: 'manual' },
    })
    expect(rowOf(shape, 'k2').isCompactSummary).toBe(true)
  })

  it('compaction replay', () => {
    const shape = expandShape("s1: u1 a1 u2 a2 / s1: a1 > u2' a4")
    expect(links(shape)).toBe("u1<- a1<u1 u2<a1 a2<u2 u2'<a1 a4<u2'")
    expect(message(shape, "u2'")).toEqual(message(shape, 'u2'))
    expect(rowOf(shape, "u2'").timestamp).toBe(rowOf(shape, 'u2').timestamp)
  })

  it('resume with prefix', () => {
    const shape = expandShape('s1: u1 a1 u2 a2 / s2: u1 a1 u3 a3')
    expect(links(shape, 's2.jsonl')).toBe('u1<- a1<u1 u3<a1 a3<u3')
    const [first] = rowsOf(shape)
    const [copy] = rowsOf(shape, 's2.jsonl')
    expect(copy).toEqual({ ...first, sessionId: 's2' })
  })

  it('subagent file', () => {
    const shape = expandShape('s1: u1 a1[t1:Task] / s1/x: u2 a2 / s1: a1 > r1[t1] a3')
    expect(shape.files.map(({ path }) => path)).toEqual(['s1.jsonl', 's1/subagents/agent-x.jsonl'])
    expect(links(shape, 's1/subagents/agent-x.jsonl')).toBe('u2<- a2<u2')
    expect(rowOf(shape, 'u2')).toMatchObject({ isSidechain: true, agentId: 'x', sessionId: 's1' })
    expect(blocks(shape, 'a1')[0]).toMatchObject({ name: 'Task', input: { prompt: 'prompt u2' } })
  })

  it('inline sidechain', () => {
    const shape = expandShape('s1: u1 a1[t1:Task] ~u2 ~a2 / s1: a1 > r1[t1]')
    expect(links(shape)).toBe('u1<- a1<u1 u2<a1 a2<u2 r1<a1')
    expect(rowsOf(shape).map(row => row.isSidechain)).toEqual([false, false, true, true, false])
    expect(blocks(shape, 'a1')[0]).toMatchObject({ input: { prompt: 'prompt u2' } })
  })

  it('orphan, cycle', () => {
    expect(links(expandShape('s1: ?9 > u1 a1'))).toBe('u1<?9 a1<u1')
    expect(links(expandShape('s1: u1<a1 a1'))).toBe('u1<a1 a1<u1')
  })

  it('broken, unknown', () => {
    expect(expandShape('s1: ! {"type":"user", tr').files[0]?.text).toBe('{"type":"user", tr\n')
    const shape = expandShape('s1: u1 x1 a1')
    expect(links(shape)).toBe('u1<- x1<u1 a1<x1')
    expect(rowOf(shape, 'x1').type).toBe('mystery')
  })
})

describe('bytes', () => {
  it('derives uuids from the tokens', () => {
    const shape = expandShape("s1: u1 a12 u2 u2'")
    expect(shape.uuid('u1')).toBe('00000000-0000-4000-8000-000000007531')
    expect(shape.uuid('a12')).toBe('00000000-0000-4000-8000-000000613132')
    expect(shape.uuids.get("u2'")).toBe('00000000-0000-4000-8000-000000753227')
    expect(shape.uuid('u1234567')).toBe('00007531-0000-4000-8000-323334353637')
  })

  it('writes uuids as tokens and keeps unknown ones', () => {
    const shape = expandShape('s1: u1 a1')
    expect(shape.say([shape.uuid('u1'), shape.uuid('a1'), 'elsewhere'])).toBe('u1 a1 elsewhere')
  })

  it('counts one second per row from a fixed day', () => {
    const times = rowsOf(expandShape('s1: u1 a1 / s2: u2')).map(row => row.timestamp)
    expect(times).toEqual(['2026-01-01T10:00:00.000Z', '2026-01-01T10:00:01.000Z'])
    expect(rowsOf(expandShape('s1: u1 a1 / s2: u2'), 's2.jsonl')[0]?.timestamp).toBe(
      '2026-01-01T10:00:02.000Z',
    )
  })

  it('gives the same text for the same shape', () => {
    const text = 's1: u1 a1[t1] r1[t1] c1{a1} k1'
    expect(expandShape(text).files).toEqual(expandShape(text).files)
  })

  it('reads times back and at the same instant', () => {
    const shape = expandShape('s1: u1 a1 u2@-90s a2 u3@=u1')
    const times = rowsOf(shape).map(row => String(row.timestamp).slice(14, 19))
    expect(times).toEqual(['00:00', '00:01', '58:32', '00:03', '00:00'])
  })
})

describe('extensions', () => {
  it('joins parts of one message', () => {
    const shape = expandShape('s1: u1 d1 a1=d1"words" a2=d1[t1] a3')
    expect(['d1', 'a1', 'a2', 'a3'].map(token => message(shape, token).id)).toEqual([
      'msg_d1',
      'msg_d1',
      'msg_d1',
      'msg_a3',
    ])
    expect(blocks(shape, 'd1')[0]?.type).toBe('thinking')
    expect(blocks(shape, 'a1')).toEqual([{ type: 'text', text: 'words' }])
  })

  it('writes companions, notes and notices', () => {
    const shape = expandShape('s1: m1 l1 o1 i1 n1[t1>x] e1 y1 q1"go on" v1 f1 s1 p1[t1]')
    expect(rowOf(shape, 'm1')).toMatchObject({ type: 'user', isMeta: true })
    expect(message(shape, 'l1').content).toContain('<command-name>')
    expect(message(shape, 'o1').content).toContain('<local-command-stdout>')
    expect(message(shape, 'i1').content).toBe('[Request interrupted by user]')
    expect(message(shape, 'n1').content).toContain('<task-id>x</task-id>\n<tool-use-id>toolu_t1<')
    expect(rowOf(shape, 'e1')).toMatchObject({ isApiErrorMessage: true, message: { model: '<synthetic>' } })
    expect(message(shape, 'y1').model).toBe('<synthetic>')
    expect(rowOf(shape, 'q1').attachment).toMatchObject({ type: 'queued_command', prompt: 'go on' })
    expect(rowOf(shape, 'v1').subtype).toBe('api_error')
    expect(rowOf(shape, 'f1').attachment).toMatchObject({ type: 'file' })
    expect(rowOf(shape, 's1').subtype).toBe('turn_duration')
    expect(rowOf(shape, 'p1')).toMatchObject({ type: 'progress', data: { type: 'hook_progress' } })
  })

  it('keeps preserved messages with the summary, or another node, as anchor', () => {
    const shape = expandShape('s1: u1 a1 u2 a2 c1{u2,a2} k1 u3 / s1: u4 c2{u4;c2}^- k2')
    const uuids = ['u2', 'a2'].map(shape.uuid)
    expect(rowOf(shape, 'c1').compactMetadata).toMatchObject({
      preservedMessages: { anchorUuid: shape.uuid('k1'), uuids, allUuids: uuids },
      preservedSegment: { headUuid: uuids[0], anchorUuid: shape.uuid('k1'), tailUuid: uuids[1] },
    })
    expect(rowOf(shape, 'c2')).toMatchObject({
      logicalParentUuid: null,
      compactMetadata: { preservedMessages: { anchorUuid: shape.uuid('c2') } },
    })
  })

  it('takes a logical parent that was never written', () => {
    const shape = expandShape('s1: u1 a1 c1^?7 k1')
    expect(rowOf(shape, 'c1').logicalParentUuid).toBe(shape.uuid('?7'))
  })

  it('cuts a chain with <-', () => {
    expect(links(expandShape('s1: u1 a1 ~u2<- ~a2'))).toBe('u1<- a1<u1 u2<- a2<u2')
  })

  it('names the spawned agent on calls and results', () => {
    const shape = expandShape(`
      s1: u1 a1[t1:Agent>y,t2:Agent] # two agents
      s1/x: u2"look here" a2
      s1/y: u3"look there" a3
      s1: a1 > r1[t1>y] r2[t2!]
      s1/x: meta {"toolUseId":"toolu_t2"}`)
    expect(blocks(shape, 'a1').map(({ input }) => isJson(input) && input.prompt)).toEqual([
      'look there',
      'look here',
    ])
    expect(rowOf(shape, 'r1').toolUseResult).toMatchObject({ agentId: 'y' })
    expect(blocks(shape, 'r2')[0]?.is_error).toBe(true)
    expect(shape.metas).toEqual([
      { path: 's1/subagents/agent-x.meta.json', text: '{"toolUseId":"toolu_t2"}' },
    ])
  })

  it('knows the older layout of agent files', () => {
    const shape = expandShape('s1: u1 / s1+x: u2')
    expect(shape.files[1]?.path).toBe('agent-x.jsonl')
    expect(rowOf(shape, 'u2')).toMatchObject({ agentId: 'x', sessionId: 's1', isSidechain: true })
  })

  it('lays fields over a row', () => {
    const shape = expandShape('s1: u1 s1+{"subtype":"stop_hook_summary","of":"@{u1}","a":{"b":"}"}} a1')
    expect(rowOf(shape, 's1')).toMatchObject({
      type: 'system',
      subtype: 'stop_hook_summary',
      of: shape.uuid('u1'),
      a: { b: '}' },
    })
  })

  it('fills uuids into raw rows and writes blank ones', () => {
    const shape = expandShape('s1: u1 / s1: ! {"type":"summary","leafUuid":"@{u1}"} / s1: !')
    expect(shape.files[0]?.text.split('\n').slice(1)).toEqual([
      `{"type":"summary","leafUuid":"${shape.uuid('u1')}"}`,
      '',
      '',
    ])
  })
})

describe('what is not in the notation', () => {
  it.each([
    'u1 a1',
    's1: u1 zz',
    's1: u1 b1',
    's1: ?9',
    's1: u1[t1',
    's1: u1@5m',
    "s1: u1'",
    's1: u1@=u2 u2',
    's1: u1 c1{u1}',
    's1: u1+{broken',
  ])('is refused: %s', text => {
    expect(() => expandShape(text)).toThrow(RangeError)
  })
})
