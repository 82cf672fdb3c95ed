/** X21, X22: lessons of calls: edits that were undone, and commands that failed. */
import type { Graph } from '../graph/graph.js'
import { none } from '../graph/nodes.js'
import { callsIn } from '../measure/tools.js'
import { groupBy } from '../model/group.js'
import { type Attempt, type Attempts, headOf, type Lesson, lastTime, promptAbove } from './lesson.js'

/** A call that was answered, in the order of rows. */
interface Tried extends Attempt {
  readonly node: number
  readonly result: number
  readonly isFailed: boolean
}

/** The lessons of calls, conversation by conversation. Calls that the user denied or stopped tell nothing. */
export function lessonsOfCalls(graph: Graph, attempts: Attempts): readonly Lesson[] {
  const conversations = graph.lines().filter(({ status, kind }) => status === 'live' || kind === 'agent')
  const bySession = groupBy(conversations, ({ domain }) => domain.session)
  return [...bySession].flatMap(([session, lines]) => {
    const nodes = lines.flatMap(line => line.nodes)
    const tried = nodes.flatMap(node => triedAt(graph, node, attempts)).toSorted(byTime(graph))
    return [...undoneEdits(graph, session, tried), ...failedCommands(graph, session, tried)]
  })
}

function triedAt(graph: Graph, node: number, attempts: Attempts): readonly Tried[] {
  return callsIn(graph, node).flatMap(({ id, result, ending }) => {
    const attempt = attempts.get(id)
    const isTold = ending === 'ok' || ending === 'error' || ending === 'spilled'
    if (attempt === undefined || result === none || !isTold) return []
    return { ...attempt, node, result, isFailed: ending === 'error' }
  })
}

function byTime(graph: Graph): (a: Tried, b: Tried) => number {
  const time = ({ result, node }: Tried): number => lastTime(graph, [node, result]) ?? 0
  return (a, b) => time(a) - time(b)
}

/** X21: an edit is rejected where a later turn puts back just what it replaced, and nobody makes it again. */
function undoneEdits(graph: Graph, session: string, tried: readonly Tried[]): readonly Lesson[] {
  const edits = tried.filter(({ change, isFailed }) => change !== null && !isFailed)
  const standing = new Map<string, Tried>()
  const undone = new Map<string, Lesson>()
  for (const edit of edits) {
    const { from = '', to = '' } = edit.change ?? {}
    const [key, opposite] = [JSON.stringify([edit.file, from, to]), JSON.stringify([edit.file, to, from])]
    const before = standing.get(opposite)
    undone.delete(key)
    standing.delete(opposite)
    if (before === undefined) standing.set(key, edit)
    else undone.set(opposite, undoneLesson(graph, session, before, edit))
  }
  return [...undone.values()]
}

function undoneLesson(graph: Graph, session: string, edit: Tried, later: Tried): Lesson {
  const prompt = promptAbove(graph, edit.node)
  const laterPrompt = promptAbove(graph, later.node)
  const isSameTurn = laterPrompt === prompt
  return {
    kind: 'edit',
    // Within a turn Claude may have changed the file only to try something out.
    outcome: isSameTurn ? 'open' : 'rejected',
    session,
    asked: headOf(graph, prompt),
    tried: [`${edit.tool} ${edit.file ?? ''}`],
    ended: isSameTurn
      ? 'A later edit of the same turn put back what was there before.'
      : `A later edit put back what was there before, asked for by: ${headOf(graph, laterPrompt) ?? ''}`,
    refs: [graph.id(edit.node), graph.id(later.node)],
    time: lastTime(graph, [later.node, later.result]),
  }
}

/** X22: a command that failed is solved where the same command succeeds later, after files were changed in between. */
function failedCommands(graph: Graph, session: string, tried: readonly Tried[]): readonly Lesson[] {
  const commands = groupBy(
    tried.filter(({ command }) => command !== null),
    ({ command }) => command ?? '',
  )
  return [...commands.values()].flatMap(runs => {
    const first = runs.findIndex(({ isFailed }) => isFailed)
    const passed = runs.findIndex(({ isFailed }, at) => at > first && !isFailed)
    const failed = first < 0 ? [] : runs.slice(first, passed < 0 ? undefined : passed)
    // A command that was not run again says nothing.
    if (failed.length + Number(passed >= 0) < 2) return []
    const last = failed.at(-1)
    const success = runs[passed]
    if (last === undefined) return []
    return (
      commandLesson(graph, session, { failed, success, between: editsBetween(tried, last, success) }) ?? []
    )
  })
}

function editsBetween(tried: readonly Tried[], failed: Tried, success: Tried | undefined): readonly Tried[] {
  if (success === undefined) return []
  const [from, to] = [tried.indexOf(failed), tried.indexOf(success)]
  return tried.slice(from + 1, to).filter(({ file, isFailed }) => file !== null && !isFailed)
}

interface CommandRuns {
  readonly failed: readonly Tried[]
  readonly success: Tried | undefined
  readonly between: readonly Tried[]
}

/** Null where it passed without a change: then something else was the matter, which no transcript tells. */
function commandLesson(
  graph: Graph,
  session: string,
  { failed, success, between }: CommandRuns,
): Lesson | null {
  const [first] = failed
  if (first === undefined || (success !== undefined && between.length === 0)) return null
  const times = failed.length === 1 ? 'once' : `${failed.length} times`
  const files = [...new Set(between.map(({ file }) => file ?? ''))]
  const shown = [first, ...between, ...(success === undefined ? [] : [success])]
  return {
    kind: 'command',
    outcome: success === undefined ? 'open' : 'solved',
    session,
    asked: headOf(graph, promptAbove(graph, first.node)),
    tried: [`ran ${first.command?.split('\n', 1)[0] ?? ''}`],
    ended:
      success === undefined
        ? `It failed ${times}, and never succeeded.`
        : `It failed ${times}, until ${files.slice(0, MOST_FILES).join(', ')} changed.`,
    refs: [...new Set(shown.map(({ node }) => graph.id(node)))],
    time: lastTime(
      graph,
      shown.flatMap(({ node, result }) => [node, result]),
    ),
  }
}

const MOST_FILES = 3
