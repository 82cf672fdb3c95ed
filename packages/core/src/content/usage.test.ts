import { describe, expect, it } from 'vitest'
import { readMessageUsage } from './usage.js'

const usage = { input_tokens: 3, output_tokens: 5, cache_read_input_tokens: 70 }

function record(message: object, more: object = {}): { readonly [key: string]: unknown } {
  const whole = {
    id: 'm1',
    model: 'claude-opus-4-6',
    stop_reason: 'end_turn',
    usage,
    content: [],
    ...message,
  }
  return { type: 'assistant', timestamp: '2026-01-01T10:00:00.000Z', message: whole, ...more }
}

describe('the usage in an assistant record', () => {
  it('[X4] is read field by field', () => {
    expect(readMessageUsage(record({}))).toEqual({
      message: 'm1',
      model: 'claude-opus-4-6',
      time: Date.UTC(2026, 0, 1, 10),
      input: 3,
      output: 5,
      cacheRead: 70,
      cacheWrite5m: 0,
      cacheWrite1h: 0,
      webSearches: 0,
      tier: null,
      speed: null,
      geo: null,
      isFinal: true,
      written: 0,
    })
  })

  it('[T3] is none without a message id, and none where the client speaks', () => {
    expect(readMessageUsage(record({ id: undefined }))).toBeNull()
    expect(readMessageUsage(record({ model: '<synthetic>' }))).toBeNull()
    expect(readMessageUsage(record({}, { type: 'user' }))).toBeNull()
    expect(readMessageUsage({ type: 'assistant', message: 'words' })).toBeNull()
  })

  it('[P4] takes numbers as strings, and anything else as absent', () => {
    const odd = { input_tokens: '12', output_tokens: null, cache_read_input_tokens: -4, server_tool_use: 7 }
    const read = readMessageUsage(record({ usage: odd, model: 9, stop_reason: 0 }, { timestamp: 'soon' }))
    expect(read).toMatchObject({ input: 12, output: 0, cacheRead: 0, webSearches: 0, model: 'unknown' })
    expect(read).toMatchObject({ time: null, isFinal: false })
    expect(readMessageUsage(record({ usage: undefined }))).toMatchObject({ input: 0, output: 0 })
  })

  it.each([
    ['the sum alone: five minutes', { cache_creation_input_tokens: 100 }, 100, 0],
    ['both parts', writes(100, 40, 60), 40, 60],
    ['one hour only', writes(100, 0, 100), 0, 100],
    ['parts without their sum', writes(undefined, 40, 60), 40, 60],
    ['a sum above its parts', writes(100, 0, 0), 100, 0],
  ])('[X5] cache writes, %s', (_, written, fiveMinutes, hour) => {
    const read = readMessageUsage(record({ usage: written }))
    expect([read?.cacheWrite5m, read?.cacheWrite1h]).toEqual([fiveMinutes, hour])
  })

  it('[X5] says how it was served where that has a price of its own', () => {
    const plain = { service_tier: 'standard', speed: 'standard', inference_geo: 'global' }
    expect(readMessageUsage(record({ usage: plain }))).toMatchObject({ tier: null, speed: null, geo: null })
    const blank = { service_tier: null, speed: '', inference_geo: 'not_available' }
    expect(readMessageUsage(record({ usage: blank }))).toMatchObject({ tier: null, speed: null, geo: null })
    const odd = { service_tier: 'batch', speed: 'fast', inference_geo: 'us' }
    expect(readMessageUsage(record({ usage: odd }))).toMatchObject({
      tier: 'batch',
      speed: 'fast',
      geo: 'us',
    })
    const searched = { server_tool_use: { web_search_requests: 2, web_fetch_requests: 9 } }
    expect(readMessageUsage(record({ usage: searched }))).toMatchObject({ webSearches: 2 })
  })

  it('[X6] measures what was written where the usage may not be final', () => {
    const content = [
      { type: 'thinking', thinking: '1234' },
      { type: 'text', text: '56' },
      { type: 'tool_use', input: { command: '789', many: ['not counted'], lines: 3 } },
    ]
    expect(readMessageUsage(record({ content, stop_reason: null }))).toMatchObject({
      isFinal: false,
      written: 9,
    })
    expect(readMessageUsage(record({ content: 'plain', stop_reason: null }))?.written).toBe(5)
    expect(readMessageUsage(record({ content }))).toMatchObject({ isFinal: true, written: 0 })
  })
})

function writes(sum: number | undefined, fiveMinutes: number, hour: number): object {
  return {
    cache_creation_input_tokens: sum,
    cache_creation: { ephemeral_5m_input_tokens: fiveMinutes, ephemeral_1h_input_tokens: hour },
  }
}
