import type { Home, HomeItem } from '@dagline/core/protocol'
import { expect, test } from 'vitest'
import { promptBehind } from './home-row.js'
import { joinRows, type LoadedRows } from './home-rows.js'

function answer(version: number, from: number, names: string): Home {
  const items: HomeItem[] = names
    .split(' ')
    .map(project => ({ kind: 'project', project, cwd: null, sessions: 1, cost: null }))
  const sync = { state: 'done', bytes: 0, bytesDone: 0, message: null, unread: [] } as const
  const sums = { sessions: 9, cost: null, bytes: 0, projects: 9, idle: 0 }
  const all = { sessions: 9, isEmpty: false, hasArchived: false, projects: [] }
  return { looked: [], isSample: false, sync, version, from, items, rows: 9, sums, ...all }
}

function show({ items }: LoadedRows): string {
  return [...items].map(([at, item]) => `${at}${item.kind === 'project' ? item.project : ''}`).join(' ')
}

test('[X9] rows are joined where list and version are the same', () => {
  const first = joinRows(null, '/api/home', answer(1, 0, 'a b'))
  const second = joinRows(first, '/api/home', answer(1, 4, 'e f'))
  expect(show(second)).toBe('0a 1b 4e 5f')
  expect(show(joinRows(second, '/api/home', answer(2, 2, 'x')))).toBe('2x')
  expect(show(joinRows(second, '/api/home?q=x', answer(1, 0, 'y')))).toBe('0y')
})

test.each([
  ['Fix the parser', 'Please fix what is broken', 'Please fix what is broken'],
  ['Fix the parser', 'Fix the parser', null],
  ['Fix the parser, which loses every second token', 'Fix the parser, which loses', null],
  ['Fix the parser…', 'Fix the parser, soon', null],
  ['Fix the parser…', 'Fix the parser, which loses every second token', '…, which loses every second token'],
])('below %j, of the prompt %j there is %j', (title, prompt, shown) => {
  expect(promptBehind(title, prompt)).toBe(shown)
})
