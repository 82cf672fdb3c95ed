/** `dagline tree`: how sessions hang together. */

import type { SessionFigures } from '@dagline/app'
import { isFolder, jsonLines } from '@dagline/app'
import { cleanLine } from '@dagline/core/content'
import { dayAndTime, isoTime, plural, shortId } from '@dagline/core/format'
import { isBareCopy } from '@dagline/core/protocol'
import type { Command } from 'commander'
import { type Action, command, finish } from '../command.js'
import { type Console, unreadField } from '../console.js'
import { labelFacts, labelledTitle } from '../print/names.js'
import { fit, widthOf } from '../print/width.js'

/** Adds `dagline tree`. */
export function addTree(program: Command): void {
  const made = command(
    program,
    'tree [session|path...]',
    'Print how sessions are related: resumed, forked, branched, cleared.',
  ).option('-a, --all', 'include empty sessions and those that only warm the cache')
  const act: Action = async (console, words, { all }) => {
    await tree(console, words, all === true)
  }
  finish(made, act, ['dagline tree', 'dagline tree latest', 'dagline tree ~/.claude/projects/-home-dev-proj'])
}

/** A session in the tree. */
interface Branch {
  readonly figures: SessionFigures
  readonly children: Branch[]
}

/** Prints all trees of some folders, and those that sessions are in; of all folders without any word. */
async function tree(console: Console, words: readonly string[], isAll: boolean): Promise<void> {
  const folders = words.filter(isFolder)
  const isWhole = words.length === 0 || folders.length > 0
  const projects = isWhole ? [...(await treesOf(console, folders, isAll))] : []
  for (const word of words) if (!isFolder(word)) projects.push(await treeAround(console, word))
  if (console.options.json) {
    const sessions = projects.flatMap(roots =>
      [...inOrder(roots)].map(({ branch, depth }) => ({
        ...facts(branch, depth),
        ...labelFacts(console.history.labels().get(branch.figures.session)),
      })),
    )
    await console.print(
      jsonLines([['dagline', 1], ['sessions', { list: sessions }], ...unreadField(console)]),
    )
  } else await console.print(lines(console, projects))
}

type Trees = readonly Branch[]

/** The trees of all projects below some folders. */
async function treesOf(
  console: Console,
  folders: readonly string[],
  isAll: boolean,
): Promise<readonly Trees[]> {
  const lists = await console.history.sessionLists(folders)
  return lists.map(sessions => treeOf(sessions, isAll)).filter(roots => roots.length > 0)
}

/** The tree that a session is in. */
async function treeAround(console: Console, word: string): Promise<Trees> {
  const { session, sessions } = await console.history.sessionsBeside(word)
  return treeOf(sessions, true).filter(root => holds(root, session))
}

function holds(root: Branch, session: string | null): boolean {
  return [...inOrder([root])].some(({ branch }) => branch.figures.session === session)
}

/** S1: roots and children by their first time. */
function treeOf(sessions: readonly SessionFigures[], isAll: boolean): Trees {
  const branches = new Map(sessions.map(figures => [figures.session, { figures, children: [] as Branch[] }]))
  const roots: Branch[] = []
  for (const branch of branches.values()) {
    const above = branches.get(branch.figures.parent?.session ?? '')
    if (above !== undefined && !leadsTo(branches, above, branch)) above.children.push(branch)
    else if (isAll || !branch.figures.isIdle) roots.push(branch)
  }
  return roots
}

/** Whether the parents of a session lead to another: damaged files may make circles. */
function leadsTo(branches: ReadonlyMap<string, Branch>, from: Branch, to: Branch): boolean {
  const seen = new Set<Branch>()
  for (let at: Branch | undefined = from; at !== undefined && !seen.has(at); ) {
    if (at === to) return true
    seen.add(at)
    at = branches.get(at.figures.parent?.session ?? '')
  }
  return false
}

interface Step {
  readonly branch: Branch
  readonly depth: number
  /** What is drawn before it, and before what is below it. */
  readonly lead: string
  readonly below: string
}

/** A tree from the top, each session before those that hang on it. */
function* inOrder(roots: Trees): Generator<Step> {
  const stack: Step[] = roots.map(branch => ({ branch, depth: 0, lead: '', below: '' })).reverse()
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    yield step
    const { below, depth, branch } = step
    const last = branch.children.length - 1
    const steps = branch.children.map((child, at) => ({
      branch: child,
      depth: depth + 1,
      lead: `${below}${at === last ? '└─ ' : '├─ '}`,
      below: `${below}${at === last ? '   ' : '│  '}`,
    }))
    for (const next of steps.reverse()) stack.push(next)
  }
}

function facts({ figures }: Branch, depth: number): Readonly<Record<string, unknown>> {
  const { session, project, title, first, last, turns, isCleared, parent } = figures
  return {
    session,
    project,
    title,
    first: isoTime(first),
    last: isoTime(last),
    turns,
    cleared: isCleared,
    depth,
    parent,
  }
}

const HOW: Readonly<Record<string, string>> = {
  resume: 'resumed',
  fork: 'forked',
  branch: 'branched',
  background: 'in the background',
  unknown: 'attached',
}

function* lines(console: Console, projects: readonly Trees[]): Generator<string> {
  const { style, width } = console
  for (const [index, roots] of projects.entries()) {
    if (index > 0) yield ''
    const { cwd, project } = roots[0]?.figures ?? { cwd: null, project: '' }
    yield style.strong(cleanLine(cwd ?? project))
    for (const { branch, lead } of inOrder(roots)) {
      const { figures } = branch
      const { parent } = figures
      const how = parent === null ? '' : `${HOW[parent.how] ?? parent.how} after ${shortId(parent.at)}: `
      const cleared = figures.isCleared ? '(after /clear) ' : ''
      const said = isBareCopy(figures) ? 'nothing new yet' : plural(figures.turns, 'turn')
      const end = `  ${dayAndTime(figures.first)}, ${said}`
      const start = `${lead}${shortId(figures.session)}  `
      const room = width - widthOf(`${start}${how}${cleared}${end}`)
      const label = console.history.labels().get(figures.session)
      const title = fit(cleanLine(labelledTitle(label, figures.title ?? '(no title)')), Math.max(20, room))
      yield `${style.faint(lead)}${style.id(shortId(figures.session))}  ${style.faint(how)}${style.faint(cleared)}${title}${style.faint(end)}`
    }
  }
}
