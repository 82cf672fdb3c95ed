import { type HomeItem, type HomeView, parseHomeView, type SessionCard } from '@dagline/core/protocol'
import { expect, test } from 'vitest'
import { listHome, listProjects } from './home-list.js'

const DAY = 86_400_000
const NOW = 1000 * DAY

function card(session: string, more: Partial<SessionCard> = {}): SessionCard {
  return {
    session,
    project: 'p',
    cwd: '/home/dev/p',
    title: null,
    prompt: null,
    first: NOW,
    last: NOW,
    turns: 1,
    branches: 0,
    agents: 0,
    compactions: 0,
    problems: 0,
    bytes: 1,
    cost: null,
    isIdle: false,
    archivedOnly: false,
    parent: null,
    shape: null,
    label: null,
    owner: null,
    ...more,
  }
}

function child(session: string, parent: string, more: Partial<SessionCard> = {}): SessionCard {
  return card(session, { parent: { session: parent, how: 'fork' }, ...more })
}

function viewOf(query: string): HomeView {
  const given = new URLSearchParams(query)
  return parseHomeView(name => given.get(name))
}

/** The list in words: a project, or the guides and the id of a session. */
function show(cards: readonly SessionCard[], query = ''): string {
  return listHome(cards, viewOf(query), NOW).items.map(say).join(' ')
}

const SIGNS = { none: '.', pass: '|', fork: '+', end: '`' } as const

function say(item: HomeItem): string {
  if (item.kind === 'project') return `${item.project}:${item.sessions}`
  return item.guides.map(guide => SIGNS[guide]).join('') + item.card.session
}

test('the latest come first, unless another order is chosen', () => {
  const cards = [
    card('a', { last: NOW - 2, cost: 5, turns: 1, bytes: 9 }),
    card('b', { last: NOW - 1, cost: null, turns: 3, problems: 2 }),
    card('c', { last: null, cost: 7, turns: 2 }),
  ]
  expect(show(cards)).toBe('b a c')
  expect(show(cards, 'sort=cost')).toBe('c a b')
  expect(show(cards, 'sort=turns')).toBe('b c a')
  expect(show(cards, 'sort=size')).toBe('a b c')
  expect(show(cards, 'sort=problems')).toBe('b a c')
})

test('all words of the filter occur in title, prompt, project, folder or id', () => {
  const cards = [
    card('abc', { title: 'Fix the Parser', prompt: 'please' }),
    card('def', { prompt: 'parser again' }),
    card('ghi', { project: 'other', cwd: '/srv/parser' }),
  ]
  expect(show(cards, 'q=PARSER')).toBe('abc def ghi')
  expect(show(cards, 'q=parser+fix')).toBe('abc')
  expect(show(cards, 'q=gh')).toBe('ghi')
  expect(show(cards, 'q=nothing')).toBe('')
})

test('filters combine', () => {
  const cards = [
    card('a', { branches: 1, agents: 1 }),
    card('b', { branches: 1, archivedOnly: true, project: 'q' }),
    card('c', { last: NOW - 3 * DAY }),
  ]
  expect(show(cards, 'has=branches')).toBe('a b')
  expect(show(cards, 'has=branches,agents')).toBe('a')
  expect(show(cards, 'archived=1')).toBe('b')
  expect(show(cards, 'project=q')).toBe('b')
  expect(show(cards, 'time=day')).toBe('a b')
  expect(show(cards, 'time=week&project=p')).toBe('a c')
})

test('idle sessions are counted, and shown on request', () => {
  const cards = [card('a'), card('b', { isIdle: true })]
  expect(show(cards)).toBe('a')
  expect(listHome(cards, viewOf(''), NOW)).toMatchObject({ sessions: 1, idle: 1 })
  expect(show(cards, 'idle=1')).toBe('a b')
})

test('sessions are below those they continue, the older ones first', () => {
  const cards = [
    card('root', { last: NOW - 50 }),
    child('second', 'root', { first: NOW - 10 }),
    child('first', 'root', { first: NOW - 20, last: NOW - 20 }),
    child('below', 'first'),
    card('other', { last: NOW - 1 }),
  ]
  expect(show(cards)).toBe('root +first |`below `second other')
  expect(show(cards, 'flat=1')).toBe('second below other first root')
})

test('a tree is sorted by its best session', () => {
  const cards = [card('old', { last: NOW - 9 }), child('new', 'old'), card('between', { last: NOW - 5 })]
  expect(show(cards)).toBe('old `new between')
})

test('a session whose parent is hidden is below its next ancestor, or a root', () => {
  const cards = [
    card('a', { title: 'x' }),
    child('b', 'a'),
    child('c', 'b', { title: 'x' }),
    child('d', 'gone', { title: 'only' }),
  ]
  expect(show(cards, 'q=x')).toBe('a `c')
  expect(show(cards, 'q=only')).toBe('d')
})

test('sessions in a cycle are all shown', () => {
  expect(show([child('a', 'b'), child('b', 'a'), child('c', 'c')])).toBe('a b c')
})

test('a chain of sessions of any length is one tree', () => {
  const cards = Array.from({ length: 3000 }, (_, at) => (at === 0 ? card('0') : child(`${at}`, `${at - 1}`)))
  expect(listHome(cards, viewOf(''), NOW).items).toHaveLength(3000)
})

test('each project has a heading with its number of sessions and their cost', () => {
  const cards = [
    card('a', { project: 'x', cost: 1 }),
    card('b', { project: 'y' }),
    card('c', { project: 'x', cost: 2 }),
  ]
  expect(show(cards, 'group=project')).toBe('x:2 a c y:1 b')
  const [head] = listHome(cards, viewOf('group=project'), NOW).items
  expect(head).toMatchObject({ cost: 3, cwd: '/home/dev/p' })
})

test('projects are listed by folder, without idle sessions', () => {
  const cards = [
    card('a', { project: 'z', cwd: '/a' }),
    card('b', { cwd: '/b', isIdle: true }),
    card('c', { cwd: '/b' }),
  ]
  expect(listProjects(cards)).toEqual([
    { name: 'z', cwd: '/a', sessions: 1 },
    { name: 'p', cwd: '/b', sessions: 1 },
  ])
})

test('the list has the totals of its sessions', () => {
  const cards = [
    card('a', { cost: 1, bytes: 10 }),
    card('b', { cost: 2, bytes: 20, project: 'q', branches: 1 }),
    card('c', { cost: 4, isIdle: true }),
    card('d', { branches: 1 }),
  ]
  const sums = (query: string): object => {
    const { sessions, projects, cost, bytes } = listHome(cards, viewOf(query), NOW)
    return { sessions, projects, cost, bytes }
  }
  expect(sums('')).toEqual({ sessions: 3, projects: 2, cost: 3, bytes: 31 })
  expect(sums('has=branches')).toEqual({ sessions: 2, projects: 2, cost: 2, bytes: 21 })
  expect(sums('q=nothing')).toEqual({ sessions: 0, projects: 0, cost: null, bytes: 0 })
})
