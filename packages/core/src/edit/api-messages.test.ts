import { describe, expect, it } from 'vitest'
import { createNames } from '../graph/names.js'
import { createApiMessageList } from './api-messages.js'
import { type ApiMessage, apiMessageOf } from './api-rules.js'

const call = (id: string) => ({ type: 'tool_use', id })
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id })

describe('messages of a request, in one number each', () => {
  it('[E2] is given back as it was, whatever it is', () => {
    const all: readonly (ApiMessage | null)[] = [
      apiMessageOf({ role: 'user', content: 'hi' }),
      null,
      apiMessageOf({ role: 'assistant', content: [{ type: 'text', text: 'yes' }] }),
      apiMessageOf({ role: 'assistant', content: [call('t1')] }),
      apiMessageOf({ role: 'user', content: [result('t1')] }),
      apiMessageOf({ role: 'assistant', content: [call('t2'), call('t3')] }),
      apiMessageOf({ role: 'user', content: [result('t3'), result('t2')] }),
      apiMessageOf({ role: 'user', content: ' ' }),
      apiMessageOf({ role: 'user', content: [call('t1')] }),
      apiMessageOf({ role: 'system', content: 'other' }),
      apiMessageOf({ role: 'assistant', content: [call('t1')] }),
    ]
    const list = createApiMessageList(createNames())
    for (const message of all) list.add(message)
    expect(all.map((_, position) => list.at(position))).toEqual(all)
    expect(list.at(all.length)).toBeNull()
  })
})
