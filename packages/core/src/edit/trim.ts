/** E8: trimming: the same session with less in it. Branches and notes stay; what is left out stays in the original. */

import type { FileRecord } from '../graph/file-record.js'
import { isPrompt, isThinkingOnly, kindOf, liveLeaf, rowOf } from '../graph/nodes.js'
import { dropBlank } from './clean.js'
import { conversationOf } from './conversation.js'
import { leaveCopiesOut, standIn } from './copies.js'
import { type Draft, idOf, openDraft, patchRow, type Said } from './draft.js'
import { allRows, keepWhatStays } from './draft-rows.js'
import { dropOpenCalls, dropOpenEnd } from './open-calls.js'
import type { EditPlan, TrimScope } from './plan.js'
import { renamer } from './rename.js'
import { moveRewound } from './rewound.js'
import { sessionAgentFiles } from './sidecars.js'
import { type EditMake, type EditSource, titleOf, titleWith } from './source.js'
import { straighten } from './straight.js'

/** The plan of a lighter copy of a session's file, or a sentence. What is shortened is told when the rows are made. */
export function planTrim(
  source: EditSource,
  file: FileRecord,
  make: EditMake,
  options: TrimScope,
): EditPlan | string {
  const { graph } = source
  const from = file.facts.session ?? ''
  const draft = openDraft(source, file, make.session)
  leaveCopiesOut(draft)
  const leaf = standIn(draft, liveLeaf(graph, file))
  const live = conversationOf(draft, leaf)
  const talk = dropOpenEnd(draft, dropBlank(draft, live))
  if (talk.length === 0) return 'The session has nothing that could be sent: there is nothing to trim.'
  const turn = lastTurn(draft, talk)
  for (const node of turn) patchRow(draft, node, { keepsThoughts: true })
  if (options.thinking) leaveOut(draft, node => isThinkingOnly(draft.graph, node) && !turn.has(node))
  if (options.progress) leaveOut(draft, node => kindOf(draft.graph, node) === 'progress')
  const said = talk.filter(item => typeof item !== 'number' || !draft.dropped.has(item))
  dropOpenCalls(draft, said, leaf)
  moveRewound(draft, said)
  keepWhatStays(draft)
  straighten(draft, said)
  const rename = renamer(make.session)
  const title = make.title ?? titleWith('trimmed', titleOf(source, from))
  return {
    command: 'trim',
    session: make.session,
    title,
    from: { session: from, node: null },
    copies: true,
    shape: 'tree',
    rows: allRows(draft, said, { make, title }),
    trim: options,
    sidecars: sessionAgentFiles(graph, from),
    changes: draft.changes,
    promise: said.map(item => rename(idOf(draft, item))),
    check: 'exact',
    today: [],
    mayLose: true,
  }
}

/** The entries since the last prompt: the API wants the thoughts of a turn that may still go on. */
function lastTurn({ graph }: Draft, talk: readonly Said[]): ReadonlySet<number> {
  const nodes = talk.filter(item => typeof item === 'number')
  const prompt = nodes.findLastIndex(node => isPrompt(graph, node))
  return new Set(nodes.slice(Math.max(0, prompt)))
}

function leaveOut(draft: Draft, isOut: (node: number) => boolean): void {
  for (const node of draft.file.nodes) {
    if (!isOut(node) || draft.dropped.has(node)) continue
    draft.dropped.add(node)
    const why = kindOf(draft.graph, node) === 'progress' ? 'It is progress of a tool.' : 'It is a thought.'
    draft.changes.push({ what: 'left-out', node: draft.graph.id(node), row: rowOf(draft.graph, node), why })
  }
}
