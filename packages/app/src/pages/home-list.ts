/** The rows of the list of sessions: filtered, sorted, as trees. */
import { groupBy, sumCosts } from '@dagline/core/model'
import type {
  Guide,
  HomeItem,
  HomeProject,
  HomeSums,
  HomeView,
  ProjectItem,
  SessionCard,
  SessionItem,
  Sort,
  Span,
} from '@dagline/core/protocol'

/** The number of levels with guides. */
const DEEPEST = 8

/** All rows of the list, and the totals of the sessions in it. */
export interface HomeList extends HomeSums {
  readonly items: readonly HomeItem[]
}

const DAYS: Readonly<Record<Exclude<Span, ''>, number>> = { day: 1, week: 7, month: 31, year: 366 }

/** The rows of the list. Linear in the cards, except for sorting. */
export function listHome(cards: readonly SessionCard[], view: HomeView, now: number): HomeList {
  const found = cards.filter(matcherOf(view, now))
  const shown = view.showIdle ? found : found.filter(card => !card.isIdle)
  const trees = view.flat ? shown.map(lone) : treesOf(shown, cards)
  const best = new Map(trees.map(tree => [tree, bestOf(tree, view.sort)]))
  const order = (a: Tree, b: Tree): number => (best.get(b) ?? 0) - (best.get(a) ?? 0)
  const items = view.byProject ? byProject(trees, order) : trees.sort(order).flatMap(itemsOf)
  return { items, ...sumsOf(shown), idle: found.length - shown.length }
}

/** The totals of sessions. */
function sumsOf(cards: readonly SessionCard[]): Omit<HomeSums, 'idle'> {
  return {
    sessions: cards.length,
    projects: new Set(cards.map(card => card.project)).size,
    cost: sumCosts(cards.map(card => card.cost)),
    bytes: cards.reduce((sum, card) => sum + card.bytes, 0),
  }
}

/** Projects with the number of their sessions, without idle ones, sorted by name. */
export function listProjects(cards: readonly SessionCard[]): readonly HomeProject[] {
  const counts = new Map<string, { name: string; cwd: string | null; sessions: number }>()
  for (const { project, cwd, isIdle } of cards) {
    const known = counts.get(project) ?? { name: project, cwd, sessions: 0 }
    known.sessions += isIdle ? 0 : 1
    known.cwd ??= cwd
    counts.set(project, known)
  }
  return [...counts.values()].sort((a, b) => (a.cwd ?? a.name).localeCompare(b.cwd ?? b.name))
}

/** A session with the sessions that continue it. */
interface Tree {
  readonly card: SessionCard
  readonly children: Tree[]
}

function matcherOf(view: HomeView, now: number): (card: SessionCard) => boolean {
  const words = view.text.toLowerCase().split(/\s+/).filter(Boolean)
  const since = view.span === '' ? null : now - DAYS[view.span] * 86_400_000
  return card =>
    (view.project === '' || card.project === view.project) &&
    (since === null || (card.last ?? 0) >= since) &&
    (!view.archivedOnly || card.archivedOnly) &&
    view.has.every(trait => card[trait] > 0) &&
    holds(card, words)
}

const texts = new WeakMap<SessionCard, string>()

function holds(card: SessionCard, words: readonly string[]): boolean {
  if (words.length === 0) return true
  let text = texts.get(card)
  if (text === undefined) {
    const { title, prompt, project, cwd, session, label } = card
    const tags = label?.tags.map(tag => `#${tag}`) ?? []
    text = [label?.name, ...tags, label?.note, title, prompt, project, cwd, session].join('\n').toLowerCase()
    texts.set(card, text)
  }
  return words.every(word => text.includes(word))
}

function lone(card: SessionCard): Tree {
  return { card, children: [] }
}

/** Puts every session below its nearest ancestor that is shown. */
function treesOf(shown: readonly SessionCard[], all: readonly SessionCard[]): Tree[] {
  const known = new Map(all.map(card => [card.session, card]))
  const trees = new Map(shown.map(card => [card.session, lone(card)]))
  const roots: Tree[] = []
  for (const tree of trees.values()) {
    const parent = parentOf(tree.card, known, trees)
    if (parent === null) roots.push(tree)
    else parent.children.push(tree)
  }
  const reached = new Set(roots.flatMap(membersOf))
  // Sessions in a cycle are all roots.
  const circular = [...trees.values()].filter(tree => !reached.has(tree))
  return [...roots, ...circular.map(({ card }) => lone(card))]
}

function membersOf(root: Tree): Tree[] {
  const members = [root]
  for (const member of members) members.push(...member.children)
  return members
}

function parentOf(
  card: SessionCard,
  known: ReadonlyMap<string, SessionCard>,
  trees: ReadonlyMap<string, Tree>,
): Tree | null {
  const seen = new Set<string>()
  for (let at = card.parent; at !== null; at = known.get(at.session)?.parent ?? null) {
    const tree = trees.get(at.session)
    if (tree !== undefined) return tree
    if (seen.has(at.session)) return null
    seen.add(at.session)
  }
  return null
}

function bestOf(tree: Tree, sort: Sort): number {
  return membersOf(tree).reduce(
    (best, { card }) => Math.max(best, AMOUNTS[sort](card)),
    Number.NEGATIVE_INFINITY,
  )
}

const AMOUNTS: Readonly<Record<Sort, (card: SessionCard) => number>> = {
  latest: card => card.last ?? 0,
  cost: card => card.cost ?? -1,
  turns: card => card.turns,
  size: card => card.bytes,
  problems: card => card.problems,
}

function byProject(trees: readonly Tree[], order: (a: Tree, b: Tree) => number): HomeItem[] {
  const groups = groupBy([...trees].sort(order), ({ card }) => card.project)
  return [...groups.values()].flatMap(group => {
    const items = group.flatMap(itemsOf)
    return [headOf(items), ...items]
  })
}

function headOf(items: readonly SessionItem[]): ProjectItem {
  const cards = items.map(item => item.card)
  return {
    kind: 'project',
    project: cards[0]?.project ?? '',
    cwd: cards.find(card => card.cwd !== null)?.cwd ?? null,
    sessions: cards.length,
    cost: sumCosts(cards.map(card => card.cost)),
  }
}

interface Step {
  readonly tree: Tree
  readonly guides: readonly Guide[]
}

/** A tree from its root down, the older children first. */
function itemsOf(root: Tree): SessionItem[] {
  const items: SessionItem[] = []
  const open: Step[] = [{ tree: root, guides: [] }]
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    const { tree, guides } = step
    items.push({ kind: 'session', card: tree.card, guides, isChild: guides.length > 0 })
    const children = [...tree.children].sort((a, b) => (b.card.first ?? 0) - (a.card.first ?? 0))
    const passed = guides
      .slice(1 - DEEPEST)
      .map((guide): Guide => (guide === 'fork' || guide === 'pass' ? 'pass' : 'none'))
    children.forEach((child, index) => {
      open.push({ tree: child, guides: [...passed, index === 0 ? 'end' : 'fork'] })
    })
  }
  return items
}
