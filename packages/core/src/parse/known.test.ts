import { describe, expect, it } from 'vitest'
import { unknownType } from './known.js'
import { parseRow } from './row.js'

function unknownIn(json: object): readonly (string | null)[] {
  const text = JSON.stringify(json)
  return parseRow({ row: 1, offset: 0, length: text.length, text, whole: true }).records.map(unknownType)
}

const node = { uuid: 'u', parentUuid: null }

describe('[P2] types that are not known', () => {
  it.each([
    [{ ...node, type: 'mystery' }, 'mystery'],
    [{ type: 'new-note' }, 'new-note'],
    [{ ...node, type: 'system', subtype: 'new_one' }, 'system/new_one'],
    [{ ...node, type: 'attachment', attachment: { type: 'new_one' } }, 'attachment/new_one'],
    [{ ...node, type: 'progress', data: { type: 'new_one' } }, 'progress/new_one'],
    [{ ...node, type: 'attachment' }, 'attachment/(none)'],
    [{ ...node }, '(none)'],
  ])('%j', (json, type) => {
    expect(unknownIn(json)).toEqual([type])
  })

  it.each([
    { ...node, type: 'user', message: { content: 'hi' } },
    { ...node, type: 'assistant', message: { content: [] } },
    { ...node, type: 'system', subtype: 'turn_duration' },
    { ...node, type: 'system', subtype: 'compact_boundary' },
    { ...node, type: 'compact_prelude' },
    { ...node, type: 'attachment', attachment: { type: 'file' } },
    { type: 'queue-operation', operation: 'enqueue' },
    { type: 'ai-title', aiTitle: 'x' },
  ])('%j is known', json => {
    expect(unknownIn(json)).toEqual([null])
  })
})
