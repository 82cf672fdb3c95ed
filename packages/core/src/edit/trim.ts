/** E8: trimming: the same session with less in it. Branches and notes stay; what is left out stays in the original. */

import type { FileRecord } from '../graph/file-record.js'
import { isPrompt, isThinkingOnly, kindOf, liveLeaf, rowOf } from '../graph/nodes.js'
import { type Bench, idOf, openBench, patchRow, type Said } from './bench.js'
import { allRows, keepWhatStays } from './bench-rows.js'
import { leaveCopiesOut, standIn } from './leave-copies.js'
import { mendRewound } from './mend-compactions.js'
import { dropBlank } from './mend-content.js'
import { dropOpenCalls, dropOpenEnd } from './mend-tools.js'
import type { EditPlan, TrimWishes } from './plan.js'
import { renamer } from './rename.js'
import { sessionAgentFiles } from './sidecars.js'
import { type EditMake, type EditSource, titleOf, titleWith } from './source.js'
import { straighten } from './straight.js'
import { talkOf } from './talk.js'

/** The plan of a lighter copy of a session's file, or a sentence. What is shortened is told when the rows are made. */
export function planTrim(
  source: EditSource,
  file: FileRecord,
  make: EditMake,
  wishes: TrimWishes,
): EditPlan | string {
  const { graph } = source
  const from = file.facts.session ?? ''
  const bench = openBench(source, file, make.session)
  leaveCopiesOut(bench)
  const leaf = standIn(bench, liveLeaf(graph, file))
  const live = talkOf(bench, leaf)
  const talk = dropOpenEnd(bench, dropBlank(bench, live))
  if (talk.length === 0) return 'The session has nothing that could be sent: there is nothing to trim.'
  const turn = lastTurn(bench, talk)
  for (const node of turn) patchRow(bench, node, { keepsThoughts: true })
  if (wishes.thinking) leaveOut(bench, node => isThinkingOnly(bench.graph, node) && !turn.has(node))
  if (wishes.progress) leaveOut(bench, node => kindOf(bench.graph, node) === 'progress')
  const said = talk.filter(item => typeof item !== 'number' || !bench.dropped.has(item))
  dropOpenCalls(bench, said, leaf)
  mendRewound(bench, said)
  keepWhatStays(bench)
  straighten(bench, said)
  const rename = renamer(make.session)
  const title = make.title ?? titleWith('trimmed', titleOf(source, from))
  return {
    command: 'trim',
    session: make.session,
    title,
    from: { session: from, node: null },
    copies: true,
    shape: 'tree',
    rows: allRows(bench, said, { make, title }),
    trim: wishes,
    sidecars: sessionAgentFiles(graph, from),
    changes: bench.changes,
    promise: said.map(item => rename(idOf(bench, item))),
    check: 'exact',
    today: [],
    mayLose: true,
  }
}

/** The entries since the last prompt: the API wants the thoughts of a turn that may still go on. */
function lastTurn({ graph }: Bench, talk: readonly Said[]): ReadonlySet<number> {
  const nodes = talk.filter(item => typeof item === 'number')
  const prompt = nodes.findLastIndex(node => isPrompt(graph, node))
  return new Set(nodes.slice(Math.max(0, prompt)))
}

function leaveOut(bench: Bench, isOut: (node: number) => boolean): void {
  for (const node of bench.file.nodes) {
    if (!isOut(node) || bench.dropped.has(node)) continue
    bench.dropped.add(node)
    const why = kindOf(bench.graph, node) === 'progress' ? 'It is progress of a tool.' : 'It is a thought.'
    bench.changes.push({ what: 'left-out', node: bench.graph.id(node), row: rowOf(bench.graph, node), why })
  }
}
