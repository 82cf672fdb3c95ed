import { describe, expect, it } from 'vitest'
import { faultIn, sentOf } from './api-rules.js'

const user = (content: unknown) => sentOf({ role: 'user', content })
const model = (content: unknown) => sentOf({ role: 'assistant', content })
const call = (...ids: string[]) => model(ids.map(id => ({ type: 'tool_use', id })))
const result = (...ids: string[]) => user(ids.map(id => ({ type: 'tool_result', tool_use_id: id })))
const said = (text: string) => [{ type: 'text', text }]

describe('what the API asks for', () => {
  it.each([
    ['a talk', [user('hi'), model(said('yes')), user('more')]],
    ['prompts one after another', [user('hi'), user('there'), model(said('yes'))]],
    [
      'calls and their results',
      [user('hi'), call('t1'), call('t2'), result('t2'), result('t1'), model(said('ok'))],
    ],
    ['words behind results', [user('hi'), call('t1'), result('t1'), user('stop'), model(said('ok'))]],
    [
      'an empty result',
      [user('hi'), call('t1'), user([{ type: 'tool_result', tool_use_id: 't1', content: '' }])],
    ],
    [
      'signed thoughts',
      [user('hi'), model([{ type: 'thinking', thinking: '', signature: 's' }]), model(said('ok'))],
    ],
  ])('[E2] takes %s', (_, sent) => {
    expect(faultIn(sent)).toBeNull()
  })

  it.each([
    ['nothing', [], 'nothing would be sent'],
    ['an answer first', [model(said('yes'))], 'begin with an answer'],
    ['an empty prompt', [user('hi'), user(' ')], 'an empty text'],
    ['no content', [user([])], 'no content'],
    ['an image without data', [user([{ type: 'image', source: { data: '' } }])], 'without data'],
    [
      'an empty text in a result',
      [user('hi'), call('t1'), user([{ type: 'tool_result', tool_use_id: 't1', content: said('') }])],
      'an empty text in a result',
    ],
    ['an entry without a message', [user('hi'), null], 'nothing'],
    ['an unsigned thought', [user('hi'), model([{ type: 'thinking', thinking: 'x' }])], 'signature'],
    ['an open call', [user('hi'), call('t1'), user('next')], 'answer the call t1'],
    ['an open call at the end', [user('hi'), call('t1')], 'answer the call t1'],
    [
      'a result too late',
      [user('hi'), call('t1'), user('x'), model(said('y')), result('t1')],
      'answer the call t1',
    ],
    ['a stray result', [user('hi'), model(said('y')), result('t1')], 'asked for the result of t1'],
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
