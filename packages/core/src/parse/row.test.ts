import { describe, expect, it } from 'vitest'
import type { Entry, TranscriptRecord } from '../model/entry.js'
import type { ParsedRow } from '../model/row.js'
import { parseRow } from './row.js'

function read(text: string, whole = true): ParsedRow {
  return parseRow({ row: 7, offset: 100, length: Buffer.byteLength(text), text, whole })
}

/** State, ids or kinds of the records, rules of the diagnostics. */
function told(text: string): string {
  const { state, records, diagnostics } = read(text)
  const names = records.map(record => ('id' in record ? record.id : record.kind))
  return [state, ...names, ...diagnostics.map(({ rule }) => rule)].join(' ')
}

function entry(fields: object): Entry {
  const [record] = read(JSON.stringify({ type: 'user', uuid: 'e1', parentUuid: null, ...fields })).records
  if (record === undefined || !('id' in record)) throw new RangeError('no entry')
  return record
}

const user = (id: string, text = 'hi'): string =>
  JSON.stringify({ parentUuid: null, type: 'user', uuid: id, message: { role: 'user', content: text } })

describe('rows', () => {
  it.each([
    ['an entry', user('e1'), 'entry e1'],
    ['a note', '{"type":"last-prompt","leafUuid":"e1"}', 'entry process-end'],
    ['blank', '', 'blank'],
    ['white space', ' \t\r', 'blank'],
    ['white space around', `  ${user('e1')}\t\r`, 'entry e1'],
    ['no JSON', 'hello', 'damaged parse/not-json'],
    ['a torn row', user('e1').slice(0, -9), 'damaged parse/not-json'],
    ['a list', '[{"a":1}, 2]', 'damaged parse/not-an-object'],
    ['a list of records', `[${user('e1')}]`, 'damaged parse/not-an-object'],
    ['a text', '"text"', 'damaged parse/not-an-object'],
    ['a number', '12', 'damaged parse/not-an-object'],
    ['null', 'null', 'damaged parse/not-an-object'],
    ['an empty object', '{}', 'entry other parse/no-type'],
    ['an entry without type', '{"uuid":"e1","parentUuid":null}', 'entry e1 parse/no-type'],
  ])('[P1] each row is an entry, blank or damaged: %s', (_, text, wanted) => {
    expect(told(text)).toBe(wanted)
  })

  it('[P1] row, offset and length are those of the row', () => {
    const text = user('e1', 'grüße 🙂')
    const row = read(text)
    const source = { row: 7, offset: 100, length: Buffer.byteLength(text) }
    expect(row).toMatchObject({ row: 7, length: source.length })
    expect(row.records.map(record => record.source)).toEqual([source])
  })

  it('[P6] a reduced row says so', () => {
    expect(read(user('e1'), false).diagnostics.map(({ rule }) => rule)).toEqual(['parse/reduced-row'])
  })

  it.each([
    ['two records', `${user('e1')}${user('e2')}`, 'entry e1 e2 parse/joined-rows'],
    ['three, with blanks', `${user('e1')} ${user('e2')}\t${user('e3')}`, 'entry e1 e2 e3 parse/joined-rows'],
    [
      'a torn row, then a whole record',
      `${user('e1').slice(0, -5)}${user('e2')}`,
      'entry e2 parse/joined-rows parse/not-json',
    ],
    [
      'torn inside a text',
      `${user('e1').slice(0, -4)}${user('e2')}`,
      'entry e2 parse/joined-rows parse/not-json',
    ],
    [
      'a whole record, then a torn one',
      `${user('e1')}${user('e2').slice(0, -9)}`,
      'entry e1 parse/joined-rows parse/not-json',
    ],
    [
      'braces in texts are text',
      `${user('e1', '}{ "')}${user('e2', '{{\\')}`,
      'entry e1 e2 parse/joined-rows',
    ],
    ['NUL bytes before', `\0\0\0${user('e1')}`, 'entry e1 parse/nul-bytes'],
    ['NUL bytes within', user('e1').replace('user', 'us\0er'), 'entry e1 parse/nul-bytes'],
    ['nothing but NUL bytes', '\0\0\0', 'damaged parse/nul-bytes parse/not-json'],
    ['a byte order mark', `\uFEFF${user('e1')}`, 'entry e1 parse/bom'],
    ['a byte order mark and NUL bytes', `\uFEFF\0${user('e1')}`, 'entry e1 parse/bom parse/nul-bytes'],
    ['a comment behind the record', `${user('e1')} // kept`, 'entry e1 parse/not-json'],
    ['text before the record', `log: ${user('e1')}`, 'entry e1 parse/not-json'],
    ['a comment alone', '// nothing', 'damaged parse/not-json'],
    [
      'a lone surrogate',
      '{"type":"user","uuid":"e1","message":{"content":"a \\ud83d b"}}',
      'entry e1 parse/lone-surrogate',
    ],
    ['a trailing comma', '{"type":"user","uuid":"e1",}', 'damaged parse/not-json'],
  ])('[P5] repaired where certain, told always: %s', (_, text, wanted) => {
    expect(told(text)).toBe(wanted)
  })

  it.each([
    '{"parentUuid":null,"type":"assistant","uuid":"e1","message":{"content":[{"type":"text","text":"hi"},{"type":"tool_use","id":"t',
    '{"parentUuid":null,"type":"user","uuid":"e1","message":{"content":[{"type":"tool_result","tool_use_id":"t1"}]},"toolUseResult":{"type":"text","file":{"uuid":"e9"}},"ver',
    '{"type":"system","uuid":"e1","content":"x","hookInfos":[{"type":"a","uuid":"e9","parentUuid":null}],"lev',
  ])('[P5] a part of a torn record is not a record: %s', text => {
    expect(told(text)).toBe('damaged parse/not-json')
  })

  it('[P5] a row of nothing but torn beginnings is damaged, however many', () => {
    expect(told('{"type":'.repeat(5000))).toBe('damaged parse/not-json')
  })
})

describe('shapes that vary', () => {
  it.each(['user', 'human'])('[P3] %s is a prompt', type => {
    expect(entry({ type, message: { content: 'hi' } })).toMatchObject({ kind: 'user', says: 'prompt' })
  })

  it.each(['user', 'human', 'tool_result'])('[P3] a result as %s', type => {
    const content = [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }]
    expect(entry({ type, message: { content } })).toMatchObject({
      kind: 'user',
      says: 'result',
      results: [{ id: 't1', state: 'ok' }],
    })
  })

  it('[P3] a call as a block, and as the fields of a sidechain entry', () => {
    const input = { prompt: 'look', subagent_type: 'Explore' }
    const block = entry({
      type: 'assistant',
      message: { content: [{ type: 'tool_use', id: 't1', name: 'Task', input }] },
    })
    const fields = entry({
      type: 'assistant',
      isSidechain: true,
      subtype: 'tool_use',
      toolName: 'Task',
      toolArguments: input,
    })
    for (const made of [block, fields]) {
      expect(made).toMatchObject({
        kind: 'assistant',
        calls: [{ name: 'Task', agentType: 'Explore', prompt: { head: 'look' } }],
      })
    }
  })

  it('[P3] compactions of both vocabularies', () => {
    expect(entry({ type: 'system', subtype: 'compact_boundary' })).toMatchObject({
      kind: 'system',
      compaction: { trigger: null },
    })
    expect(entry({ type: 'compact_prelude' })).toMatchObject({
      kind: 'system',
      compaction: { trigger: null },
    })
    expect(entry({ type: 'compact_recap', message: { content: 'so far' } })).toMatchObject({
      kind: 'user',
      says: 'summary',
      text: { head: 'so far' },
    })
    expect(entry({ type: 'compact_recap', content: 'so far' })).toMatchObject({ text: { head: 'so far' } })
  })

  it('[P2] an unknown type keeps its ids', () => {
    expect(entry({ type: 'mystery', parentUuid: 'e0', sessionId: 's1' })).toMatchObject({
      kind: 'opaque',
      subtype: 'mystery',
      id: 'e1',
      parent: 'e0',
      session: 's1',
    })
  })

  it('[P4] content as a string and as blocks print the same', () => {
    const texts = ['hi', [{ type: 'text', text: 'hi' }]].map(content => entry({ message: { content } }))
    expect(texts[0]).toMatchObject({ says: 'prompt', text: { head: 'hi' } })
    expect(texts[1]).toEqual({ ...texts[0], source: texts[1]?.source })
  })

  it.each([
    ['an object', { agentId: 'x' }, { agent: 'x', async: false }],
    ['an object of a launch', { agentId: 'x', isAsync: true }, { agent: 'x', async: true }],
    ['a list', [{ type: 'text', text: 'x' }], null],
    ['a text', 'Error: no', null],
    ['null', null, null],
  ])('[P4] toolUseResult as %s', (_, toolUseResult, spawn) => {
    const content = [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }]
    const made = entry({ toolUseResult, message: { content } })
    expect(made).toMatchObject({ says: 'result', spawn })
  })

  it('[P4] numbers as texts', () => {
    const usage = { input_tokens: '10', output_tokens: '7', cache_read_input_tokens: 'many' }
    expect(entry({ type: 'assistant', nestingLevel: '2', message: { id: 'm', usage } })).toMatchObject({
      nesting: 2,
      usage: { input: 10, output: 7, cacheRead: 0 },
    })
  })

  it.each([
    ['huge', '1e999'],
    ['beyond dates', '1e300'],
    ['a text', '"yesterday"'],
    ['a list', '[1]'],
    ['empty', '""'],
  ])('[P4] a timestamp that is none counts as absent: %s', (_, timestamp) => {
    const [record] = read(`{"type":"user","uuid":"e1","parentUuid":null,"timestamp":${timestamp}}`).records
    expect(record?.time).toBeNull()
  })

  it('[P4] any field may be missing or of the wrong type', () => {
    const wrong = {
      message: 7,
      parentUuid: 5,
      sessionId: {},
      version: [],
      cwd: 1,
      isSidechain: 'yes',
      agentId: 3,
      forkedFrom: 'x',
      is_active: 1,
      nestingLevel: {},
    }
    for (const type of [
      'user',
      'assistant',
      'system',
      'attachment',
      'progress',
      'compact_prelude',
      'mystery',
      'tool_result',
    ]) {
      for (const fields of [{ type }, { type, ...wrong }]) {
        expect(entry(fields)).toMatchObject({
          id: 'e1',
          parent: null,
          session: null,
          version: null,
          cwd: null,
          sidechain: false,
          agent: null,
          active: null,
          nesting: null,
          forkedFrom: null,
        })
      }
    }
  })

  it('[P4] a record whose uuid is not a string is a note', () => {
    expect(told('{"type":"user","uuid":7,"parentUuid":null}')).toBe('entry other')
  })

  it('[P4] of a key written twice the last one counts', () => {
    expect(told('{"type":"user","uuid":"e1","uuid":"e2","parentUuid":null}')).toBe('entry e2')
  })

  it('[P4] deep nesting is read', () => {
    const depth = 20_000
    const input = `${'{"a":['.repeat(depth)}1${']}'.repeat(depth)}`
    const text = `{"type":"assistant","uuid":"e1","parentUuid":null,"message":{"content":[{"type":"tool_use","id":"t1","name":"X","input":${input}}]}}`
    expect(read(text).records[0]).toMatchObject({ id: 'e1', calls: [{ id: 't1', name: 'X' }] })
  })
})

describe('names in the data', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype']

  it.each(names)('[P7] %s as a key changes nothing', name => {
    const before = Object.getOwnPropertyNames(Object.prototype)
    const made = read(
      `{"type":"user","uuid":"e1","parentUuid":null,"${name}":{"polluted":true},"message":{"content":"hi","${name}":{"type":"x"}}}`,
    )
    expect(made.records[0]).toMatchObject({ kind: 'user', says: 'prompt' })
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it.each(names)('[P7] %s as a type, an id, a tool and a session is found again', name => {
    const opaque = read(JSON.stringify({ type: name, uuid: name, parentUuid: name, sessionId: name }))
      .records[0]
    expect(opaque).toMatchObject({ kind: 'opaque', subtype: name, id: name, parent: name, session: name })
    const call = entry({
      type: 'assistant',
      message: { id: name, content: [{ type: 'tool_use', id: name, name }] },
    })
    expect(call).toMatchObject({ message: name, calls: [{ id: name, name }] })
  })

  it.each(names)('[P7] %s as the type of a note is a note of that type', name => {
    const note: TranscriptRecord | undefined = read(`{"type":"${name}","undefined":"x","sessionId":"s1"}`)
      .records[0]
    expect(note).toMatchObject({ kind: 'other', type: name })
  })

  it.each(names)('[P7] %s as a queue operation is an unknown one', name => {
    expect(read(`{"type":"queue-operation","operation":"${name}"}`).records[0]).toMatchObject({
      kind: 'queue',
      operation: 'other',
    })
  })
})
