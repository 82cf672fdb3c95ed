import { describe, expect, it } from 'vitest'
import { apiMessageOf, faultIn } from './api-rules.js'

const user = (content: unknown) => apiMessageOf({ role: 'user', content })
const model = (content: unknown) => apiMessageOf({ role: 'assistant', content })
const call = (...ids: string[]) => model(ids.map(id => ({ type: 'tool_use', id })))
const result = (...ids: string[]) => user(ids.map(id => ({ type: 'tool_result', tool_use_id: id })))
const text = (words: string) => [{ type: 'text', text: words }]

describe('what the API asks for', () => {
  it.each([
    ['a conversation', [user('hi'), model(text('yes')), user('more')]],
    ['prompts one after another', [user('hi'), user('there'), model(text('yes'))]],
    [
      'calls and their results',
      [user('hi'), call('t1'), call('t2'), result('t2'), result('t1'), model(text('ok'))],
    ],
    ['words behind results', [user('hi'), call('t1'), result('t1'), user('stop'), model(text('ok'))]],
    [
      'an empty result',
      [user('hi'), call('t1'), user([{ type: 'tool_result', tool_use_id: 't1', content: '' }])],
    ],
    [
      'signed thoughts',
      [user('hi'), model([{ type: 'thinking', thinking: '', signature: 's' }]), model(text('ok'))],
    ],
  ])('[E2] takes %s', (_, sent) => {
    expect(faultIn(sent)).toBeNull()
  })

  it.each([
    ['nothing', [], 'nothing would be sent'],
    ['an answer first', [model(text('yes'))], 'begin with an answer'],
    ['an empty prompt', [user('hi'), user(' ')], 'an empty text'],
    ['no content', [user([])], 'no content'],
    ['an image without data', [user([{ type: 'image', source: { data: '' } }])], 'without data'],
    [
      'an empty text in a result',
      [user('hi'), call('t1'), user([{ type: 'tool_result', tool_use_id: 't1', content: text('') }])],
      'an empty text in a result',
    ],
    ['an entry without a message', [user('hi'), null], 'nothing'],
    ['an unsigned thought', [user('hi'), model([{ type: 'thinking', thinking: 'x' }])], 'signature'],
    ['an open call', [user('hi'), call('t1'), user('next')], 'answer the call t1'],
    ['an open call at the end', [user('hi'), call('t1')], 'answer the call t1'],
    [
      'a result too late',
      [user('hi'), call('t1'), user('x'), model(text('y')), result('t1')],
      'answer the call t1',
    ],
    ['a stray result', [user('hi'), model(text('y')), result('t1')], 'asked for the result of t1'],
    ['two results', [user('hi'), call('t1'), result('t1'), result('t1')], 'two results'],
    [
      'two calls with one id',
      [user('hi'), call('t1'), result('t1'), call('t1'), result('t1')],
      'have the id t1',
    ],
    ['a call by the user', [user([{ type: 'tool_use', id: 't1' }])], 'a call by the user'],
    [
      'a result by the model',
      [user('hi'), model([{ type: 'tool_result', tool_use_id: 't1' }])],
      'result by the model',
    ],
  ])('[E2] refuses %s', (_, sent, words) => {
    expect(faultIn(sent)).toContain(words)
  })
})
