import { expect, test } from 'vitest'
import { pathWith } from '../app/api.js'
import { homeQuery, parseAddress } from './home-view.js'

test('the address holds all filters and options', () => {
  const query =
    'q=x&sort=cost&project=p&time=week&has=branches%2Cproblems&archived=1&idle=1&group=project&flat=1'
  const view = parseAddress(new URLSearchParams(query))
  expect(pathWith('/', homeQuery(view))).toBe(`/?${query}`)
  expect(parseAddress(new URLSearchParams('sort=__proto__&time=x&has=toString'))).toEqual(
    parseAddress(new URLSearchParams()),
  )
})
