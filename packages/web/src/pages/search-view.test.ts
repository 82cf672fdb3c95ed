import type { SearchHit } from '@dagline/core/protocol'
import { expect, test } from 'vitest'
import { pathWith } from '../app/api.js'
import { foundWords, groupHits, hitPath } from './search-results.js'
import { isNarrowed, parseSearchView, searchPath } from './search-view.js'

const ALL =
  'q=a+b&project=p&session=s&since=2026&until=2027&role=human&tool=Bash&file=x.ts&agent=Explore&branch=live' +
  '&beforeCompaction=1&errors=1&sort=time'

test('the address and the request have the same parameters', () => {
  const view = parseSearchView(new URLSearchParams(ALL))
  const asked = new URLSearchParams((searchPath(view) ?? '').split('?')[1])
  expect([...asked].sort()).toEqual([...new URLSearchParams(ALL)].sort())
  expect(parseSearchView(new URLSearchParams(pathWith('', view).slice(1)))).toEqual(view)
})

test('a regular expression replaces the words', () => {
  const view = parseSearchView(new URLSearchParams('q=a.*b&regex=1'))
  expect(searchPath(view)).toBe('/api/search?regex=a.*b')
})

test('any subagent is a subagent without a type', () => {
  expect(searchPath(parseSearchView(new URLSearchParams('q=x&agents=1')))).toBe('/api/search?q=x&agent=')
  expect(searchPath(parseSearchView(new URLSearchParams('q=x&agents=1&agent=Plan')))).toBe(
    '/api/search?q=x&agent=Plan',
  )
})

test('[H13] an empty query sends no request, but filters alone do', () => {
  expect(searchPath(parseSearchView(new URLSearchParams('q=+&sort=time&regex=1')))).toBeNull()
  expect(searchPath(parseSearchView(new URLSearchParams('errors=1')))).toBe('/api/search?errors=1')
  expect(searchPath(parseSearchView(new URLSearchParams('agents=1')))).toBe('/api/search?agent=')
  expect(searchPath(parseSearchView(new URLSearchParams('agent=Plan')))).toBe('/api/search?agent=Plan')
})

test('invalid values in the address are ignored', () => {
  const view = parseSearchView(new URLSearchParams('q=x&role=constructor&branch=all'))
  expect([view.role, view.branch, isNarrowed(view)]).toEqual(['', '', false])
  expect(isNarrowed(parseSearchView(new URLSearchParams('q=x&tool=Bash')))).toBe(true)
})

test('hits are grouped by session, in the order of the first hits', () => {
  const hits = [hit('s2', 'a'), hit('s1', 'b'), hit('s2', 'c'), hit(null, 'd'), hit(null, 'e')]
  expect(
    [...groupHits(hits).values()].map(group => [group[0]?.session, group.map(({ node }) => node).join('')]),
  ).toEqual([
    ['s2', 'ac'],
    ['s1', 'b'],
    [null, 'de'],
  ])
})

test('[V5] a hit of a pattern leads to the words that it matched', () => {
  expect(foundWords(['a ', 'gir 12', ' b'])).toBe('"gir 12"')
  expect(foundWords(['a ', 'say "hi"', ''])).toBe('say  hi')
  expect(foundWords(['nothing'])).toBe('')
})

test('a hit opens its session at its entry', () => {
  const verdict = { live: true, branch: null, status: 'live', agent: null }
  const label = { ...verdict, compacted: 0, queue: null, archived: false }
  expect(hitPath({ session: 's/1', node: 'n#1', label })).toBe('/s/s%2F1?at=n%231')
  expect(hitPath({ session: 's1', node: null, label })).toBe('/s/s1')
  expect(hitPath({ session: null, node: 'n', label })).toBeNull()
  expect(hitPath({ session: 's1', node: 'n', label: null })).toBeNull()
})

function hit(session: string | null, node: string): SearchHit {
  const label = {
    live: true,
    branch: null,
    status: null,
    agent: null,
    compacted: 0,
    queue: null,
    archived: false,
  }
  return {
    node,
    session,
    title: null,
    project: 'p',
    cwd: null,
    owner: null,
    time: null,
    actor: 'Human',
    tool: null,
    snippet: [],
    label,
  }
}
