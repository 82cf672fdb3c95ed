/** E8: trimming: the same session with less in it. Branches and notes stay; what is left out stays in the original. */

import type { FileRecord } from '../graph/file-record.js'
import { copiesAmong, isThinkingOnly, kindOf, liveLeaf } from '../graph/nodes.js'
import { sessionId } from '../model/ids.js'
import { dropCopies } from './copies.js'
import { conversationEntries, type Draft, itemId, mainNodes, openDraft } from './draft.js'
import { draftRows } from './draft-rows.js'
import { linearize } from './linearize.js'
import { dropOpenCalls, dropOpenEnd } from './open-calls.js'
import { COPY, type EditPlan, type TrimScope } from './plan.js'
import { conversationAlong, dropBlank } from './promised.js'
import { renamer } from './rename.js'
import { moveRewound, rewoundCompactions } from './rewound.js'
import { sessionAgentFiles } from './sidecars.js'
import { type EditSource, type NewSession, titleOf, titleWith } from './source.js'

/** The plan of a lighter copy of a session's file, or a sentence. What is shortened is noted when the rows are made. */
export function planTrim(
  source: EditSource,
  file: FileRecord,
  target: NewSession,
  options: TrimScope,
): EditPlan | string {
  const { graph } = source
  const { session } = target
  const from = file.facts.session ?? sessionId('')
  const draft = openDraft({ source, file, session, now: target.now, isLinear: true })
  dropCopies(draft, copiesAmong(graph, mainNodes(draft)))
  const leaf = draft.standIn(liveLeaf(graph, file))
  draft.promise(conversationAlong(draft, leaf))
  dropBlank(draft)
  dropOpenEnd(draft)
  if (draft.promised().length === 0)
    return 'The session has nothing that could be sent: there is nothing to trim.'
  dropUnwanted(draft, options)
  dropOpenCalls(draft, leaf)
  const promised = draft.promised()
  for (const rewound of rewoundCompactions(file, new Set(promised)))
    moveRewound(draft.as('broken-compaction'), rewound)
  const line = linearize(draft)
  const rename = renamer(session)
  const title = target.title ?? titleWith('trimmed', titleOf(source, from))
  return {
    ...COPY,
    command: 'trim',
    session,
    title,
    from: { session: from, node: null },
    shape: 'tree',
    rows: draftRows(draft, line, { target, title }),
    trim: options,
    sidecars: sessionAgentFiles(graph, from),
    changes: draft.changes,
    promise: promised.map(item => rename(itemId(draft, item))),
  }
}

/** Leaves out thinking and progress; not the thinking of the last turn, which may still go on: the API wants it. */
function dropUnwanted(all: Draft, { thinking, progress }: TrimScope): void {
  const draft = all.as('left-out')
  const { graph, file, isDropped } = draft
  const turn = lastTurn(draft)
  for (const node of turn) draft.rewrite(node, { keepsThoughts: true })
  for (const node of file.nodes) {
    if (isDropped(node)) continue
    if (thinking && isThinkingOnly(graph, node) && !turn.has(node)) draft.drop(node, 'It is thinking.')
    if (progress && kindOf(graph, node) === 'progress') draft.drop(node, 'It is progress of a tool.')
  }
  draft.promise(draft.promised().filter(item => typeof item !== 'number' || !isDropped(item)))
}

/** The entries since the last prompt. */
function lastTurn({ graph, promised }: Draft): ReadonlySet<number> {
  const nodes = conversationEntries(promised())
  const prompt = nodes.findLastIndex(node => graph.startsTurn(node))
  return new Set(nodes.slice(Math.max(0, prompt)))
}
