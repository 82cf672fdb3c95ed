/** What happens to files, one story each; and shapes written row by row. The random ones are in sync.property.test.ts. */
import { appendFileSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expandShape } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../src/db/driver.js'
import { openIndex } from '../src/db/sqlite.js'
import { StoreError } from '../src/files/failures.js'
import { shorten, TEXT_LIMITS } from '../src/sync/read.js'
import { expectAsNew, syncFile, syncFolder } from './indexes.js'
import { temporaryFolder } from './temporary.js'

/** A folder with files, and the index of it that is kept. */
class Story {
  readonly folder: string = join(temporaryFolder(), 'projects')
  readonly path: string = join(this.folder, '..', 'index.db')
  private seconds = 1_700_000_000

  /** Writes a file, or more of it, at a time of its own. */
  write(path: string, text: string | Uint8Array, how: 'new' | 'more' = 'new'): void {
    const target = join(this.folder, path)
    mkdirSync(dirname(target), { recursive: true })
    if (how === 'new') writeFileSync(target, text)
    else appendFileSync(target, text)
    this.seconds++
    utimesSync(target, this.seconds, this.seconds)
  }

  move(from: string, to: string): void {
    mkdirSync(dirname(join(this.folder, to)), { recursive: true })
    renameSync(join(this.folder, from), join(this.folder, to))
  }

  remove(path: string): void {
    rmSync(join(this.folder, path))
  }

  /** I2: brings the index up to date, which must say what a new one says. */
  async sync(): Promise<void> {
    await syncFile(this.path, this.folder)
    await expectAsNew(this.path, this.folder)
  }

  /** Asks the index as it is. */
  ask<T>(question: (index: ReturnType<typeof openIndex>) => T): T {
    const index = openIndex(this.path)
    try {
      return question(index)
    } finally {
      index.close()
    }
  }
}

const SESSIONS = ['0a000000-0000-4000-8000-000000000001', '0a000000-0000-4000-8000-000000000002']

function prompt(uuid: string, parent: string | null = null, session = SESSIONS[0]): string {
  const message = { role: 'user', content: `words of ${uuid}` }
  return `${JSON.stringify({ type: 'user', uuid, parentUuid: parent, sessionId: session, message })}\n`
}

describe('files that change', () => {
  it('[I2] a row that stopped within a character is read when its rest is there', async () => {
    const story = new Story()
    const row = Buffer.from(prompt('café', null))
    const half = row.indexOf(0xc3) + 1
    story.write('p/s.jsonl', Buffer.concat([Buffer.from(prompt('u0')), row.subarray(0, half)]))
    await story.sync()
    expect(story.ask(index => index.diagnostics().map(({ rule }) => rule))).toContain('parse/invalid-utf8')
    story.write('p/s.jsonl', row.subarray(half), 'more')
    await story.sync()
    expect(story.ask(index => index.diagnostics().map(({ rule }) => rule))).not.toContain(
      'parse/invalid-utf8',
    )
  })

  it('[I2] a last row without newline counts, and counts once when its newline comes', async () => {
    const story = new Story()
    story.write('p/s.jsonl', prompt('u1') + prompt('u2', 'u1').trimEnd())
    await story.sync()
    expect(story.ask(index => [...index.rowsOf(1)].map(({ row }) => row))).toEqual([1, 2])
    story.write('p/s.jsonl', `\n${prompt('u3', 'u2')}`, 'more')
    await story.sync()
    expect(story.ask(index => [...index.rowsOf(1)].map(({ row }) => row))).toEqual([1, 2, 3])
  })

  it('[I2] damage that was repaired is counted over all readings, and goes with the file', async () => {
    const story = new Story()
    const crlf = (text: string): string => text.replace('\n', '\r\n')
    story.write('p/s.jsonl', crlf(prompt('u1')) + crlf(prompt('u2', 'u1')))
    await story.sync()
    story.write('p/s.jsonl', prompt('u3', 'u2') + crlf(prompt('u4', 'u3')), 'more')
    await story.sync()
    const message = '3 rows end in CRLF; the carriage returns were left out.'
    expect(story.ask(index => index.diagnostics()[0])).toMatchObject({ rule: 'parse/crlf', row: 1, message })
    story.move('p/s.jsonl', 'q/s.jsonl')
    await story.sync()
    expect(story.ask(index => index.diagnostics()[0])).toMatchObject({ file: 'q/s.jsonl', message })
  })

  it('[I3] a session without a row and its agents are one', async () => {
    const story = new Story()
    const [session = ''] = SESSIONS
    story.write(`p/${session}/subagents/agent-x.jsonl`, prompt('x1'))
    await story.sync()
    story.write(`p/${session}.jsonl`, '')
    await story.sync()
    expect(story.ask(index => index.sessions())).toMatchObject([
      { session, file: `p/${session}.jsonl`, agents: 1 },
    ])
    story.write(`p/${session}.jsonl`, prompt('u1'), 'more')
    await story.sync()
    expect(story.ask(index => index.sessions().map(found => found.session))).toEqual([session])
  })

  it('[I3] an agent that is moved to another session is judged with that one', async () => {
    const story = new Story()
    const [one = '', two = ''] = SESSIONS
    story.write(`p/${one}.jsonl`, prompt('u1', null, one))
    story.write(`p/${two}.jsonl`, prompt('v1', null, two))
    story.write(`p/${one}/subagents/agent-x.jsonl`, prompt('x1', null, one))
    await story.sync()
    story.move(`p/${one}/subagents/agent-x.jsonl`, `p/${two}/subagents/agent-x.jsonl`)
    await story.sync()
  })

  it('[I3] sessions that only a third one held together part when it goes, and meet again', async () => {
    const story = new Story()
    story.write('p/a.jsonl', prompt('a1', null, 'a'))
    story.write('p/b.jsonl', prompt('b1', 'a9', 'b'))
    const bridge = prompt('a1', null, 'a') + prompt('a9', 'a1', 'c')
    story.write('p/c.jsonl', bridge)
    await story.sync()
    story.remove('p/c.jsonl')
    await story.sync()
    story.write('p/z.jsonl', bridge)
    await story.sync()
  })

  it('[I3] a file that comes later joins the whole group of the files that it is linked to', async () => {
    const story = new Story()
    const { files } = expandShape('s1: u1 a1[t1:Task] / s1/x: u2 a2 / s1: a1 > r1[t1>x] a3 / s2: u1 a1 u3')
    for (const { path, text } of files.slice(0, 2)) story.write(`p/${path}`, text)
    await story.sync()
    for (const { path, text } of files.slice(2)) story.write(`p/${path}`, text)
    await story.sync()
    expect(new Set(story.ask(index => index.files(1).map(({ group }) => group))).size).toBe(1)
  })

  it('[I2] a new file may get the number of one that went', async () => {
    const story = new Story()
    story.write('p/a.jsonl', prompt('a1', null, 'a'))
    story.write('p/b.jsonl', prompt('b1', 'a1', 'b'))
    await story.sync()
    story.remove('p/b.jsonl')
    story.write('p/c.jsonl', prompt('c1', null, 'c') + prompt('c2', 'c1', 'c'))
    await story.sync()
  })

  it('[I2] two files that change places', async () => {
    const story = new Story()
    story.write('p/a.jsonl', prompt('a1', null, 'a'))
    story.write('q/a.jsonl', prompt('b1', null, 'b') + prompt('b2', 'b1', 'b'))
    await story.sync()
    story.move('p/a.jsonl', 'r/a.jsonl')
    story.move('q/a.jsonl', 'p/a.jsonl')
    story.move('r/a.jsonl', 'q/a.jsonl')
    await story.sync()
  })

  it('[I2] all files go, and one comes back', async () => {
    const story = new Story()
    story.write('p/a.jsonl', prompt('a1', null, 'a'))
    story.write('p/b.jsonl', prompt('b1', null, 'b'))
    await story.sync()
    story.remove('p/a.jsonl')
    story.remove('p/b.jsonl')
    await syncFile(story.path, story.folder)
    expect(story.ask(index => [index.files(1), index.sessions(), index.count([], {})])).toEqual([[], [], 0])
    story.write('p/b.jsonl', prompt('b1', null, 'b'))
    await story.sync()
  })

  it('[I1] a verdict of another version is an error, not a live line', async () => {
    const story = new Story()
    mkdirSync(join(story.folder, 'p'), { recursive: true })
    writeFileSync(join(story.folder, 'p/a.jsonl'), prompt('a1', null, 'a'))
    const index = openIndex(story.path)
    await syncFolder(index, story.folder)
    const db = openDatabase(story.path)
    db.exec("UPDATE line SET branch_status = 'lost'")
    db.close()
    expect(() => index.find([], {}, 9)).toThrow(StoreError)
    index.close()
  })

  it('[I1] two roots in one index do not know of each other', async () => {
    const [one, two] = [new Story(), new Story()]
    for (const { folder } of [one, two]) {
      mkdirSync(join(folder, 'p'), { recursive: true })
      writeFileSync(join(folder, 'p/a.jsonl'), prompt('a1', null, 'a'))
    }
    const index = openIndex(one.path)
    await syncFolder(index, one.folder)
    await syncFolder(index, two.folder)
    expect(
      index
        .find([], {}, 9)
        .map(({ root }) => root)
        .sort(),
    ).toEqual([one.folder, two.folder].sort())
    rmSync(join(one.folder, 'p/a.jsonl'))
    await syncFolder(index, one.folder)
    expect(index.sessions().map(({ session }) => session)).toEqual(['a'])
    index.close()
  })
})

describe('what links files', () => {
  const at = '2026-01-01T00:00:00Z'
  const answer = (uuid: string, id: string): object => ({
    type: 'assistant',
    uuid,
    message: { id, role: 'assistant', content: [{ type: 'text', text: uuid }] },
  })
  const said = (uuid: string, more: object = {}): object => ({
    type: 'user',
    uuid,
    message: { role: 'user', content: `by ${uuid}` },
    ...more,
  })
  const spawned = { toolUseResult: { agentId: 'x', status: 'completed' } }
  const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }] }
  const call = { type: 'tool_use', id: 't1', name: 'Bash', input: {} }
  const calling = { type: 'assistant', uuid: 'b1', message: { id: 'm1', role: 'assistant', content: [call] } }
  const keeping = { logicalParentUuid: null, compactMetadata: { preservedMessages: { uuids: ['b1'] } } }
  const same = { role: 'user', content: 'the same words' }
  const boundary = {
    type: 'system',
    subtype: 'compact_boundary',
    logicalParentUuid: 'b1',
    compactMetadata: {},
  }
  const cases: readonly (readonly [string, readonly [string, object], readonly [string, object]])[] = [
    ['the same uuid', ['a.jsonl', said('u1')], ['b.jsonl', said('u1')]],
    ['a parent', ['a.jsonl', said('a1', { parentUuid: 'b1' })], ['b.jsonl', said('b1')]],
    ['a stamp', ['a.jsonl', said('a1', { forkedFrom: { messageUuid: 'b1' } })], ['b.jsonl', said('b1')]],
    ['a logical parent', ['a.jsonl', { ...boundary, uuid: 'c1' }], ['b.jsonl', said('b1')]],
    ['a title', ['a.jsonl', { type: 'summary', summary: 'T', leafUuid: 'b1' }], ['b.jsonl', said('b1')]],
    ['a session', ['a.jsonl', said('a1', { sessionId: 'b' })], ['b.jsonl', said('b1')]],
    ['the folder of a session', ['s.jsonl', said('a1')], ['s/subagents/agent-x.jsonl', said('b1')]],
    ['an agent', ['a.jsonl', said('a1', { agentId: 'x', isSidechain: true })], ['agent-x.jsonl', said('b1')]],
    [
      'a spawned agent',
      ['a.jsonl', said('a1', { message: result, ...spawned })],
      ['agent-x.jsonl', said('b1')],
    ],
    ['a call and its result', ['a.jsonl', said('a1', { message: result })], ['b.jsonl', calling]],
    [
      'what a compaction keeps',
      ['a.jsonl', { ...boundary, uuid: 'c1', ...keeping }],
      ['b.jsonl', said('b1')],
    ],
    ['a message', ['a.jsonl', answer('a1', 'm1')], ['b.jsonl', answer('b1', 'm1')]],
    [
      'a first prompt',
      ['a.jsonl', said('a1', { timestamp: at, message: same })],
      ['b.jsonl', said('b1', { timestamp: at, message: same })],
    ],
  ]

  it.each(cases)('[I3] %s', async (_, ...files) => {
    for (const order of [files, files.toReversed()]) {
      const story = new Story()
      for (const [path, row] of order) {
        story.write(`p/${path}`, `${JSON.stringify(row)}\n`)
        await story.sync()
      }
      const groups = story.ask(index => index.files(1).map(({ group }) => group))
      expect(groups).toEqual([groups[0], groups[0]])
    }
  })

  it('[I3] nothing in common: groups of their own', async () => {
    const story = new Story()
    story.write('p/a.jsonl', prompt('a1', null, 'a'))
    story.write('p/b.jsonl', prompt('b1', null, 'b'))
    await story.sync()
    expect(new Set(story.ask(index => index.files(1).map(({ group }) => group))).size).toBe(2)
  })
})

describe('conversations that grow row by row', () => {
  const shapes: readonly (readonly [string, string])[] = [
    ['a rewind', 's1: u1 a1 u2 a2 / s1: a1 > u3@+30m a3'],
    ['parallel tools', 's1: u1 a1[t1,t2] a2=a1[t3] r1[t1] r2[t2] r3[t3!] a3'],
    ['parts of one message with others between', 's1: u1 a1 / s1: u1 > a2=a1@+5m u3 a4 / s1: a1 > u2 a3'],
    ['two compactions', 's1: u1 a1 c1 k1 u2 a2 c2 k2 u3'],
    ['a replay after a compaction', "s1: u1 a1 u2 a2 / s1: a1 > u2' a4"],
    ['a resume with a prefix', 's1: u1 a1 u2 a2 / s2: u1 a1 u3 a3 / s3: u1 a1 u3 u4'],
    ['agents', 's1: u1 a1[t1:Task] / s1/x: u2 a2 / s1/y: u5 a5 / s1: a1 > r1[t1>x] a3'],
    ['an inline side chain', 's1: u1 a1[t1:Task] ~u2 ~a2 / s1: a1 > r1[t1]'],
    ['orphans and circles', 's1: ?9 > u1 a1 / s1: u2<a2 a2 / s2: ?8 > u3'],
    ['broken and blank rows', 's1: u1 / s1: ! {"type":"user", tr / s1: ! / s1: u1 > x1 a1 u1'],
  ]

  it.each(shapes)('[I2] %s', { timeout: 60_000 }, async (_, shape) => {
    const story = new Story()
    const { files, metas } = expandShape(shape)
    for (const { path, text } of metas) story.write(`p/${path}`, text)
    for (const { path, text } of files) {
      for (const row of text.split(/(?<=\n)/)) {
        story.write(`p/${path}`, row, 'more')
        await story.sync()
      }
    }
  })
})

describe('texts', () => {
  it('[I4] the head and the tail of a long text are kept, of a short one all', () => {
    const { head, tail } = TEXT_LIMITS.output
    const text = `${'a'.repeat(head)}${'b'.repeat(10)}${'c'.repeat(tail)}`
    expect(shorten(text, 'output')).toBe(`${'a'.repeat(head)}\n${'c'.repeat(tail)}`)
    expect(shorten(text, 'input')).toBe(text)
    expect(shorten(text.slice(0, head + tail), 'output')).toHaveLength(head + tail)
    expect(TEXT_LIMITS).toEqual({
      output: { head: 8000, tail: 4000 },
      input: { head: 16_000, tail: 8000 },
      attached: { head: 16_000, tail: 8000 },
      other: { head: 200_000, tail: 50_000 },
    })
  })

  it('[I4] words of all fields are found, those in the middle of a very long output are not', async () => {
    const story = new Story()
    const filler = 'filler '.repeat(4000)
    const call = {
      type: 'tool_use',
      id: 't1',
      name: 'Bash',
      input: { command: 'inputword', more: ['deepword'] },
    }
    const content = [
      { type: 'thinking', thinking: 'thoughtword' },
      { type: 'text', text: 'answerword' },
      call,
    ]
    const output = `headword ${filler} middleword ${filler} tailword`
    const result = { type: 'tool_result', tool_use_id: 't1', is_error: true, content: output }
    const rows = [
      { type: 'user', uuid: 'u1', message: { role: 'user', content: 'promptword' } },
      { type: 'assistant', uuid: 'a1', parentUuid: 'u1', message: { id: 'm1', role: 'assistant', content } },
      { type: 'user', uuid: 'r1', parentUuid: 'a1', message: { role: 'user', content: [result] } },
      { type: 'queue-operation', operation: 'enqueue', content: 'queuedword', sessionId: 's' },
    ]
    story.write('p/s.jsonl', rows.map(row => `${JSON.stringify(row)}\n`).join(''))
    await story.sync()
    const fieldOf = (word: string): string => {
      const texts = story.ask(index => index.find([{ words: [word], isPrefix: false }], {}, 9))
      return texts.map(({ field, tool, failed }) => `${field} ${tool} ${failed}`).join(', ')
    }
    const words = ['prompt', 'thought', 'answer', 'input', 'deep', 'head', 'middle', 'tail', 'queued']
    expect(words.map(word => fieldOf(`${word}word`))).toEqual([
      'prompt null false',
      'thinking null false',
      'answer null false',
      'input Bash false',
      'input Bash false',
      'output Bash true',
      '',
      'output Bash true',
      'queued null false',
    ])
  })
})
