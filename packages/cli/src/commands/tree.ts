/** `dagline tree`: how sessions are related. */
import { projectPaths, type SessionFigures } from '@dagline/app'
import { cleanLine } from '@dagline/core/content'
import { dayAndTime, isoTime, plural, shortId } from '@dagline/core/format'
import { isBareCopy } from '@dagline/core/protocol'
import { continuationLabel } from '@dagline/core/view'
import { type AddCommand, ALL_SESSIONS, defineCommand, INDEX, PROJECT, refuseBoth } from '../command.js'
import { type Console, unreadField } from '../console.js'
import type { TreeSessionJson } from '../json/history.js'
import { labelFacts, labelledTitle } from '../print/names.js'
import { fit, widthOf } from '../print/width.js'

export const treeCommand: AddCommand = defineCommand({
  usage: 'tree [session|path...]',
  description: 'Print how sessions are related: resumed, forked, branched, cleared.',
  options: { index: INDEX, project: PROJECT, all: ALL_SESSIONS },
  examples: ['dagline tree', 'dagline tree latest', 'dagline tree ~/.claude/projects/-home-dev-shop'],
  run: async (console, given, { index, project, all: isAll }) => {
    refuseBoth(given, project)
    const words = project === null ? given : [project]
    const isFolder = await Promise.all(words.map(word => console.history.namesProject(word)))
    const folders = words.filter((_, at) => isFolder[at])
    const isWhole = words.length === 0 || folders.length > 0
    const projects = isWhole
      ? [...treesOf(await console.history.sessionLists(folders, { index }), isAll)]
      : []
    for (const [at, word] of words.entries())
      if (!isFolder[at]) projects.push(await treeAround(console, word))
    if (!console.options.json) return await console.page(() => lines(console, projects))
    const labels = console.history.labels()
    const list = projects
      .flatMap(roots => [...inOrder(roots)])
      .map(step => ({ ...factsOf(step), ...labelFacts(labels.get(step.tree.figures.session)) }))
    await console.printJson('tree', { sessions: { list }, ...unreadField(console) })
  },
})

/** A session with those that continue it. */
interface SessionTree {
  readonly figures: SessionFigures
  readonly children: SessionTree[]
}

type Trees = readonly SessionTree[]

/** The trees of all projects. */
function treesOf(lists: readonly (readonly SessionFigures[])[], isAll: boolean): readonly Trees[] {
  return lists.map(sessions => treeOf(sessions, isAll)).filter(roots => roots.length > 0)
}

/** The tree that a session is in. */
async function treeAround(console: Console, word: string): Promise<Trees> {
  const { session, sessions } = await console.history.sessionsBeside(word)
  return treeOf(sessions, true).filter(root => holds(root, session))
}

function holds(root: SessionTree, session: string | null): boolean {
  return [...inOrder([root])].some(({ tree }) => tree.figures.session === session)
}

/** S1: roots and children by their first time. */
function treeOf(sessions: readonly SessionFigures[], isAll: boolean): Trees {
  const trees = new Map(
    sessions.map(figures => [figures.session, { figures, children: [] as SessionTree[] }]),
  )
  const roots: SessionTree[] = []
  for (const tree of trees.values()) {
    const above = trees.get(tree.figures.parent?.session ?? '')
    if (above !== undefined && !leadsTo(trees, above, tree)) above.children.push(tree)
    else if (isAll || !tree.figures.isIdle) roots.push(tree)
  }
  return roots
}

/** Whether the parents of a session lead to another: damaged files may form cycles. */
function leadsTo(trees: ReadonlyMap<string, SessionTree>, from: SessionTree, to: SessionTree): boolean {
  const seen = new Set<SessionTree>()
  for (let at: SessionTree | undefined = from; at !== undefined && !seen.has(at); ) {
    if (at === to) return true
    seen.add(at)
    at = trees.get(at.figures.parent?.session ?? '')
  }
  return false
}

interface Step {
  readonly tree: SessionTree
  readonly depth: number
  /** What is drawn before it, and before its children. */
  readonly lead: string
  readonly below: string
}

/** Trees in preorder. */
function* inOrder(roots: Trees): Generator<Step> {
  const stack: Step[] = roots.map(tree => ({ tree, depth: 0, lead: '', below: '' })).reverse()
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    yield step
    const { below, depth, tree } = step
    const last = tree.children.length - 1
    const steps = tree.children.map((child, at) => ({
      tree: child,
      depth: depth + 1,
      lead: `${below}${at === last ? '└─ ' : '├─ '}`,
      below: `${below}${at === last ? '   ' : '│  '}`,
    }))
    for (const next of steps.reverse()) stack.push(next)
  }
}

function factsOf({ tree: { figures }, depth }: Step): TreeSessionJson {
  const { session, project, title, first, last, turns, isCleared, parent } = figures
  const times = { first: isoTime(first), last: isoTime(last) }
  return { session, project, title, ...times, turns, cleared: isCleared, depth, parent }
}

function* lines(console: Console, projects: readonly Trees[]): Generator<string> {
  const paths = projectPaths(projects.flatMap(roots => roots.map(({ figures }) => figures)))
  for (const [index, roots] of projects.entries()) {
    if (index > 0) yield ''
    const project = roots[0]?.figures.project ?? ''
    yield console.style.strong(cleanLine(paths.get(project) ?? project))
    for (const step of inOrder(roots)) yield sessionLine(console, step)
  }
}

/** With less room the time goes before the title. */
const LEAST_TITLE = 20

function sessionLine({ style, width, history }: Console, { tree: { figures }, lead }: Step): string {
  const { parent, session, isCleared, first, turns } = figures
  const how =
    parent === null ? '' : `${continuationLabel(parent.how).toLowerCase()} after ${shortId(parent.at)}: `
  const origin = `${how}${isCleared ? '(after /clear) ' : ''}`
  const end = `  ${dayAndTime(first)}, ${isBareCopy(figures) ? 'nothing new' : plural(turns, 'turn')}`
  const title = cleanLine(labelledTitle(history.labels().get(session), figures.title ?? '(no title)'))
  const roomBefore = (text: string): number => width - widthOf(`${lead}${shortId(session)}  ${origin}${text}`)
  const isNarrow = roomBefore(end) < Math.min(LEAST_TITLE, widthOf(title))
  const shown = isNarrow ? '' : end
  return `${style.faint(lead)}${style.id(shortId(session))}  ${style.faint(origin)}${fit(title, Math.max(LEAST_TITLE, roomBefore(shown)))}${style.faint(shown)}`
}
