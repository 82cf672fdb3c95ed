import { homedir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { type Choice, decide, isRedacted, matches, type Origin } from './choice.js'

const SHOP: Origin = {
  cwd: '/home/dev/work/shop',
  remotes: ['github.com/Acme/shop', 'gitlab.com/dev/shop'],
  folder: '-home-dev-work-shop',
}
const NOWHERE: Origin = { cwd: null, remotes: null, folder: '-home-dev-old' }

const choice = (allow: readonly string[], deny: readonly string[] = []): Choice => ({
  allow,
  deny,
  plain: [],
})

describe('the choice of projects', () => {
  it('[HU13] nothing leaves by default', () => {
    expect(decide(choice([]), SHOP)).toBe('not-allowed')
    expect(decide(choice([]), NOWHERE)).toBe('not-allowed')
  })

  it('[HU13] deny wins over allow, whatever names the project there', () => {
    for (const pattern of ['*', 'github.com/acme/shop', '/home/dev', '-home-dev-work-shop', 'gitlab.com'])
      expect(decide(choice(['*', 'github.com/acme/shop', '/home/dev/work/shop'], [pattern]), SHOP)).toBe(
        'denied',
      )
    expect(decide(choice(['github.com/acme'], ['github.com/other']), SHOP)).toBe('allowed')
  })

  it.each([
    ['*', true],
    ['github.com/acme/shop', true],
    ['GitHub.com/Acme/', true],
    ['github.com/*', true],
    ['*/dev/shop', true],
    ['github.com/acme/sho', false],
    ['github.com/acme/shop/sub', false],
    ['acme/shop', false],
    ['/home/dev/work', true],
    ['/home/dev/work/shop/', true],
    ['/home/*/shop', true],
    ['/home/dev/wor', false],
    ['/home/dev/work/shop/packages', false],
    ['-home-dev-*', true],
    ['-home-dev-work', false],
  ])('[HU13] pattern %s: %s', (pattern, expected) => {
    expect(matches(pattern, SHOP)).toBe(expected)
  })

  it('[HU13] the home folder is meant by ~; a session without a folder matches by the name of its transcripts', () => {
    expect(matches('~/shop', { ...SHOP, cwd: `${homedir()}/shop/a` })).toBe(true)
    expect(matches('~/shop', { ...SHOP, cwd: `${homedir()}/shops` })).toBe(false)
    expect(['/home', 'github.com', '-home-dev-old'].map(each => matches(each, NOWHERE))).toEqual([
      ...[false, false, true],
    ])
  })

  it('[HU13] where the remote is not known and one is denied, only the name of its folder lets a session leave', () => {
    expect(decide(choice(['*'], ['github.com/acme']), NOWHERE)).toBe('unknown-remote')
    expect(decide(choice(['*'], ['github.com/acme']), { ...NOWHERE, remotes: [] })).toBe('allowed')
    expect(decide(choice(['*'], ['/home/other']), NOWHERE)).toBe('allowed')
    expect(decide(choice(['-home-dev-old'], ['github.com/acme']), NOWHERE)).toBe('allowed')
  })

  it('[HU13] redaction is on unless it is switched off for a project', () => {
    expect(isRedacted(choice(['*']), SHOP)).toBe(true)
    expect(isRedacted({ ...choice(['*']), plain: ['github.com/acme'] }, SHOP)).toBe(false)
    expect(isRedacted({ ...choice(['*']), plain: ['github.com/acme'] }, NOWHERE)).toBe(true)
  })

  it('[HU13] a pattern of many stars costs little', () => {
    const folder = `-${'a'.repeat(50_000)}`
    expect(matches(`-${'*a'.repeat(40)}*b`, { ...NOWHERE, folder })).toBe(false)
  })
})
