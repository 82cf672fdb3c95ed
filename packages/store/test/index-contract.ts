/** What every index does, whatever it is made of. The same cases run on the one in SQLite and on the plain model. */
import { describe, expect, it } from 'vitest'
import type { FoundText, IndexStore, Phrase, TextFilter } from '../src/db/index-store.js'
import {
  addRows,
  diagnostic,
  draft,
  judgement,
  line,
  messageFact,
  prompts,
  rowOf,
  sessionFact,
  textFact,
} from './index-parts.js'

type Open = () => IndexStore

/** Runs the cases. */
export function indexContract(name: string, open: Open): void {
  describe(`${name}: facts`, () => {
    filesAreKept(open)
    rowsAreKept(open)
    tiesAreFound(open)
  })
  describe(`${name}: verdicts`, () => {
    verdictsAreKept(open)
    groupsComeAndGo(open)
    answersAreKept(open)
  })
  describe(`${name}: answers`, () => {
    wordsAreFound(open)
    filtersHold(open)
    pagesGoOn(open)
    figuresAreGiven(open)
  })
}

function filesAreKept(open: Open): void {
  it('[I1] files are given back as they were added, by path and root', () => {
    const index = open()
    const [one, two] = [index.rootId('/one'), index.rootId('/two')]
    expect(index.rootId('/one')).toBe(one)
    const state = {
      size: 9,
      mtime: 1.5,
      inode: 7,
      offset: 9,
      row: 2,
      headHash: 'h',
      tailHash: 't',
      damage: { crlf: { count: 1, row: 1 }, invalidUtf8: { count: 0, row: null } },
    }
    const full = draft('-a/s2.jsonl', {
      state,
      diagnostics: [diagnostic('-a/s2.jsonl', 'odd')],
    })
    const second = index.addFile(one, full)
    const first = index.addFile(one, draft('-a/s1.jsonl'))
    index.addFile(two, draft('-a/s1.jsonl'))
    expect(index.files(one)).toEqual([
      { ...draft('-a/s1.jsonl'), id: first, group: null },
      { ...full, id: second, group: null },
    ])
    expect(index.files(two)).toHaveLength(1)
    expect(index.files(3)).toEqual([])
  })

  it('[I1] a file is changed and removed, its group stays and goes with it', () => {
    const index = open()
    const root = index.rootId('/one')
    const [a, b] = [index.addFile(root, draft('-a/a.jsonl')), index.addFile(root, draft('-a/b.jsonl'))]
    index.judge(judgement({ [a]: [], [b]: [] }))
    index.updateFile(a, draft('-b/a.jsonl', { bytes: 5 }))
    expect(index.files(root).map(({ path, group }) => [path, group])).toEqual([
      ['-a/b.jsonl', a],
      ['-b/a.jsonl', a],
    ])
    index.removeFile(a)
    expect(index.files(root).map(({ id }) => id)).toEqual([b])
  })

  it('[I6] what was rolled back did not happen, what was committed did', () => {
    const index = open()
    const root = index.rootId('/one')
    const file = index.addFile(root, draft('-a/a.jsonl'))
    index.begin()
    addRows(index, file, prompts(1, 'u1'), { texts: [textFact('lost words')] })
    index.judge(judgement({ [file]: [{ live: true }] }, { sessions: [sessionFact('a')] }))
    index.rollback()
    expect([
      [...index.rowsOf(file)],
      index.sessions(),
      search(index, 'lost'),
      index.files(root)[0]?.group,
    ]).toEqual([[], [], [], null])
    index.begin()
    addRows(index, file, prompts(1, 'u1'), { texts: [textFact('kept words')] })
    index.commit()
    index.rollback()
    expect(search(index, 'kept')).toHaveLength(1)
  })
}

function rowsAreKept(open: Open): void {
  it('[I1] rows come back as they were parsed, chunk after chunk', () => {
    const index = open()
    const file = index.addFile(index.rootId('/one'), draft('-a/a.jsonl'))
    const [first, second] = [
      prompts(1, 'u1', 'u2'),
      [rowOf(3, { type: 'summary', summary: 's', leafUuid: 'u2' })],
    ]
    addRows(index, file, first)
    addRows(index, file, second, { firstNode: 2 })
    expect([...index.rowsOf(file)]).toEqual([...first, ...second])
  })

  it('[I2] dropped rows take their texts, messages, files and verdicts along, and say what is left', () => {
    const index = open()
    const file = index.addFile(index.rootId('/one'), draft('-a/a.jsonl'))
    expect(index.dropRows(file, 0)).toBe(0)
    const add = (row: number, nth: number, word: string): void =>
      addRows(index, file, prompts(row, word), {
        firstNode: nth,
        texts: [textFact(`${word} text`, { nth, row })],
        messages: [messageFact(word, nth)],
        touched: [[nth, `/home/${word}.ts`, 'Read']],
      })
    add(1, 0, 'first')
    add(2, 1, 'second')
    index.judge(judgement({ [file]: [{ live: true }, { live: true }] }))
    expect(index.dropRows(file, 5)).toBe(2)
    expect(index.dropRows(file, 2)).toBe(1)
    expect(search(index, 'text').map(({ node }) => node)).toEqual(['first'])
    expect(index.usage().map(({ message }) => message)).toEqual(['first'])
    expect(search(index, 'text', { touched: 'second.ts' })).toEqual([])
    expect(index.dropRows(file, 2)).toBe(1)
    add(2, 1, 'again')
    expect(search(index, 'text').map(({ node }) => node)).toEqual(['again', 'first'])
    expect(search(index, 'again')[0]?.live).toBe(false)
    expect(index.dropRows(file, 0)).toBe(0)
    expect([[...index.rowsOf(file)], search(index, 'text'), index.usage()]).toEqual([[], [], []])
  })

  it('[I2] a tool is known by a call that was read before, and by no later one', () => {
    const index = open()
    const file = index.addFile(index.rootId('/one'), draft('-a/a.jsonl'))
    const call = { type: 'tool_use', id: 't1', name: 'Bash', input: {} }
    const answer = rowOf(2, {
      type: 'assistant',
      uuid: 'a1',
      message: { id: 'm', role: 'assistant', content: [call] },
    })
    const output = (nth: number, text: string) => textFact(text, { nth, field: 'output', call: 't1' })
    addRows(index, file, [...prompts(1, 'r0'), answer], { texts: [output(0, 'early output')] })
    addRows(index, file, prompts(3, 'r1'), { firstNode: 2, texts: [output(2, 'late output')] })
    const tools = search(index, 'output').map(({ node, tool }) => [node, tool])
    expect(tools).toEqual([
      ['r1', 'Bash'],
      ['r0', null],
    ])
  })
}

function tiesAreFound(open: Open): void {
  it('[I3] files are linked by equal uuids, by uuids they name, and by keys', () => {
    const index = open()
    const root = index.rootId('/one')
    const add = (path: string, uuids: readonly string[], linkKeys: readonly string[]): number => {
      const file = index.addFile(root, draft(path))
      addRows(index, file, prompts(1, ...uuids), { linkKeys })
      return file
    }
    const own = add('-a/own.jsonl', ['u1', 'u2'], ['s own', 'u u9'])
    const same = add('-a/same.jsonl', ['u2'], [])
    const wanting = add('-a/wanting.jsonl', ['w1'], ['u u1'])
    const writing = add('-a/writing.jsonl', ['u9'], [])
    const session = add('-a/session.jsonl', ['x'], ['s own'])
    add('-a/stranger.jsonl', ['y'], ['s other'])
    const linked = (nth: number, ...keys: string[]): readonly number[] =>
      [...index.linkedTo(own, nth, new Set(keys))].sort((a, b) => a - b)
    expect(linked(0, 's own', 'u u9')).toEqual([same, wanting, writing, session])
    expect(linked(0)).toEqual([same, wanting])
    expect(linked(1)).toEqual([same])
    expect(linked(2)).toEqual([])
    expect(linked(2, 'u u9', 's nobody')).toEqual([writing])
  })

  it('[I3] of many files that have something in common the first one of the root is named', () => {
    const index = open()
    const elsewhere = index.addFile(index.rootId('/other'), draft('-a/elsewhere.jsonl'))
    const root = index.rootId('/one')
    const files = ['a', 'b', 'c', 'd'].map(name => index.addFile(root, draft(`-a/${name}.jsonl`)))
    for (const file of [elsewhere, ...files])
      addRows(index, file, prompts(1, 'u1', 'u2'), { linkKeys: ['s s'] })
    const [first = -1, second = -1, , last = -1] = files
    expect(index.linkedTo(last, 0, new Set(['s s', 'u u2']))).toEqual([first])
    expect(index.linkedTo(first, 0, new Set(['s s']))).toEqual([second])
  })

  it('[I16] the files of an id are found by its beginning: entries, and sessions that rows name', () => {
    const index = open()
    const roots = ['/one', '/two'].map(path => index.rootId(path))
    for (const root of roots)
      addRows(index, index.addFile(root, draft('-a/s1.jsonl')), prompts(1, 'ab1', 'ab2', 'b%'), {
        linkKeys: ['s abc', 's x', 'u abd'],
      })
    const found = (...asked: Parameters<typeof index.locate>): readonly string[] =>
      index
        .locate(...asked)
        .map(({ id, root, path }) => `${id} ${roots.indexOf(root)} ${path}`)
        .sort()
    const both = (id: string): readonly string[] => [0, 1].map(root => `${id} ${root} -a/s1.jsonl`)
    expect(found('uuid', 'ab')).toEqual([...both('ab1'), ...both('ab2')])
    expect(found('uuid', 'ab2')).toEqual(both('ab2'))
    expect([found('uuid', '%'), found('uuid', 'abc'), found('session', 'abd')]).toEqual([[], [], []])
    expect(found('session', 'ab')).toEqual(both('abc'))
    expect(index.locate('uuid', 'ab', 3)).toHaveLength(3)
  })

  it('[I3] a file that was emptied or removed is linked to nothing', () => {
    const index = open()
    const root = index.rootId('/one')
    const [a, b] = [index.addFile(root, draft('-a/a.jsonl')), index.addFile(root, draft('-a/b.jsonl'))]
    const note = (session: string): object => ({ type: 'x', uuid: `of ${session}`, sessionId: session })
    const fill = (file: number): void =>
      addRows(index, file, [rowOf(1, note('s'))], { linkKeys: ['s s', 's a', 's b'] })
    fill(a)
    fill(b)
    expect(index.linkedTo(b, 0, new Set(['s s']))).toEqual([a])
    index.dropRows(a, 0)
    expect(index.linkedTo(b, 0, new Set(['s s']))).toEqual([])
    fill(a)
    index.removeFile(a)
    expect(index.linkedTo(b, 0, new Set(['s s']))).toEqual([])
  })
}

function verdictsAreKept(open: Open): void {
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
}

function wordsAreFound(open: Open): void {
  const text = 'Fixed the “naïve” Crème-brûlée parser: foo-bar, src/app.ts, user_name and Straße 42 in v2.1.0'
  const cases: readonly (readonly [string, Phrase[], boolean])[] = [
    ['a word', [phrase('parser')], true],
    ['whatever its case', [phrase('FIXED')], true],
    ['without diacritics', [phrase('naive'), phrase('creme')], true],
    ['with other diacritics', [phrase('nàïvè')], true],
    ['every word', [phrase('fixed'), phrase('absent')], false],
    ['no part of a word', [phrase('pars')], false],
    ['a prefix', [prefix('pars')], true],
    ['words in a row', [phrase('fixed', 'the')], true],
    ['not in another order', [phrase('the', 'fixed')], false],
    ['words in a row, the last going on', [prefix('brulee', 'par')], true],
    [
      'what punctuation parts is in a row',
      [phrase('foo-bar'), phrase('src/app.ts'), phrase('user_name')],
      true,
    ],
    ['not what only looks the same', [phrase('foo-app')], false],
    ['digits', [phrase('42'), phrase('1.0')], true],
    ['quotes and operators as text', [phrase('the "naive"')], true],
    ['not as syntax', [phrase('fixed OR absent')], false],
    ['nor as columns or stars', [phrase('text:fixed')], false],
    ['nothing by signs alone', [phrase('--')], false],
    ['nothing by signs beside a word', [phrase('fixed'), phrase('"')], false],
  ]

  it.each(cases)('[I4] finds %s', (_, phrases, isFound) => {
    const index = open()
    const file = index.addFile(index.rootId('/one'), draft('-a/a.jsonl'))
    addRows(index, file, prompts(1, 'u1'), { texts: [textFact(text), textFact('something else')] })
    expect(index.count(phrases, {})).toBe(isFound ? 1 : 0)
  })
}

function filtersHold(open: Open): void {
  const cases: readonly (readonly [string, TextFilter, string])[] = [
    ['nothing', {}, 'prompt answer tool output agent other late'],
    ['a root', { roots: [2] }, 'other'],
    ['several roots', { roots: [1, 2] }, 'prompt answer tool output agent other late'],
    ['no root at all', { roots: [] }, ''],
    ['a project folder', { projects: ['-b'] }, 'other'],
    ['several project folders', { projects: ['-a', '-b'] }, 'prompt answer tool output agent other late'],
    ['no project at all', { projects: [] }, ''],
    ['a session by its beginning', { session: 's' }, 'prompt answer tool output agent late'],
    ['a session exactly as to case', { session: 'S1' }, ''],
    ['signs of GLOB as text', { session: '*' }, ''],
    ['a first time', { since: 300 }, 'tool output agent late'],
    ['an end of time', { until: 300 }, 'prompt answer'],
    ['fields', { fields: ['answer', 'input'] }, 'answer tool'],
    ['no field at all', { fields: [] }, ''],
    ['a tool', { tool: 'BASH_x' }, 'tool output'],
    ['a tool exactly as to signs', { tool: 'bash%' }, ''],
    ['an underline as itself', { tool: 'bash__' }, ''],
    ['sessions that touched a file', { touched: 'src/app.ts' }, 'prompt answer tool output agent late'],
    ['files by their end', { touched: 'app' }, ''],
    ['calls that name a file', { touching: 'src/app.ts' }, 'tool'],
    ['calls that name a file by its end', { touching: 'app' }, ''],
    ['any agent', { agent: '' }, 'agent'],
    ['an agent by its type', { agent: 'explore' }, 'agent'],
    ['an agent by its id', { agent: 'ag' }, 'agent'],
    ['an agent exactly as to signs', { agent: 'explor_' }, ''],
    ['live branches', { branch: 'live' }, 'prompt tool output agent'],
    ['what the next request carries', { live: true }, 'tool'],
    ['abandoned branches', { branch: 'abandoned' }, 'answer'],
    ['what a compaction left behind', { beforeCompaction: true }, 'prompt'],
    ['failures', { failed: true }, 'output'],
    ['all at once', { roots: [1], tool: 'bash_x', failed: true, since: 0, branch: 'live' }, 'output'],
  ]

  it.each(cases)('[I4] a filter for %s', (_, filter, expected) => {
    const index = open()
    fillForFilters(index)
    const texts = index.find([phrase('word')], filter, 99)
    const wanted = expected === '' ? [] : expected.split(' ')
    expect(texts.map(({ node }) => node).sort()).toEqual([...wanted].sort())
    expect(index.count([phrase('word')], filter)).toBe(wanted.length)
    const all = index.find([], filter, 99)
    expect(all.map(({ node }) => node).sort()).toEqual([...wanted].sort())
  })
}

/** One file with a text of each kind, and one in another root. */
function fillForFilters(index: IndexStore): void {
  const [one, two] = [index.rootId('/one'), index.rootId('/two')]
  const file = index.addFile(one, draft('-a/s1.jsonl'))
  const other = index.addFile(two, draft('-b/x9.jsonl'))
  addRows(index, file, prompts(1, 'prompt', 'answer', 'tool', 'output', 'agent', 'late'), {
    texts: [
      textFact('word', { nth: 0, time: 100 }),
      textFact('word', { nth: 1, time: 200, field: 'answer' }),
      textFact('word', { nth: 2, time: 300, field: 'input', tool: 'Bash_x' }),
      textFact('word', { nth: 3, time: 400, field: 'output', tool: 'Bash_x', failed: true }),
      textFact('word', { nth: 4, time: 500 }),
      textFact('word', { nth: 5, time: 600 }),
    ],
    touched: [[2, '/home/dev/SRC/app.ts', 'Edit']],
  })
  addRows(index, other, prompts(1, 'other'), { texts: [textFact('word', { time: null })] })
  const abandoned = line('s1@answer', { kind: 'branch', status: 'abandoned', session: 's1' })
  const agent = { kind: 'agent', session: 's1', agent: 'ag7', agentName: 'Explore', branch: 's1' } as const
  index.judge(
    judgement(
      {
        [file]: [
          { line: 0, compacted: 2 },
          { line: 1 },
          { line: 0, live: true },
          { line: 0 },
          { line: 2 },
          {},
        ],
      },
      {
        root: one,
        lines: [line('s1'), abandoned, line('s1#agent-ag7', agent)],
        sessions: [sessionFact('s1', { cwd: '/home/dev/shop/dagline' })],
      },
    ),
  )
}

function pagesGoOn(open: Open): void {
  it('[I4] the newest come first; of equal times the last that was added', () => {
    const index = open()
    const file = index.addFile(index.rootId('/one'), draft('-a/a.jsonl'))
    const times = [300, null, 100, 300, 200]
    const texts = times.map((time, nth) => textFact('word', { nth, time }))
    addRows(index, file, prompts(1, 'a', 'b', 'c', 'd', 'e'), { texts })
    const nodes = (found: readonly FoundText[]): string => found.map(({ node }) => node).join(' ')
    expect(nodes(search(index, 'word'))).toBe('d a e c b')
    const two = index.find([phrase('word')], {}, 2)
    expect([index.count([phrase('word')], {}), nodes(two)]).toEqual([5, 'd a'])
    expect(index.count([phrase('word')], {}, 3)).toBe(3)
    expect(nodes(index.find([], {}, 99))).toBe('d a e c b')
    expect(nodes([...index.each({}, 'time')])).toBe('d a e c b')
  })

  it('[H8] ranked, live texts come first, then prompts and answers, then the newest', () => {
    const index = open()
    const file = index.addFile(index.rootId('/one'), draft('-a/s1.jsonl'))
    const names = ['prompt', 'output', 'thinking', 'answer', 'left', 'copied']
    const fields = ['prompt', 'output', 'thinking', 'answer', 'prompt', 'prompt'] as const
    const texts = fields.map((field, nth) => textFact('word', { nth, field, time: nth * 100 }))
    addRows(index, file, prompts(1, ...names), { texts })
    const branch = line('s1@left', { kind: 'branch', status: 'abandoned', session: 's1' })
    const trunk = { line: 0 }
    const verdicts = [trunk, trunk, trunk, trunk, { line: 1 }, { line: 1, live: true }]
    index.judge(judgement({ [file]: verdicts }, { lines: [line('s1'), branch] }))
    const nodes = (found: Iterable<FoundText>): string => [...found].map(({ node }) => node).join(' ')
    const ranked = 'copied answer prompt thinking output left'
    expect(nodes(index.find([phrase('word')], {}, 99, 'rank'))).toBe(ranked)
    expect(nodes(index.each({}, 'rank'))).toBe(ranked)
    expect(nodes(index.find([phrase('word')], {}, 2, 'rank'))).toBe('copied answer')
    expect(nodes(index.find([phrase('word')], {}, 99, 'time'))).toBe([...names].reverse().join(' '))
  })

  it('[I4] a text says where it stands', () => {
    const index = open()
    const file = index.addFile(index.rootId('/one'), draft('-a/s1.jsonl', { isArchived: true }))
    addRows(index, file, prompts(7, 'u1'), { texts: [textFact('here', { row: 7, time: null })] })
    expect(search(index, 'here')).toEqual([
      {
        text: expect.any(Number),
        file,
        path: '-a/s1.jsonl',
        root: '/one',
        project: '-a',
        row: 7,
        offset: 700,
        length: 50,
        node: 'u1',
        session: 's1',
        time: null,
        field: 'prompt',
        tool: null,
        failed: false,
        isArchived: true,
        live: false,
        compacted: 0,
        line: null,
        became: null,
      },
    ])
  })
}

function figuresAreGiven(open: Open): void {
  it('[I1] sessions and diagnostics by root, the session that was used last first', () => {
    const index = open()
    const [one, two] = [index.rootId('/one'), index.rootId('/two')]
    const [a, b] = [index.addFile(one, draft('-a/a.jsonl')), index.addFile(two, draft('-a/b.jsonl'))]
    const sessions = [sessionFact('old', { last: 1 }), sessionFact('never'), sessionFact('new', { last: 3 })]
    index.judge(
      judgement(
        { [a]: [] },
        { root: one, sessions, diagnostics: [diagnostic('a', '1'), diagnostic('a', '2')] },
      ),
    )
    index.judge(
      judgement(
        { [b]: [] },
        { root: two, sessions: [sessionFact('else', { last: 2 })], diagnostics: [diagnostic('b', '3')] },
      ),
    )
    const names = (roots?: readonly number[]): string =>
      index
        .sessions(roots)
        .map(({ session }) => session)
        .join(' ')
    expect([names(), names([one]), names([two]), names([])]).toEqual([
      'new else old never',
      'new old never',
      'else',
      '',
    ])
    expect(index.sessions([one])[1]).toEqual(sessionFact('old', { last: 1 }))
    const messages = (roots?: readonly number[]): string =>
      index
        .diagnostics(roots)
        .map(({ message }) => message)
        .join('')
    expect([messages(), messages([one]), messages([two])]).toEqual(['123', '12', '3'])
  })

  it('[I1] a message counts once, with its largest usage and on the line of its earliest part', () => {
    const index = open()
    const [one, two] = [index.rootId('/one'), index.rootId('/two')]
    const [a, b] = [index.addFile(one, draft('-a/a.jsonl')), index.addFile(two, draft('-b/b.jsonl'))]
    addRows(index, a, prompts(1, 'u1'), { messages: [messageFact('m1', 0, { output: 5, time: 10 })] })
    addRows(index, b, prompts(1, 'v1', 'v2'), {
      messages: [messageFact('m1', 0, { output: 9, time: 20 }), messageFact('m2', 1, { output: 1 })],
    })
    expect(index.usage([one]).map(({ output, session, line: at }) => [output, session, at])).toEqual([
      [5, 'a', 'a'],
    ])
    const messagesOf = (...files: number[]): unknown[] =>
      index.messages(files).map(({ message, output, time }) => [message, output, time])
    expect(messagesOf(a)).toEqual([['m1', 5, 10]])
    expect(messagesOf(a, b).slice(0, 1)).toEqual([['m1', 9, 10]])
    expect(messagesOf(b)).toHaveLength(2)
    const agent = line('b#agent-x', { kind: 'agent', session: 'b', agentName: 'Explore', branch: 'b@v1' })
    index.judge(
      judgement({ [b]: [{}, { line: 0 }] }, { root: two, lines: [{ ...agent, branchStatus: 'retry' }] }),
    )
    const [first, second] = [...index.usage()].sort((x, y) => (x.message < y.message ? -1 : 1))
    expect(first).toMatchObject({
      message: 'm1',
      output: 9,
      session: 'a',
      line: 'a',
      project: '-a',
      status: 'live',
    })
    expect(second).toMatchObject({
      message: 'm2',
      agent: 'Explore',
      line: 'b@v1',
      project: '-b',
      status: 'retry',
    })
  })
}

function phrase(...words: string[]): Phrase {
  return { words, isPrefix: false }
}

function prefix(...words: string[]): Phrase {
  return { words, isPrefix: true }
}

function search(index: IndexStore, word: string, filter: TextFilter = {}): readonly FoundText[] {
  return index.find([phrase(word)], filter, 99)
}
