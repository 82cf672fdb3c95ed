/** What every index answers: texts that are searched for, and figures. */
import { expect, it } from 'vitest'
import type { FoundText, IndexStore, Phrase, TextFilter } from '../src/db/index-store.js'
import {
  addRows,
  diagnostic,
  draft,
  judgement,
  line,
  messageFact,
  phrase,
  prefix,
  prompts,
  search,
  sessionFact,
  textFact,
} from './index-parts.js'

type Open = () => IndexStore

/** Runs the cases on answers. */
export function answersAreGiven(open: Open): void {
  wordsAreFound(open)
  filtersHold(open)
  pagesGoOn(open)
  figuresAreGiven(open)
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
    ['entries', { nodes: ['tool', 'late', 'nowhere'] }, 'tool late'],
    ['no entries', { nodes: [] }, ''],
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
