import { describe, expect, it } from 'vitest'
import { entryId, sessionId } from '../model/ids.js'
import { applyPatch, type Naming } from './patch.js'

const naming: Naming = { session: sessionId('new'), rename: id => entryId(`${id}!`), stamps: true }
const kept: Naming = { session: sessionId('old'), rename: entryId, stamps: false }
const text = (content: unknown, more: object = {}) => ({
  type: 'user',
  uuid: 'e1',
  parentUuid: 'e0',
  sessionId: 'old',
  message: { role: 'user', content },
  ...more,
})

describe('applyPatch', () => {
  it('[E4] renames every uuid that an entry names, and stamps it', () => {
    const record = text('hi', {
      sourceToolAssistantUUID: 'e0',
      session_id: 'old',
      compactMetadata: {
        trigger: 'auto',
        preservedMessages: { anchorUuid: 'e2', uuids: ['e3', 'e4'] },
        preservedSegment: { headUuid: 'e3', tailUuid: 'e4' },
      },
      logicalParentUuid: 'e4',
    })
    expect(applyPatch(record, {}, naming)).toEqual({
      ...record,
      uuid: 'e1!',
      parentUuid: 'e0!',
      sessionId: 'new',
      session_id: 'new',
      sourceToolAssistantUUID: 'e0!',
      logicalParentUuid: 'e4!',
      compactMetadata: {
        trigger: 'auto',
        preservedMessages: { anchorUuid: 'e2!', uuids: ['e3!', 'e4!'] },
        preservedSegment: { headUuid: 'e3!', tailUuid: 'e4!' },
      },
      forkedFrom: { sessionId: 'old', messageUuid: 'e1' },
    })
  })

  it('[E4] renames what notes name, and stamps none of them', () => {
    const snapshot = {
      type: 'file-history-snapshot',
      messageId: 'e1',
      snapshot: { messageId: 'e1', files: {} },
    }
    expect(applyPatch(snapshot, {}, naming)).toEqual({
      type: 'file-history-snapshot',
      messageId: 'e1!',
      snapshot: { messageId: 'e1!', files: {} },
    })
    expect(applyPatch({ type: 'last-prompt', sessionId: 'old', leafUuid: 'e2' }, {}, naming)).toEqual({
      type: 'last-prompt',
      sessionId: 'new',
      leafUuid: 'e2!',
    })
  })

  it('[E6] leaves the record that came in as it is, and one without changes equal', () => {
    const record = Object.freeze(text('hi', { __proto__: null }))
    expect(applyPatch(record, {}, kept)).toEqual(record)
    expect(applyPatch(record, { parent: null }, kept)).toMatchObject({ parentUuid: null })
    expect(record.parentUuid).toBe('e0')
  })

  it('[P7] keeps data that looks like a prototype', () => {
    const record: Record<string, unknown> = JSON.parse('{"uuid":"e1","parentUuid":null,"__proto__":{"x":1}}')
    expect(JSON.stringify(applyPatch(record, {}, kept))).toContain('"__proto__":{"x":1}')
  })

  it.each([
    ['an empty text', [{ type: 'text', text: '' }], null],
    ['white space', ' \n', null],
    [
      'an empty text beside another',
      [
        { type: 'text', text: ' ' },
        { type: 'text', text: 'x' },
      ],
      [{ type: 'text', text: 'x' }],
    ],
    ['a thought without a signature', [{ type: 'thinking', thinking: 'x', signature: '' }], null],
    [
      'an empty part of a result',
      [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: '' }] }],
      [{ type: 'tool_result', tool_use_id: 't1', content: '(no output)' }],
    ],
    ['what is whole', [{ type: 'text', text: 'x' }], [{ type: 'text', text: 'x' }]],
  ])('[E6] cleans %s', (_, content, left) => {
    const patched = applyPatch(text(content), { clean: true }, kept)
    if (left === null) expect(patched).toBeNull()
    else expect(patched?.message).toMatchObject({ content: left })
  })

  it('[E6] takes results and calls out, and gives tools other ids', () => {
    const blocks = [
      { type: 'tool_result', tool_use_id: 't1', content: 'a' },
      { type: 'tool_result', tool_use_id: 't2', content: 'b' },
    ]
    expect(applyPatch(text(blocks), { strayTools: ['t1'] }, kept)?.message).toMatchObject({
      content: [blocks[1]],
    })
    expect(applyPatch(text(blocks), { strayTools: ['t1', 't2'] }, kept)).toBeNull()
    const tools = new Map([['t2', 't2_2']])
    expect(applyPatch(text(blocks), { tools }, kept)?.message).toMatchObject({
      content: [blocks[0], { tool_use_id: 't2_2' }],
    })
  })

  it("[E3] an agent's entry loses what marks it as one", () => {
    const patched = applyPatch(text('x', { isSidechain: true, agentId: 'a1' }), { main: true }, kept)
    expect(patched).toMatchObject({ isSidechain: false })
    expect(patched).not.toHaveProperty('agentId')
  })
})
