/** `dagline log --tree`: the conversations of all sessions that hang together. */
import type { FoundSession } from '@dagline/app'
import { jsonLines, labelFacts, labelsFor, openContents, openConversation, titleOf } from '@dagline/app'
import { type Graph, type LaneRow, layOutLanes, type View, walkTree } from '@dagline/core'
import { queueEvents } from '@dagline/core/view'
import type { Labels } from '@dagline/store'
import type { Console } from '../console.js'
import { logLines } from '../print/log.js'
import { type BesideRows, type LogOptions, leftOut, rowFacts, tellDiagnostics, viewOf } from './log.js'

/** S1: a session of a tree, with what is shown of it. */
interface LoggedSession {
  readonly found: FoundSession
  readonly depth: number
  readonly view: View
  readonly lanes: readonly LaneRow[]
}

/** Prints all sessions of a tree, depth first, each below its header. */
export async function logTree(console: Console, word: string, options: LogOptions): Promise<void> {
  const found = openConversation(word, console)
  const { graph, root } = found.loaded
  const contents = openContents(root, graph, found.summaries)
  const labels = labelsFor(console)
  const logged = treeOf(found, options)
  if (console.options.json) await console.print(treeFacts(found, logged, { contents, labels }))
  else {
    const drawn = options.graph ? 'lanes' : 'list'
    const ids = options.ids ? 'all' : 'prompts'
    const which = { isSide: false, isLive: false, isShared: false, ids, drawn } as const
    await console.page(function* () {
      for (const [at, { found: each, view, lanes }] of logged.entries()) {
        if (at > 0) yield ''
        const queue = options.all ? queueEvents(graph, each.session.id) : []
        yield* logLines(console, { found: each, view, lanes, contents, labels, queue, ...which })
      }
    })
    leftOut(console, { rows: [], left: sumLeft(logged) }, options)
    for (const { found: each } of logged) tellDiagnostics(console, each, options.all)
  }
  contents.close()
}

function treeOf(found: FoundSession, options: LogOptions): readonly LoggedSession[] {
  const steps = [...walkTree(found.loaded.graph, { session: found.session.id })]
  return steps.flatMap((step): LoggedSession[] => {
    if (step.kind !== 'session') return []
    const each = { ...found, session: step.session, line: null, file: null }
    const view = viewOf(each, options)
    return [{ found: each, depth: step.depth, view, lanes: layOutLanes(view.rows) }]
  })
}

function sumLeft(logged: readonly LoggedSession[]): View['left'] {
  const sum = (pick: (left: View['left']) => number): number =>
    logged.reduce((total, { view }) => total + pick(view.left), 0)
  return {
    branches: sum(left => left.branches),
    agents: sum(left => left.agents),
    structural: sum(left => left.structural),
  }
}

function* treeFacts(
  { session, loaded: { graph } }: FoundSession,
  logged: readonly LoggedSession[],
  beside: Omit<BesideRows, 'lanes'>,
): Generator<string> {
  const sessions = logged.map(({ found, depth }) => headerFacts(found, depth, beside.labels))
  yield* jsonLines([
    ['dagline', 1],
    ['session', session.id],
    ['sessions', { list: sessions }],
    ['rows', { list: treeRows(graph, logged, beside) }],
    ['left', sumLeft(logged)],
  ])
}

function headerFacts({ session, loaded }: FoundSession, depth: number, labels: Labels): object {
  const { id, parent, title } = session
  const { graph } = loaded
  return {
    session: id,
    title: titleOf(loaded, id, title),
    depth,
    parent: parent && { session: graph.node(parent.at).session, at: graph.id(parent.at), how: parent.how },
    ...labelFacts(labels.get(id)),
  }
}

function* treeRows(
  graph: Graph,
  logged: readonly LoggedSession[],
  beside: Omit<BesideRows, 'lanes'>,
): Generator<object> {
  for (const { found, view, lanes } of logged)
    for (const row of rowFacts(graph, view, { ...beside, lanes })) yield { session: found.session.id, ...row }
}
