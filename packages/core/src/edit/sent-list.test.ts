import { describe, expect, it } from 'vitest'
import { createNames } from '../graph/names.js'
import { type Sent, sentOf } from './api-rules.js'
import { createSentList } from './sent-list.js'

const call = (id: string) => ({ type: 'tool_use', id })
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id })

describe('what entries send, in a number each', () => {
  it('[E2] is given back as it was, whatever it is', () => {
    const all: readonly (Sent | null)[] = [
      sentOf({ role: 'user', content: 'hi' }),
      null,
      sentOf({ role: 'assistant', content: [{ type: 'text', text: 'yes' }] }),
      sentOf({ role: 'assistant', content: [call('t1')] }),
      sentOf({ role: 'user', content: [result('t1')] }),
      sentOf({ role: 'assistant', content: [call('t2'), call('t3')] }),
      sentOf({ role: 'user', content: [result('t3'), result('t2')] }),
      sentOf({ role: 'user', content: ' ' }),
      sentOf({ role: 'user', content: [call('t1')] }),
      sentOf({ role: 'system', content: 'other' }),
      sentOf({ role: 'assistant', content: [call('t1')] }),
    ]
    const list = createSentList(createNames())
    for (const sent of all) list.add(sent)
    expect(all.map((_, place) => list.at(place))).toEqual(all)
    expect(list.at(all.length)).toBeNull()
  })
})
