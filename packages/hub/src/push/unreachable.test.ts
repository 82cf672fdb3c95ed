import { expect, it } from 'vitest'
import { unreachableHub } from './unreachable.js'

it.each([
  ['ECONNREFUSED', /does not answer \(ECONNREFUSED\). Check the address, and that the hub runs/],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', /certificate of https:\/\/hub is not valid .+NODE_EXTRA_CA_CERTS/],
  ['CERT_HAS_EXPIRED', /certificate of https:\/\/hub/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', /certificate of https:\/\/hub/],
])('[HU53] %s has a sentence that says what to check', (code, sentence) => {
  const error = new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) })
  expect(unreachableHub('https://hub', error)).toMatch(sentence)
})

it('[HU53] a reason without a code is given in words', () => {
  const error = new TypeError('fetch failed', { cause: new Error('bad port') })
  expect(unreachableHub('http://hub:1', error)).toMatch(
    /^The hub http:\/\/hub:1 does not answer \(bad port\)\./,
  )
})

it('[HU53] a hub that takes too long is named so', () => {
  const error = Object.assign(new Error('x'), { name: 'TimeoutError' })
  expect(unreachableHub('https://hub', error)).toBe(
    'The hub https://hub takes too long to answer. Try again later.',
  )
})
