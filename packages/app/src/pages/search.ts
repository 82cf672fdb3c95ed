/** Search for the page: as `dagline search`, and while one types. */

import { type SearchHit, type SearchPage, type SearchSort, speakerOf } from '@dagline/core/protocol'
import type { Hit, SessionFact } from '@dagline/store'
import type { LiveContext } from '../live/context.js'
import { type SearchFilter, searchSource } from '../search/search.js'
import { sessionName } from './projects.js'

/** What to search for, and which of the hits are shown. */
export interface SearchPageOptions extends SearchFilter {
  readonly q: string
  readonly sort?: SearchSort | undefined
  readonly limit: number
  readonly below: number
}

/** `below` counts hits that were given: further ones are behind them, in the same order. */
export async function searchPage(
  context: LiveContext,
  query: SearchPageOptions,
  signal?: AbortSignal,
): Promise<SearchPage> {
  const start = performance.now()
  const { q, sort, limit, below } = query
  const source = { index: context.index(), ranges: context.ranges, roots: context.rootIds() }
  const wanted = { filter: query, sort, offset: below, limit: limit + 1, signal }
  const answer = await searchSource(source, q, wanted)
  const { total, isComplete, note, warning } = answer
  const hits = answer.hits.slice(0, limit)
  const facts = new Map(context.sessions().map(fact => [fact.session, fact]))
  return {
    hits: hits.map(hit => shownHit(hit, facts.get(hit.session ?? ''))),
    total,
    isComplete,
    note,
    warning,
    below: answer.hits.length > limit ? below + limit : null,
    took: performance.now() - start,
  }
}

function shownHit(hit: Hit, fact: SessionFact | undefined): SearchHit {
  const { node, session, project, time, tool, line } = hit
  return {
    node,
    session,
    title: sessionName(fact),
    project,
    cwd: fact?.cwd ?? null,
    time,
    actor: speakerOf(hit.field, hit.line?.agentName ?? null),
    tool,
    snippet: piecesOf(hit),
    label: {
      live: hit.live,
      branch: line?.kind === 'branch' ? line.name : null,
      status: line?.branchStatus ?? null,
      agent: line?.agentName ?? line?.agent ?? null,
      compacted: hit.compacted,
      queue: hit.became,
      archived: hit.isArchived,
    },
  }
}

/** The text between marks and the marks themselves, in turns. */
function piecesOf({ snippet, marks }: Hit): readonly string[] {
  const pieces: string[] = []
  let at = 0
  for (const [start, end] of marks) {
    pieces.push(snippet.slice(at, start), snippet.slice(start, end))
    at = end
  }
  return [...pieces, snippet.slice(at)]
}
