/** E: plans of new sessions, on shapes. Every promise is checked by reading the result again. */

import { describe, expect, it } from 'vitest'
import { planCheckout, planFork, planPick, planSplit, planTrim, type TrimScope } from '../src/edit/index.js'
import { planRepair } from '../src/faults/index.js'
import { editable, editShape, MAKE, NEW_SESSION, resultOf } from './edit-support.js'

/** The releases whose loading was tried (D1). */
const RELEASES = ['2.1.325', '2.1.197', '2.1.101', '2.1.41', '2.0.64', '1.0.66']

/** A conversation with a compaction, all of it again under new ids, and a further turn. */
const REPLAYED =
  "s1: u1 a1 u2 a2 c1{u2,a2} k1<c1 u3 a3 / s1: u1'<- a1'<u1' u2'<a1' a2'<u2' c1'{u2,a2} k1'<c1' u3'<k1' a3'<u3' u4 a4"

const checkout = (shape: string, token: string): string => {
  const edited = editShape(shape)
  return edited.promise(planCheckout(edited, edited.node(token), MAKE))
}

describe('checkout', () => {
  it.each([
    ['the end', 's1: u1 a1 u2 a2', 'a2', 'u1 a1 u2 a2'],
    ['a prompt', 's1: u1 a1 u2 a2', 'u2', 'u1 a1 u2'],
    ['an abandoned branch', 's1: u1 a1 u2 a2 / s1: a1 > u3@+30m a3', 'a2', 'u1 a1 u2 a2'],
    ['a first prompt that was edited', 's1: u1 a1 / s1: u2@+1h a2', 'a1', 'u1 a1'],
    [
      'parallel calls, from one result',
      's1: u1 a1[t1] a2=a1[t2] / s1: a1 > r1[t1] / s1: a2 > r2[t2] a3',
      'r1',
      'u1 a1 a2 r1 r2',
    ],
    ['a message in mid turn', 's1: u1 a1[t1] r1[t1] a2[t2] r2[t2] a3', 'a2', 'u1 a1 r1 a2 r2'],
    ['an open call at the end', 's1: u1 a1 u2 a2[t1]', 'a2', 'u1 a1 u2'],
    ['a point before a compaction', 's1: u1 a1 u2 a2 c1{a2} k1<c1 u3 a3', 'a2', 'u1 a1 u2 a2'],
    ['a point behind a compaction', 's1: u1 a1 u2 a2 c1{u2,a2} k1<c1 u3 a3', 'a3', 'k1 u2 a2 u3 a3'],
    ['what hangs on a parent never written', 's1: u1 a1 u2<?9 a2', 'a2', 'u1 a1 u2 a2'],
    [
      'what a second compaction kept, the first summary among it',
      's1: u1 a1 c1{a1} k1<c1 u2 a2 c2{k1,u2;c2} k2<c2 u3 a3',
      'a3',
      'k1 u2 k2 u3 a3',
    ],
    ['a failed request', 's1: u1 a1 u2 e1 u3 a3', 'a3', 'u1 a1 u2 u3 a3'],
  ])('[E3] of %s', (_, shape, token, promise) => {
    expect(checkout(shape, token)).toBe(promise)
  })

  it("[E3] of an agent's conversation makes it a main one", () => {
    const edited = editShape('s1: u1 a1[t1:Task>x] / s1/x: u2 a2[t2] r2[t2] a3 / s1: a1 > r1[t1>x] a4')
    const plan = planCheckout(edited, edited.node('a3'), MAKE)
    expect(edited.promise(plan)).toBe('u2 a2 r2 a3')
    if (typeof plan === 'string') throw new Error(plan)
    for (const row of resultOf(edited, plan).rows.filter(({ parentUuid }) => parentUuid !== undefined))
      expect(row).toMatchObject({ isSidechain: false, sessionId: NEW_SESSION })
  })

  it.each([
    [
      'begins with an answer',
      's1: u1 a1[t1:Task>x] / s1/x: a2[t2] r2[t2] a3 / s1: a1 > r1[t1>x] a4',
      '? a2 r2 a3',
    ],
    ['begins with a stray result', 's1: u1 a1[t1:Task>x] / s1/x: r9[t9] a3 / s1: a1 > r1[t1>x] a4', '? a3'],
  ])('[E3] of an agent whose file %s begins with the prompt of its call', (_, shape, promise) => {
    const edited = editShape(shape)
    const plan = planCheckout(edited, edited.node('a3'), MAKE)
    expect(edited.promise(plan)).toBe(promise)
    if (typeof plan === 'string') throw new Error(plan)
    const [first] = resultOf(edited, plan).rows
    expect(first).toMatchObject({
      type: 'user',
      parentUuid: null,
      sessionId: NEW_SESSION,
      message: { role: 'user', content: 'do t1' },
    })
  })

  it('[E3] of a session that begins with an answer puts a word about that before it', () => {
    const edited = editShape('s1: a1 u2 a2')
    const plan = planCheckout(edited, edited.node('a2'), MAKE)
    expect(edited.promise(plan)).toBe('? a1 u2 a2')
  })

  it('[E3] of an entry with a time that no calendar has', () => {
    const edited = editShape('s1: u1 a1 u2 a2+{"timestamp":"+275760-09-13T00:00:00.000Z"} / s1: a1 > u3 a3')
    for (const plan of [
      planCheckout(edited, edited.node('a2'), MAKE),
      planFork(edited, edited.node('a3'), MAKE),
    ])
      expect(typeof plan).toBe('object')
  })

  it('[E4] copies have new uuids, one line of parents, and say what they are copies of', () => {
    const edited = editShape('s1: u1 a1[t1] a2=a1[t2] / s1: a1 > r1[t1] / s1: a2 > r2[t2] a3')
    const plan = planCheckout(edited, edited.node('a3'), MAKE)
    if (typeof plan === 'string') throw new Error(plan)
    const entries = resultOf(edited, plan).rows.filter(({ parentUuid }) => parentUuid !== undefined)
    const origins = entries.map(({ forkedFrom }) => forkedFrom)
    expect(origins).toEqual(
      ['u1', 'a1', 'a2', 'r1', 'r2', 'a3'].map(token => ({
        sessionId: 's1',
        messageUuid: edited.shape.uuid(token),
      })),
    )
    expect(entries.map(({ parentUuid }) => parentUuid)).toEqual([
      null,
      ...entries.slice(0, -1).map(({ uuid }) => uuid),
    ])
    const known = new Set([...edited.graph.nodes()].map(node => String(edited.graph.id(node))))
    expect(entries.filter(({ uuid }) => known.has(String(uuid)))).toEqual([])
  })

  it('[E4] ends with the title, as a row of its own', () => {
    const edited = editShape('s1: u1"Mend the tap" a1')
    const plan = planCheckout(edited, edited.node('a1'), MAKE)
    if (typeof plan === 'string') throw new Error(plan)
    expect(resultOf(edited, plan).rows.at(-1)).toMatchObject({
      type: 'custom-title',
      customTitle: 'Mend the tap (checkout)',
      sessionId: NEW_SESSION,
    })
  })

  it('[E5] agents of the calls that are copied come along, those of others do not', () => {
    const edited = editShape(
      's1: u1 a1[t1:Task>x] / s1/x: u2 a2 / s1: a1 > r1[t1>x] a4 u5 a5[t5:Task>y] / s1/y: u6 a6 / s1: a5 > r5[t5>y] a7',
    )
    const paths = (token: string): readonly string[] => {
      const plan = planCheckout(edited, edited.node(token), MAKE)
      return typeof plan === 'string' ? [] : plan.sidecars.map(({ to }) => to)
    }
    expect(paths('a4').filter(path => path.endsWith('.jsonl'))).toEqual(['subagents/agent-x.jsonl'])
    expect(paths('a7').filter(path => path.endsWith('.jsonl'))).toEqual([
      'subagents/agent-x.jsonl',
      'subagents/agent-y.jsonl',
    ])
  })

  it('[E9] where nothing can be sent, says so', () => {
    const edited = editShape('s1: s1 h1')
    expect(planCheckout(edited, edited.node('h1'), MAKE)).toContain('choose a later one')
  })
})

describe('repair', () => {
  const repair = (shape: string, only: readonly string[] = [], inPlace = false) => {
    const edited = editShape(shape)
    const plan = planRepair(edited, edited.file(), MAKE, { only, inPlace, mayLose: true })
    return { edited, plan, promise: edited.promise(plan), kinds: plan?.changes.map(({ what }) => what) ?? [] }
  }

  it.each([
    's1: u1 a1 u2 a2',
    's1: u1 a1 u2 a2 / s1: a1 > u3@+30m a3',
    's1: u1 a1[t1] a2=a1[t2] / s1: a1 > r1[t1] / s1: a2 > r2[t2] a3',
    's1: u1 a1 u2 a2 c1{u2,a2} k1<c1 u3 a3',
    's1: u1 a1"\\n\\n" u2 a2',
    's1: u1 a1 / s1: ?8 > h1',
  ])('[E6] has nothing to do for a healthy session: %s', shape => {
    expect(repair(shape).plan).toBeNull()
  })

  it.each([
    ['a parent never written', 's1: u1 a1 u2<?9 a2', 'u1 a1 u2 a2', ['dangling-parent']],
    [
      'an image without data',
      's1: u1 a1 u2+{"message":{"role":"user","content":[{"type":"image","source":{"type":"base64","data":""}}]}} a2',
      'u1 a1 u2 a2',
      ['empty-content'],
    ],
    ['an answer without a parent', 's1: u1 a1 u2 a2<- u3 a3', 'u1 a1 u2 a2 u3 a3', ['dangling-parent']],
    [
      'a result without a parent',
      's1: u1 a1[t1] a2=a1[t2] r1[t1]<- r2[t2]<a2 a3',
      'u1 a1 a2 r1 r2 a3',
      ['dangling-parent'],
    ],
    ['several of them', 's1: u1 a1<?8 u2<?9 a2', 'u1 a1 u2 a2', ['dangling-parent', 'dangling-parent']],
    ['one behind another', 's1: u1 h1<?8 h2<?9 a1', 'u1 a1', ['dangling-parent', 'dangling-parent']],
    ['a cycle', 's1: u1<a2 a1<u1 u2<a1 a2<u2', 'u1 a1 u2 a2', ['cycle']],
    ['a cycle in the middle', 's1: u1 a1 u2<a2 a2<u2 u3<a2 a3', 'u1 a1 u2 a2 u3 a3', ['cycle']],
    ['an entry that is its own parent', 's1: u1 a1 u2<u2 a2', 'u1 a1 u2 a2', ['cycle']],
    [
      'rows written twice',
      's1: u1 a1 u2 a2 / s1: u1 a1 u3<a2 a3',
      'u1 a1 u2 a2 u3 a3',
      ['duplicate-row', 'duplicate-row'],
    ],
    ['a call in the middle without a result', 's1: u1 a1[t1] u2 a2', 'u1 a1 ? u2 a2', ['unanswered-call']],
    [
      'calls without results one behind another',
      's1: u1 a1[t1] a2[t2] u2 a3[t3] u3 a4',
      'u1 a1 ? a2 ? u2 a3 ? u3 a4',
      ['unanswered-call', 'unanswered-call', 'unanswered-call'],
    ],
    [
      'one of two calls of a message without a result',
      's1: u1 a1[t1] a2=a1[t2] r1[t1] u2 a3',
      'u1 a1 a2 r1 ? u2 a3',
      ['unanswered-call'],
    ],
    [
      'a compaction that goes on from what is not there',
      's1: u1 a1 c1^?9 k1<c1 u2 a2',
      'k1 u2 a2',
      ['broken-compaction'],
    ],
    ["another session's id", 's1: u1 a1+{"sessionId":"s9"} u2 a2', 'u1 a1 u2 a2', ['wrong-session']],
    ['a result without a call', 's1: u1 a1 r1[t9] a2 u2 a3', 'u1 a1 a2 u2 a3', ['stray-result']],
    ['a second result', 's1: u1 a1[t1] r1[t1] r2[t1] a2', 'u1 a1 r1 a2', ['stray-result']],
    [
      'two calls with one id',
      's1: u1 a1[t1] r1[t1] a2[t1] r2[t1] a3',
      'u1 a1 r1 a2 r2 a3',
      ['duplicate-tool-id'],
    ],
    ['an empty prompt', 's1: u1 a1 u2"" a2', 'u1 a1 a2', ['empty-content']],
    ['a thought without a signature', 's1: u1 d1 a1=d1 u2 a2', 'u1 a1 u2 a2', ['unsendable-thinking']],
    ['a compaction without a summary', 's1: u1 a1 c1 u2 a2', 'u1 a1 u2 a2', ['broken-compaction']],
    [
      'a compaction that keeps what is not there',
      's1: u1 a1 c1{a1,?9} k1<c1 u2 a2',
      'k1 a1 u2 a2',
      ['broken-compaction'],
    ],
    [
      'a compaction that a rewind undid',
      's1: u1 a1 u2 a2 c1{a2} k1<c1 u3 a3 / s1: a1 > u4@+30m a4',
      'u1 a1 u4 a4',
      ['broken-compaction'],
    ],
    [
      'a local command that hangs on the first note of its process',
      's1: u1 a1 m1 l1 o1 u2 a2 / s1: m1 > l2 o2 u3 a3',
      'u1 a1 m1 l1 o1 u2 a2 l2 o2 u3 a3',
      ['stale-parent'],
    ],
    ['a beginning that is an answer', 's1: a1 u2 a2', '? a1 u2 a2', ['answer-first']],
    [
      'turns that were forgotten after a crash',
      's1: u1 a1[t1] a2=a1[t2] / s1: a1 > r1[t1] / s1: a2 > r2[t2] a3 u2 a4 / s1: r1 > u3@+1h a5',
      'u1 a1 a2 r1 r2 a3 u2 a4 u3 a5',
      ['stale-parent'],
    ],
  ])('[E6] mends %s', (_, shape, promise, kinds) => {
    const repaired = repair(shape)
    expect(repaired.kinds).toEqual(kinds)
    expect(repaired.promise).toBe(promise)
  })

  it('[E6] a summary without its boundary begins the conversation', () => {
    const { promise, kinds } = repair('s1: u1 a1 k1<?9@+1h u2 a2')
    expect([promise, kinds]).toEqual(['k1 u2 a2', ['dangling-parent']])
  })

  it('[E6] thoughts are not promised where the answer behind them is empty', () => {
    expect(repair('s1: u1 d1 a1""=d1 u2 a2').promise).toBe('u1 u2 a2')
  })

  it('[E6] notes the end again where an older one was noted', () => {
    const whole = editShape('s1: u1 a1 u2<?9 a2')
    const rows = (whole.texts.get('s1.jsonl') ?? '').trim().split('\n')
    const note = JSON.stringify({ type: 'last-prompt', leafUuid: whole.shape.uuid('a1'), sessionId: 's1' })
    const edited = editable([{ path: 's1.jsonl', text: `${rows.toSpliced(2, 0, note).join('\n')}\n` }])
    const [file] = edited.graph.files()
    const plan = file && planRepair(edited, file, MAKE, { only: [], inPlace: false, mayLose: true })
    if (!plan) throw new Error('no plan')
    const notes = resultOf(edited, plan).rows.filter(({ type }) => type === 'last-prompt')
    expect(notes.map(({ leafUuid }) => leafUuid)).toEqual([plan.promise[1], plan.promise[3]])
  })

  it('[E6] entries go on past one of a type that nobody knows', () => {
    const { edited, plan } = repair('s1: u1 a1 x1 u2 a2 u3<?9 a3', [], true)
    if (plan === null) throw new Error('no plan')
    const rows = resultOf(edited, plan).rows
    const prompt = rows.find(({ uuid }) => uuid === edited.shape.uuid('u2'))
    expect(prompt?.['parentUuid']).toBe(edited.shape.uuid('a1'))
  })

  it('[E6] branches stay branches', () => {
    const { edited, plan, promise } = repair('s1: u1 a1 u2 a2 / s1: a1 > u3@+30m a3 u4<?9 a4')
    expect(promise).toBe('u1 a1 u3 a3 u4 a4')
    if (plan === null) throw new Error('no plan')
    const rows = resultOf(edited, plan).rows
    const parentOf = (token: string): unknown =>
      rows.find(({ forkedFrom }) => JSON.stringify(forkedFrom)?.includes(edited.shape.uuid(token)))?.[
        'parentUuid'
      ]
    expect(parentOf('u2')).toBe(parentOf('u3'))
    expect(rows.filter(({ parentUuid }) => parentUuid !== undefined)).toHaveLength(8)
  })

  it.each([
    [
      'a call of a message that stands beside the chain',
      's1: u1 a1[t1] a2=a1[t2] / s1: u1 > a3=a1[t3] / s1: a1 > r1[t1] / s1: a2 > r2[t2] r3[t9]',
      'u1 a1 a2 a3 r1 r2 ?',
      ['unanswered-call', 'stray-result'],
    ],
    [
      'a compaction whose summary is gone',
      's1: u1 a1 u2 a2 c1{u1,a1;c1} / s1: ?9 > u3 a3',
      'u1 a1 u2 a2 u3 a3',
      ['dangling-parent', 'broken-compaction'],
    ],
    [
      'a parent that would close a cycle: an entry further up is taken',
      's1: u1 a1 u2 a2<a4 u3<?9 a4<u3',
      'u1 a1 u2 u3 a4 a2',
      ['dangling-parent'],
    ],
    [
      'two calls of one message with one id',
      's1: u1 a1[t1] a2=a1[t1] / s1: a2 > r2[t1] / s1: a1 > r1[t1] a3',
      'u1 a1 a2 r2 r1 a3',
      ['duplicate-tool-id'],
    ],
  ])('[E2] [E6] mends %s', (_, shape, promise, kinds) => {
    const { edited, plan, ...repaired } = repair(shape)
    expect(repaired).toEqual({ promise, kinds })
    for (const version of RELEASES) expect(edited.loaded(plan, version)).toBe(promise)
  })

  it('[E6] [G7] history that stands there twice is left out once, with a compaction in it', () => {
    const edited = editShape(REPLAYED)
    const plan = planRepair(edited, edited.file(), MAKE, { only: [], inPlace: false, mayLose: true })
    expect(plan?.changes.map(({ what }) => what)).toEqual(['duplicate-row'])
    expect(edited.promise(plan)).toBe('k1 u2 a2 u3 a3 u4 a4')
    expect(edited.links(plan)).toBe('u1<- a1<u1 u2<a1 a2<u2 c1<- k1<c1 u3<k1 a3<u3 u4<a3 a4<u4')
  })

  it('[E6] a compaction that a rewind undid stands before the one that is live', () => {
    const shape = 's1: u1 a1 u2 a2 c1{u2,a2} k1<c1 u3 a3 u4 a4 c2{a4} k2<c2 u5 a5 / s1: a3 > u6@+1h a6'
    const { edited, plan, promise, kinds } = repair(shape)
    expect([promise, kinds]).toEqual(['k1 u2 a2 u3 a3 u6 a6', ['broken-compaction']])
    expect(edited.loaded(plan, '2.1.325')).toBe(promise)
    expect(edited.branches(plan)).toBe(edited.branches())
  })

  it('[E6] what nobody knows is not among what a compaction kept', () => {
    const { edited, plan, promise } = repair('s1: u1 a1 u2 a2 x1 c1{u2,a2,x1} k1<c1 u3<?9 a3')
    expect(promise).toBe('k1 u2 a2 u3 a3')
    expect(edited.loaded(plan, '2.1.325')).toBe(promise)
  })

  it('[E6] calls before a compaction are not answered', () => {
    const shape = 's1: u1 a1 u2 a2[t1] a3=a2[t2] / s1: a2 > r1[t1] c1{u2,a2,r1} k1<c1 u3<?9 a4'
    const { edited, plan, promise, kinds } = repair(shape)
    expect([promise, kinds]).toEqual(['k1 u2 a2 r1 u3 a4', ['dangling-parent']])
    expect(edited.loaded(plan, '2.1.325')).toBe(promise)
  })

  it('[E6] ids that tell calls apart do not look like those of the client', () => {
    const { edited, plan } = repair('s1: u1 a1[t1] r1[t1] a2[t1] r2[t1] a3')
    if (plan === null) throw new Error('no plan')
    const { text } = resultOf(edited, plan)
    expect([...text.matchAll(/"(?:id|tool_use_id)":"toolu_(t[^"]*)"/g)].map(([, id]) => id)).toEqual([
      't1',
      't1',
      't1n2',
      't1n2',
    ])
  })

  it('[E6] a message that was resumed in the middle is sent whole', () => {
    const shape = 's1: u1 a1 a2=a1 u2<a1@+1h a3 u3<?9 a4'
    const { edited, plan, promise } = repair(shape)
    expect(promise).toBe('u1 a1 a2 u2 a3 u3 a4')
    for (const version of RELEASES) expect(edited.loaded(plan, version)).toBe(promise)
  })

  it('[E6] [P9] damaged bytes stay in rows of their own, and records on one row are taken apart', () => {
    const whole = editShape('s1: u1 a1 u2 a2')
    const rows = (whole.texts.get('s1.jsonl') ?? '').trim().split('\n')
    const [u1 = '', a1 = '', u2 = '', a2 = ''] = rows
    const broken = `${u1}\n${a1}{"torn":${u2} left\n{"torn":"\n\u0000\u0000${a2}\n`
    const edited = editable([{ path: 's1.jsonl', text: broken }])
    const [file] = edited.graph.files()
    const plan = file && planRepair(edited, file, MAKE, { only: [], inPlace: true, mayLose: true })
    if (!plan) throw new Error('no plan')
    expect(plan.changes.map(({ what, row }) => `${what} ${row}`)).toEqual([
      'damaged-row 2',
      'damaged-row 2',
      'damaged-row 4',
    ])
    const { text, fault } = resultOf(edited, plan)
    expect(fault).toBeNull()
    expect(text.trim().split('\n')).toEqual([u1, a1, u2, '{"torn":', 'left', '{"torn":"', a2])
  })

  it('[E6] [P9] a row that holds no record is nothing to repair', () => {
    const { texts } = editShape('s1: u1 a1 u2 a2')
    const edited = editable([{ path: 's1.jsonl', text: `${texts.get('s1.jsonl')}{"torn":"\n` }])
    const [file] = edited.graph.files()
    expect(file && planRepair(edited, file, MAKE, { only: [], inPlace: true, mayLose: true })).toBeNull()
  })

  it('[E6] in place keeps uuids, session and every other byte of what is whole', () => {
    const { edited, plan } = repair('s1: u1 a1 u2<?9 a2', [], true)
    if (plan === null) throw new Error('no plan')
    const before = (edited.texts.get('s1.jsonl') ?? '').trim().split('\n')
    const after = resultOf(edited, plan).text.trim().split('\n')
    expect(after.filter((line, at) => line !== before[at])).toHaveLength(1)
    expect(after[2]).toBe(before[2]?.replace(edited.shape.uuid('?9'), edited.shape.uuid('a1')))
  })

  it('[E6] --only mends nothing else', () => {
    const shape = 's1: u1 a1 u2<?9 a2 u3<u3 a3'
    expect(repair(shape, ['cycle']).kinds).toEqual(['cycle'])
    expect(repair(shape, ['stray-result']).plan).toBeNull()
  })
})

describe('fork', () => {
  it('[E7] keeps branches, leaves out what comes after, and goes on at the point', () => {
    const edited = editShape('s1: u1 a1 u2 a2 u5 a5 / s1: a1 > u3@+30m a3 u4 a4')
    const plan = planFork(edited, edited.node('a2'), MAKE)
    expect(edited.promise(plan)).toBe('u1 a1 u2 a2')
    if (typeof plan === 'string') throw new Error(plan)
    const { rows } = resultOf(edited, plan)
    const origins = rows.flatMap(
      ({ forkedFrom }) => /"messageUuid":"([^"]+)"/.exec(JSON.stringify(forkedFrom) ?? '')?.[1] ?? [],
    )
    expect(edited.shape.say(origins)).toBe('u1 a1 u2 u3 a3 u4 a4 a2')
  })

  it('[E7] to before a compaction leaves the compaction out', () => {
    const edited = editShape('s1: u1 a1 u2 a2 c1{u2,a2} k1<c1 u3 a3')
    expect(edited.promise(planFork(edited, edited.node('a2'), MAKE))).toBe('u1 a1 u2 a2')
    expect(edited.promise(planFork(edited, edited.node('a3'), MAKE))).toBe('k1 u2 a2 u3 a3')
  })
})

describe('fork of a tangle', () => {
  it.each([
    ['inside an agent between the rows', 's1: u1 a1[t1:Task] ~u2<- ~a2 / s1: a1 > r1[t1] a3', 'a2', 'u2 a2'],
    ['in history that stands there twice', "s1: u1 a1 / s1: u1'@+1h a1'<u1'@=u1' u2 a2", "a1'", "u1' a1'"],
  ])('[E7] %s has the conversation alone', (_, shape, token, promise) => {
    const edited = editShape(shape)
    const plan = planFork(edited, edited.node(token), MAKE)
    expect(edited.promise(plan)).toBe(promise)
    if (typeof plan === 'string') throw new Error(plan)
    expect(resultOf(edited, plan).fault).toBeNull()
    expect(plan.changes.at(-1)?.why).toContain('The other branches stay behind')
  })
})

describe('pick', () => {
  const shape = 's1: u1 a1 u2 a2[t1] r1[t1] a3 u4 a4 / s1: a1 > u5@+30m a5'

  it('[E7] takes whole turns to the end of another branch', () => {
    const edited = editShape(shape)
    const pick = (tokens: readonly string[]): string =>
      edited.promise(planPick(edited, edited.node('a5'), tokens.map(edited.node), MAKE))
    expect(pick(['u2'])).toBe('u1 a1 u5 a5 u2 a2 r1 a3')
    expect(pick(['r1'])).toBe('u1 a1 u5 a5 u2 a2 r1 a3')
    expect(pick(['u4', 'u2'])).toBe('u1 a1 u5 a5 u4 a4 u2 a2 r1 a3')
  })

  it('[E7] a turn ends at a compaction', () => {
    const edited = editShape('s1: u1 a1 u2 a2 c1 k1<c1 u3 a3')
    const plan = planPick(edited, edited.node('a3'), [edited.node('u2')], MAKE)
    expect(edited.promise(plan)).toBe('k1 u3 a3 u2 a2')
  })

  it('[E9] refuses what is there already', () => {
    const edited = editShape(shape)
    expect(planPick(edited, edited.node('a5'), [edited.node('u1')], MAKE)).toContain(
      'in the conversation already',
    )
    expect(planPick(edited, edited.node('a5'), [edited.node('u2'), edited.node('a3')], MAKE)).toContain(
      'already',
    )
  })
})

describe('split', () => {
  const makes = [MAKE, MAKE] as const

  it('[E7] cuts before the turn of an entry', () => {
    const edited = editShape('s1: u1 a1 u2 a2[t1] r1[t1] a3 u4 a4')
    const halves = planSplit(edited, edited.file(), edited.node('r1'), makes)
    if (typeof halves === 'string') throw new Error(halves)
    expect(halves.map(edited.promise)).toEqual(['u1 a1', 'u2 a2 r1 a3 u4 a4'])
  })

  it('[E9] refuses the first turn, and what is not live', () => {
    const edited = editShape('s1: u1 a1 u2 a2 / s1: a1 > u3@+30m a3')
    expect(planSplit(edited, edited.file(), edited.node('a1'), makes)).toContain('nothing comes before it')
    expect(planSplit(edited, edited.file(), edited.node('a2'), makes)).toContain('dagline checkout')
  })
})

describe('trim', () => {
  const all: TrimScope = { outputs: 0, images: true, thinking: true, progress: true }

  it('[E8] leaves progress and thoughts out, except those of the last turn', () => {
    const signed = '+{"message":{"content":[{"type":"thinking","thinking":"hm","signature":"s"}]}}'
    const edited = editShape(`s1: u1 d1${signed} a1=d1 p1 u2 d2${signed} a2=d2`)
    expect(edited.promise(planTrim(edited, edited.file(), MAKE, all))).toBe('u1 a1 u2 d2 a2')
    const none: TrimScope = { outputs: null, images: false, thinking: false, progress: false }
    expect(edited.promise(planTrim(edited, edited.file(), MAKE, none))).toBe('u1 d1 a1 u2 d2 a2')
  })
})
