/** What every index keeps of files: their rows, and what links them. */
import { expect, it } from 'vitest'
import type { IndexStore } from '../src/db/index-store.js'
import {
  addRows,
  diagnostic,
  draft,
  judgement,
  messageFact,
  prompts,
  rowOf,
  search,
  sessionFact,
  textFact,
} from './index-parts.js'

type Open = () => IndexStore

/** Runs the cases on facts. */
export function factsAreKept(open: Open): void {
  filesAreKept(open)
  rowsAreKept(open)
  tiesAreFound(open)
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
