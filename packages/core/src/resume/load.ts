/**
 * D1: a model of how Claude Code loads a transcript on resume, by release: what the first request then carries. It says what
 * the CLI does, right or wrong; what the conversation is, says `graph.live`. The lab holds it against the real CLI
 * (docs/LAB.md).
 *
 *   rows -> kept entries of the newest compaction -> end -> chain -> parts and results -> less what is not sent
 */

import type { FileRecord } from '../graph/file-record.js'
import type { Graph } from '../graph/graph.js'
import { fileAt, none } from '../graph/nodes.js'
import type { FileId } from '../model/ids.js'
import { walkChain } from './chain.js'
import type { LoadedConversation } from './conversation.js'
import { endOf } from './end.js'
import { hangKept } from './kept.js'
import { dropBeside, firstRead } from './large.js'
import { RELEASES, type Release, releaseOf } from './releases.js'
import { type LoadedRows, loadRows, NAMELESS, NO_PARENT } from './rows.js'
import { sentOf } from './sent.js'
import { type LoaderSurvey, loadedMarks, NO_SURVEY } from './survey.js'

/** Which release resumes, and what it finds beside the graph. */
export interface LoadOptions {
  /** The version that resumes; the newest known without one. */
  readonly version?: string
  /** What the rows say that the graph does not keep; without it nothing is blank. */
  readonly survey?: LoaderSurvey
}

/** The newest release that the model knows. */
export const NEWEST_VERSION: string = RELEASES[0]?.version ?? ''

/** The nodes that Claude Code loads on resume of a file. */
export function loadedBy(graph: Graph, path: FileId, options: LoadOptions = {}): LoadedConversation {
  const file = fileAt(graph, path)
  if (file === null) return { nodes: [], stop: null, leaf: null }
  return loadFile(graph, file, releaseOf(options.version ?? NEWEST_VERSION), options.survey ?? NO_SURVEY)
}

function loadFile(
  graph: Graph,
  file: FileRecord,
  release: Release,
  survey: LoaderSurvey,
): LoadedConversation {
  const from = firstRead(graph, file, release)
  const rows = loadRows(graph, file, { ...survey, release, from })
  dropBeside(rows, file, release, rows.places.get(survey.leafNote ?? '') ?? NO_PARENT)
  const hasKept = hangKept(rows, release)
  const leaf = endOf({ loaded: rows, release, notes: survey, hasKept })
  const chain = walkChain(rows, release, leaf)
  const nodes = sentOf({ loaded: rows, chain: chain.places, release, marks: loadedMarks(survey) })
  const stop = chain.stop === null ? null : { node: nodeAt(rows, chain.stop.place), why: chain.stop.why }
  const end = nodeAt(rows, leaf)
  return { nodes, stop, leaf: end === none ? null : end }
}

/** The node at a position; for the entry without a uuid, which is none, the one that it hangs on. */
function nodeAt({ rows, parents }: LoadedRows, place: number): number {
  const node = rows[place] ?? none
  return node === NAMELESS ? (rows[parents[place] ?? none] ?? none) : node
}
