/**
 * X20: turns that a rewind abandoned. One is rejected where Claude had answered it and something else was asked in its place.
 * What was asked again in the same words, or went on in another session, was not rejected.
 */

import type { Fork } from '../graph/fork-list.js'
import type { Graph } from '../graph/graph.js'
import type { Line } from '../graph/lines.js'
import { isAnswer, isApiError, textHashOf } from '../graph/nodes.js'
import { askedInstead } from '../measure/instead.js'
import { pathFrom } from '../measure/paths.js'
import { callsIn } from '../measure/tools.js'
import { withEllipsis } from '../model/ellipsis.js'
import { type Attempts, headOf, type Lesson, type LessonOutcome, lastTime } from './lesson.js'

/** The lessons of abandoned branches. */
export function rewoundTurns(graph: Graph, attempts: Attempts): readonly Lesson[] {
  const forkAt = new Map(graph.forks().flatMap(fork => fork.branches.map(head => [head, fork] as const)))
  const continued = new Set(graph.junctions().flatMap(({ at }) => graph.lineOf(at)?.index ?? []))
  return graph.lines().flatMap(line => {
    const fork = line.head === null ? undefined : forkAt.get(line.head)
    if (fork?.kind !== 'rewind' || !isStartOfAbandoned(graph, line)) return []
    return lessonOf(graph, { line, fork, isContinued: continued.has(line.index) }, attempts) ?? []
  })
}

function isStartOfAbandoned(graph: Graph, line: Line): boolean {
  return line.status === 'abandoned' && line.domain.kind === 'session' && graph.branchStart(line) === line
}

interface Abandoned {
  readonly line: Line
  readonly fork: Fork
  readonly isContinued: boolean
}

function lessonOf(graph: Graph, abandoned: Abandoned, attempts: Attempts): Lesson | null {
  const { line, fork } = abandoned
  const nodes = line.head === null ? [] : pathFrom(graph, line.head)
  const prompt = nodes.find(node => graph.startsTurn(node))
  if (prompt === undefined) return null
  const instead = askedInstead(graph, fork, line)
  const { outcome, ended } = endOf(graph, { ...abandoned, nodes, prompt, instead })
  return {
    kind: 'rewind',
    outcome,
    session: line.domain.session,
    asked: headOf(graph, prompt),
    tried: triedIn(graph, nodes, attempts),
    ended,
    refs: [line.id, ...(instead === null ? [] : [graph.id(instead)])],
    time: lastTime(graph, instead === null ? nodes : [...nodes, instead]),
  }
}

interface Ending extends Abandoned {
  readonly nodes: readonly number[]
  readonly prompt: number
  readonly instead: number | null
}

function endOf(
  graph: Graph,
  { nodes, prompt, instead, isContinued }: Ending,
): { readonly outcome: LessonOutcome; readonly ended: string } {
  const open = (ended: string): { readonly outcome: 'open'; readonly ended: string } => ({
    outcome: 'open',
    ended,
  })
  const isAnswered = nodes.some(node => isAnswer(graph, node) && !isApiError(graph, node))
  if (!isAnswered) return open('You rewound before it was answered.')
  if (isContinued) return open('You rewound, and another session continued it.')
  if (instead === null) return open('You rewound and asked nothing in its place.')
  if (textHashOf(graph, instead) === textHashOf(graph, prompt))
    return open('You rewound and asked the same again.')
  return { outcome: 'rejected', ended: `You rewound and asked instead: ${headOf(graph, instead) ?? ''}` }
}

/** So many things that were tried are named. */
const MOST = 5

/** The files that were written and the commands that were run, each once. */
function triedIn(graph: Graph, nodes: readonly number[], attempts: Attempts): readonly string[] {
  const calls = nodes.flatMap(node => callsIn(graph, node)).flatMap(({ id }) => attempts.get(id) ?? [])
  const words = calls.flatMap(({ tool, file, command }) => {
    if (file !== null) return `${tool} ${file}`
    return command === null ? [] : `ran ${firstLine(command)}`
  })
  const each = [...new Set(words)]
  return each.length > MOST ? [...each.slice(0, MOST), `and ${each.length - MOST} more`] : each
}

function firstLine(text: string): string {
  const [line = ''] = text.split('\n', 1)
  return withEllipsis(line, LONGEST_LINE)
}

const LONGEST_LINE = 120
