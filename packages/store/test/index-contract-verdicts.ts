/** What every index keeps of what the graph says: verdicts, groups, and answers that were computed. */
import { expect, it } from 'vitest'
import type { IndexStore } from '../src/db/index-store.js'
import {
  addRows,
  diagnostic,
  draft,
  judgement,
  line,
  phrase,
  prompts,
  rowOf,
  search,
  sessionFact,
  textFact,
} from './index-parts.js'

type Open = () => IndexStore

/** Runs the cases on verdicts. */
export function verdictsAreKept(open: Open): void {
  verdictsOnEntriesAreKept(open)
  groupsComeAndGo(open)
  answersAreKept(open)
}

function verdictsOnEntriesAreKept(open: Open): void {
  it('[I1] the verdict on an entry is said of its texts; a later judgement replaces it', () => {
    const index = open()
    const file = index.addFile(index.rootId('/one'), draft('-a/s1.jsonl'))
    const texts = [0, 1, 2].map(nth => textFact(`word n${nth}`, { nth }))
    addRows(index, file, prompts(1, 'u0', 'u1', 'u2'), { texts })
    const say = (): readonly string[] =>
      search(index, 'word')
        .toReversed()
        .map(found => `${found.line?.name}/${found.line?.branchStatus} ${found.live} ${found.compacted}`)
    expect(say()).toEqual([
      'undefined/undefined false 0',
      'undefined/undefined false 0',
      'undefined/undefined false 0',
    ])
    const branch = line('s1@u1', { kind: 'branch', status: 'abandoned', session: 's1' })
    index.judge(
      judgement(
        { [file]: [{ line: 0, live: true, compacted: 1 }, { line: 1 }, { line: 0, live: true }] },
        { lines: [line('s1'), branch] },
      ),
    )
    expect(say()).toEqual(['s1/live true 1', 's1@u1/abandoned false 0', 's1/live true 0'])
    const lines = [branch, line('s1'), line('s1@u2', { kind: 'branch', session: 's1' })]
    index.judge(judgement({ [file]: [{ line: 1, live: true }, { line: 1 }, { line: 2 }] }, { lines }))
    expect(say()).toEqual(['s1/live true 0', 's1/live false 0', 's1@u2/live false 0'])
  })

  it('[I1] a node that another file owns is found there only', () => {
    const index = open()
    const root = index.rootId('/one')
    const [a, b] = [index.addFile(root, draft('-a/a.jsonl')), index.addFile(root, draft('-a/b.jsonl'))]
    addRows(index, a, prompts(1, 'u1', 'u2'), { texts: [textFact('shared'), textFact('shared', { nth: 1 })] })
    addRows(index, b, prompts(1, 'u1', 'v2'), { texts: [textFact('shared'), textFact('shared', { nth: 1 })] })
    expect(search(index, 'shared')).toHaveLength(4)
    index.judge(judgement({ [a]: [{}, {}], [b]: [{ owner: [a, 0] }, {}] }))
    expect(search(index, 'shared').map(({ path, node }) => `${path} ${node}`)).toEqual([
      '-a/b.jsonl v2',
      '-a/a.jsonl u2',
      '-a/a.jsonl u1',
    ])
  })

  it('[I1] a queued text is found where it is lost or was recalled, and only once it is known', () => {
    const index = open()
    const file = index.addFile(index.rootId('/one'), draft('-a/a.jsonl'))
    const queued = (row: number) => textFact('typed ahead', { nth: -1, row, field: 'queued' })
    const rows = [1, 2, 3].map(row =>
      rowOf(row, { type: 'queue-operation', operation: 'enqueue', content: 'x' }),
    )
    addRows(index, file, rows, { texts: [1, 2, 3].map(queued) })
    expect(index.find([phrase('typed')], {}, 9)).toEqual([])
    const fates = ['prompt', 'lost', 'recalled']
    const queue = fates.map((became, at) => ({ file, row: at + 1, operation: 'enqueue', became, node: null }))
    index.judge(judgement({ [file]: [] }, { queue }))
    const found = index.find([phrase('typed')], {}, 9)
    expect([
      index.count([phrase('typed')], {}),
      found.map(({ row, became, node }) => [row, became, node]),
    ]).toEqual([
      2,
      [
        [3, 'recalled', null],
        [2, 'lost', null],
      ],
    ])
    index.judge(judgement({ [file]: [] }, { before: [file], queue: queue.slice(0, 2) }))
    expect(search(index, 'typed').map(({ row }) => row)).toEqual([2])
  })
}

function groupsComeAndGo(open: Open): void {
  it('[I3] groups that are judged as one are one; what was said of them apart is gone', () => {
    const index = open()
    const root = index.rootId('/one')
    const [a, b] = [index.addFile(root, draft('-a/a.jsonl')), index.addFile(root, draft('-a/b.jsonl'))]
    const said = (file: number, name: string): void =>
      index.judge(
        judgement({ [file]: [] }, { sessions: [sessionFact(name)], diagnostics: [diagnostic(name, name)] }),
      )
    said(a, 'a')
    said(b, 'b')
    expect(index.files(root).map(({ group }) => group)).toEqual([a, b])
    index.release(a)
    index.release(b)
    expect(index.files(root).map(({ group }) => group)).toEqual([null, null])
    expect(index.sessions()).toHaveLength(2)
    index.judge(judgement({ [a]: [], [b]: [] }, { before: [a, b], sessions: [sessionFact('ab')] }))
    expect(index.files(root).map(({ group }) => group)).toEqual([a, a])
    expect([index.sessions().map(({ session }) => session), index.diagnostics()]).toEqual([['ab'], []])
  })

  it('[I3] what was said of groups without files is swept, and nothing else', () => {
    const index = open()
    const root = index.rootId('/one')
    const [a, b] = [index.addFile(root, draft('-a/a.jsonl')), index.addFile(root, draft('-a/b.jsonl'))]
    index.judge(judgement({ [a]: [] }, { sessions: [sessionFact('a')], diagnostics: [diagnostic('a', 'a')] }))
    index.judge(judgement({ [b]: [] }, { sessions: [sessionFact('b')], diagnostics: [diagnostic('b', 'b')] }))
    index.removeFile(a)
    index.sweep()
    expect(index.sessions().map(({ session }) => session)).toEqual(['b'])
    expect(index.diagnostics()).toEqual([diagnostic('b', 'b')])
  })
}

function answersAreKept(open: Open): void {
  it('[I12] an answer is kept for a group, a kind and a part, until its group is released', () => {
    const index = open()
    const [one, two] = [index.rootId('/one'), index.rootId('/two')]
    const groups = [one, two].map(root => {
      const file = index.addFile(root, draft('-a/s1.jsonl'))
      index.judge(judgement({ [file]: [] }, { root, sessions: [sessionFact('s1')] }))
      return file
    })
    const [first = 0, second = 0] = groups
    const answer = { group: first, part: '-a', basis: 'b1', value: '1' }
    index.keepAnswer('stats', { ...answer, value: '0' })
    index.keepAnswer('stats', answer)
    index.keepAnswer('stats', { ...answer, part: '-b' })
    index.keepAnswer('census', answer)
    index.keepAnswer('stats', { ...answer, group: second })
    const kept = (root: number, kind: string): readonly object[] => [...index.answers(root, kind)]
    expect(kept(one, 'stats')).toEqual([answer, { ...answer, part: '-b' }])
    expect(kept(two, 'census')).toEqual([])
    expect(index.grouping(one)).toEqual([
      { path: '-a/s1.jsonl', group: first, isArchived: false, isRead: false },
    ])
    expect([...index.groupSessions(two)]).toEqual([[second, [sessionFact('s1')]]])
    index.release(first)
    expect([kept(one, 'stats'), kept(one, 'census'), kept(two, 'stats').length]).toEqual([[], [], 1])
    index.removeFile(second)
    index.sweep()
    expect(kept(two, 'stats')).toEqual([])
  })

  it('[I12] what the answers of a root add up to is kept until one of them is dropped', () => {
    const index = open()
    const [one, two] = [index.rootId('/one'), index.rootId('/two')]
    const files = [one, one, two].map(root => {
      const file = index.addFile(root, draft(`-a/${root}-${index.files(root).length}.jsonl`))
      index.judge(judgement({ [file]: [] }, { root }))
      return file
    })
    const [first = 0, second = 0, other = 0] = files
    for (const group of [first, other])
      index.keepAnswer('usage', { group, part: '', basis: 'b1', value: '1' })
    index.keepAnswer('stats', { group: second, part: '-a', basis: 'b1', value: '1' })
    const sum = { basis: 'b1', value: '2' }
    for (const root of [one, two]) index.keepRootAnswer(root, 'usage', sum)
    expect(index.unanswered(one, 'usage', 'b1')).toEqual([second])
    // Only a group whose answer was added up takes the sum with it.
    index.release(second)
    expect([index.rootAnswer(one, 'usage'), index.rootAnswer(one, 'stats')]).toEqual([sum, null])
    index.release(first)
    expect([index.rootAnswer(one, 'usage'), index.rootAnswer(two, 'usage')]).toEqual([null, sum])
    index.removeFile(other)
    index.sweep()
    expect(index.rootAnswer(two, 'usage')).toBeNull()
  })
}
